/**
 * Lists and figures of `jobs.sqlite` and of deliveries, which are in the accounts. Nothing is
 * written, so that it works on a full or read-only disk.
 */

import type { DatabaseSync } from 'node:sqlite';
import type { Settings } from '../../src/base/config/config.ts';
import { accountsPlace, jobsPaths } from '../../src/base/config/data-dir.ts';
import { limits } from '../../src/base/limits.ts';
import { inputFaultSql } from '../../src/base/operator/input-fault.ts';
import type { RunReport } from '../../src/base/operator/report.ts';
import { ifReachable, readAccounts } from '../../src/store/accounts/open.ts';
import type { AccountRecords } from '../../src/store/accounts/records/contract.ts';
import { type JobFigures, type JobReader, runReport } from '../contract/reader.ts';
import { byPriority, type RunHead, taskId } from '../contract/run.ts';
import type { JobRecord, JobState } from '../contract/runner.ts';
import { type Progress, readLedgerFile } from './ledger.ts';
import { isGone } from './owner-lock.ts';

export function ledgerReader({ dataDir }: Pick<Settings, 'dataDir'>): JobReader {
  const { ledger, owners } = jobsPaths(dataDir);
  const read = <T>(none: T, work: (db: DatabaseSync) => T) => readLedgerFile(ledger, none, work);
  /** While Postgres can't be reached there are none. */
  const ofAccounts = <T>(work: (accounts: AccountRecords) => Promise<T>) =>
    ifReachable(readAccounts(accountsPlace(dataDir), work));
  return {
    async jobs(state) {
      const { listedMax } = limits.jobs;
      const jobs = read([], (db) => listedJobs(db, state, listedMax));
      if (state !== undefined && state !== 'dead') return jobs;
      const room = listedMax - jobs.length;
      const failed = await ofAccounts((accounts) => accounts.givenUpDeliveries(room));
      return [...jobs, ...(failed ?? []).map(deliveryRecord)];
    },
    async runs() {
      return read([], (db) => runReports(db, NEWEST, owners));
    },
    async figures() {
      const figures = read({ jobs: [], next: [], ended: [] }, (db): JobFigures => {
        return { jobs: jobCounts(db), next: nextJobs(db), ended: runReports(db, ENDED, owners) };
      });
      const deliveries = await ofAccounts((accounts) => accounts.deliveryFigures());
      if (!deliveries) return figures;
      const queue = 'webhooks';
      const { oldestDueMs } = deliveries;
      const states = ['waiting', 'active', 'delayed', 'dead'] as const;
      const counts = states.map((state) => ({ queue, state, count: deliveries[state] }) as const);
      const next = oldestDueMs === null ? [] : [{ queue, addedMs: oldestDueMs } as const];
      return {
        jobs: [...figures.jobs, ...counts.filter(({ count }) => count > 0)],
        next: [...figures.next, ...next],
        ended: figures.ended,
      };
    },
    async [Symbol.asyncDispose]() {},
  };
}

type FailedDelivery = Awaited<ReturnType<AccountRecords['givenUpDeliveries']>>[number];

function deliveryRecord(delivery: FailedDelivery): JobRecord {
  const { eventId, webhookId, mode, type, attempts, error } = delivery;
  return {
    ...{ id: `${eventId}/${webhookId}`, queue: 'webhooks', state: 'dead', mode, verb: 'deliver' },
    ...{ title: `${type} to ${webhookId}`, failures: attempts, kind: 'refused', reason: error },
  };
}

function listedJobs(db: DatabaseSync, state: JobState | undefined, rowsMax: number): JobRecord[] {
  const runs = db
    .prepare(
      `SELECT id, head, state, failures, reason, kind FROM plans
       ORDER BY head ->> 'createdMs' DESC, id`,
    )
    .all() as unknown as (Progress & { id: string; head: string })[];
  // One query a run instead of a sorted join: a list shows 1,000 of up to 100,000 tasks.
  const some = db.prepare(
    `SELECT number, state, title, failures, reason, kind FROM children
     ${state === undefined ? 'WHERE plan = ?' : 'INDEXED BY children_by_state WHERE plan = ? AND state = ?'}
     ORDER BY number LIMIT ?`,
  );
  const records: JobRecord[] = [];
  for (const { id, head: text, state: runState, ...run } of runs) {
    const room = rowsMax - records.length;
    if (room <= 0) break;
    const head = JSON.parse(text) as RunHead;
    const { mode, verb, task } = head;
    const wanted = state === undefined ? [] : [state];
    const tasks = some.all(id, ...wanted, room) as unknown as ListedTask[];
    for (const { number, state, ...rest } of tasks) {
      records.push({ id: taskId(head, number), queue: 'fetch', state, mode, verb, ...rest });
    }
    if ((state !== undefined && runState !== state) || records.length >= rowsMax) continue;
    const queue = task === undefined ? 'load' : 'maintenance';
    const title = task ?? 'load and publish';
    records.push({ id, queue, state: runState, mode, verb, title, ...run });
  }
  return records;
}

interface ListedTask extends Progress {
  number: number;
  title: string;
}

/** Columns of `StoredRow`, but for its end. */
const COLUMNS = `head, owner, state, failures, kind, reason, report ->> 'accepted' AS accepted,
  report ->> 'rejected' AS rejected, report ->> 'publishedVersion' AS version`;

interface StoredRow extends Progress, Record<'accepted' | 'rejected' | 'version', number | null> {
  head: string;
  owner: string;
  endedMs: number | null;
}

const NEWEST = `SELECT ${COLUMNS}, settled_ms AS endedMs FROM plans
  ORDER BY state = 'done'
      AND NOT EXISTS (SELECT 1 FROM children WHERE plan = plans.id AND state = 'dead'),
    head ->> 'createdMs' DESC, id
  LIMIT ${limits.operatorReport.runsShown}`;

const ENDED = `SELECT ${COLUMNS}, max(settled_ms) AS endedMs FROM plans WHERE state <> 'waiting'
  GROUP BY head ->> 'mode', head ->> 'source'`;

function runReports(db: DatabaseSync, sql: string, owners: string): RunReport[] {
  const counts = db.prepare(
    'SELECT state, count(*) AS count FROM children WHERE plan = ? GROUP BY state',
  );
  const failed = db.prepare(
    `SELECT number, title, reason FROM children WHERE plan = ? AND state = 'dead'
     ORDER BY number LIMIT ${limits.operatorReport.failedTasksShown}`,
  );
  const rows = db.prepare(sql).all() as unknown as StoredRow[];
  return rows.map(({ head: text, endedMs, failures, kind, reason, ...row }) => {
    const head = JSON.parse(text) as RunHead;
    const count = new Map(counts.all(head.id).map((one) => [one.state, Number(one.count)]));
    const tasks = failed.all(head.id) as unknown as (Pick<ListedTask, 'number' | 'title'> & {
      reason: string;
    })[];
    return runReport({
      ...{ head, endedMs, failures, kind, reason, state: stateOf(row, owners), figures: row },
      tasks: {
        all: count.values().reduce((sum, one) => sum + one, 0),
        done: count.get('done') ?? 0,
        failed: count.get('dead') ?? 0,
      },
      failedTasks: tasks.map(({ number, ...task }) => ({ id: taskId(head, number), ...task })),
    });
  });
}

function stateOf({ state, owner }: Pick<StoredRow, 'state' | 'owner'>, owners: string) {
  if (state === 'dead') return 'failed';
  if (state === 'done') return 'done';
  return isGone(owners, owner) ? 'waiting' : 'running';
}

const QUEUE = `iif(head ->> 'task' IS NULL, 'load', 'maintenance')`;

function jobCounts(db: DatabaseSync): JobFigures['jobs'] {
  return db
    .prepare(
      `SELECT 'fetch' AS queue, ${figureState('children')} AS state, count(*) AS count
       FROM children JOIN plans ON plans.id = children.plan GROUP BY 2
       UNION ALL
       SELECT ${QUEUE} AS queue, ${figureState('plans')} AS state, count(*) FROM plans GROUP BY 1, 2`,
    )
    .all() as unknown as JobFigures['jobs'];
}

/** @param table Table of the job; the source is in that of runs. */
function figureState(table: 'children' | 'plans'): string {
  const isInput = inputFaultSql("head ->> 'source'", `${table}.kind`);
  return `iif(${table}.state = 'dead' AND coalesce(${isInput}, 0), 'input', ${table}.state)`;
}

/** Finds the next job of each queue. A run waits in `fetch` while tasks are left. */
function nextJobs(db: DatabaseSync): JobFigures['next'] {
  const runs = db
    .prepare(
      `SELECT head, iif(EXISTS (SELECT 1 FROM children WHERE plan = id AND state = 'waiting'),
         'fetch', ${QUEUE}) AS queue
       FROM plans WHERE state = 'waiting'`,
    )
    .all() as unknown as { head: string; queue: JobRecord['queue'] }[];
  const inOrder = runs
    .map(({ head, queue }) => ({ head: JSON.parse(head) as RunHead, queue }))
    .sort((a, b) => byPriority(a.head, b.head));
  return [...Map.groupBy(inOrder, ({ queue }) => queue)].map(([queue, [first]]) => ({
    queue,
    addedMs: first.head.createdMs,
  }));
}
