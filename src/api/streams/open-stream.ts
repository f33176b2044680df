/** One open stream: its position, the texts that it sends, and the state of its socket. */

import type { ServerResponse } from 'node:http';
import type { Mode } from '../../base/config/data-dir.ts';
import { limits } from '../../base/limits.ts';
import { monotonicMs } from '../../base/world/clock.ts';
import type {
  OpenStream,
  StreamedEvent,
  StreamedRange,
} from '../../store/accounts/webhooks/stream-store.ts';
import type { AdmittedContext } from '../http/request-context.ts';

export interface Stream {
  context: AdmittedContext;
  response: ServerResponse;
  mode: Mode;
  /** Empty while the stream waits for accounts that can't be reached. */
  rows: readonly OpenStream[];
  /** Types and symbols of the request, for `stream.reset`. */
  wanted: Readonly<Record<string, readonly string[] | null>>;
  /** Number of the last event that was sent or passed over. */
  position: number;
  /** `performance.now()` of the last text. */
  sentMs: number;
  /** `performance.now()` since which the socket takes nothing; undefined: it takes more. */
  blockedMs: number | undefined;
}

/** `at_`, the number of an event, and the rows of the stream that has read up to it. */
const POSITION = /^at_(\d{1,15})_([\d.]+)$/;

function rowsText(rows: readonly OpenStream[]): string {
  return rows.map(({ seq }) => seq).join('.');
}

/** Returns an id that stands for all events up to the position, sent or not. */
export function positionId({ position, rows }: Pick<Stream, 'position' | 'rows'>): string {
  return `at_${position}_${rowsText(rows)}`;
}

/**
 * Returns the number of the event that an id names.
 *
 * @param lastId An event's id, or a position.
 * @param find Number of an event that is kept.
 * @returns undefined if events after it may be missing.
 */
export async function positionFromId(
  lastId: string,
  rows: readonly OpenStream[],
  { floor, head }: StreamedRange,
  find: (eventId: string) => Promise<number | undefined>,
): Promise<number | undefined> {
  const [, digits, of] = POSITION.exec(lastId) ?? [];
  const seq = digits === undefined ? await find(lastId) : Number(digits);
  if (seq === undefined || seq < floor || seq > head) return undefined;
  // An event before its row is of an earlier one, and a publish in between made nothing for either.
  const isOwn =
    digits === undefined ? rows.every(({ fromSeq }) => fromSeq < seq) : of === rowsText(rows);
  return isOwn ? seq : undefined;
}

/** Returns true if one of the stream's rows gets the event. */
export function isReceiver({ rows }: Pick<Stream, 'rows'>, { receivers }: StreamedEvent): boolean {
  return rows.some(({ seq }) => receivers.includes(` ${seq} `));
}

export function eventText({ id, type, body }: StreamedEvent): string {
  return `event: ${type}\nid: ${id}\ndata: ${body}\n\n`;
}

/** Returns the last id that the client sent; empty without one. */
export function lastIdOf({ context }: Pick<Stream, 'context'>): string {
  return String(context.headers['last-event-id'] ?? '');
}

/**
 * Returns a text that only sets the client's last id; readers of events see nothing of it. A stream
 * that waits for the accounts repeats the id with which the client came.
 */
export function positionText(stream: Stream): string {
  return `id: ${stream.rows.length === 0 ? lastIdOf(stream) : positionId(stream)}\n\n`;
}

/** Returns the event that tells a client to request its data again. */
export function resetText(stream: Stream, lastEventId: string, nowMs: number): string {
  const id = positionId(stream);
  const minutes = (limits.stream.leaseMs - limits.stream.renewMs) / 60_000;
  const after = lastEventId === '' ? 'the start of the stream' : `"${lastEventId}"`;
  const reason =
    `Events after ${after} may be missing: a stream can be continued for ${minutes} ` +
    'minutes, with the same parameters. Request the data that you follow again';
  const type = 'stream.reset';
  const data = { lastEventId, reason, ...stream.wanted };
  const body = JSON.stringify({ id, type, timestamp: new Date(nowMs).toISOString(), data });
  return eventText({ id, type, body, seq: 0, receivers: '' });
}

/** Writes a text. @returns false if the socket takes no more for now. */
export function write(stream: Stream, text: string): boolean {
  stream.sentMs = monotonicMs();
  if (stream.response.write(text)) return true;
  stream.blockedMs = stream.sentMs;
  return false;
}
