/**
 * Outbox of events, written in the transaction of the change that they report. A publish relays
 * them once the change is visible, and drops them later.
 */

import { createHash } from 'node:crypto';
import type { MarketDb } from './open.ts';
import { selectColumn, selectRows, selectValue } from './sql-rows.ts';

export interface OutboxRow {
  /** The same each time the same data is loaded, after a restore for instance. */
  eventId: string;
  type: string;
  /** A JSON object. */
  payload: string;
  createdMs: number;
}

/** The newest load of a store, up to which its outbox was relayed. */
export interface LedgerEnd {
  seq: number;
  mark: string;
  outboxRows: number;
}

export function eventIdOf(...parts: readonly string[]): string {
  return `evt_${createHash('sha256').update(parts.join(' ')).digest('hex').slice(0, 32)}`;
}

export function eventIdSql(...parts: readonly string[]): string {
  return `'evt_' || left(sha256(${parts.join(" || ' ' || ")}), 32)`;
}

const MARK = "segment || ' ' || epoch_us(loaded_at)";

/**
 * Returns the mark of a load; undefined if there is none. A rebuilt or restored store numbers its
 * loads again, so the number alone does not identify a state.
 */
export async function readStoreMark(
  { connection }: MarketDb,
  seq: number,
): Promise<string | undefined> {
  const [load] = await selectRows<{ mark: string }>(
    connection,
    `SELECT ${MARK} AS mark FROM segments WHERE seq = $1`,
    [seq],
  );
  return load?.mark;
}

export async function readLedgerEnd({ connection }: MarketDb): Promise<LedgerEnd> {
  const [end] = await selectRows<LedgerEnd>(
    connection,
    `SELECT seq, ${MARK} AS mark,
       (SELECT count(*) FROM outbox)::DOUBLE AS "outboxRows"
     FROM segments ORDER BY seq DESC LIMIT 1`,
  );
  return end ?? { seq: 0, mark: '', outboxRows: 0 };
}

/** Reads the events of some types of the loads after one, load by load. */
export async function* readOutbox(
  { connection }: MarketDb,
  afterSeq: number,
  types: readonly string[],
): AsyncGenerator<OutboxRow[]> {
  const wanted = 'list_contains(from_json($1, \'["VARCHAR"]\'), type)';
  const asked = JSON.stringify(types);
  let seq: number | null = afterSeq;
  for (;;) {
    seq = await selectValue<number | null>(
      connection,
      `SELECT min(seq)::DOUBLE FROM outbox WHERE seq > ${seq} AND ${wanted}`,
      [asked],
    );
    if (seq === null) return;
    yield await selectRows<OutboxRow>(
      connection,
      `SELECT event_id AS "eventId", type, payload::VARCHAR AS payload,
         epoch_ms(created_at)::DOUBLE AS "createdMs"
       FROM outbox WHERE seq = ${seq} AND ${wanted} ORDER BY event_id`,
      [asked],
    );
  }
}

export async function datasetsSince({ connection }: MarketDb, afterSeq: number): Promise<string[]> {
  return selectColumn<string>(
    connection,
    'SELECT DISTINCT dataset FROM segments WHERE seq > $1 ORDER BY dataset',
    [afterSeq],
  );
}

export async function dropOutbox({ connection }: MarketDb, throughSeq: number): Promise<void> {
  await connection.run('DELETE FROM outbox WHERE seq <= $1', [BigInt(throughSeq)]);
}
