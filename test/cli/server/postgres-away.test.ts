/** A server, reports and loads while the Postgres of the accounts is killed. */

import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OperatorReport } from '../../../src/base/operator/report.ts';
import { type RunningPostgres, startPostgres } from '../../support/postgres-server.ts';
import { long } from '../../support/store-runs.ts';
import { postgresFolder } from '../../support/tools.ts';
import { ask } from '../support/ask.ts';
import { writeCandleFile } from '../support/candle-file.ts';
import { askAsOperator, OPERATOR_ENV } from '../support/operator.ts';
import { type CliFolder, createCliFolder } from '../support/run-cli.ts';

describe.skipIf(!postgresFolder)('while Postgres is away', () => {
  let postgres: RunningPostgres;
  let folder: CliFolder;
  let address: string;

  const read = async (path: string) => {
    const { status, text } = await askAsOperator(address + path);
    expect([path, status]).toEqual([path, 200]);
    return text;
  };

  beforeAll(async () => {
    postgres = await startPostgres();
    folder = createCliFolder({
      ...{ ...OPERATOR_ENV, TAPEWORKS_WEBHOOK_PRIVATE: 'on' },
      TAPEWORKS_ACCOUNTS_URL: await postgres.create('away'),
    });
    const { headers } = await folder.key('live');
    ({ address } = (await folder.start('serve')).document);
    const { status } = await ask(`${address}/v1/svc/webhooks`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        url: 'http://127.0.0.1:9/',
        events: ['candles.updated', 'data.ready'],
      }),
    });
    expect(status).toBe(201);
    await postgres.kill();
  });
  afterAll(async () => {
    await folder?.remove();
    await postgres?.stop();
  });

  it('metrics go on without those of deliveries, and end no thread', async () => {
    for (let scrape = 0; scrape < 3; scrape++) {
      const text = await read('/metrics');
      expect(text).toContain('tapeworks_jobs_up 1\n');
      expect(text).toMatch(/^tapeworks_accounts_confirmed_age_seconds \d/m);
      expect(text).not.toContain('tapeworks_webhook');
    }
    expect(await read('/jobs')).toContain('no jobs');
  });

  long('reports go on without keys and webhooks, and name the reason', async () => {
    const report: OperatorReport = JSON.parse(await read('/operator/status'));
    expect([report.keys, report.webhooks]).toEqual([null, null]);
    expect(report.checks.map(({ name }) => name)).not.toContain('accounts');
    const check = report.checks.find(({ name }) => name === 'accounts in Postgres');
    expect(check).toMatchObject({
      state: 'failed',
      detail: expect.stringContaining('ECONNREFUSED'),
    });
  });

  it('commands that list go on', async () => {
    expect(await folder.json('status')).toMatchObject({ jobs: {} });
    expect(await folder.json('jobs', 'list')).toEqual([]);
  });

  it('loads are stored, and tell their events once when it is back', async () => {
    const first = join(folder.dataDir, 'first.csv');
    const second = join(folder.dataDir, 'secnd.csv');
    writeCandleFile(first, '2025-01-02', '2025-01-31');
    writeCandleFile(second, '2025-02-03', '2025-02-28');
    const load = (file: string) => folder.run('backfill', 'files', 'candles', file);
    const newest = async () => (await folder.json('status')).modes[0].published?.version;
    const told = async () => {
      const rows = await postgres.query('SELECT type FROM events ORDER BY seq', 'away');
      return rows.map(({ type }) => type);
    };
    const failed = { code: 1, stderr: expect.stringContaining('could not be reached') };

    // A first version waits: it must be known then that no event of it was sent.
    expect(await load(first)).toMatchObject(failed);
    expect(await newest()).toBeUndefined();
    await postgres.restart();
    expect(await load(first)).toMatchObject({ code: 0 });
    expect([await newest(), await told()]).toEqual([1, ['candles.updated', 'data.ready']]);

    await postgres.kill();
    expect(await load(second)).toMatchObject(failed);
    expect(await newest()).toBe(2);
    await postgres.restart();
    for (let time = 0; time < 2; time++) {
      expect(await load(second)).toMatchObject({ code: 0 });
      const two = ['candles.updated', 'data.ready'];
      expect([await newest(), await told()]).toEqual([2, [...two, ...two]]);
    }
  });
});
