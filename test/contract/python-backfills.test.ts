/** Backfills by the Python client; another process runs them, for which this test stands in. */

import { execFile } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uploadFolder } from '../../jobs/backfills/order.ts';
import { backfillsLockPath } from '../../src/base/config/data-dir.ts';
import { lockFile } from '../../src/base/file-lock.ts';
import { freshFolder } from '../support/folders.ts';
import { python } from '../support/tools.ts';
import { useContractMarket } from './contract-market.ts';

const folder = fileURLToPath(new URL('../../clients/python/', import.meta.url));
const run = promisify(execFile);
const market = useContractMarket();
let lock: ReturnType<typeof lockFile>;
let key: string;

beforeAll(async () => {
  lock = lockFile(backfillsLockPath(market.dataDir));
  key = await market.server.newKey({ mode: 'live', scopes: ['ingest:write'] });
});
afterAll(() => lock?.close());

/** Returns the JSON that a program prints; waits of the client take no time. */
async function result(program: string) {
  const head = `import json, tapeworks
server = tapeworks.connect("${market.server.address}", "${key}", sleep=lambda seconds: None)
`;
  const env = { PATH: process.env.PATH, PYTHONPYCACHEPREFIX: tmpdir() };
  const { stdout } = await run(String(python), ['-c', head + program], { cwd: folder, env });
  return JSON.parse(stdout);
}

describe.skipIf(!python)('the Python client', () => {
  it('requests symbols, waits for the end, and raises the reason of a failure', async () => {
    const { accounts } = market.server;
    const ended = result(`
try:
    server.backfill("AAPL", start="2026-01-01")
except tapeworks.BackfillError as error:
    print(json.dumps(str(error)))`);
    await expect.poll(async () => (await accounts.openBackfills()).length).toBe(1);
    const [{ id, order }] = await accounts.openBackfills();
    expect(order).toMatchObject({ source: 'any', symbols: ['AAPL'], from: '2026-01-01' });
    await accounts.beginBackfill(id);
    await accounts.endBackfill(id, { result: null, error: 'no source has it' });
    expect(await ended).toBe('no source has it');
  });

  it('uploads a file as it is', async () => {
    const path = join(freshFolder(), 'AAPL.csv');
    writeFileSync(path, 'date,open,high,low,close,volume\n');
    const { id, state } = await result(
      `print(json.dumps(server.backfill_file("${path}", interval="1d", wait=False)))`,
    );
    expect(state).toBe('waiting');
    const [{ order }] = await market.server.accounts.openBackfills();
    expect(order.file).toEqual({ name: 'AAPL.csv', bytes: 32, interval: '1d' });
    expect(existsSync(join(uploadFolder(market.dataDir, id), 'AAPL.csv'))).toBe(true);
  });
});
