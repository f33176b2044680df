/** Two processes that change one run at the same moment: one of them has it. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { noLoads, type RunReport } from '../../../jobs/contract/reports.ts';
import { type Run, retryRun } from '../../../jobs/contract/run.ts';
import { JobLedger } from '../../../jobs/ledger/ledger.ts';
import { requeueFailed } from '../../../jobs/ledger/requeue.ts';
import { settingsFromEnv } from '../../../src/base/config/config.ts';
import { accountsPlace } from '../../../src/base/config/data-dir.ts';
import { newBackfillId } from '../../../src/store/accounts/backfills/backfill-store.ts';
import { freshFolder } from '../../support/folders.ts';

const RUN: Run = {
  ...{ id: 'run', mode: 'live', source: 'yahoo', verb: 'backfill yahoo', priority: 'daily' },
  ...{ createdMs: 1, childCount: 2, shared: {} },
  tasks: ['A', 'B'].map((title) => ({ title, slice: { symbols: [title] } })),
};
const REPORT: RunReport = {
  ...{
    ...noLoads(),
    publishedVersion: 1,
    served: { before: null, after: null },
    plan: 'run',
    mode: 'live',
  },
  ...{ plannedMs: 1, deadJobs: [] },
};
const FAILURE = { kind: 'refused', reason: 'status 403' } as const;

let folder: string;
let one: JobLedger;
let other: JobLedger;
beforeEach(() => {
  folder = freshFolder();
  const path = join(folder, 'jobs.sqlite');
  [one, other] = [new JobLedger(path), new JobLedger(path)];
  one.write(RUN, 'first');
  return () => [one, other].forEach((ledger) => void ledger.close());
});

it('gives a failed load to the first operator who retries it', () => {
  one.runFailed('run', FAILURE, true, 5);
  expect([one.requeueLoad('run', 'one', false), other.requeueLoad('run', 'other', true)]).toEqual([
    true,
    false,
  ]);
  expect(one.run('run')).toMatchObject({ state: 'waiting', owner: 'one', head: { accept: false } });
});

it('starts each requeued run, also if a later step fails', async () => {
  one.write({ ...RUN, id: 'asked', tick: newBackfillId() }, 'first');
  for (const id of ['run', 'asked']) one.runFailed(id, FAILURE, true, 5);
  const settings = settingsFromEnv({ TAPEWORKS_DATA_DIR: folder });
  mkdirSync(accountsPlace(folder).path);
  const started: string[] = [];
  const options = { settings, owner: 'one', accept: false, nowMs: 9 } as const;
  const start = (id: string) => void started.push(id);
  await expect(requeueFailed(one, 'all', { ...options, start })).rejects.toThrow();
  expect(started).toEqual(['asked', 'run']);
});

it('makes one run of failed tasks that two operators retry', () => {
  for (const index of [0, 1]) one.taskFailed('run', index, FAILURE, true);
  one.runDone('run', REPORT, 5);
  const [both, last] = [one.tasks('run'), one.tasks('run').slice(1)];
  const failed = (tasks: typeof both) => ({
    plan: 'run',
    indexes: tasks.map(({ index }) => index),
  });
  const [first, second] = [9, 10].map((nowMs) => retryRun(RUN, both, {}, nowMs));
  expect(second.id).toBe(first.id);
  expect(one.write(first, 'one', failed(both))).toBe(true);
  // Also once it has ended.
  one.runDone(first.id, REPORT, 11);
  expect(other.write(second, 'other', failed(both))).toBe(false);
  expect(other.write(retryRun(RUN, last, {}, 12), 'other', failed(last))).toBe(false);
  expect(one.run(first.id)).toMatchObject({ state: 'done', owner: 'one' });
  expect(one.tasks('run')).toEqual([]);
});

it('leaves a run that has ended to no owner', () => {
  one.runDone('run', REPORT, 5);
  expect(other.takeOver('run', 'first', 'other')).toBe(false);
  one.runFailed('run', FAILURE, false, 6);
  expect(one.run('run')?.state).toBe('done');
});
