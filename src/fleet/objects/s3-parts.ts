/**
 * Objects that are too large for one request, in parts. They become visible at once, when the last
 * request completes them; a failure ends them, and an upload that was killed is ended by a later
 * one.
 */

import { createHash } from 'node:crypto';
import { XMLParser } from 'fast-xml-parser';
import { limits } from '../../base/limits.ts';
import { wallMs } from '../../base/world/clock.ts';
import { contentOfBytes } from '../../store/objects/content.ts';
import { type ObjectContent, ObjectStoreError } from '../../store/objects/object-store.ts';
import { headerOf, type S3Request, type S3Response, wholeText } from './s3-request.ts';

/** Sends requests to one bucket. */
export interface PartSender {
  /** Sends a request until it succeeds or its failure does not pass. */
  exchange<T>(
    what: string,
    request: S3Request,
    take: (response: S3Response) => Promise<T | undefined>,
  ): Promise<T>;
  /** Sends a request once; undefined if its condition is not met. */
  once(
    what: string,
    request: S3Request,
    take: (response: S3Response) => Promise<string | undefined>,
  ): Promise<string | undefined>;
  /** Returns the size of an object; undefined without one. */
  bytesOf(key: string, signal?: AbortSignal): Promise<number | undefined>;
  /** Removes what a request names, if it is there. */
  remove(what: string, request: Omit<S3Request, 'method'>): Promise<void>;
  /** Beginning of all keys. */
  prefix: string;
}

const NOT_FOUND = 404;

const parser = new XMLParser({ parseTagValue: false, isArray: (name) => name === 'Upload' });

interface Xml {
  InitiateMultipartUploadResult?: { UploadId?: string };
  ListMultipartUploadsResult?: { Upload?: { Key: string; UploadId: string; Initiated: string }[] };
  CompleteMultipartUploadResult?: { ETag?: string };
}

async function xmlOf({ body }: S3Response): Promise<Xml> {
  const text = await wholeText(body, limits.objects.wholeBytesMax).catch((cause) => {
    throw new ObjectStoreError('the transfer of a response broke off', { cause, isPassing: true });
  });
  return parser.parse(text) as Xml;
}

interface PartsOptions {
  condition: 'absent' | undefined;
  signal: AbortSignal | undefined;
}

/** Writes an object as `ObjectStore.put` does, without swaps. */
export async function putParts(
  sender: PartSender,
  what: string,
  key: string,
  content: ObjectContent,
  { condition, signal }: PartsOptions,
): Promise<string | undefined> {
  const isThere = async () => (await sender.bytesOf(key, signal)) !== undefined;
  // The store compares the condition only at the end.
  if (condition === 'absent' && (await isThere())) return undefined;
  await endOld(sender, signal).catch(() => undefined);
  const id = await begin(sender, what, key, signal);
  let isEnded = false;
  try {
    const etags = await sendParts(sender, what, key, { id, content, signal });
    const etag = await complete(sender, what, key, { id, etags, content, condition, signal });
    isEnded = etag !== undefined;
    return etag;
  } finally {
    if (!isEnded) await end(sender, key, id).catch(() => undefined);
  }
}

function begin(sender: PartSender, what: string, key: string, signal?: AbortSignal) {
  const request = { method: 'POST', key, query: { uploads: '' }, signal } as const;
  return sender.exchange(what, request, async (response) =>
    response.status === 200
      ? (await xmlOf(response)).InitiateMultipartUploadResult?.UploadId
      : undefined,
  );
}

interface Upload {
  id: string;
  content: ObjectContent;
  signal?: AbortSignal;
}

/** Sends the parts one after the other. @returns their ETags. */
async function sendParts(
  sender: PartSender,
  what: string,
  key: string,
  { id, content, signal }: Upload,
): Promise<string[]> {
  const { partBytes } = limits.objects;
  const whole = createHash('sha256');
  const etags: string[] = [];
  for (let start = 0; start < content.bytes; start += partBytes) {
    const end = Math.min(start + partBytes, content.bytes);
    const sum = createHash('sha256');
    const md5 = createHash('md5');
    for await (const piece of content.read(start, end)) {
      signal?.throwIfAborted();
      sum.update(piece);
      md5.update(piece);
      whole.update(piece);
    }
    const part: ObjectContent = {
      bytes: end - start,
      sha256: sum.digest('hex'),
      read: () => content.read(start, end),
    };
    const query = { partNumber: String(etags.length + 1), uploadId: id };
    const headers = { 'content-md5': md5.digest('base64') };
    const request = { method: 'PUT', key, query, headers, content: part, signal } as const;
    const etag = await sender.exchange(what, request, async (response) => {
      if (response.status !== 200) return undefined;
      await response.body.resume();
      return headerOf(response, 'etag');
    });
    etags.push(etag);
  }
  if (whole.digest('hex') === content.sha256) return etags;
  throw new ObjectStoreError(`can't ${what}: its content has changed`);
}

interface CompletedUpload extends Upload {
  etags: readonly string[];
  condition: PartsOptions['condition'];
}

async function complete(
  sender: PartSender,
  what: string,
  key: string,
  { id, etags, content, condition, signal }: CompletedUpload,
): Promise<string | undefined> {
  const parts = etags.map(
    (etag, i) => `<Part><PartNumber>${i + 1}</PartNumber><ETag>${escaped(etag)}</ETag></Part>`,
  );
  const xml = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`;
  const request: S3Request = {
    ...{ method: 'POST', key, query: { uploadId: id }, signal },
    headers: condition === 'absent' ? { 'if-none-match': '*' } : {},
    content: contentOfBytes(Buffer.from(xml)),
    // The store may join the parts before it responds.
    bytesMax: content.bytes,
    isSlow: true,
  };
  // A store may say 200 before it fails.
  const take = async (response: S3Response) => {
    if (response.status !== 200) return undefined;
    const etag = (await xmlOf(response)).CompleteMultipartUploadResult?.ETag;
    // Some stores escape the quotes.
    if (etag !== undefined) return etag.replace(/&#34;|&quot;/g, '"');
    throw new ObjectStoreError(`can't ${what}: the parts were not joined`, { isPassing: true });
  };
  if (condition !== undefined) return sender.once(what, request, take);
  return sender.exchange(what, request, async (response) => {
    // An earlier try was done, and its response lost.
    if (response.status === NOT_FOUND && (await sender.bytesOf(key, signal)) === content.bytes) {
      await response.body.resume();
      return '';
    }
    return take(response);
  });
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

/** Ends an upload, whose parts would be kept and paid for. */
function end(sender: PartSender, key: string, id: string): Promise<void> {
  return sender.remove('end an upload', { key, query: { uploadId: id } });
}

/** Ends uploads of killed processes. */
async function endOld(sender: PartSender, signal?: AbortSignal): Promise<void> {
  const query = { uploads: '', prefix: sender.prefix };
  const request = { method: 'GET', key: '', query, signal } as const;
  const uploads = await sender.exchange('list uploads', request, async (response) =>
    response.status === 200
      ? ((await xmlOf(response)).ListMultipartUploadsResult?.Upload ?? [])
      : undefined,
  );
  const beforeMs = wallMs() - limits.objects.strayMs;
  for (const { Key: key, UploadId: id, Initiated: initiated } of uploads) {
    if (Date.parse(initiated) < beforeMs) await end(sender, key.slice(sender.prefix.length), id);
  }
}
