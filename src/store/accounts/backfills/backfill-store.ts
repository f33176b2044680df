/**
 * Backfills that clients request, in the table `backfills`: the API adds them, and the process that
 * runs jobs takes them.
 */

import type { Mode } from '../../../base/config/data-dir.ts';
import { HttpError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import { isoOrNull } from '../../../base/time/dates.ts';
import { createLister, type ListPlace } from '../database/list-part.ts';
import type { Sql } from '../database/sql.ts';
import { randomRecordId } from '../keys/raw-key.ts';
import type {
  Backfill,
  BackfillProgress,
  BackfillResult,
  BackfillState,
  NewBackfill,
} from './backfill-record.ts';

interface BackfillTableRow {
  id: string;
  account: string;
  state: BackfillState;
  request: string;
  progress: string | null;
  waits_for: string | null;
  result: string | null;
  error: string | null;
  created_at: number;
  started_at: number | null;
  ended_at: number | null;
  run: string | null;
  cancelled_at: number | null;
}

const RETRY_AFTER = ['Retry-After', '10'];

export function newBackfillId(): string {
  return randomRecordId('bf');
}

/** Returns the backfills of accounts; to clients, ids of other accounts are unknown. */
export function createBackfillStore(sql: Sql, now: () => number) {
  const insert = `INSERT INTO backfills (id, account, mode, state, request, created_at)
     VALUES (?, ?, ?, 'waiting', ?, ?) RETURNING *`;
  const own = 'FROM backfills WHERE account = ? AND mode = ?';
  const select = `SELECT * ${own} AND id = ?`;
  const part = createLister(sql, { list: own }, backfillFromRow);
  const open = `SELECT * FROM backfills WHERE state IN ('waiting', 'running') ORDER BY seq`;
  const stateOf = 'SELECT state FROM backfills WHERE id = ?';
  const openCounts = `SELECT count(*) AS total, count(*) FILTER (WHERE account = ?) AS own FROM backfills
     WHERE state IN ('waiting', 'running')`;
  const begin = `UPDATE backfills SET state = 'running', started_at = coalesce(started_at, ?)
     WHERE id = ? AND state IN ('waiting', 'running')`;
  const note =
    "UPDATE backfills SET progress = ?, waits_for = ? WHERE id = ? AND state = 'running'";
  const end = `UPDATE backfills SET
       state = CASE WHEN cancelled_at IS NULL THEN ? ELSE 'cancelled' END,
       result = ?, error = ?, waits_for = NULL, ended_at = ?
     WHERE id = ? AND state = 'running'`;
  const cancel = `UPDATE backfills SET cancelled_at = :now,
       ended_at = CASE WHEN state = 'waiting' THEN :now END,
       state = CASE WHEN state = 'waiting' THEN 'cancelled' ELSE state END
     WHERE account = :account AND mode = :mode AND id = :id AND state IN ('waiting', 'running')`;
  const reopen = `UPDATE backfills SET state = 'running', run = ?, progress = NULL, result = NULL,
       error = NULL, ended_at = NULL
     WHERE id = ? AND state = 'failed'`;
  const removeOld = 'DELETE FROM backfills WHERE ended_at < ?';

  async function create(
    tx: Sql,
    { id = newBackfillId(), account, mode, order }: NewBackfill,
  ): Promise<Backfill> {
    const nowMs = now();
    await tx.run(removeOld, nowMs - limits.backfills.keptMs);
    await checkRoom(tx, account);
    const values = [id, account, mode, JSON.stringify(order), nowMs];
    return backfillFromRow((await tx.get<BackfillTableRow>(insert, ...values))!);
  }

  /** @throws {HttpError} 429, 503: the account, or all accounts, have too many unfinished ones. */
  async function checkRoom(tx: Sql, account: string): Promise<void> {
    const { accountOpenMax, openMax } = limits.backfills;
    const counts = (await tx.get<{ total: number; own: number }>(openCounts, account))!;
    if (counts.own >= accountOpenMax) {
      const message = `The account has ${accountOpenMax} unfinished backfills: wait until one has ended, or cancel one`;
      throw new HttpError(429, message, RETRY_AFTER);
    }
    if (counts.total >= openMax) {
      const message = `The server has ${openMax} unfinished backfills: try again later`;
      throw new HttpError(503, message, RETRY_AFTER);
    }
  }

  return {
    /** @throws {HttpError} 429, 503: too many backfills are unfinished. */
    createBackfill: (backfill: NewBackfill): Promise<Backfill> =>
      sql.transaction((tx) => create(tx, backfill), { lock: 'records', isDurable: true }),
    checkBackfillRoom: (account: string) => checkRoom(sql, account),
    async findBackfill(account: string, mode: Mode, id: string): Promise<Backfill | undefined> {
      const row = await sql.get<BackfillTableRow>(select, account, mode, id);
      return row && backfillFromRow(row);
    },
    listBackfillPart: (account: string, mode: Mode, place: ListPlace) =>
      part([account, mode], place),
    /** Cancels a backfill; a running one ends soon. @returns false if it has ended. */
    async cancelBackfill(account: string, mode: Mode, id: string): Promise<boolean> {
      const values = { now: now(), account, mode, id };
      const rules = { isDurable: true };
      return (await sql.transaction((tx) => tx.run(cancel, values), rules)) > 0;
    },
    /** Lists the unfinished backfills of all accounts, oldest first. */
    openBackfills: async (): Promise<Backfill[]> =>
      (await sql.all<BackfillTableRow>(open)).map(backfillFromRow),
    backfillState: async (id: string): Promise<BackfillState | undefined> =>
      (await sql.get<{ state: BackfillState }>(stateOf, id))?.state,
    /** @returns false if it was cancelled meanwhile. */
    beginBackfill: async (id: string): Promise<boolean> => (await sql.run(begin, now(), id)) > 0,
    async noteBackfill(
      id: string,
      progress: BackfillProgress | null,
      waitsFor: string | null,
    ): Promise<void> {
      await sql.run(note, progress && JSON.stringify(progress), waitsFor, id);
    },
    /** Lets a failed backfill follow the run that retries it. */
    reopenBackfill: async (id: string, run: string): Promise<boolean> =>
      (await sql.transaction((tx) => tx.run(reopen, run, id), { isDurable: true })) > 0,
    /** Ends a running backfill: as cancelled, if it was. */
    async endBackfill(
      id: string,
      { result, error }: { result: BackfillResult | null; error: string | null },
    ): Promise<void> {
      const state: BackfillState = error === null ? 'done' : 'failed';
      const text = result && JSON.stringify(result);
      await sql.transaction((tx) => tx.run(end, state, text, error, now(), id), {
        isDurable: true,
      });
    },
  };
}

function backfillFromRow(row: BackfillTableRow): Backfill {
  return {
    id: row.id,
    account: row.account,
    state: row.state,
    isCancelled: row.cancelled_at !== null,
    run: row.run,
    order: JSON.parse(row.request),
    progress: row.progress === null ? null : JSON.parse(row.progress),
    waitsFor: row.waits_for,
    result: row.result === null ? null : JSON.parse(row.result),
    error: row.error,
    createdAt: new Date(row.created_at).toISOString(),
    startedAt: isoOrNull(row.started_at),
    endedAt: isoOrNull(row.ended_at),
  };
}
