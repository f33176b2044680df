/** A bad file of a customer is no failure that needs the operator. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { FAILURE_KINDS } from '../../../jobs/contract/failure.ts';
import type { Run } from '../../../jobs/contract/run.ts';
import { JobLedger } from '../../../jobs/ledger/ledger.ts';
import { ledgerReader } from '../../../jobs/ledger/ledger-reader.ts';
import { jobsPaths } from '../../../src/base/config/data-dir.ts';
import { isInputFault } from '../../../src/base/operator/input-fault.ts';
import type { OperatorReport } from '../../../src/base/operator/report.ts';
import { freshFolder } from '../../support/folders.ts';
import { askAsOperator, OPERATOR_ENV } from '../support/operator.ts';
import { createCliFolder } from '../support/run-cli.ts';

it('has a label of its own in status and metrics, and the report tells it apart', async () => {
  const folder = createCliFolder(OPERATOR_ENV);
  onTestFinished(() => folder.remove());
  const bad = join(folder.dataDir, 'bad.csv');
  writeFileSync(bad, 'hello,world\n1,2\n');
  expect((await folder.run('backfill', 'files', 'candles', bad)).code).toBe(1);
  expect((await folder.json('status')).jobs).toEqual({ input: 1 });
  expect((await folder.run('status')).stdout).toContain('1 with faults of their input');
  const { address } = (await folder.start('serve')).document;
  const metrics = (await askAsOperator(`${address}/metrics`)).text;
  expect(metrics).toContain('tapeworks_jobs{queue="load",state="input"} 1\n');
  expect(metrics).not.toMatch(/^tapeworks_jobs\{.*state="dead"/m);
  expect(metrics).toContain('tapeworks_plan_failed{mode="live",source="files"} 0\n');
  expect(metrics).toContain('tapeworks_plan_input_fault{mode="live",source="files"} 1\n');
  const report: OperatorReport = JSON.parse(
    (await askAsOperator(`${address}/operator/status`)).text,
  );
  expect(report.runs).toMatchObject([{ state: 'failed', kind: 'empty', isInputFault: true }]);
});

it.each(['files', 'tiingo'])('all kinds of failures of %s are told apart', async (source) => {
  const dataDir = freshFolder();
  const path = jobsPaths(dataDir).ledger;
  mkdirSync(dirname(path), { recursive: true });
  const ledger = new JobLedger(path);
  FAILURE_KINDS.forEach((kind, i) => {
    const id = `run${i}`;
    const run: Run = {
      ...{ id, source, mode: 'live', verb: `backfill ${source}`, priority: 'backfill' },
      ...{ createdMs: i, childCount: 1, shared: {}, tasks: [{ title: 'A', slice: {} }] },
    };
    ledger.write(run, 'nobody');
    ledger.taskFailed(id, 0, { kind, reason: 'x' }, true);
    ledger.runFailed(id, { kind, reason: 'x' }, true, i);
  });
  ledger.close();
  const input = FAILURE_KINDS.filter((kind) => isInputFault(source, kind));
  expect(input).toEqual(
    source === 'files' ? ['malformed', 'empty', 'wrong-question'] : ['unknown-symbol'],
  );
  const { jobs } = await ledgerReader({ dataDir }).figures();
  const dead = FAILURE_KINDS.length - input.length;
  for (const queue of ['fetch', 'load']) {
    expect(jobs).toContainEqual({ queue, state: 'input', count: input.length });
    expect(jobs).toContainEqual({ queue, state: 'dead', count: dead });
  }
});
