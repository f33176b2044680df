/** Jobs of `jobs.sqlite` as `jobs list` prints them. */

import type { DatabaseSync } from 'node:sqlite';
import type { Settings } from '../../src/base/config/config.ts';
import { accountsPlace, jobsPaths } from '../../src/base/config/data-dir.ts';
import { limits } from '../../src/base/limits.ts';
import { ifReachable, readAccounts } from '../../src/store/accounts/open.ts';
import type { AccountRecords } from '../../src/store/accounts/records/contract.ts';
import { type RunHead, taskId } from '../contract/run.ts';
import type { JobRecord, JobState } from '../contract/runner.ts';
import { type Progress, readLedgerFile } from './ledger.ts';

/** Lists jobs, then failed deliveries. Writes nothing, so it works on a full disk. */
export async function listLedger(
  { dataDir }: Pick<Settings, 'dataDir'>,
  state?: JobState,
): Promise<JobRecord[]> {
  const { listedMax } = limits.jobs;
  const path = jobsPaths(dataDir).ledger;
  const jobs = readLedgerFile(path, [], (db) => listedJobs(db, state, listedMax));
  if (state !== undefined && state !== 'dead') return jobs;
  return [...jobs, ...(await failedDeliveries(dataDir, listedMax - jobs.length))];
}

/**
 * Without Redis, deliveries are no jobs: only the failed ones are listed, newest first; none while
 * Postgres can't be reached.
 */
async function failedDeliveries(dataDir: string, rowsMax: number): Promise<JobRecord[]> {
  const read = (accounts: AccountRecords) => accounts.givenUpDeliveries(rowsMax);
  const rows = (await ifReachable(readAccounts(accountsPlace(dataDir), read))) ?? [];
  return rows.map(
    ({ eventId, webhookId, mode, type, attempts, error }): JobRecord => ({
      ...{ id: `${eventId}/${webhookId}`, queue: 'webhooks', state: 'dead', mode, verb: 'deliver' },
      ...{ title: `${type} to ${webhookId}`, failures: attempts, kind: 'refused', reason: error },
    }),
  );
}

function listedJobs(
  ledger: DatabaseSync,
  state: JobState | undefined,
  rowsMax: number,
): JobRecord[] {
  const runs = ledger
    .prepare(
      `SELECT id, head, state, failures, kind, reason FROM plans
       ORDER BY head ->> 'createdMs' DESC, id`,
    )
    .all() as unknown as (Progress & { id: string; head: string })[];
  // One query a run instead of a sorted join: a list shows 1,000 of up to 100,000 tasks.
  const some = ledger.prepare(
    `SELECT number, title, state, failures, kind, reason FROM children
     ${state === undefined ? 'WHERE plan = ?' : 'INDEXED BY children_by_state WHERE plan = ? AND state = ?'}
     ORDER BY number LIMIT ?`,
  );
  const records: JobRecord[] = [];
  for (const run of runs) {
    const room = rowsMax - records.length;
    if (room <= 0) break;
    const head = JSON.parse(run.head) as RunHead;
    const wanted = state === undefined ? [] : [state];
    const children = some.all(run.id, ...wanted, room) as unknown as ListedTask[];
    records.push(...children.map((child) => taskRecord(head, child)));
    const isWanted = state === undefined || run.state === state;
    if (isWanted && records.length < rowsMax) records.push(runRecord(head, run));
  }
  return records;
}

interface ListedTask extends Progress {
  number: number;
  title: string;
}

function taskRecord(head: RunHead, child: ListedTask): JobRecord {
  const { number, title, state, failures, kind, reason } = child;
  const told = { queue: 'fetch', state, mode: head.mode, verb: head.verb } as const;
  return { id: taskId(head, number), ...told, title, failures, reason, kind };
}

function runRecord(
  { id, mode, verb, task }: RunHead,
  { state, failures, kind, reason }: Progress,
): JobRecord {
  const queue = task === undefined ? 'load' : 'maintenance';
  const title = task ?? 'load and publish';
  return { id, queue, state, mode, verb, title, failures, reason, kind };
}
