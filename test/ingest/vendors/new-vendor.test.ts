/** The promise that a vendor is one folder and one row: a copy of the program gets one more. */

import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CliFolder, createCliFolder } from '../../cli/support/run-cli.ts';
import { long } from '../../support/store-runs.ts';
import { startVendorServer, type VendorServer } from '../support/vendor-server.ts';
import { FILES, ROW } from './support/new-vendor.ts';

const DAYS = [
  { d: '2024-01-02', o: 10, h: 12, l: 9, c: 11, v: 100 },
  { d: '2024-01-03', o: 11, h: 13, l: 10, c: 12, v: 200 },
];

let server: VendorServer;
let folder: CliFolder;

function addVendor(root: string): void {
  for (const name of ['src', 'jobs', 'bin', 'package.json']) {
    cpSync(name, join(root, name), { recursive: true });
  }
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'));
  const rows = join(root, 'src/base/sources.ts');
  const text = readFileSync(rows, 'utf8');
  const before = "  { id: 'sandbox'";
  expect(text).toContain(before);
  writeFileSync(rows, text.replace(before, `${ROW}\n${before}`));
  const home = join(root, 'src/ingest/vendors/acme');
  mkdirSync(home);
  for (const [name, code] of Object.entries(FILES)) writeFileSync(join(home, name), code);
}

async function json(...args: string[]) {
  // A warm process would run the program of the repository.
  const { code, stdout, stderr } = await folder.run(...args, '--json');
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

beforeAll(async () => {
  server = await startVendorServer((_, response) => response.end(JSON.stringify(DAYS)));
  const home = createCliFolder();
  const root = join(home.dataDir, 'program');
  addVendor(root);
  // No test asks a real vendor.
  const others = ['YAHOO', 'RSS', 'NASDAQ', 'CBOE'].map((one) => [
    `TAPEWORKS_${one}_URL`,
    server.url,
  ]);
  folder = createCliFolder(
    {
      ...Object.fromEntries(others),
      TAPEWORKS_ACME_URL: server.url,
      TAPEWORKS_ACME_KEY: 'sesame',
      TAPEWORKS_ACME_LIMIT: '1000/60',
      TAPEWORKS_WATCHLIST: 'ACM',
    },
    join(root, 'bin/tapeworks.js'),
  );
  return () => home.remove();
});
afterAll(async () => {
  await folder.remove();
  await server.close();
});

describe('a folder and a row', () => {
  long('give a schedule and its rank', async () => {
    const { stdout } = await folder.run('schedule', '--list', '--json');
    const row = JSON.parse(stdout).find(({ source }: { source: string }) => source === 'acme');
    expect(row).toMatchObject({ name: 'days', when: '60 minutes after the close', runs: true });
  });

  it('load bars with their settings', async () => {
    const range = ['--symbols', 'ACM', '--from', '2024-01-02', '--to', '2024-01-03'];
    expect(await json('backfill', 'acme', ...range)).toMatchObject({ accepted: 2, rejected: 0 });
    expect(server.asked.map(({ url, headers }) => [url.pathname, headers['x-acme-key']])).toEqual([
      ['/days/ACM', 'sesame'],
    ]);
  });

  long('are probed with one request', async () => {
    const { stdout } = await folder.run('doctor', '--sources', '--json');
    const { sources } = JSON.parse(stdout);
    expect(sources).toContainEqual({ source: 'acme', state: 'works', detail: '2 rows' });
    const probes = server.asked.filter(({ url }) => url.pathname === '/days/AAPL');
    expect(probes).toHaveLength(1);
  });
});
