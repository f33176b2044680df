/**
 * Cost of the seam to the world (`src/base/world`) for a server: `node bench/http/seam.ts [--quick |
 * --smoke]`.
 *
 * Nearly all of its names are Node's own functions, which is checked; these cost nothing. For the
 * others it counts how often the thread of a server makes the plain call, and measures how much more
 * a call through the seam costs. Both are upper bounds: packages make such calls, too, and inlining,
 * which hides most of the cost, is off.
 */

import fs from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { modePaths } from '../../src/base/config/data-dir.ts';
import { syntheticUniverse } from '../command/data/universe.ts';
import { startBenchApi } from '../command/serving/api.ts';
import { publishMarket } from '../command/serving/market.ts';
import {
  benchFolder,
  benchSizeFromArgs,
  checkResult,
  cpuMs,
  machineLine,
  medianOf,
  readable,
  tableFromRows,
} from '../harness.ts';

const SIZES = {
  smoke: { requestCount: 100, rounds: 1, callCount: 10_000 },
  quick: { requestCount: 500, rounds: 3, callCount: 300_000 },
  full: { requestCount: 5000, rounds: 5, callCount: 3_000_000 },
};
const SYMBOL_COUNT = 20;
const BAR_COUNT = 1000;

/** The seam may cost at most this share of a request. */
const GOAL_PERCENT = 1;

const SOURCES: Record<string, readonly string[]> = {
  chance: ['node:crypto'],
  clock: ['node:timers/promises', 'node:perf_hooks'],
  'file-promises': ['node:fs/promises'],
  files: ['node:fs'],
  machine: ['node:os'],
  network: ['node:dns', 'node:http', 'node:https'],
  process: ['node:process'],
  programs: ['node:child_process'],
  sockets: ['node:net'],
  threads: ['node:worker_threads'],
};

type Call = (...args: unknown[]) => unknown;

/** Owner and name of the plain call of each function of the seam that is not Node's own. */
const PLAIN: Record<string, [owner: object, name: string]> = {
  wallMs: [Date, 'now'],
  monotonicMs: [performance, 'now'],
  randomFraction: [Math, 'random'],
  setTimeout: [globalThis, 'setTimeout'],
  setInterval: [globalThis, 'setInterval'],
  setImmediate: [globalThis, 'setImmediate'],
  clearTimeout: [globalThis, 'clearTimeout'],
  clearInterval: [globalThis, 'clearInterval'],
  clearImmediate: [globalThis, 'clearImmediate'],
  timeoutSignal: [AbortSignal, 'timeout'],
  eventLoopUtilization: [performance, 'eventLoopUtilization'],
  fetch: [globalThis, 'fetch'],
};

/** Calls that are made often, whose cost is measured; any other counts as the dearest of them. */
const TIMED = ['wallMs', 'monotonicMs', 'randomFraction', 'clearTimeout', 'clearImmediate'];

/** Returns the functions of the seam that are not Node's own. */
async function wrappers(): Promise<Map<string, Call>> {
  const found = new Map<string, Call>();
  for (const [file, sources] of Object.entries(SOURCES)) {
    const modules = await Promise.all(sources.map((source) => import(source)));
    const plain = new Set(modules.flatMap((one) => [...Object.values(one), one.default]));
    const seam = await import(`../../src/base/world/${file}.ts`);
    for (const [name, value] of Object.entries(seam)) {
      if (typeof value === 'function' && !plain.has(value)) found.set(name, value as Call);
    }
  }
  return found;
}

/** Counts plain calls of this thread until it is ended, by the names of the seam. */
function countCalls(): { counts: Map<string, number>; end: () => void } {
  const counts = new Map<string, number>();
  const undo = Object.entries(PLAIN).map(([seamName, [owner, name]]) => {
    const calls = owner as Record<string, Call>;
    const usual = calls[name];
    calls[name] = function counted(this: unknown, ...args) {
      counts.set(seamName, (counts.get(seamName) ?? 0) + 1);
      return usual.apply(this, args);
    };
    return () => Object.assign(calls, { [name]: usual });
  });
  return { counts, end: () => undo.forEach((one) => void one()) };
}

/** Sends requests from a thread of its own, whose calls and time do not count. */
async function send(url: string, rawKey: string, requestCount: number): Promise<void> {
  const code = `const { workerData: { url, rawKey, requestCount } } = require('node:worker_threads');
    (async () => {
      for (let i = 0; i < requestCount; i++) {
        const reply = await fetch(url, { headers: { 'X-API-Key': rawKey } });
        if (reply.status !== 200) throw new Error(await reply.text());
        await reply.arrayBuffer();
      }
    })();`;
  const worker = new Worker(code, { eval: true, workerData: { url, rawKey, requestCount } });
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  worker.once('error', reject).once('exit', resolve);
  await promise;
}

function threadUs(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

/** Returns what a call through the seam costs more than the plain one, in ns of processor time. */
function addedNs(ours: Call, [owner, name]: [object, string], callCount: number, rounds: number) {
  const calls = owner as Record<string, Call>;
  const time = (run: () => void) => {
    const fromMs = cpuMs();
    run();
    return ((cpuMs() - fromMs) / callCount) * 1e6;
  };
  const throughSeam = () => {
    for (let i = 0; i < callCount; i++) ours();
  };
  const plainly = () => {
    for (let i = 0; i < callCount; i++) calls[name]();
  };
  throughSeam();
  plainly();
  const added = Array.from({ length: rounds }, () => time(throughSeam) - time(plainly));
  return Math.max(0, medianOf(added));
}

const size = benchSizeFromArgs();
const { requestCount, rounds, callCount } = SIZES[size];
const own = await wrappers();
const unknown = [...own.keys()].filter((name) => !PLAIN[name]);
checkResult(unknown.length === 0, `${unknown} of the seam are not Node's own`);

const folder = benchFolder();
const universe = syntheticUniverse(SYMBOL_COUNT, BAR_COUNT);
const { symbols } = await publishMarket(modePaths(folder, 'live').serving, universe);
const api = await startBenchApi(folder);
const routes = {
  quote: `/v1/svc/quotes/${symbols[0]}`,
  'a year of bars with an RSI': `/v1/svc/technical/${symbols[0]}?indicators=rsi&limit=250`,
};
const measured: { name: string; us: number; counts: Map<string, number> }[] = [];
for (const [name, path] of Object.entries(routes)) {
  const url = `${api.address}${path}`;
  await send(url, api.rawKey, requestCount);
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const fromUs = threadUs();
    await send(url, api.rawKey, requestCount);
    times.push((threadUs() - fromUs) / requestCount);
  }
  const { counts, end } = countCalls();
  await send(url, api.rawKey, requestCount);
  end();
  measured.push({ name, us: medianOf(times), counts });
}
await api.stop();
fs.rmSync(folder, { recursive: true });

// Only now, so that it slows no request.
for (const flag of ['--no-turbo-inlining', '--no-maglev-inlining']) setFlagsFromString(flag);
const costs = new Map(
  TIMED.map((name) => [name, addedNs(own.get(name)!, PLAIN[name], callCount, rounds)]),
);
const dearest = Math.max(...costs.values());
console.log(`${own.size} functions of the seam are not Node's own; ${machineLine()}\n`);
const priced = [...costs].map(([name, ns]) => [name, readable(ns)]);
console.log(tableFromRows(['call', 'ns more than the plain one'], priced), '\n');
const shares: number[] = [];
const rows = measured.map(({ name, us, counts }) => {
  let [calls, ns] = [0, 0];
  for (const [called, count] of counts) {
    calls += count / requestCount;
    ns += (count / requestCount) * (costs.get(called) ?? dearest);
  }
  const percent = ns / 10 / us;
  shares.push(percent);
  return [name, readable(us), readable(calls), readable(ns), `${readable(percent)} %`];
});
const header = ['request', 'CPU µs', 'calls', 'ns of the seam, at most', 'share'];
console.log(tableFromRows(header, rows));
const most = Math.max(...shares);
const verdict = most < GOAL_PERCENT ? 'met' : 'MISSED';
console.log(`\nmost: ${readable(most)} % (goal under ${GOAL_PERCENT} %: ${verdict})`);
