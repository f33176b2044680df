/**
 * Memory and start of `serve` with one, two and four threads, over a sandbox of 10,000 stocks that
 * the command line fills first: two to five minutes. `--data DIR` uses an existing one.
 */

import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import {
  benchFolder,
  benchSizeFromArgs,
  checkResult,
  machineLine,
  readable,
  tableFromRows,
  takeDataDir,
} from '../harness.ts';
import { documentOf, launch } from '../launch.ts';

const SIZES = {
  smoke: { stocks: 20, requestsPerThread: 20 },
  quick: { stocks: 10_000, requestsPerThread: 300 },
  full: { stocks: 10_000, requestsPerThread: 1000 },
};

const THREAD_COUNTS = [1, 2, 4];
/** Requests on a connection of its own, so that the system spreads them over threads. */
function ask(url: string, rawKey: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = get(url, { agent: false, headers: { 'X-API-Key': rawKey } }, async (answer) => {
      let text = '';
      for await (const chunk of answer) text += chunk;
      checkResult((answer.statusCode ?? 500) < 500, `${url} gave ${answer.statusCode}`);
      resolve(text);
    });
    asked.on('error', reject);
  });
}

/** Returns the resident memory in megabytes, from Linux. */
function residentMb({ pid }: ChildProcess): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1000;
}

function pathsOf(symbol: string): string[] {
  return [
    `quotes/${symbol}`,
    `technical/${symbol}?indicators=sma,ema,rsi,macd,bollinger&limit=250`,
    `fundamentals/${symbol}/statements`,
    `news/${symbol}`,
    'screener?sort=volume',
    'screener?sector=Technology&sort=pe_ratio',
    'symbols?search=inc',
    'symbols?active=true',
  ];
}

async function measure(dataDir: string, rawKey: string, threads: number, requestCount: number) {
  const startMs = performance.now();
  const server = launch(dataDir, ['serve', '--processes', String(threads)]);
  const { address } = await documentOf(server);
  const base = `${address}/v1/svc/`;
  const { data } = JSON.parse(await ask(`${base}symbols?limit=100`, rawKey));
  const firstAnswerMs = performance.now() - startMs;
  // Every thread has prepared its versions by now.
  for (let i = 0; i < 8 * threads; i++) await ask(`${base}screener`, rawKey);
  const idleMb = residentMb(server);
  for (let i = 0; i < requestCount; ) {
    const paths = pathsOf(data[i % data.length].symbol);
    await Promise.all(paths.map((path) => ask(base + path, rawKey)));
    i += paths.length;
  }
  const usedMb = residentMb(server);
  server.kill('SIGTERM');
  await new Promise((resolve) => server.once('exit', resolve));
  return { firstAnswerMs, idleMb, usedMb };
}

const given = takeDataDir();
const { stocks, requestsPerThread } = SIZES[benchSizeFromArgs()];
const dataDir = given ?? benchFolder();
if (!existsSync(join(dataDir, 'sandbox'))) {
  const options = ['--stocks', String(stocks), '--from', '2024-01-01'];
  await documentOf(launch(dataDir, ['backfill', 'sandbox', ...options]));
}
const keyOptions = ['--mode', 'test', '--label', 'bench', '--scopes', 'all', '--limit', 'none'];
const { rawKey } = await documentOf(launch(dataDir, ['keys', 'create', ...keyOptions]));
const rows: string[][] = [];
for (const threads of THREAD_COUNTS) {
  const requestCount = requestsPerThread * threads;
  const { firstAnswerMs, idleMb, usedMb } = await measure(
    ...([dataDir, rawKey, threads, requestCount] as const),
  );
  rows.push([String(threads), ...[firstAnswerMs, idleMb, usedMb].map(readable)]);
}
console.log(`sandbox of ${stocks} stocks; ${machineLine()}\n`);
const header = ['threads', 'first answer ms', 'resident MB, ready', 'after requests'];
console.log(tableFromRows(header, rows));
