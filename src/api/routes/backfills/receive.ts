/** A file in a request's body, written to disk as it arrives. */

import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { HttpError, ParameterError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import { clearTimeout, monotonicMs, setTimeout } from '../../../base/world/clock.ts';
import { createWriteStream } from '../../../base/world/files.ts';
import type { RequestContext } from '../../http/request-context.ts';

const MEGABYTE = 1024 * 1024;
const CLOSING = ['Connection', 'close'];

export const TOO_LONG = `body must have at most ${limits.backfills.fileBytesMax / MEGABYTE} MiB`;

/** Returns the rule that a client which sends for `elapsedMs` has broken; undefined: none. */
function slowness(byteCount: number, elapsedMs: number): string | undefined {
  const { fileMs, fileGraceMs, fileBytesPerSMin } = limits.backfills;
  if (elapsedMs > fileMs) return `body must arrive within ${fileMs / 60_000} minutes`;
  if (elapsedMs <= fileGraceMs || byteCount * 1000 >= fileBytesPerSMin * elapsedMs)
    return undefined;
  return `body must arrive at ${fileBytesPerSMin / 1024} KiB/s or more`;
}

/**
 * Writes the body to a file. A client that is too slow, or goes away, ends it.
 *
 * @returns the number of bytes.
 * @throws {HttpError} 400, 408, 413
 */
export async function receive({ request, headers }: RequestContext, path: string): Promise<number> {
  const { fileBytesMax, fileIdleMs } = limits.backfills;
  if (Number(headers['content-length'] ?? 0) > fileBytesMax) {
    drain(request);
    throw new HttpError(413, TOO_LONG);
  }
  const startMs = monotonicMs();
  let byteCount = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      byteCount += chunk.length;
      idle.refresh();
      const rule = slowness(byteCount, monotonicMs() - startMs);
      if (byteCount > fileBytesMax) done(new HttpError(413, TOO_LONG));
      else if (rule !== undefined) done(new HttpError(408, rule, CLOSING));
      else done(null, chunk);
    },
    flush(done) {
      clearTimeout(idle);
      done();
    },
  });
  const idle = setTimeout(() => {
    const rule = `body must not pause for more than ${fileIdleMs / 1000} seconds`;
    counted.destroy(new HttpError(408, rule, CLOSING));
  }, fileIdleMs);
  request.once('close', () => {
    if (!request.complete) counted.destroy(new HttpError(400, 'body must be complete'));
  });
  try {
    // A pipeline with the request in it would close the connection before the refusal is sent.
    request.pipe(counted);
    // The content is on the disk before the response.
    await pipeline(counted, createWriteStream(path, { flush: true }));
  } catch (error) {
    drain(request);
    throw error;
  } finally {
    clearTimeout(idle);
  }
  if (byteCount === 0) throw new ParameterError('body', 'body must be a file, it is empty');
  return byteCount;
}

/**
 * Reads the rest of a refused body for a bounded time. A client that sends all before it reads
 * gets the refusal then, where a closed connection would reset it.
 */
function drain(request: RequestContext['request']): void {
  if (request.closed) return;
  const timer = setTimeout(() => request.destroy(), limits.request.drainMs);
  request.once('close', () => clearTimeout(timer));
  request.resume();
}
