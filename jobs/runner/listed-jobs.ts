/** Jobs of `jobs.sqlite` as people see them. */

import type { DatabaseSync } from 'node:sqlite';
import type { Settings } from '../../src/base/config/config.ts';
import { accountsPath, jobsPaths } from '../../src/base/config/data-dir.ts';
import { limits } from '../../src/base/limits/limits.ts';
import { givenUpRecords } from '../webhooks/delivery-records.ts';
import type { FailureKind } from './failure.ts';
import { readLedgerFile } from './ledger-file.ts';
import { childId, type PlanHead } from './plan.ts';
import type { JobRecord, JobState } from './runner.ts';

interface ListedRow {
  state: JobState;
  failures: number;
  kind: FailureKind | null;
  reason: string | null;
}

/** What `Runner.list` tells, without a runner: nothing is written, so it works on a full disk. */
export function listLedger({ dataDir }: Pick<Settings, 'dataDir'>, state?: JobState): JobRecord[] {
  const { listedMax } = limits.jobs;
  const path = jobsPaths(dataDir).ledger;
  const jobs = readLedgerFile(path, [], (db) => listedJobs(db, state, listedMax));
  return withGivenUp(dataDir, jobs, state);
}

/** Jobs of the ledger, and deliveries that were given up behind them. */
export function withGivenUp(
  dataDir: string,
  jobs: readonly JobRecord[],
  state: JobState | undefined,
): JobRecord[] {
  if (state !== undefined && state !== 'dead') return [...jobs];
  const room = limits.jobs.listedMax - jobs.length;
  return [...jobs, ...givenUpRecords(accountsPath(dataDir), room)];
}

/** Newest plans first, the load of each behind its children. */
export function listedJobs(
  ledger: DatabaseSync,
  state: JobState | undefined,
  rowsMax: number,
): JobRecord[] {
  const plans = ledger
    .prepare(
      `SELECT id, head, state, failures, kind, reason FROM plans
       ORDER BY head ->> 'createdMs' DESC, id`,
    )
    .all() as unknown as (ListedRow & { id: string; head: string })[];
  // By plan, not joined and sorted: of 100,000 children a thousand are wanted.
  const some = ledger.prepare(
    `SELECT number, title, state, failures, kind, reason FROM children
     ${state === undefined ? 'WHERE plan = ?' : 'INDEXED BY children_by_state WHERE plan = ? AND state = ?'}
     ORDER BY number LIMIT ?`,
  );
  const records: JobRecord[] = [];
  for (const plan of plans) {
    const room = rowsMax - records.length;
    if (room <= 0) break;
    const head = JSON.parse(plan.head) as PlanHead;
    const wanted = state === undefined ? [] : [state];
    const children = some.all(plan.id, ...wanted, room) as unknown as ListedChild[];
    records.push(...children.map((child) => childRecord(head, child)));
    const isWanted = state === undefined || plan.state === state;
    if (isWanted && records.length < rowsMax) records.push(planRecord(head, plan));
  }
  return records;
}

interface ListedChild extends ListedRow {
  number: number;
  title: string;
}

function childRecord(head: PlanHead, child: ListedChild): JobRecord {
  const { number, title, state, failures, kind, reason } = child;
  const told = { queue: 'fetch', state, mode: head.mode, verb: head.verb } as const;
  return { id: childId(head, number), ...told, title, failures, reason, kind };
}

function planRecord(
  { id, mode, verb, task }: PlanHead,
  { state, failures, kind, reason }: ListedRow,
): JobRecord {
  const queue = task === undefined ? 'load' : 'maintenance';
  const title = task ?? 'load and publish';
  return { id, queue, state, mode, verb, title, failures, reason, kind };
}
