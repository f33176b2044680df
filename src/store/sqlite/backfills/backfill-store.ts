/**
 * Backfills that clients request, in the table `backfills`: the API adds them, and the process that
 * runs jobs takes them.
 */

import { randomBytes } from 'node:crypto';
import type { Mode } from '../../../base/config/data-dir.ts';
import { HttpError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import { createLister, type ListPlace } from '../database/list-part.ts';
import type { Sql } from '../database/sql.ts';
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
}

const ID_BYTES = 15;
const RETRY_AFTER = ['Retry-After', '10'];

export function newBackfillId(): string {
  return `bf_${randomBytes(ID_BYTES).toString('hex')}`;
}

/** Returns the backfills of accounts; to clients, ids of other accounts are unknown. */
export function createBackfillStore(sql: Sql, now: () => number) {
  const insert = `INSERT INTO backfills (id, account, mode, state, request, created_at)
     VALUES (?, ?, ?, 'waiting', ?, ?) RETURNING *`;
  const own = 'FROM backfills WHERE account = ? AND mode = ?';
  const select = `SELECT * ${own} AND id = ?`;
  const part = createLister(sql, { list: own }, backfillFromRow);
  const open = `SELECT * FROM backfills WHERE state IN ('waiting', 'running') ORDER BY seq`;
  const isOpen = `SELECT 1 FROM backfills WHERE id = ? AND state IN ('waiting', 'running')`;
  const openCounts = `SELECT count(*) AS total, count(*) FILTER (WHERE account = ?) AS own FROM backfills
     WHERE state IN ('waiting', 'running')`;
  const begin = `UPDATE backfills SET state = 'running', started_at = coalesce(started_at, ?)
     WHERE id = ? AND state IN ('waiting', 'running')`;
  const note =
    "UPDATE backfills SET progress = ?, waits_for = ? WHERE id = ? AND state = 'running'";
  const end = `UPDATE backfills SET state = ?, result = ?, error = ?, waits_for = NULL, ended_at = ?
     WHERE id = ? AND state = 'running'`;
  const cancel = `UPDATE backfills SET state = 'cancelled', ended_at = ?
     WHERE account = ? AND mode = ? AND id = ? AND state = 'waiting'`;
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
    /** Cancels a backfill that has not begun. @returns false for any other. */
    cancelBackfill: (account: string, mode: Mode, id: string): Promise<boolean> =>
      sql.transaction(async (tx) => (await tx.run(cancel, now(), account, mode, id)) > 0, {
        isDurable: true,
      }),
    /** Lists the unfinished backfills of all accounts, oldest first. */
    openBackfills: async (): Promise<Backfill[]> =>
      (await sql.all<BackfillTableRow>(open)).map(backfillFromRow),
    isBackfillOpen: async (id: string): Promise<boolean> =>
      (await sql.get(isOpen, id)) !== undefined,
    /** @returns false if it was cancelled meanwhile. */
    beginBackfill: async (id: string): Promise<boolean> => (await sql.run(begin, now(), id)) > 0,
    async noteBackfill(
      id: string,
      progress: BackfillProgress | null,
      waitsFor: string | null,
    ): Promise<void> {
      await sql.run(note, progress && JSON.stringify(progress), waitsFor, id);
    },
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
