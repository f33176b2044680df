/**
 * Replicas over object storage: the age of a day of all symbols on a replica, and requests of two
 * replicas over one (with `wrk`): `node bench/fleet/fleet.ts [--quick | --smoke]`. The storage is a
 * folder, or where `TAPEWORKS_SNAPSHOTS_URL` leads: an empty prefix.
 */

import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { publish } from '../../jobs/publish/publish.ts';
import { settingsFromEnv } from '../../src/base/config/config.ts';
import { modePaths } from '../../src/base/config/data-dir.ts';
import { sessionsBetween } from '../../src/base/time/calendar.ts';
import { dayFromDate } from '../../src/base/time/dates.ts';
import { keepUploading } from '../../src/fleet/replicas/run-uploads.ts';
import { filesOf, readManifest } from '../../src/store/arrow/format/manifest.ts';
import { openPublished } from '../../src/store/arrow/read/reader.ts';
import { symbolName } from '../command/data/synthetic.ts';
import {
  benchFolder,
  benchSizeFromArgs,
  checkResult,
  type Goal,
  goalLines,
  machineLine,
  readable,
  tableFromRows,
  timingFromSamples,
} from '../harness.ts';
import { documentOf, launch } from '../launch.ts';
import { afterSessionMs, dailySegment, loadSegment } from '../publish/updates-market.ts';

const SIZES = {
  smoke: { symbolCount: 40, rounds: 1, loadRounds: 0 },
  quick: { symbolCount: 10_000, rounds: 3, loadRounds: 3 },
  full: { symbolCount: 10_000, rounds: 9, loadRounds: 9 },
};

const FIRST_DAY = dayFromDate('2025-06-30');
const LAST_DAY = dayFromDate('2026-06-30');
/** Age of a version that a replica may have. */
const AGE_MS = 2000;
/** Longest wait for a version. */
const WAIT_MS = 300_000;
/** Clock ticks of Linux in a second. */
const TICKS_PER_S = 100;
const CONNECTIONS = 8;
const LOAD_S = 3;

interface Replica {
  process: ChildProcess;
  address: string;
  headers: { 'X-API-Key': string };
}

async function startReplica(snapshotsUrl: string): Promise<Replica> {
  const dataDir = benchFolder();
  const key = ['--mode', 'live', '--label', 'bench', '--scopes', 'all', '--limit', 'none'];
  const { rawKey } = await documentOf(launch(dataDir, ['keys', 'create', ...key]));
  const env = { ...process.env, TAPEWORKS_SNAPSHOTS_URL: snapshotsUrl };
  const server = launch(dataDir, ['serve', '--replica', '--processes', '1'], env);
  const { address } = await documentOf(server);
  return { process: server, address, headers: { 'X-API-Key': rawKey } };
}

/** Returns the price that a replica serves; undefined before its first version. */
async function priceOf({ address, headers }: Replica, symbol: string): Promise<unknown> {
  const response = await fetch(`${address}/v1/svc/quotes/${symbol}`, { headers });
  const { price, asOf } = (await response.json()) as Record<string, unknown>;
  return response.ok ? `${price} ${asOf}` : undefined;
}

/** Resolves when a replica serves another price than before. */
async function untilOther(replica: Replica, symbol: string, before: unknown): Promise<unknown> {
  const endMs = performance.now() + WAIT_MS;
  for (;;) {
    const price = await priceOf(replica, symbol);
    if (price !== undefined && price !== before) return price;
    checkResult(performance.now() < endMs, `${symbol} stays at ${before}`);
    await delay(10);
  }
}

/** Processor time of a process in seconds, from Linux. */
function cpuS({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_S;
}

interface Load {
  /** Requests a second. */
  perS: number;
  /** Processor time of the servers per request. */
  cpuUs: number;
}

const median = (values: readonly number[]) => timingFromSamples(values).medianMs;

/** Requests quotes of each replica at full rate. */
async function load(replicas: readonly Replica[], symbol: string, seconds: number): Promise<Load> {
  const before = replicas.map(({ process }) => cpuS(process));
  const runs = replicas.map(async ({ address, headers }) => {
    const key = `X-API-Key: ${headers['X-API-Key']}`;
    const args = ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '-H', key];
    const url = `${address}/v1/svc/quotes/${symbol}`;
    const { stdout } = await promisify(execFile)('wrk', [...args, url]);
    checkResult(!/Non-2xx|Socket errors/.test(stdout), stdout);
    return Number(/(\d+) requests in/.exec(stdout)?.[1]);
  });
  const counts = await Promise.all(runs);
  const requests = counts.reduce((sum, count) => sum + count, 0);
  const usedS = replicas.reduce((sum, { process }, i) => sum + cpuS(process) - before[i], 0);
  return { perS: requests / seconds, cpuUs: (usedS * 1e6) / requests };
}

/** Measures while a bare HTTP server and its client do on this machine what a second replica would. */
async function besideBareServer<T>(measure: () => Promise<T>): Promise<T> {
  const text = `const { createServer } = require('node:http');
    const server = createServer((_, response) => response.end('{}'));
    server.listen(0, '127.0.0.1', () => console.log(JSON.stringify(server.address())));`;
  const server = spawn(process.execPath, ['--eval', text], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { port } = await documentOf(server);
  const client = spawn('wrk', ['-t1', `-c${CONNECTIONS}`, '-d1m', `http://127.0.0.1:${port}/`]);
  try {
    return await measure();
  } finally {
    for (const child of [client, server]) child.kill('SIGKILL');
  }
}

/** @returns bytes of the published files that were not there before. */
function newMegabytes(before: ReadonlySet<string>): number {
  const names = [...filesOf(readManifest(paths.serving)!)].filter((name) => !before.has(name));
  return names.reduce((sum, name) => sum + statSync(join(paths.serving, name)).size, 0) / 1e6;
}

const size = benchSizeFromArgs();
const { symbolCount, rounds, loadRounds } = SIZES[size];
const symbols = Array.from({ length: symbolCount }, (_, number) => symbolName(number)).sort();
const dataDir = benchFolder();
const paths = modePaths(dataDir, 'live');
const url = process.env.TAPEWORKS_SNAPSHOTS_URL ?? `file://${join(benchFolder(), 'objects')}`;
const { snapshotsUrl } = settingsFromEnv({ ...process.env, TAPEWORKS_SNAPSHOTS_URL: url });
const stop = new AbortController();
const uploads = keepUploading(
  { dataDir, snapshotsUrl },
  (line) => console.error(line),
  stop.signal,
);
const replicas = await Promise.all([startReplica(url), startReplica(url)]);
try {
  const firstMs = afterSessionMs(LAST_DAY);
  await loadSegment(paths, dailySegment(symbols, FIRST_DAY, LAST_DAY), firstMs);
  await publish(paths, { verb: 'bench', nowMs: firstMs });
  const [symbol] = symbols;
  const firstStartMs = performance.now();
  const served = await Promise.all(replicas.map((one) => untilOther(one, symbol, undefined)));
  const first = {
    s: (performance.now() - firstStartMs) / 1000,
    megabytes: newMegabytes(new Set()),
  };
  const ages: number[] = [];
  let dayMegabytes = 0;
  const days = [...sessionsBetween(LAST_DAY + 1, LAST_DAY + 30)].slice(0, rounds);
  for (const day of days) {
    const nowMs = afterSessionMs(day);
    await loadSegment(paths, dailySegment(symbols, day, day), nowMs);
    const before = filesOf(readManifest(paths.serving)!);
    await publish(paths, { verb: 'bench', nowMs });
    const startMs = performance.now();
    const work = replicas.map(async (one, i) => {
      served[i] = await untilOther(one, symbol, served[i]);
      ages.push(performance.now() - startMs);
    });
    await Promise.all(work);
    dayMegabytes = newMegabytes(before);
    const version = openPublished(paths.serving)!;
    const { price } = version.quote(symbol) as { price: number };
    version.close();
    for (const one of served) checkResult(String(one).startsWith(`${price} `), `${one}, ${price}`);
  }
  if (size === 'smoke') console.log('fleet: results are right');
  else {
    const [bytes, dayBytes] = [first.megabytes, dayMegabytes].map(readable);
    console.log(`the first version: ${bytes} MB in ${readable(first.s)} s; a day: ${dayBytes} MB`);
    await report(ages, symbol);
  }
} finally {
  for (const { process } of replicas) process.kill('SIGTERM');
  stop.abort();
  await uploads;
}

async function report(ages: readonly number[], symbol: string): Promise<void> {
  const { minMs, medianMs, p99Ms } = timingFromSamples(ages);
  const kind = url.startsWith('s3:') ? 'a bucket' : 'a folder';
  console.log(`a day of ${symbolCount} symbols over ${kind}; ${machineLine()}\n`);
  const row = ['age on a replica', ...[minMs, medianMs, p99Ms].map(readable)];
  console.log(tableFromRows(['', 'min ms', 'median ms', 'most ms'], [row]));
  const goals: Goal[] = [{ name: 'age of a version', ratio: AGE_MS / medianMs, atLeast: 1 }];
  if (spawnSync('wrk', ['--version']).error) {
    console.log('\nskipped: requests a second (install: apt-get install wrk)');
  } else {
    await load(replicas, symbol, 1);
    const alone: Load[] = [];
    const beside: Load[] = [];
    const two: Load[] = [];
    // In turns, because other work of the machine comes and goes.
    for (let round = 0; round < loadRounds; round++) {
      alone.push(await load(replicas.slice(0, 1), symbol, LOAD_S));
      beside.push(await besideBareServer(() => load(replicas.slice(0, 1), symbol, LOAD_S)));
      two.push(await load(replicas, symbol, LOAD_S));
    }
    const rows = [
      ['one', alone] as const,
      ['one, next to a bare HTTP server under load', beside] as const,
      ['two', two] as const,
    ].map(([name, loads]) => {
      const cpuUs = median(loads.map((one) => one.cpuUs));
      return [name, ...[median(loads.map(({ perS }) => perS)), cpuUs, 1e6 / cpuUs].map(readable)];
    });
    const header = ['replicas', 'quotes/s', 'CPU µs of servers', 'quotes per CPU second'];
    console.log(`\n${tableFromRows(header, rows)}`);
    const wall = median(two.map(({ perS }, i) => perS / alone[i].perS));
    goals.push({ name: 'two replicas over one', ratio: wall, atLeast: 1 });
    // Four processes on two cores share caches: no work of a replica.
    const cpu = median(two.map(({ cpuUs }, i) => beside[i].cpuUs / cpuUs));
    goals.push({ name: 'the same, by processor time', ratio: cpu, atLeast: 0.9 });
  }
  console.log(`\n${goalLines(goals)}`);
}
