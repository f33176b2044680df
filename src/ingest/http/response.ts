import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createInflate } from 'node:zlib';
import { MalformedInputError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';

/** A response whose body is still to be read. */
export interface HttpResponse {
  status: number;
  body: Readable;
  header(name: string): string | undefined;
  /** Values of `Set-Cookie`, each as it was sent. */
  cookies: readonly string[];
}

export interface TextResponse {
  status: number;
  text: string;
  contentType: string | undefined;
  /** Validators for the next conditional request (`If-None-Match`, `If-Modified-Since`). */
  etag: string | undefined;
  lastModified: string | undefined;
  cookies: readonly string[];
}

/** Reads a whole response into memory. */
export async function readResponse(
  { status, body, header, cookies }: HttpResponse,
  {
    bodyBytesMax: bytesMax = limits.http.bodyBytesMax,
    decode = textFromUtf8,
  }: { bodyBytesMax?: number; decode?: (bytes: Buffer, contentType?: string) => string },
): Promise<TextResponse> {
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

export interface BodyRequest {
  /** `Content-Encoding`; undefined or empty means unpacked. */
  encoding: string | undefined;
  /** `Content-Length`, for refusing a large body unread. */
  length: string | undefined;
  bytesMax: number;
}

/**
 * Reads a body to its end.
 * @throws {MalformedInputError} it is larger than `bytesMax`, as sent or unpacked, or not in its
 *   encoding.
 * @throws the error of the stream: the connection broke, or the packed body ends too early.
 */
export async function readBody(
  body: Readable,
  { encoding = '', length, bytesMax }: BodyRequest,
): Promise<Buffer> {
  const stages = unpacker(encoding);
  if (!stages || Number(length) > bytesMax) {
    body.on('error', () => undefined).destroy();
    if (stages) throw tooLarge(bytesMax);
    throw new MalformedInputError(`the answer is encoded as "${encoding}"`);
  }
  const chunks: Buffer[] = [];
  const collect = async (pieces: AsyncIterable<Buffer>) => {
    let bytes = 0;
    for await (const piece of pieces) {
      bytes += piece.length;
      if (bytes > bytesMax) throw tooLarge(bytesMax);
      chunks.push(piece);
    }
  };
  try {
    await pipeline([body, ...stages, collect]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'Z_DATA_ERROR') {
      throw new MalformedInputError(`the answer is not ${encoding}`, { cause: error });
    }
    throw error;
  }
  return Buffer.concat(chunks);
}

function unpacker(encoding: string) {
  switch (encoding.trim().toLowerCase()) {
    case '':
    case 'identity':
      return [];
    case 'gzip':
    case 'x-gzip':
      return [createGunzip()];
    case 'deflate':
      return [createInflate()];
    default:
      return undefined;
  }
}

function tooLarge(bytesMax: number): MalformedInputError {
  return new MalformedInputError(`the answer is larger than ${bytesMax} bytes`);
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** @throws {MalformedInputError} the bytes are not UTF-8. */
export function textFromUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new MalformedInputError('the answer is not UTF-8', { cause });
  }
}
