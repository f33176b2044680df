/** A server, reports and loads while the Postgres of the accounts is killed. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OperatorReport } from '../../../src/base/operator/report.ts';
import { type RunningPostgres, startPostgres } from '../../support/postgres-server.ts';
import { postgresFolder } from '../../support/tools.ts';
import { askAsOperator, OPERATOR_ENV } from '../support/operator.ts';
import { type CliFolder, createCliFolder } from '../support/run-cli.ts';

describe.skipIf(!postgresFolder)('while Postgres is away', { timeout: 120_000 }, () => {
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
    const env = { ...OPERATOR_ENV, TAPEWORKS_ACCOUNTS_URL: await postgres.create('away') };
    folder = createCliFolder(env);
    await folder.key('test');
    ({ address } = (await folder.start('serve')).document);
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
      expect(text).not.toContain('tapeworks_webhook');
    }
    expect(await read('/jobs')).toContain('no jobs');
  });

  it('reports go on without keys and webhooks, and name the reason', async () => {
    const report: OperatorReport = JSON.parse(await read('/operator/status'));
    expect([report.keys, report.webhooks]).toEqual([null, null]);
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
});
