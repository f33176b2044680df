/**
 * Backfills that clients request, in the table `backfills`: the API adds them, and the process that
 * runs jobs takes them.
 */

import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { Mode } from '../../../base/config/data-dir.ts';
import { HttpError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import { createLister, type ListPart, type ListPlace } from '../database/list-part.ts';
import { inDurableTransaction } from '../database/transaction.ts';
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

const ID_BYTES = 15;
const RETRY_AFTER = ['Retry-After', '10'];

export function newBackfillId(): string {
  return `bf_${randomBytes(ID_BYTES).toString('hex')}`;
}

/** Returns the backfills of accounts; to clients, ids of other accounts are unknown. */
export function createBackfillStore(db: DatabaseSync, now: () => number) {
  const insert = db.prepare(
    `INSERT INTO backfills (id, account, mode, state, request, created_at)
     VALUES (?, ?, ?, 'waiting', ?, ?) RETURNING *`,
  );
  const own = 'FROM backfills WHERE account = ? AND mode = ?';
  const select = db.prepare(`SELECT * ${own} AND id = ?`);
  const part = createLister(db, { list: own }, backfillFromRow);
  const open = db.prepare(
    `SELECT * FROM backfills WHERE state IN ('waiting', 'running') ORDER BY seq`,
  );
  const stateOf = db.prepare('SELECT state FROM backfills WHERE id = ?');
  const openCounts = db.prepare(
    `SELECT count(*) AS total, count(*) FILTER (WHERE account = ?) AS own FROM backfills
     WHERE state IN ('waiting', 'running')`,
  );
  const begin = db.prepare(
    `UPDATE backfills SET state = 'running', started_at = coalesce(started_at, ?)
     WHERE id = ? AND state IN ('waiting', 'running')`,
  );
  const note = db.prepare('UPDATE backfills SET progress = ?, waits_for = ? WHERE id = ?');
  const end = db.prepare(
    `UPDATE backfills SET state = iif(cancelled_at IS NULL, ?, 'cancelled'), result = ?, error = ?, waits_for = NULL, ended_at = ?
     WHERE id = ? AND state = 'running'`,
  );
  const cancel = db.prepare(
    `UPDATE backfills SET cancelled_at = ?1, ended_at = iif(state = 'waiting', ?1, NULL),
       state = iif(state = 'waiting', 'cancelled', state)
     WHERE account = ?2 AND mode = ?3 AND id = ?4 AND state IN ('waiting', 'running')`,
  );
  const reopen = db.prepare(
    `UPDATE backfills SET state = 'running', run = ?, progress = NULL, result = NULL,
       error = NULL, ended_at = NULL
     WHERE id = ? AND state = 'failed'`,
  );
  const removeOld = db.prepare('DELETE FROM backfills WHERE ended_at < ?');

  function create({ id = newBackfillId(), account, mode, order }: NewBackfill): Backfill {
    const nowMs = now();
    removeOld.run(nowMs - limits.backfills.keptMs);
    checkRoom(account);
    const row = insert.get(id, account, mode, JSON.stringify(order), nowMs);
    return backfillFromRow(row as unknown as BackfillTableRow);
  }

  /** @throws {HttpError} 429, 503: the account, or all accounts, have too many unfinished ones. */
  function checkRoom(account: string): void {
    const { accountOpenMax, openMax } = limits.backfills;
    const counts = openCounts.get(account) as { total: number; own: number };
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
    createBackfill: (backfill: NewBackfill): Backfill =>
      inDurableTransaction(db, () => create(backfill)),
    checkBackfillRoom: checkRoom,
    findBackfill(account: string, mode: Mode, id: string): Backfill | undefined {
      const row = select.get(account, mode, id);
      return row && backfillFromRow(row as unknown as BackfillTableRow);
    },
    listBackfillPart: (account: string, mode: Mode, place: ListPlace): ListPart<Backfill> =>
      part([account, mode], place),
    /** Cancels a backfill; a running one ends soon. @returns false if it has ended. */
    cancelBackfill: (account: string, mode: Mode, id: string): boolean =>
      inDurableTransaction(db, () => cancel.run(now(), account, mode, id).changes > 0),
    /** Lists the unfinished backfills of all accounts, oldest first. */
    openBackfills: (): Backfill[] =>
      (open.all() as unknown as BackfillTableRow[]).map(backfillFromRow),
    backfillState: (id: string): BackfillState | undefined =>
      stateOf.get(id)?.state as BackfillState | undefined,
    /** @returns false if it was cancelled meanwhile. */
    beginBackfill: (id: string): boolean => begin.run(now(), id).changes > 0,
    noteBackfill(id: string, progress: BackfillProgress | null, waitsFor: string | null): void {
      note.run(progress && JSON.stringify(progress), waitsFor, id);
    },
    /** Lets a failed backfill follow the run that retries it. */
    reopenBackfill: (id: string, run: string): boolean =>
      inDurableTransaction(db, () => reopen.run(run, id).changes > 0),
    /** Ends a running backfill: as cancelled, if it was. */
    endBackfill(
      id: string,
      { result, error }: { result: BackfillResult | null; error: string | null },
    ): void {
      const state: BackfillState = error === null ? 'done' : 'failed';
      const text = result && JSON.stringify(result);
      inDurableTransaction(db, () => end.run(state, text, error, now(), id));
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
    startedAt: row.started_at === null ? null : new Date(row.started_at).toISOString(),
    endedAt: row.ended_at === null ? null : new Date(row.ended_at).toISOString(),
  };
}
