/**
 * A server under steady load while a publisher brings a version every few seconds: every answer is
 * right and of one version, and nothing grows. It takes 30 minutes, or `SOAK_MINUTES`, and runs with
 * the long tests alone; `SOAK_THREADS` and `SOAK_RATE` are those of the server and of the
 * load, and `SOAK_REPORT` names a file for all it has seen.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { addedCounts, latencyAt } from '../../../bench/http/latency-histogram.ts';
import { modePaths } from '../../../src/base/config/data-dir.ts';
import { filesOf, readManifest } from '../../../src/store/arrow/format/manifest.ts';
import type { Manifest } from '../../../src/store/arrow/format/manifest-types.ts';
import { OPERATOR_ENV } from '../../cli/support/operator.ts';
import { createCliFolder } from '../../cli/support/run-cli.ts';
import { isLong, tell } from '../scale.ts';
import type { LoadReport } from './load.ts';
import type { PublisherMessage } from './publisher.ts';
import { type Memory, median, memoryOf, type Sample, sampleOf, slopeOf } from './watch.ts';

const { SOAK_MINUTES = '30', SOAK_THREADS = '2', SOAK_RATE = '300', SOAK_REPORT } = process.env;

const PERIOD_MS = 60_000;
const SAMPLES_EACH = 60;
const PUBLISH_EVERY_MS = 3000;
const SYMBOLS = 1000;
const DAYS = 500;
const RATE = Number(SOAK_RATE);
const THREADS = Number(SOAK_THREADS);

/** Memory counts from here on, and the first latencies are those of the periods before. */
const WARM_PERIODS = 5;
const JUDGED_PERIODS = 3;
const SLOPE_MAX_MB = 1;
const P99_RATIO_MAX = 1.2;

type Published = Extract<PublisherMessage, { kind: 'published' }>;

interface Period {
  server: Sample[];
  publisher: Sample[];
  memory: Memory;
  load: LoadReport;
  publishes: Published[];
}

function startChild(script: string, args: readonly (string | number)[]): ChildProcess {
  const path = fileURLToPath(new URL(script, import.meta.url));
  // The publisher collects its garbage after each publish.
  const child = spawn(process.execPath, ['--expose-gc', path, ...args.map(String)], {
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
  const child = startChild('publisher.ts', [dataDir, SYMBOLS, DAYS, PUBLISH_EVERY_MS]);
  const filled = Promise.withResolvers<void>();
  const stopped = Promise.withResolvers<Extract<PublisherMessage, { kind: 'stopped' }>>();
  let publishes: Published[] = [];
  child.on('message', (message: PublisherMessage) => {
    if (message.kind === 'filled') filled.resolve();
    else if (message.kind === 'stopped') stopped.resolve(message);
    else if (message.kind === 'published') publishes.push(message);
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
    /** The publishes since it was asked before. */
    take() {
      const taken = publishes;
      publishes = [];
      return taken;
    },
    stop() {
      child.send('stop');
      return stopped.promise;
    },
  };
}

it.runIf(isLong && process.platform === 'linux')(
  'a server under load and publishes stays right, and as it is',
  async () => {
    const preload = fileURLToPath(new URL('../support/collect-garbage.mjs', import.meta.url));
    const folder = createCliFolder({ ...OPERATOR_ENV, NODE_OPTIONS: `--import ${preload}` });
    onTestFinished(() => folder.remove());
    const sign = (name: string) => writeFileSync(join(folder.dataDir, name), '');
    const { serving } = modePaths(folder.dataDir, 'live');
    const publisher = await startPublisher(folder.dataDir);
    const keyOptions = ['--mode', 'live', '--label', 'x', '--scopes', 'all', '--limit', 'none'];
    const { rawKey } = await folder.json('keys', 'create', ...keyOptions);
    const server = await folder.start('serve', '--processes', String(THREADS));
    const serverPid = server.process.pid as number;
    const { address } = server.document;
    const load = startChild('load.ts', [address, rawKey, SYMBOLS, RATE]);
    publisher.begin();

    const periods: Period[] = [];
    while (periods.length < Number(SOAK_MINUTES)) {
      const samples = { server: [] as Sample[], publisher: [] as Sample[] };
      for (let i = 0; i < SAMPLES_EACH; i++) {
        await delay(PERIOD_MS / SAMPLES_EACH);
        samples.server.push(sampleOf(serverPid, serving));
        samples.publisher.push(sampleOf(publisher.pid, serving));
      }
      const report = await answerOf<LoadReport>(load, 'report');
      const memory = await memoryOf(address);
      periods.push({ ...samples, memory, load: report, publishes: publisher.take() });
      expect(report.failures).toEqual([]);
    }
    const { marks } = await publisher.stop();
    const last = await answerOf<LoadReport>(load, marks);
    expect(last.failures).toEqual([]);
    judge(periods);
    // It is measured as it is, and collects in the end.
    sign('collect-garbage');
    sign('release-versions');
    const openBy = (pid: number) => () => sampleOf(pid, serving);
    const named = filesOf(readManifest(serving) as Manifest).size;
    await expect.poll(openBy(serverPid)).toMatchObject({ removed: 0 });
    expect(openBy(serverPid)().published).toBeLessThanOrEqual(THREADS * named);
    await expect.poll(openBy(publisher.pid)).toMatchObject({ published: 0, removed: 0 });
    expect(await server.stop()).toBe(0);
  },
);

/** Connections and the store come and go; so the fewest are those that are needed. */
function fewestOthers(periods: readonly Period[], who: 'server' | 'publisher'): number {
  return Math.min(...periods.flatMap((one) => one[who].map(({ others }) => others)));
}

function totals(periods: readonly Period[]) {
  const sum = (of: (load: LoadReport) => number) =>
    periods.reduce((all, { load }) => all + of(load), 0);
  return {
    publishes: periods.flatMap(({ publishes }) => publishes),
    answers: sum(({ answers }) => answers),
    failed: sum(({ failed }) => failed),
  };
}

/** Judges all periods. A failed number does not hide the other numbers. */
function judge(periods: readonly Period[]): void {
  const { publishes, answers, failed } = totals(periods);
  const growth = (valuesOf: (one: Period) => number[]) =>
    slopeOf(periods.slice(WARM_PERIODS).map((one) => median(valuesOf(one))));
  const serverMb = growth(({ server }) => server.map(({ rssMb }) => rssMb));
  const publisherMb = growth((one) => one.publishes.map(({ rssMb }) => rssMb));
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
    'ms a publish, median': rounded(median(publishes.map(({ ms }) => ms))),
    'MB a minute, server': rounded(serverMb),
    'MB a minute, publisher': rounded(publisherMb),
    'MB of heap a minute, server': rounded(growth(({ memory }) => [memory.heapMb])),
    'descriptors a minute, server': rounded(
      growth(({ server }) => server.map(({ others }) => others)),
    ),
    'removed files open at most, server': Math.max(
      ...periods.flatMap(({ server }) => server.map(({ removed }) => removed)),
    ),
    'ms, first p99': rounded(first),
    'ms, last p99': rounded(lastP99),
  };
  tell('soak', numbers);
  if (SOAK_REPORT) writeFileSync(SOAK_REPORT, JSON.stringify({ numbers, periods }));
  expect.soft(serverMb).toBeLessThan(SLOPE_MAX_MB);
  expect.soft(publisherMb).toBeLessThan(SLOPE_MAX_MB);
  for (const who of ['server', 'publisher'] as const) {
    expect
      .soft(fewestOthers(periods.slice(-JUDGED_PERIODS), who))
      .toBeLessThanOrEqual(
        fewestOthers(periods.slice(WARM_PERIODS, WARM_PERIODS + JUDGED_PERIODS), who),
      );
  }
  expect.soft(lastP99 / first).toBeLessThanOrEqual(P99_RATIO_MAX);
}
