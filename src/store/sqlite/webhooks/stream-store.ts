/**
 * Streams and their events, in the tables `webhooks` and `streamed`.
 *
 * Streams of an account with equal events, symbols and screen share a row. It lasts while a server
 * renews it and `limits.stream.leaseMs` longer. So a publish makes events for streams that may come
 * back, and none for others.
 */

import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { Mode } from '../../../base/config/data-dir.ts';
import { limits } from '../../../base/limits.ts';
import { inTransaction, withoutWaiting } from '../database/transaction.ts';
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

/** Numbers of the events that are kept: all after `floor`, up to `head`. */
export interface StreamedRange {
  floor: number;
  head: number;
}

export function createStreamStore(db: DatabaseSync, now: () => number) {
  const selectScreen = db.prepare(
    'SELECT seq FROM screens WHERE id = ? AND account = ? AND mode = ?',
  );
  const removeExpired = db.prepare('DELETE FROM webhooks WHERE stream_until <= ?');
  const removeEvents = db.prepare('DELETE FROM streamed WHERE readable_at <= ?');
  const open = db.prepare(
    `INSERT INTO webhooks (id, account, mode, url, events, symbols, screener, screen, secret,
                           created_at, stream_from, stream_until)
     VALUES (?, ?, ?, '', ?, ?, ?, ?, x'', ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET stream_until = excluded.stream_until
     RETURNING seq, stream_from`,
  );
  const renew = db.prepare(
    'UPDATE webhooks SET stream_until = ? WHERE seq = ? AND stream_until > ?',
  );
  const selectHead = db.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'streamed'");
  const selectFirst = db.prepare('SELECT min(seq) AS seq FROM streamed');
  const selectSeq = db.prepare('SELECT seq FROM streamed WHERE id = ? AND mode = ?');
  const select = db.prepare(
    `SELECT seq, id, type, body, receivers FROM streamed
     WHERE seq > :after AND mode = :mode AND (readable_at <= :now OR readable_at > :jumped)
     ORDER BY seq LIMIT :rows`,
  );
  // A later event may be readable at once, and comes after those that are not.
  const selectWaiting = db.prepare(
    `SELECT min(seq) AS seq FROM streamed
     WHERE seq > :after AND readable_at > :now AND readable_at <= :jumped`,
  );

  const headSeq = () => Number(selectHead.get()?.seq ?? 0);

  function openOne(stream: NewStream, nowMs: number): OpenStream {
    const { account, mode, events, symbols, screener, screen } = stream;
    const types = events.toSorted().join(' ');
    const names = symbols?.toSorted().join(' ') ?? null;
    const what = JSON.stringify([account, mode, types, names, screen, screener?.query]);
    const id = `st_${createHash('sha256').update(what).digest('hex').slice(0, 30)}`;
    const saved = screen === undefined ? undefined : selectScreen.get(screen, account, mode)?.seq;
    const filters = screener ? JSON.stringify(screener) : null;
    const values = [id, account, mode, types, names, filters, saved ?? null];
    const row = open.get(...values, nowMs, headSeq(), nowMs + limits.stream.leaseMs);
    return { seq: Number(row?.seq), fromSeq: Number(row?.stream_from) };
  }

  /** Removes streams and events whose time is over. */
  function removeOld(): void {
    removeExpired.run(now());
    removeEvents.run(now() - limits.stream.leaseMs);
  }

  return {
    /** Creates the streams' rows or renews them. @returns them, in the same order. */
    openStreams: (streams: readonly NewStream[]): OpenStream[] =>
      inTransaction(db, () => {
        removeExpired.run(now());
        return streams.map((stream) => openOne(stream, now()));
      }),
    /**
     * Renews rows, without waiting for other writers.
     *
     * @returns those that have expired, so that events may be missing; undefined: not renewed.
     */
    renewStreams(seqs: readonly number[]): number[] | undefined {
      const nowMs = now();
      const untilMs = nowMs + limits.stream.leaseMs;
      const expired: number[] = [];
      const isRenewed = withoutWaiting(db, () =>
        inTransaction(db, () => {
          for (const seq of seqs) {
            if (renew.run(untilMs, seq, nowMs).changes === 0) expired.push(seq);
          }
        }),
      );
      return isRenewed ? expired : undefined;
    },
    streamedHead: headSeq,
    streamedRange(): StreamedRange {
      const head = headSeq();
      const first = selectFirst.get()?.seq;
      return { floor: first === null || first === undefined ? head : Number(first) - 1, head };
    },
    /** Returns the number of a kept event. */
    streamedSeq(mode: Mode, id: string): number | undefined {
      const seq = selectSeq.get(id, mode)?.seq;
      return seq === undefined ? undefined : Number(seq);
    },
    /**
     * Returns readable events of a mode after one, in order, at most `limits.stream.batchRows`;
     * and the number up to which no other follows.
     */
    streamedAfter(mode: Mode, after: number): { events: StreamedEvent[]; through: number } {
      const { batchRows } = limits.stream;
      const nowMs = now();
      // A time further ahead than any publish sets it is of a clock that was put back.
      const times = { after, now: nowMs, jumped: nowMs + 2 * limits.events.readableMs };
      const waiting = selectWaiting.get(times)?.seq;
      const head = headSeq();
      const end = waiting === null || waiting === undefined ? head : Number(waiting) - 1;
      const rows = select.all({ ...times, mode, rows: batchRows }) as unknown as StreamedEvent[];
      const events = rows.filter(({ seq }) => seq <= end);
      const isFull = events.length === batchRows;
      return { events, through: isFull ? events[batchRows - 1].seq : Math.max(after, end) };
    },
    removeOldStreams: (): void => inTransaction(db, removeOld),
  };
}
