/** `/jobs` and the metrics of jobs, on a real server without Redis. */

import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Run, taskId } from '../../../jobs/contract/run.ts';
import { JobLedger } from '../../../jobs/ledger/ledger.ts';
import { accountsPath, jobsPaths } from '../../../src/base/config/data-dir.ts';
import { NEVER_CHECKED, writeIntegrity } from '../../../src/base/integrity-record.ts';
import { openAccounts } from '../../../src/store/accounts/admission/sqlite-accounts.ts';
import { type ParsedFamily, parseMetrics } from '../../api/support/prometheus-text.ts';
import { ask, askMany } from '../support/ask.ts';
import { askAsOperator, OPERATOR_ENV } from '../support/operator.ts';
import { type CliFolder, createCliFolder, type RunningCli } from '../support/run-cli.ts';

const CREATED_MS = Date.now() - 60_000;
const VENDOR_KEY = 'tiingo-key-that-nobody-may-see';

const plan = (id: string, source: string, titles: readonly string[]): Run => ({
  ...{ id, source, mode: 'live', verb: `backfill ${source}`, priority: 'backfill' },
  ...{ createdMs: CREATED_MS, childCount: titles.length, shared: {} },
  tasks: titles.map((title) => ({ title, slice: { symbols: [title] } })),
});

const done = plan('done1', 'tiingo', ['AAPL', 'MSFT <b>']);
const waiting = plan('waiting1', 'eodhd', ['XOM', 'CVX', 'KO']);

let folder: CliFolder;
let server: RunningCli;
let address: string;

beforeAll(async () => {
  folder = createCliFolder({ ...OPERATOR_ENV, TAPEWORKS_TIINGO_KEY: VENDOR_KEY });
  server = await folder.start('serve', '--processes', '2');
  ({ address } = server.document);
});
afterAll(() => folder.remove());

const metrics = async () => parseMetrics((await askAsOperator(`${address}/metrics`)).text);
const jobsIn = (families: Map<string, ParsedFamily>, queue: string, state: string) =>
  families.get('tapeworks_jobs')?.value('', { queue, state });

function writeLedger(): void {
  const ledger = new JobLedger(jobsPaths(folder.dataDir).ledger);
  for (const one of [done, waiting]) ledger.write(one, 'nobody');
  ledger.taskDone(done.id, 0);
  ledger.taskFailed(done.id, 1, { kind: 'other', reason: 'answered 500' }, true);
  const report = {
    ...{ segments: 1, alreadyLoaded: 0, accepted: 250, rejected: 3, rejectedByReason: {} },
    ...{
      quarantine: null,
      skipped: [],
      notes: [],
      readings: [],
      loaded: [],
      seriesChanged: 1,
      rowsChanged: 0,
    },
    ...{ publishedVersion: 1, served: { before: null, after: null } },
    ...{ plan: done.id, mode: done.mode, plannedMs: CREATED_MS },
  };
  const failedJob = { id: taskId(done, 1), title: 'MSFT <b>', kind: 'other', reason: 'x' } as const;
  ledger.runDone(done.id, { ...report, deadJobs: [failedJob] }, CREATED_MS + 5000);
  ledger.close();
}

describe('before any job', () => {
  it('the page says so, and the metrics count none', async () => {
    expect((await askAsOperator(`${address}/jobs`)).text).toContain('There are no jobs.');
    const families = await metrics();
    expect(families.get('tapeworks_jobs_up')?.value('', {})).toBe(1);
    expect(families.has('tapeworks_jobs')).toBe(false);
  });
});

describe('with jobs', () => {
  beforeAll(writeLedger);

  it('the page shows failed jobs with their reasons, then waiting ones', async () => {
    const { status, headers, text } = await askAsOperator(`${address}/jobs`);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(text.match(/<h2>[^<]*/g)).toEqual(['<h2>Failed (1)', '<h2>Waiting (4)', '<h2>Done (2)']);
    expect(text).toContain('<td>1</td><td>answered 500</td>');
    expect(text).toContain('MSFT &lt;b&gt;');
    expect(text).toContain(taskId(done, 1));
    expect(text).not.toContain('<b>');
  });

  it('the page is for who has the token alone', async () => {
    expect((await ask(`${address}/jobs`)).status).toBe(401);
  });

  it('metrics count jobs by queue and state, and describe the newest run of a source', async () => {
    const families = await metrics();
    expect(jobsIn(families, 'fetch', 'dead')).toBe(1);
    expect(jobsIn(families, 'fetch', 'done')).toBe(1);
    expect(jobsIn(families, 'fetch', 'waiting')).toBe(3);
    expect(jobsIn(families, 'load', 'waiting')).toBe(1);
    const next = families.get('tapeworks_jobs_next_wait_seconds');
    expect(next?.value('', { queue: 'fetch' })).toBeGreaterThan(50);
    expect(next?.samples).toHaveLength(1);
    const ofPlan = (name: string) =>
      families.get(`tapeworks_plan_${name}`)?.value('', { mode: 'live', source: 'tiingo' });
    expect(ofPlan('rows')).toBe(250);
    expect(ofPlan('rejected_rows')).toBe(3);
    expect(ofPlan('dead_jobs')).toBe(1);
    expect(ofPlan('failed')).toBe(0);
    expect(ofPlan('duration_seconds')).toBe(5);
  });

  it('one answer has the requests and the event loops of all threads', async () => {
    const answers = await askMany(40, `${address}/healthz`);
    expect(new Set(answers.map(({ thread }) => thread)).size).toBe(2);
    const families = await metrics();
    const healthz = { route: '/healthz', method: 'GET', status: '2xx' };
    expect(families.get('tapeworks_http_request_duration_seconds')?.value('_count', healthz)).toBe(
      40,
    );
    const lags = families.get('nodejs_eventloop_lag_p99_seconds')?.samples;
    expect(lags?.map(({ labels }) => labels.thread)).toEqual(['1', '2']);
    expect(families.get('process_resident_memory_bytes')?.value('', {})).toBeGreaterThan(1e7);
  });

  it('both show deliveries that were given up, and the metrics those that wait', async () => {
    // None is attempted: the account of the one that waits is suspended.
    const accounts = openAccounts(accountsPath(folder.dataDir));
    const at = { mode: 'live', url: 'https://example.invalid/', events: ['data.ready'] } as const;
    for (const id of ['gone', 'late']) await accounts.createAccount({ id, label: 'x' });
    await accounts.changeAccount('late', { isSuspended: true });
    await accounts.changeAccount('gone', { isSuspended: true });
    const gone = await accounts.createWebhook({ ...at, account: 'gone' });
    await accounts.createWebhook({ ...at, account: 'late' });
    await accounts.changeAccount('late', { isSuspended: false });
    await accounts.changeAccount('gone', { isSuspended: false });
    const event = { id: 'evt_1', type: 'data.ready', occurredAtMs: 0, data: {} } as const;
    await accounts.addEvents('live', [{ ...event, symbols: undefined }], Date.now() + 60_000);
    await accounts.close();
    const db = new DatabaseSync(accountsPath(folder.dataDir), { timeout: 5000 });
    db.prepare(
      `UPDATE deliveries SET status = 'failed', attempts = 10, next_at = NULL,
         error = 'answered 500' WHERE webhook = (SELECT seq FROM webhooks WHERE id = ?)`,
    ).run(gone.id);
    db.close();
    const families = await metrics();
    const count = (state: string) =>
      families.get('tapeworks_webhook_deliveries')?.value('', { state });
    expect([count('dead'), count('delayed'), count('waiting')]).toEqual([1, 1, 0]);
    expect(jobsIn(families, 'webhooks', 'dead')).toBe(1);
    const { text } = await askAsOperator(`${address}/jobs`);
    expect(text).toContain(`data.ready to ${gone.id}`);
    expect(text).toContain('<td>10</td><td>answered 500</td>');
    const dead = await folder.json('jobs', 'list', '--dead');
    expect(dead).toContainEqual(
      expect.objectContaining({ id: `evt_1/${gone.id}`, queue: 'webhooks', failures: 10 }),
    );
  });

  it('every metric is documented, and no other', async () => {
    const page = readFileSync(
      fileURLToPath(new URL('../../../docs/operations.md', import.meta.url)),
    );
    const table = page.toString().split('## Metrics')[1].split('Worth an alert')[0];
    const named = table.match(/`(?:tapeworks|nodejs|process)_\w+`/g) ?? [];
    const wanted = new Set(named.map((name) => name.slice(1, -1)));
    const found = { part: 'live/store/tables', fault: 'x', remedy: 'y', foundMs: 1 };
    const times = { ranMs: Date.now() - 5000, roundEndedMs: Date.now() - 9000 };
    writeIntegrity(folder.dataDir, { ...NEVER_CHECKED, ...times, faults: [found] });
    const given = await metrics();
    expect(given.get('tapeworks_integrity_faults')?.value('', {})).toBe(1);
    expect(given.get('tapeworks_integrity_run_age_seconds')?.value('', {})).toBeGreaterThan(4);
    expect(given.get('tapeworks_integrity_round_age_seconds')?.value('', {})).toBeGreaterThan(8);
    const families = [...given.keys()];
    // Nothing is published here, to no object storage, and accounts are a file.
    const ofOthers = [...wanted].filter((name) =>
      /_(?:published|dataset|replica|upload|uploaded|accounts)_/.test(name),
    );
    expect(new Set([...families, ...ofOthers])).toEqual(wanted);
  });

  it('neither shows keys of vendors', async () => {
    for (const path of ['/jobs', '/metrics']) {
      expect((await askAsOperator(address + path)).text).not.toContain(VENDOR_KEY);
    }
  });
});
