/** Requests to an S3-compatible store, and parts of their responses. */

import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import {
  bytesOf,
  type ObjectContent,
  type StoredObject,
} from '../../store/objects/object-store.ts';

export interface S3Request {
  method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  key: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  content?: ObjectContent;
  /** Bytes that the response may have, which bound its time. */
  bytesMax?: number;
  /** True if the store may work for long before it responds. */
  isSlow?: boolean;
  signal?: AbortSignal;
}

export interface S3Response {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Readable;
}

export function headerOf({ headers }: S3Response, name: string): string | undefined {
  return [headers[name]].flat()[0];
}

export async function wholeText(body: StoredObject['body'], bytesMax: number): Promise<string> {
  return (await bytesOf({ body }, bytesMax, 'a response')).toString('utf8');
}

export async function md5Of(content: ObjectContent): Promise<string> {
  const hash = createHash('md5');
  for await (const piece of content.read()) hash.update(piece);
  return hash.digest('base64');
}
