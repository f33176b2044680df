/**
 * Outbox of events, written in the transaction of the change that they report. A publish relays
 * them once the change is visible, and drops them later.
 */

import { createHash } from 'node:crypto';
import type { MarketDb } from './open.ts';
import { selectColumn, selectRow, selectRows, selectValue } from './sql-rows.ts';

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
    `SELECT ${MARK} AS mark FROM segments WHERE seq = ${seq}`,
  );
  return load?.mark;
}

/** A load or command of the ledger, as a publish looks at it. */
export interface LedgerLoad {
  seq: number;
  mark: string;
  dataset: string;
}

/** Reads the loads of the ledger from a number on, in their order. */
export function readLoads({ connection }: MarketDb, fromSeq: number): Promise<LedgerLoad[]> {
  return selectRows<LedgerLoad>(
    connection,
    `SELECT seq, ${MARK} AS mark, dataset FROM segments WHERE seq >= ${fromSeq} ORDER BY seq`,
  );
}

export async function readLedgerEnd({ connection }: MarketDb): Promise<LedgerEnd> {
  // Joined in one statement, they take twice as long.
  const end = await selectRow<{ seq: number | null; mark: string | null }>(
    connection,
    `SELECT max(seq) AS seq, arg_max(${MARK}, seq) AS mark FROM segments`,
  );
  const outboxRows = await selectValue<number>(connection, 'SELECT count(*)::DOUBLE FROM outbox');
  return { seq: end.seq ?? 0, mark: end.mark ?? '', outboxRows };
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
