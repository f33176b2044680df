/** The log of an API thread: pino's JSON lines, buffered and written in large pieces. */

import pino, { type DestinationStream } from 'pino';
import { AccountsUnreachableError, QueueUnavailableError } from '../../base/errors.ts';
import { clearTimeout, monotonicMs, setTimeout, wallMs } from '../../base/world/clock.ts';
import { writeSync } from '../../base/world/files.ts';
import { process } from '../../base/world/process.ts';
import { logLimits } from './limits.ts';

export interface RequestLine {
  requestId: string;
  method: string;
  /** Path and query, undecoded; the log masks keys and secrets in it. */
  target: string;
  status: number;
  /** True if the client disconnected before the end. */
  isAborted: boolean;
  durationMs: number;
  keyId: string | undefined;
}

export interface Log {
  /** Writes the line of a finished request. */
  request(line: RequestLine): void;
  /** Writes the line of bytes that are no HTTP request. */
  refusal(requestId: string, status: number, reason: string): void;
  /** Warns of a page whose origin no setting allows. */
  origin(origin: string): void;
  /**
   * Writes a failure of the server, with its stack. An engine that is away fails every request and
   * every look at it: it is written once in `logLimits.awayMs`.
   */
  failure(requestId: string, error: unknown): void;
  /** Writes a failed attempt to deliver a webhook. */
  delivery(line: object): void;
  /** Writes that published files of a mode can't be opened. */
  damage(mode: string, error: Error): void;
}

/**
 * Buffers lines and writes them after `logLimits.flushMs` or `logLimits.bytesMax`, whichever
 * comes first, and at the end of the process. A write per line would double the cost of a request.
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
      if (text.length >= logLimits.bytesMax) flush();
      else if (timer === undefined) timer = setTimeout(flush, logLimits.flushMs).unref();
    },
  };
}

/** Writes to a file descriptor; a full pipe (EAGAIN) drops the lines instead of blocking. */
function writeAll(fd: number, bytes: Buffer): void {
  try {
    for (let written = 0; written < bytes.length; ) written += writeSync(fd, bytes, written);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
  }
}

/**
 * Formats a request as pino would: 0.5 µs instead of pino's 2 to 4 of a request's 25 µs. Only the
 * target can hold characters that JSON escapes.
 */
function textOfRequest(line: RequestLine): string {
  const { requestId, method, target, status, isAborted, durationMs, keyId } = line;
  const aborted = isAborted ? ',"aborted":true' : '';
  const key = keyId === undefined ? '' : `,"key":"${keyId}"`;
  const start = `{"level":${pino.levels.values.info},"time":${wallMs()}`;
  const request = `"request_id":"${requestId}","method":"${method}","target":${JSON.stringify(maskedTarget(target))}`;
  return `${start},${request},"status":${status}${aborted},"ms":${durationMs}${key}}\n`;
}

const STDERR = 2;

const ENGINE_ERRORS = [AccountsUnreachableError, QueueUnavailableError];

/**
 * @param level pino's name of the lowest level to write; requests and refusals are `info`.
 * @param destination Default: standard error, because standard output is for the verbs' documents.
 */
export function createLog(
  level: string,
  destination: DestinationStream = gatheringDestination(STDERR),
): Log {
  const logger = pino({ level, base: null }, destination);
  const hasRequests = logger.isLevelEnabled('info');
  /** `performance.now()` of the last line about each engine that is away. */
  const saidMs = new Map<unknown, number>();

  function isSaid(error: unknown): boolean {
    const engine = ENGINE_ERRORS.find((one) => error instanceof one);
    if (!engine) return false;
    const nowMs = monotonicMs();
    if (nowMs - (saidMs.get(engine) ?? Number.NEGATIVE_INFINITY) < logLimits.awayMs) return true;
    saidMs.set(engine, nowMs);
    return false;
  }

  return {
    request(line) {
      if (hasRequests) destination.write(textOfRequest(line));
    },
    refusal: (requestId, status, reason) => logger.info({ request_id: requestId, status, reason }),
    origin: (origin) =>
      logger.warn(
        { origin },
        'Pages of this origin cannot read responses: TAPEWORKS_CORS_ORIGINS does not list it',
      ),
    failure(requestId, err) {
      if (!isSaid(err)) logger.error({ request_id: requestId, err });
    },
    delivery: (line) => logger.info(line),
    damage: (mode, err) => logger.error({ mode, err }),
  };
}

/** Letters and digits in the secret part of a key. */
const SECRET_CHARS = 33;

/** Matches a key, a webhook secret with its Base64 text, or any run of letters that long. */
const KEY_TEXT = new RegExp(`svc_\\w+|whsec_[\\w+/=%-]*|[0-9A-Za-z]{${SECRET_CHARS},}`, 'g');

/** Matches parameters whose values are secrets by their names, also where nothing reads them. */
const SECRET_PARAMETER =
  /([?&;](?:[\w.-]*(?:token|secret|passw(?:or)?d|pwd|signature|credential)s?|(?:[\w.-]*(?:api|access|secret|private|auth)[-_.]?)?key|sig|jwt|bearer|auth(?:orization)?)(?:\[[^\]=&]*\])?=)[^&;#]+/gi;

/** Matches an encoded letter, digit, underscore, hyphen or dot, which needs no encoding. */
const NEEDLESS_ESCAPE = /%(2d|2e|3[0-9]|[46][1-9a-f]|[57][0-9a]|5f)/gi;

/** Returns true if the text may hold a key; ten times as fast as a search with `KEY_TEXT`. */
function isKeyLike(text: string): boolean {
  if (text.includes('svc_') || text.includes('whsec_')) return true;
  let run = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    // Digits, or letters of either case.
    const isAlphanumeric = (code >= 48 && code <= 57) || ((code | 32) >= 97 && (code | 32) <= 122);
    run = isAlphanumeric ? run + 1 : 0;
    if (run === SECRET_CHARS) return true;
  }
  return false;
}

/**
 * Masks keys and secrets, which some clients put into the URL.
 *
 * @param target Path and query, undecoded.
 */
export function maskedTarget(target: string): string {
  const plain = target.includes('%')
    ? target.replace(NEEDLESS_ESCAPE, (_text, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    : target;
  const isNamed = plain.includes('?') && plain.search(SECRET_PARAMETER) >= 0;
  const masked = isNamed ? plain.replace(SECRET_PARAMETER, '$1…') : plain;
  if (isKeyLike(masked)) return masked.replace(KEY_TEXT, '…');
  return isNamed ? masked : target;
}
