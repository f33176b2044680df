/** Walks through pages whose requests meet two replicas, one of which has each version later. */

import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Asked, ask } from '../cli/support/ask.ts';
import { writeCandleFile } from '../cli/support/candle-file.ts';
import { type CliFolder, createCliFolder, type RunningCli } from '../cli/support/run-cli.ts';
import { sharedFolder } from '../support/folders.ts';

const WALKS = ['symbols?limit=1', 'screener?limit=1', 'screener?limit=1&where=close>0'];

const home = sharedFolder();
const bucket = join(home, 'bucket');
/** The storage as the slower replica sees it. */
const late = join(home, 'late');
const folders: CliFolder[] = [];
let publisher: CliFolder;
let headers: Record<string, string>;
let fast: RunningCli;
let slow: RunningCli;

function folderOver(storage: string): CliFolder {
  const folder = createCliFolder({ TAPEWORKS_SNAPSHOTS_URL: `file://${storage}` });
  folders.push(folder);
  return folder;
}

/** Starts a replica with the keys of the publisher. */
async function startReplica(storage: string): Promise<RunningCli> {
  const folder = folderOver(storage);
  const accounts = 'accounts.sqlite';
  cpSync(join(publisher.dataDir, accounts), join(folder.dataDir, accounts));
  const replica = await folder.start('serve', '--replica');
  await vi.waitFor(async () => expect(await versionOf(replica)).toBe(1), 300_000);
  return replica;
}

async function publish(symbol: string): Promise<void> {
  const file = join(home, `${symbol}.csv`);
  writeCandleFile(file, '2025-01-02', '2025-03-31');
  await publisher.json('backfill', 'files', 'candles', file);
}

/** Brings the newest version to the slower replica, files first. */
function deliver(): void {
  for (const name of ['live/files', 'live/manifest.json']) {
    cpSync(join(bucket, name), join(late, name), { recursive: true });
  }
}

function page({ document }: RunningCli, walk: string, cursor = ''): Promise<Asked> {
  return ask(`${document.address}/v1/svc/${walk}${cursor && `&cursor=${cursor}`}`, { headers });
}

const shown = ({ status, text, headers: got }: Asked) => {
  const { data, total, error } = JSON.parse(text);
  const symbols = data?.map((row: { symbol: string }) => row.symbol);
  return { status, symbols, total, error, changed: got['x-svc-snapshot-changed'] };
};

const versionOf = async ({ document }: RunningCli) =>
  JSON.parse((await ask(`${document.address}/readyz`)).text).replicas.live.version;

/** Waits until the faster replica shows both symbols, and returns the first page of each walk. */
async function firstPages(): Promise<Asked[]> {
  let pages: Asked[] = [];
  const totals = async () => {
    pages = await Promise.all(WALKS.map((walk) => page(fast, walk)));
    return pages.map((one) => shown(one).total);
  };
  await expect.poll(totals).toEqual([2, 2, 2]);
  return pages;
}

beforeAll(async () => {
  publisher = folderOver(bucket);
  await publish('AAA');
  ({ headers } = await publisher.key('live'));
  // The first server makes the secret of cursors, which machines share.
  await (await publisher.serve()).close();
  deliver();
  fast = await startReplica(bucket);
  slow = await startReplica(late);
});
afterAll(() => Promise.all(folders.map((folder) => folder.remove())));

it('stay in their version on a machine that gets it a moment later', async () => {
  await publish('BBB');
  const firsts = await firstPages();
  const nexts = WALKS.map((walk, i) => page(slow, walk, JSON.parse(firsts[i].text).cursor));
  expect(await versionOf(slow)).toBe(1);
  deliver();
  for (const [i, next] of nexts.entries()) {
    const both = [firsts[i], await next].flatMap((one) => shown(one).symbols).sort();
    expect([WALKS[i], both]).toEqual([WALKS[i], ['AAA', 'BBB']]);
    expect(shown(await next)).toMatchObject({ status: 200, total: 2, changed: undefined });
  }
});

it('stay in their version on a machine that has a newer one', async () => {
  await expect.poll(() => versionOf(slow)).toBe(2);
  const firsts = await firstPages();
  await publish('CCC');
  deliver();
  await expect.poll(() => versionOf(slow)).toBe(3);
  for (const [i, walk] of WALKS.entries()) {
    const next = shown(await page(slow, walk, JSON.parse(firsts[i].text).cursor));
    expect([walk, next]).toEqual([walk, { ...next, status: 200, total: 2, changed: undefined }]);
  }
});

it('go on in what a machine has, and say so, if it does not get their version', async () => {
  await publish('DDD');
  const total = async () => shown(await page(fast, WALKS[0])).total;
  await expect.poll(total).toBe(4);
  const { cursor } = JSON.parse((await page(fast, WALKS[0])).text);
  const next = shown(await page(slow, WALKS[0], cursor));
  expect(next).toMatchObject({ status: 200, symbols: ['BBB'], total: 3, changed: '1' });
});
