/** A backfill over HTTP in a running `start`: from its live key to the served bars. */

import { once } from 'node:events';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accountsPath } from '../../../src/base/config/data-dir.ts';
import { startTiingo, type TiingoServer } from '../../jobs/runner/tiingo-server.ts';
import type { ParsedJson } from '../../support/parsed-json.ts';
import { putStarted } from '../support/full-sandbox.ts';
import { type CliFolder, createCliFolder } from '../support/run-cli.ts';

let vendor: TiingoServer;
let folder: CliFolder;

beforeAll(async () => {
  vendor = await startTiingo();
  folder = createCliFolder({ ...vendor.env, TAPEWORKS_SCHEDULE: 'off' });
});
afterAll(async () => {
  await folder.remove();
  await vendor.close();
});

it('start runs backfills, and its live key may request them', async () => {
  const { liveKey, livePage } = await putStarted(folder);
  expect(livePage).toMatch(new RegExp(`/#key=${liveKey}$`));
  const started = await folder.start('start');
  const { address } = started.document;
  const ask = async (path: string, init: RequestInit = {}): Promise<[number, ParsedJson]> => {
    const headers = { 'X-API-Key': liveKey, 'Content-Type': 'application/json' };
    const response = await fetch(`${address}/v1/svc/${path}`, { headers, ...init });
    return [response.status, await response.json()];
  };
  const body = JSON.stringify({ source: 'any', symbols: ['AA'] });
  const [status, { id }] = await ask('backfills', { method: 'POST', body });
  expect(status).toBe(202);
  const shown = async () => (await ask(`backfills/${id}`))[1];
  await expect
    .poll(async () => (await shown()).endedAt, { timeout: 60_000 })
    .toEqual(expect.any(String));
  expect(await shown()).toMatchObject({
    ...{ state: 'done', error: null },
    result: { accepted: 4, sources: [{ symbol: 'AA', source: 'tiingo' }] },
  });
  await expect.poll(async () => (await ask('technical/AA'))[1].candles?.length).toBe(4);
  expect(await started.stop()).toBe(0);
  // Without the process that runs jobs, a request fails at once.
  const alone = await folder.start('serve');
  const refused = await fetch(`${alone.document.address}/v1/svc/backfills`, {
    ...{ method: 'POST', body },
    headers: { 'X-API-Key': liveKey, 'Content-Type': 'application/json' },
  });
  expect(refused.status).toBe(503);
  expect(await alone.stop()).toBe(0);
});

it('a pipeline that can’t run them ends, so that start restarts it', async () => {
  const broken = createCliFolder({ TAPEWORKS_SCHEDULE: 'off' });
  await putStarted(broken);
  const accounts = new DatabaseSync(accountsPath(broken.dataDir));
  accounts.exec('INSERT INTO schema_migrations VALUES (9999, 0)');
  accounts.close();
  const pipeline = broken.spawn('pipeline');
  let log = '';
  pipeline.stderr?.on('data', (text) => {
    log += text;
  });
  const [code] = await once(pipeline, 'exit');
  expect([code, log]).toEqual([1, expect.stringContaining('a newer version')]);
  await broken.remove();
});
