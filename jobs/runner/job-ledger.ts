/**
 * The state of jobs that run without Redis: plans and their children in `jobs.sqlite`. What is
 * done is written when it is done, so whoever is killed is resumed from here.
 */

import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeFolders } from '../../src/base/data-folder.ts';
import { limits } from '../../src/base/limits/limits.ts';
import type { PlanReport } from '../processors/load-and-publish.ts';
import type { Failure, FailureKind } from './failure.ts';
import { listedJobs } from './listed-jobs.ts';
import { type Child, headOf, type Plan, type PlanHead } from './plan.ts';
import type { JobRecord, JobState } from './runner.ts';

type StoredState = Exclude<JobState, 'active' | 'delayed'>;

export interface StoredPlan {
  head: PlanHead;
  state: StoredState;
  /** Of the process that runs it, as `OwnerLock` names it. */
  owner: string;
  report: PlanReport | undefined;
  failures: number;
  kind: FailureKind | null;
  reason: string | null;
}

export interface StoredChild extends Child {
  index: number;
  state: StoredState;
  failures: number;
  kind: FailureKind | null;
  reason: string | null;
}

interface PlanRow {
  head: string;
  state: StoredState;
  owner: string;
  report: string | null;
  failures: number;
  kind: FailureKind | null;
  reason: string | null;
}

interface ChildRow extends Omit<StoredChild, 'slice' | 'index'> {
  number: number;
  slice: string;
}

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
    // What a power cut loses is done again, to the same effect.
    this.#database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
    this.#database.exec(SCHEMA);
  }

  /**
   * Lets one process at a time add a plan, which is more than this file: what its children share.
   *
   * @param isGone Whether the process that an owner stands for is.
   * @returns false while another one does.
   */
  claim(planId: string, owner: string, isGone: (owner: string) => boolean): boolean {
    return this.#inTransaction(() => {
      const row = this.#database.prepare('SELECT owner FROM adding WHERE plan = ?').get(planId);
      if (row && !isGone(String(row.owner))) return false;
      this.#run('INSERT OR REPLACE INTO adding (plan, owner) VALUES (?, ?)', [planId, owner]);
      return true;
    });
  }

  release(planId: string): void {
    this.#run('DELETE FROM adding WHERE plan = ?', [planId]);
  }

  /**
   * Replaces what is known of the plan, unless it waits or runs.
   *
   * @returns whether it did.
   */
  write(plan: Plan, owner: string): boolean {
    return this.#inTransaction(() => {
      if (this.plan(plan.id)?.state === 'waiting') return false;
      this.#remove(plan.id);
      this.#run('INSERT INTO plans (id, head, owner, state) VALUES (?, ?, ?, ?)', [
        plan.id,
        JSON.stringify(headOf(plan)),
        owner,
        'waiting',
      ]);
      const add = this.#database.prepare(
        'INSERT INTO children (plan, number, title, slice) VALUES (?, ?, ?, ?)',
      );
      plan.children.forEach(({ title, slice }, number) => {
        add.run(plan.id, number, title, JSON.stringify(slice));
      });
      return true;
    });
  }

  plan(id: string): StoredPlan | undefined {
    const row = this.#database.prepare('SELECT * FROM plans WHERE id = ?').get(id);
    return row && storedPlan(row as unknown as PlanRow);
  }

  plans(state: StoredState): StoredPlan[] {
    const rows = this.#database.prepare('SELECT * FROM plans WHERE state = ?').all(state);
    return (rows as unknown as PlanRow[]).map(storedPlan);
  }

  /** Makes `owner` the one who runs the plan, if it still was `from`. */
  takeOver(id: string, from: string, owner: string): boolean {
    return (
      this.#run('UPDATE plans SET owner = ? WHERE id = ? AND owner = ?', [owner, id, from]) > 0
    );
  }

  children(plan: string): StoredChild[] {
    const rows = this.#database
      .prepare('SELECT * FROM children WHERE plan = ? ORDER BY number')
      .all(plan);
    return (rows as unknown as ChildRow[]).map(({ number, slice, ...rest }) => ({
      ...rest,
      index: number,
      slice: JSON.parse(slice),
    }));
  }

  childDone(plan: string, index: number): void {
    this.#run(`UPDATE children SET state = 'done' WHERE plan = ? AND number = ?`, [plan, index]);
  }

  /** @param isDead It is not tried again. */
  childFailed(plan: string, index: number, { kind, reason }: Failure, isDead: boolean): void {
    this.#run(
      `UPDATE children SET state = ?, failures = failures + 1, kind = ?, reason = ?
       WHERE plan = ? AND number = ?`,
      [isDead ? 'dead' : 'waiting', kind, reason, plan, index],
    );
  }

  planDone(id: string, report: PlanReport, nowMs: number): void {
    this.#run(`UPDATE plans SET state = 'done', report = ?, settled_ms = ? WHERE id = ?`, [
      JSON.stringify(report),
      nowMs,
      id,
    ]);
  }

  planFailed(id: string, { kind, reason }: Failure, isDead: boolean, nowMs: number): void {
    this.#run(
      `UPDATE plans SET state = ?, failures = failures + 1, kind = ?, reason = ?, settled_ms = ?
       WHERE id = ?`,
      [isDead ? 'dead' : 'waiting', kind, reason, nowMs, id],
    );
  }

  /** Puts a dead load back, to be run by `owner`; it is believed where `accept` says so. */
  reviveLoad(id: string, owner: string, accept: boolean): void {
    this.#run(
      `UPDATE plans SET state = 'waiting', failures = 0, owner = ?,
         head = json_set(head, '$.accept', json(?)) WHERE id = ?`,
      [owner, String(accept), id],
    );
  }

  /** Forgets that children are dead: they live on in another plan. */
  forgetDead(plan: string, indexes: readonly number[]): void {
    const forget = this.#database.prepare('DELETE FROM children WHERE plan = ? AND number = ?');
    this.#inTransaction(() => {
      for (const index of indexes) forget.run(plan, index);
    });
  }

  /** As `listedJobs`. */
  list(state: JobState | undefined, rowsMax: number): JobRecord[] {
    return listedJobs(this.#database, state, rowsMax);
  }

  /** Removes plans that were settled before a moment. @returns their heads. */
  sweep(beforeMs: number): PlanHead[] {
    const rows = this.#database
      .prepare(`SELECT * FROM plans WHERE state <> 'waiting' AND settled_ms < ?`)
      .all(beforeMs);
    const heads = (rows as unknown as PlanRow[]).map((row) => storedPlan(row).head);
    this.#inTransaction(() => {
      for (const { id } of heads) this.#remove(id);
    });
    return heads;
  }

  close(): void {
    this.#database.close();
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

function storedPlan({ head, report, state, owner, failures, kind, reason }: PlanRow): StoredPlan {
  return {
    head: JSON.parse(head),
    report: report === null ? undefined : JSON.parse(report),
    ...{ state, owner, failures, kind, reason },
  };
}
