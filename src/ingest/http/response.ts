/** An answer as it comes in, and read to its end. */

import type { Readable } from 'node:stream';
import { limits } from '../../base/limits/limits.ts';
import { readBody, textFromUtf8 } from './body.ts';

/** What a readable answer is taken from. */
export interface HttpResponse {
  status: number;
  body: Readable;
  header(name: string): string | undefined;
  /** Of `Set-Cookie`, each as it was sent. */
  cookies: readonly string[];
}

export interface HttpAnswer {
  status: number;
  text: string;
  contentType: string | undefined;
  /** Validators for the next conditional request (`If-None-Match`, `If-Modified-Since`). */
  etag: string | undefined;
  lastModified: string | undefined;
  /** Of `Set-Cookie`, each as it was sent. */
  cookies: readonly string[];
}

/**
 * Reads the whole of an answer into memory.
 *
 * @param decode Makes the text of its bytes; default strict UTF-8.
 * @throws as `readBody`, and what `decode` throws.
 */
export async function wholeAnswer(
  { status, body, header, cookies }: HttpResponse,
  {
    bodyBytesMax: bytesMax = limits.http.bodyBytesMax,
    decode = textFromUtf8,
  }: { bodyBytesMax?: number; decode?: (bytes: Buffer, contentType?: string) => string },
): Promise<HttpAnswer> {
  const packed = { encoding: header('content-encoding'), length: header('content-length') };
  return {
    status,
    text: decode(await readBody(body, { ...packed, bytesMax }), header('content-type')),
    contentType: header('content-type'),
    etag: header('etag'),
    lastModified: header('last-modified'),
    cookies,
  };
}
