/**
 * A server under steady load while a publisher brings a version every few seconds: every answer is
 * right and of one version, and nothing grows. The long form is of 30 minutes, or `SOAK_MINUTES`,
 * and judges memory and latency; `SOAK_THREADS` and `SOAK_RATE` are those of the server and of the
 * load, and `SOAK_REPORT` names a file for all it has seen.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { addedCounts, latencyAt } from '../../bench/latency-histogram.ts';
import { modePaths } from '../../src/data-dir.ts';
import { createCliFolder } from '../cli/run-cli.ts';
import { isLong, scaled, TIMEOUT_MS, tell } from './scale.ts';
import type { LoadReport } from './soak-load.ts';
import type { PublisherMessage } from './soak-publisher.ts';
import { type Memory, median, memoryOf, type Sample, sampleOf, slopeOf } from './soak-watch.ts';

const { SOAK_MINUTES = '30', SOAK_THREADS = '2', SOAK_RATE = '300', SOAK_REPORT } = process.env;

/** The short form has periods of half a second, and ends when it has seen enough. */
const PERIOD_MS = scaled(500, 60_000);
const SAMPLES_EACH = scaled(1, 12);
const ENOUGH = { publishes: 9, answers: 300 };
const PUBLISH_EVERY_MS = scaled(300, 3000);
const SYMBOLS = scaled(60, 1000);
const DAYS = scaled(60, 500);
const RATE = scaled(80, Number(SOAK_RATE));
const THREADS = scaled(2, Number(SOAK_THREADS));

/** Memory counts from here on, and the first latencies are those of the periods before. */
const WARM_PERIODS = 5;
const JUDGED_PERIODS = 3;
const SLOPE_MAX_MB = 1;
const P99_RATIO_MAX = 1.2;

/** A version has more or fewer files by the layers that are not folded yet. */
const FILES_OF_LAYERS = 50;

interface Period {
  server: Sample[];
  publisher: Sample[];
  memory: Memory;
  load: LoadReport;
  publishMs: number[];
}

function startChild(script: string, args: readonly (string | number)[]): ChildProcess {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(process.execPath, [path, ...args.map(String)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

async function answerOf<Answer>(child: ChildProcess, question: object | string): Promise<Answer> {
  child.send(question as object);
  const [answer] = await once(child, 'message');
  return answer;
}

/** A publisher whose store is filled. */
async function startPublisher(dataDir: string) {
  const child = startChild('soak-publisher.ts', [dataDir, SYMBOLS, DAYS, PUBLISH_EVERY_MS]);
  const filled = Promise.withResolvers<void>();
  const stopped = Promise.withResolvers<Extract<PublisherMessage, { kind: 'stopped' }>>();
  let publishMs: number[] = [];
  child.on('message', (message: PublisherMessage) => {
    if (message.kind === 'filled') filled.resolve();
    else if (message.kind === 'stopped') stopped.resolve(message);
    else publishMs.push(message.ms);
  });
  child.on('exit', (code) => {
    for (const { reject } of [filled, stopped]) reject(new Error(`publisher ended with ${code}`));
  });
  // Its end is told to who waits for it.
  stopped.promise.catch(() => undefined);
  await filled.promise;
  return {
    pid: child.pid as number,
    begin: () => child.send('go'),
    /** Times of the publishes since it was asked before. */
    takeTimes() {
      const taken = publishMs;
      publishMs = [];
      return taken;
    },
    stop() {
      child.send('stop');
      return stopped.promise;
    },
  };
}

it.skipIf(process.platform !== 'linux')(
  'a server under load and publishes stays right, and as it is',
  async () => {
    // In the short form nobody waits for garbage to be collected.
    const preload = fileURLToPath(new URL('collect-garbage.mjs', import.meta.url));
    const folder = createCliFolder(isLong ? {} : { NODE_OPTIONS: `--import ${preload}` });
    onTestFinished(() => folder.remove());
    const { serving } = modePaths(folder.dataDir, 'live');
    const publisher = await startPublisher(folder.dataDir);
    const keyOptions = ['--mode', 'live', '--label', 'x', '--scopes', 'all', '--limit', 'none'];
    const { rawKey } = await folder.json('keys', 'create', ...keyOptions);
    const server = await folder.start('serve', '--processes', String(THREADS));
    const serverPid = server.process.pid as number;
    const { address } = server.document;
    const load = startChild('soak-load.ts', [address, rawKey, SYMBOLS, RATE]);
    publisher.begin();

    const periods: Period[] = [];
    while (!isEnough(periods)) {
      const samples = { server: [] as Sample[], publisher: [] as Sample[] };
      for (let i = 0; i < SAMPLES_EACH; i++) {
        await delay(PERIOD_MS / SAMPLES_EACH);
        samples.server.push(sampleOf(serverPid, serving));
        samples.publisher.push(sampleOf(publisher.pid, serving));
      }
      const report = await answerOf<LoadReport>(load, 'report');
      const memory = await memoryOf(address);
      periods.push({ ...samples, memory, load: report, publishMs: publisher.takeTimes() });
      expect(report.failures).toEqual([]);
    }
    const { marks } = await publisher.stop();
    const last = await answerOf<LoadReport>(load, marks);
    expect(last.failures).toEqual([]);
    if (isLong) judge(periods);
    else {
      const removedOpen = () => sampleOf(serverPid, serving).removedOpen;
      await expect.poll(removedOpen, { timeout: 60_000 }).toBe(0);
    }
    expect(await server.stop()).toBe(0);
  },
  TIMEOUT_MS,
);

/** Removed files wait for a collection of garbage, so the fewest are those that are needed. */
function fewest(periods: readonly Period[], who: 'server' | 'publisher'): number {
  return Math.min(...periods.flatMap((one) => one[who].map((sample) => sample.descriptors)));
}

function isEnough(periods: readonly Period[]): boolean {
  if (isLong) return periods.length === Number(SOAK_MINUTES);
  const { publishes, answers } = totals(periods);
  return publishes.length >= ENOUGH.publishes && answers >= ENOUGH.answers;
}

function totals(periods: readonly Period[]) {
  const sum = (of: (load: LoadReport) => number) =>
    periods.reduce((all, { load }) => all + of(load), 0);
  return {
    publishes: periods.flatMap(({ publishMs }) => publishMs),
    answers: sum(({ answers }) => answers),
    failed: sum(({ failed }) => failed),
  };
}

/** Of the long form alone. */
function judge(periods: readonly Period[]): void {
  const { publishes, answers, failed } = totals(periods);
  const growth = (who: 'server' | 'publisher', field: keyof Sample) =>
    slopeOf(periods.slice(WARM_PERIODS).map((one) => median(one[who].map((s) => s[field]))));
  const heaps = periods.slice(WARM_PERIODS).map(({ memory }) => memory.heapMb);
  const p99 = (some: readonly Period[]) =>
    latencyAt(addedCounts(some.map(({ load }) => load.latencies)), 0.99);
  const first = p99(periods.slice(WARM_PERIODS - JUDGED_PERIODS, WARM_PERIODS));
  const lastP99 = p99(periods.slice(-JUDGED_PERIODS));
  const rounded = (value: number) => Math.round(value * 100) / 100;
  const numbers = {
    minutes: periods.length,
    answers,
    'wrong answers': failed,
    publishes: publishes.length,
    'ms a publish, median': rounded(median(publishes)),
    'MB a minute, server': rounded(growth('server', 'rssMb')),
    'MB a minute, publisher': rounded(growth('publisher', 'rssMb')),
    'MB of heap a minute, server': rounded(slopeOf(heaps)),
    'descriptors a minute, server': rounded(growth('server', 'descriptors')),
    'descriptors a minute, publisher': rounded(growth('publisher', 'descriptors')),
    'ms, first p99': rounded(first),
    'ms, last p99': rounded(lastP99),
  };
  tell('soak', numbers);
  if (SOAK_REPORT) writeFileSync(SOAK_REPORT, JSON.stringify({ numbers, periods }));
  expect(growth('server', 'rssMb')).toBeLessThan(SLOPE_MAX_MB);
  expect(growth('publisher', 'rssMb')).toBeLessThan(SLOPE_MAX_MB);
  for (const who of ['server', 'publisher'] as const) {
    expect(fewest(periods.slice(-JUDGED_PERIODS), who)).toBeLessThanOrEqual(
      fewest(periods.slice(WARM_PERIODS, WARM_PERIODS + JUDGED_PERIODS), who) + FILES_OF_LAYERS,
    );
  }
  expect(lastP99 / first).toBeLessThanOrEqual(P99_RATIO_MAX);
}
