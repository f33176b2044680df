/** The log of a serving process: pino's JSON lines, gathered and written in large pieces. */

import { writeSync } from 'node:fs';
import pino, { type DestinationStream } from 'pino';
import { limits } from '../../base/limits/limits.ts';

export interface RequestLine {
  requestId: string;
  method: string;
  /** Path and query, without keys. */
  target: string;
  status: number;
  /** Whether the client left before the end. */
  isAborted: boolean;
  durationMs: number;
  keyId: string | undefined;
}

export interface Log {
  /** An answered request. */
  request(line: RequestLine): void;
  /** Bytes that never became a request. */
  refusal(requestId: string, status: number, reason: string): void;
  /** A page's origin that no setting allows. */
  origin(origin: string): void;
  /** A failure of our own, with its story. */
  failure(requestId: string, error: unknown): void;
  /** An attempt at a webhook that did not succeed. */
  delivery(line: object): void;
  /** Published files of a mode that can't be opened. */
  damage(mode: string, error: Error): void;
}

/**
 * Gathers lines and writes them after `limits.log.flushMs` or `limits.log.bytesMax`, whichever
 * comes first, and at the end of the process. A write per line would cost a request as much as
 * all of its other work.
 */
export function gatheringDestination(fd: number): DestinationStream {
  let text = '';
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const bytes = Buffer.from(text);
    text = '';
    writeAll(fd, bytes);
  };
  process.on('exit', flush);
  return {
    write(line) {
      text += line;
      if (text.length >= limits.log.bytesMax) flush();
      else if (timer === undefined) timer = setTimeout(flush, limits.log.flushMs).unref();
    },
  };
}

/** A pipe that is full gives EAGAIN; a log line is not worth failing or waiting for then. */
function writeAll(fd: number, bytes: Buffer): void {
  try {
    for (let written = 0; written < bytes.length; ) written += writeSync(fd, bytes, written);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
  }
}

/**
 * pino's own line, spelled here: through pino it costs 2 to 4 µs of a request's 25, like this
 * half a microsecond. Only the target can hold characters that JSON escapes.
 */
function textOfRequest(line: RequestLine): string {
  const { requestId, method, target, status, isAborted, durationMs, keyId } = line;
  const aborted = isAborted ? ',"aborted":true' : '';
  const key = keyId === undefined ? '' : `,"key":"${keyId}"`;
  const start = `{"level":${pino.levels.values.info},"time":${Date.now()}`;
  const request = `"request_id":"${requestId}","method":"${method}","target":${JSON.stringify(target)}`;
  return `${start},${request},"status":${status}${aborted},"ms":${durationMs}${key}}\n`;
}

const STDERR = 2;

/**
 * @param level pino's name of the least level that is written; requests and refusals are `info`.
 * @param destination Standard output belongs to the verbs' own documents, so the default is
 *   standard error.
 */
export function createLog(
  level: string,
  destination: DestinationStream = gatheringDestination(STDERR),
): Log {
  const logger = pino({ level, base: null }, destination);
  const hasRequests = logger.isLevelEnabled('info');
  return {
    request(line) {
      if (hasRequests) destination.write(textOfRequest(line));
    },
    refusal: (requestId, status, reason) => logger.info({ request_id: requestId, status, reason }),
    origin: (origin) =>
      logger.warn(
        { origin },
        'A page of this origin may not read answers: TAPEWORKS_CORS_ORIGINS does not name it',
      ),
    failure: (requestId, err) => logger.error({ request_id: requestId, err }),
    delivery: (line) => logger.info(line),
    damage: (mode, err) => logger.error({ mode, err }),
  };
}
