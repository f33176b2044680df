/**
 * Streams and their events, in the tables `webhooks` and `streamed`.
 *
 * Streams of an account with equal events, symbols and screen share a row. It lasts while a server
 * renews it and `limits.stream.leaseMs` longer. So a publish makes events for streams that may come
 * back, and none for others.
 */

import { createHash } from 'node:crypto';
import type { Mode } from '../../../base/config/data-dir.ts';
import { limits } from '../../../base/limits.ts';
import type { Sql } from '../database/sql.ts';
import { screenSeq } from '../screens/screen-store.ts';
import type { NewWebhook } from './webhook-record.ts';

export type NewStream = Omit<NewWebhook, 'url' | 'description'>;

export interface OpenStream {
  /** Number in the receivers of events. */
  seq: number;
  /** Newest event when the row was made: the stream has no earlier one. */
  fromSeq: number;
}

export interface StreamedEvent {
  seq: number;
  id: string;
  type: string;
  body: string;
  /** Numbers of the streams that get it, with a space before and after each. */
  receivers: string;
}

/** Some events, and the number up to which no other follows. */
export interface StreamedBatch {
  events: StreamedEvent[];
  through: number;
}

/** A stream signs nothing. */
const NO_SECRET = new Uint8Array();

/** Numbers of the events that are kept: all after `floor`, up to `head`. */
export interface StreamedRange {
  floor: number;
  head: number;
}

export function createStreamStore(sql: Sql, now: () => number) {
  const removeExpired = 'DELETE FROM webhooks WHERE stream_until <= ?';
  const removeEvents = 'DELETE FROM streamed WHERE readable_at <= ?';
  const open = `INSERT INTO webhooks (id, account, mode, url, events, symbols, screener, screen, secret,
                           created_at, stream_from, stream_until)
     VALUES (?, ?, ?, '', ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET stream_until = excluded.stream_until
     RETURNING seq, stream_from`;
  const renew = 'UPDATE webhooks SET stream_until = ? WHERE seq = ? AND stream_until > ?';
  const selectHead = sql.dialect.streamedHead;
  // One statement: an event that is stored between two would seem to be removed.
  const selectRange = `SELECT (SELECT min(seq) FROM streamed) AS first, (${selectHead}) AS head`;
  const selectSeq = 'SELECT seq FROM streamed WHERE id = ? AND mode = ?';
  const select = `SELECT seq, id, type, body, receivers FROM streamed
     WHERE seq > :after AND mode = :mode AND (readable_at <= :now OR readable_at > :jumped)
     ORDER BY seq LIMIT :rows`;
  // A later event may be readable at once, and comes after those that are not.
  const selectWaiting = `SELECT min(seq) AS seq FROM streamed
     WHERE seq > :after AND readable_at > :now AND readable_at <= :jumped`;

  const headSeq = async (tx: Sql) => (await tx.get<{ seq: number }>(selectHead))?.seq ?? 0;

  async function openOne(tx: Sql, stream: NewStream, nowMs: number): Promise<OpenStream> {
    const { account, mode, events, symbols, screener, screen } = stream;
    const types = events.toSorted().join(' ');
    const names = symbols?.toSorted().join(' ') ?? null;
    const what = JSON.stringify([account, mode, types, names, screen, screener?.query]);
    const id = `st_${createHash('sha256').update(what).digest('hex').slice(0, 30)}`;
    const saved = screen === undefined ? null : await screenSeq(tx, account, mode, screen);
    const filters = screener ? JSON.stringify(screener) : null;
    const values = [id, account, mode, types, names, filters, saved ?? null, NO_SECRET];
    const times = [nowMs, await headSeq(tx), nowMs + limits.stream.leaseMs];
    const row = (await tx.get<{ seq: number; stream_from: number }>(open, ...values, ...times))!;
    return { seq: row.seq, fromSeq: row.stream_from };
  }

  /** Removes streams and events whose time is over. */
  async function removeOld(tx: Sql): Promise<void> {
    await tx.run(removeExpired, now());
    await tx.run(removeEvents, now() - limits.stream.leaseMs);
  }

  return {
    /** Creates the streams' rows or renews them. @returns them, in the same order. */
    openStreams: (streams: readonly NewStream[]): Promise<OpenStream[]> =>
      sql.transaction(
        async (tx) => {
          await tx.run(removeExpired, now());
          const rows: OpenStream[] = [];
          for (const stream of streams) rows.push(await openOne(tx, stream, now()));
          return rows;
        },
        { lock: 'events' },
      ),
    /**
     * Renews rows, without waiting for other writers.
     *
     * @returns those that have expired, so that events may be missing; undefined: not renewed.
     */
    async renewStreams(seqs: readonly number[]): Promise<number[] | undefined> {
      const nowMs = now();
      const untilMs = nowMs + limits.stream.leaseMs;
      const renewAll = async (tx: Sql) => {
        const expired: number[] = [];
        // Processes that renew the same rows take them in the same order.
        for (const seq of seqs.toSorted((a, b) => a - b)) {
          if ((await tx.run(renew, untilMs, seq, nowMs)) === 0) expired.push(seq);
        }
        return expired;
      };
      return await sql.transaction(renewAll, { isImpatient: true }).catch(() => undefined);
    },
    streamedHead: () => headSeq(sql),
    async streamedRange(): Promise<StreamedRange> {
      const range = await sql.get<{ first: number | null; head: number | null }>(selectRange);
      const head = range?.head ?? 0;
      return { floor: range?.first ? range.first - 1 : head, head };
    },
    /** Returns the number of a kept event. */
    streamedSeq: async (mode: Mode, id: string): Promise<number | undefined> =>
      (await sql.get<{ seq: number }>(selectSeq, id, mode))?.seq,
    /**
     * Returns readable events of a mode after one, in order, at most `limits.stream.batchRows`;
     * and the number up to which no other follows.
     */
    async streamedAfter(mode: Mode, after: number): Promise<StreamedBatch> {
      const { batchRows } = limits.stream;
      const nowMs = now();
      // A time further ahead than any publish sets it is of a clock that was put back.
      const times = { after, now: nowMs, jumped: nowMs + 2 * limits.events.readableMs };
      // An event that is stored after this has a larger number.
      const head = await headSeq(sql);
      const waiting = await sql.get<{ seq: number | null }>(selectWaiting, times);
      const end = Math.min(head, (waiting?.seq ?? Number.POSITIVE_INFINITY) - 1);
      const rows = await sql.all<StreamedEvent>(select, { ...times, mode, rows: batchRows });
      const events = rows.filter(({ seq }) => seq <= end);
      const isFull = events.length === batchRows;
      return { events, through: isFull ? events[batchRows - 1].seq : Math.max(after, end) };
    },
    removeOldStreams: (): Promise<void> => sql.transaction(removeOld),
  };
}
