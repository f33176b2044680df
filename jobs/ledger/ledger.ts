/**
 * State of runs without Redis, in `jobs.sqlite`. Each result is written at once, so another process
 * can resume the run of a killed one.
 */

import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeFolders } from '../../src/base/data-folder.ts';
import { limits } from '../../src/base/limits.ts';
import { readSqlite } from '../../src/base/read-sqlite.ts';
import { existsSync } from '../../src/base/world/files.ts';
import type { Failure, FailureKind } from '../contract/failure.ts';
import type { RunReport } from '../contract/reports.ts';
import { type Accept, type FetchTask, headOf, type Run, type RunHead } from '../contract/run.ts';
import type { JobState, RunOutcome } from '../contract/runner.ts';

type StoredState = Exclude<JobState, 'active' | 'delayed'>;

/** Progress of a run or a task. */
export interface Progress {
  state: StoredState;
  failures: number;
  kind: FailureKind | null;
  reason: string | null;
}

export interface StoredRun extends Progress {
  head: RunHead;
  /** `OwnerLock.id` of the process that executes it. */
  owner: string;
  report: RunReport | undefined;
}

export interface StoredTask extends FetchTask, Progress {
  index: number;
}

/** Row with JSON. */
type RunRow = Progress & { head: string; owner: string; report: string | null };
type TaskRow = Progress & { number: number; title: string; slice: string };

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS plans (
    id TEXT PRIMARY KEY, head TEXT NOT NULL, owner TEXT NOT NULL, state TEXT NOT NULL,
    failures INTEGER NOT NULL DEFAULT 0, kind TEXT, reason TEXT, report TEXT,
    settled_ms REAL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS children (
    plan TEXT NOT NULL, number INTEGER NOT NULL, title TEXT NOT NULL, slice TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'waiting', failures INTEGER NOT NULL DEFAULT 0, kind TEXT,
    reason TEXT, PRIMARY KEY (plan, number)) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS children_by_state ON children (state, plan);
  CREATE TABLE IF NOT EXISTS adding (plan TEXT PRIMARY KEY, owner TEXT NOT NULL) WITHOUT ROWID;
  PRAGMA user_version = 1`;

export class JobLedger {
  readonly #database: DatabaseSync;

  constructor(path: string) {
    makeFolders(dirname(path));
    this.#database = new DatabaseSync(path, { timeout: limits.accounts.busyTimeoutMs });
    // A power cut may lose the last results; repeated, they come out the same.
    this.#database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
    this.#database.exec(SCHEMA);
  }

  /**
   * Lets one process at a time add a run and write its staging folder.
   *
   * @returns false while another process, for which `isGone` is false, adds it.
   */
  claim(runId: string, owner: string, isGone: (owner: string) => boolean): boolean {
    return this.#inTransaction(() => {
      const row = this.#database.prepare('SELECT owner FROM adding WHERE plan = ?').get(runId);
      if (row && !isGone(String(row.owner))) return false;
      this.#run('INSERT OR REPLACE INTO adding (plan, owner) VALUES (?, ?)', [runId, owner]);
      return true;
    });
  }

  release(runId: string): void {
    this.#run('DELETE FROM adding WHERE plan = ?', [runId]);
  }

  /**
   * Records a run in the place of an earlier one, unless that one is unfinished.
   *
   * @param failed Tasks of another run that it retries, which are removed there. It is not recorded
   *   if another process has retried one of them.
   * @returns true if it was recorded.
   */
  write(run: Run, owner: string, failed?: { plan: string; indexes: readonly number[] }): boolean {
    return this.#inTransaction(() => {
      if (this.run(run.id)?.state === 'waiting') return false;
      if (failed && !this.#removeFailed(failed.plan, failed.indexes)) return false;
      this.#remove(run.id);
      this.#run('INSERT INTO plans (id, head, owner, state) VALUES (?, ?, ?, ?)', [
        run.id,
        JSON.stringify(headOf(run)),
        owner,
        'waiting',
      ]);
      const add = this.#database.prepare(
        'INSERT INTO children (plan, number, title, slice) VALUES (?, ?, ?, ?)',
      );
      run.tasks.forEach(({ title, slice }, number) => {
        add.run(run.id, number, title, JSON.stringify(slice));
      });
      return true;
    });
  }

  run(id: string): StoredRun | undefined {
    const row = this.#database.prepare('SELECT * FROM plans WHERE id = ?').get(id);
    return row && storedRun(row as unknown as RunRow);
  }

  runs(state: StoredState): StoredRun[] {
    const rows = this.#database.prepare('SELECT * FROM plans WHERE state = ?').all(state);
    return (rows as unknown as RunRow[]).map(storedRun);
  }

  /** Passes a waiting run from one owner to another. @returns false if its owner was not `from`. */
  takeOver(id: string, from: string, owner: string): boolean {
    return (
      this.#run(`UPDATE plans SET owner = ? WHERE id = ? AND owner = ? AND state = 'waiting'`, [
        owner,
        id,
        from,
      ]) > 0
    );
  }

  tasks(plan: string): StoredTask[] {
    const rows = this.#database
      .prepare('SELECT * FROM children WHERE plan = ? ORDER BY number')
      .all(plan);
    return (rows as unknown as TaskRow[]).map(({ number, slice, ...rest }) => ({
      ...rest,
      index: number,
      slice: JSON.parse(slice),
    }));
  }

  taskDone(plan: string, index: number): void {
    this.#run(`UPDATE children SET state = 'done' WHERE plan = ? AND number = ?`, [plan, index]);
  }

  taskFailed(plan: string, index: number, { kind, reason }: Failure, isDead: boolean): void {
    this.#run(
      `UPDATE children SET state = ?, failures = failures + 1, kind = ?, reason = ?
       WHERE plan = ? AND number = ?`,
      [isDead ? 'dead' : 'waiting', kind, reason, plan, index],
    );
  }

  runDone(id: string, report: RunReport, nowMs: number): void {
    this.#run(
      `UPDATE plans SET state = 'done', report = ?, settled_ms = ? WHERE id = ? AND state = 'waiting'`,
      [JSON.stringify(report), nowMs, id],
    );
  }

  runFailed(id: string, { kind, reason }: Failure, isDead: boolean, nowMs: number): void {
    this.#run(
      `UPDATE plans SET state = ?, failures = failures + 1, kind = ?, reason = ?, settled_ms = ?
       WHERE id = ? AND state = 'waiting'`,
      [isDead ? 'dead' : 'waiting', kind, reason, nowMs, id],
    );
  }

  /**
   * Puts a failed load back in the queue; `accept` skips the sanity checks.
   *
   * @returns false if another process has done so.
   */
  requeueLoad(id: string, owner: string, accept: Accept): boolean {
    const requeue = `UPDATE plans SET state = 'waiting', failures = 0, owner = ?,
         head = json_set(head, '$.accept', json(?)) WHERE id = ? AND state = 'dead'`;
    return this.#run(requeue, [owner, JSON.stringify(accept), id]) > 0;
  }

  /** Marks a run as cancelled, and removes the tasks that are not done. */
  cancel(id: string): void {
    this.#inTransaction(() => {
      this.#run(`DELETE FROM children WHERE plan = ? AND state = 'waiting'`, [id]);
      this.#run(
        `UPDATE plans SET head = json_set(head, '$.isCancelled', json('true')) WHERE id = ?`,
        [id],
      );
    });
  }

  /** Removes failed tasks of a run. @returns false, and removes none, if one is not there. */
  #removeFailed(plan: string, indexes: readonly number[]): boolean {
    const isFailed = new Set(
      this.tasks(plan).flatMap(({ index, state }) => (state === 'dead' ? index : [])),
    );
    if (!indexes.every((index) => isFailed.has(index))) return false;
    const remove = this.#database.prepare('DELETE FROM children WHERE plan = ? AND number = ?');
    for (const index of indexes) remove.run(plan, index);
    return true;
  }

  /** Removes runs that ended before a time. @returns their heads. */
  sweep(beforeMs: number): RunHead[] {
    return this.#inTransaction(() => {
      const rows = this.#database
        .prepare(`SELECT * FROM plans WHERE state <> 'waiting' AND settled_ms < ?`)
        .all(beforeMs);
      const heads = (rows as unknown as RunRow[]).map((row) => storedRun(row).head);
      for (const { id } of heads) this.#remove(id);
      return heads;
    });
  }

  close(): void {
    this.#database.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #remove(plan: string): void {
    this.#run('DELETE FROM children WHERE plan = ?', [plan]);
    this.#run('DELETE FROM plans WHERE id = ?', [plan]);
  }

  #run(sql: string, values: (string | number | null)[]): number {
    return Number(this.#database.prepare(sql).run(...values).changes);
  }

  #inTransaction<T>(work: () => T): T {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.#database.exec('COMMIT');
      return result;
    } catch (error) {
      this.#database.exec('ROLLBACK');
      throw error;
    }
  }
}

function storedRun({ head, report, state, owner, failures, kind, reason }: RunRow): StoredRun {
  return {
    head: JSON.parse(head),
    report: report === null ? undefined : JSON.parse(report),
    ...{ state, owner, failures, kind, reason },
  };
}

export function outcomeOf({ state, report, kind, reason }: StoredRun): RunOutcome | undefined {
  if (state === 'done' && report) return { report };
  if (state === 'dead') return { failure: { kind: kind ?? 'other', reason: reason ?? '' } };
  return undefined;
}

/**
 * Reads `jobs.sqlite` without writing, so that it works on a full or read-only disk.
 *
 * @returns `none` if there is no run, or the file is being created.
 */
export function readLedgerFile<T>(path: string, none: T, read: (ledger: DatabaseSync) => T): T {
  if (!existsSync(path)) return none;
  return readSqlite(path, (ledger) => {
    const table = "SELECT 1 FROM sqlite_schema WHERE name = 'adding'";
    return ledger.prepare(table).get() ? read(ledger) : none;
  });
}
