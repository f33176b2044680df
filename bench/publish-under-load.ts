/**
 * What publishes cost those who read meanwhile: latencies of a real server at a steady rate of all
 * kinds of requests, in windows with publishes and without, in turn:
 * `node bench/publish-under-load.ts [--quick | --smoke]`. Another process publishes minutes of all
 * symbols, rows, and corrections of some, every three seconds; the load comes from this one.
 *
 * The rate is a share of what one thread can answer, which is measured first. After that, without
 * load, the longest turns of an event loop that follows the publishes.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { modePaths } from '../src/data-dir.ts';
import { SoakQuestions } from '../test/faults/soak-answers.ts';
import type { PublisherMessage, PublisherRequest } from '../test/faults/soak-publisher.ts';
import { answersPerS } from './closed-loop.ts';
import {
  benchSizeFromArgs,
  checkResult,
  goalLines,
  machineLine,
  readable,
  tableFromRows,
  timingFromSamples,
} from './harness.ts';
import { addedCounts, countLatency, type LatencyCounts, latencyAt } from './latency-histogram.ts';
import { type Question, startOpenLoop } from './open-loop.ts';
import { longestTurns } from './opening-turns.ts';
import { stolenMs } from './stolen-time.ts';

const SIZES = {
  smoke: { symbols: 40, days: 30, calm: 0, windowMs: 500, versions: { count: 1, cold: 0 } },
  quick: {
    symbols: 1_000,
    days: 250,
    calm: 120,
    windowMs: 9_000,
    versions: { count: 15, cold: 5 },
  },
  full: {
    symbols: 10_000,
    days: 500,
    calm: 400,
    windowMs: 9_000,
    versions: { count: 36, cold: 6 },
  },
};

/** Of the time of the thread that answers. Asking takes as much, and publishing a processor. */
const BUSY_SHARE = Math.min(0.5, availableParallelism() / 8);

const PUBLISH_EVERY_MS = 3000;
/** Latencies are counted by such stretches, and left out where the host took any of it. */
const MOMENT_MS = 100;
/** On a host that is never calm. */
const LIMIT_MS = 600_000;
const CONNECTIONS = 32;
const GOAL_MS = 2;

const size = benchSizeFromArgs();
const { symbols, days, calm, windowMs, versions } = SIZES[size];

function pathOf(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url));
}

/** Fills a store, and then publishes when it is told to. */
async function startPublisher(dataDir: string) {
  const args = [dataDir, symbols, days, PUBLISH_EVERY_MS].map(String);
  const child = spawn(process.execPath, [pathOf('../test/faults/soak-publisher.ts'), ...args], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const publishMs: number[] = [];
  const filled = Promise.withResolvers<void>();
  child.on('message', (message: PublisherMessage) => {
    if (message.kind === 'published') publishMs.push(message.ms);
    if (message.kind === 'filled') filled.resolve();
  });
  child.on('exit', (code) => filled.reject(new Error(`publisher ended with ${code}`)));
  await filled.promise;
  publishMs.length = 0;
  return { child, publishMs, tell: (request: PublisherRequest) => child.send(request) };
}

function runVerb(dataDir: string, ...args: string[]): ChildProcess {
  const env = {
    PATH: process.env.PATH,
    TAPEWORKS_DATA_DIR: dataDir,
    TAPEWORKS_PORT: '0',
    TAPEWORKS_LOG_LEVEL: 'silent',
  };
  return spawn(process.execPath, [pathOf('../bin/tapeworks.js'), ...args, '--json'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** The one document that a verb prints. */
async function documentOf({ stdout }: ChildProcess): Promise<Record<string, string>> {
  let text = '';
  for await (const chunk of stdout!) {
    text += chunk;
    // The document ends with its brace, at the start of a line.
    if (text.endsWith('}\n')) break;
  }
  return JSON.parse(text);
}

/** Reads at the rate for the whole run; answers of each window are counted apart. */
function startReaders(address: string, rawKey: string, ratePerS: number) {
  let counts: LatencyCounts = [];
  const loop = startOpenLoop({
    ...{ address, rawKey, ratePerS, connections: CONNECTIONS, next: nextUnchecked },
    onAnswer: (latencyMs) => countLatency(counts, latencyMs),
    onFailure: (error, path) => checkResult(false, `${path}: ${error.message}`),
  });
  return {
    loop,
    /**
     * Counts moments in which the host takes nothing. After it took some, what waits is forgotten,
     * and what was asked is answered before the next moment counts.
     */
    async window(ms: number): Promise<LatencyCounts[]> {
      const calm: LatencyCounts[] = [];
      let isSettled = false;
      for (let waitedMs = 0; waitedMs < ms; waitedMs += MOMENT_MS) {
        counts = [];
        const beforeMs = stolenMs();
        await delay(MOMENT_MS);
        const isCalm = stolenMs() === beforeMs;
        if (isCalm && isSettled) calm.push(counts);
        if (!isCalm) loop.forget();
        isSettled = isCalm;
      }
      return calm;
    },
  };
}

const questions = new SoakQuestions(symbols);

/** Checking every number would make this process late; walks go on from what screens answer. */
function nextUnchecked(): Question {
  const question = questions.next();
  const isScreen = question.path.startsWith('/v1/svc/screener');
  return isScreen ? question : { ...question, check: checkStatus };
}

/** Answers a second of one thread while nothing is published: the most, as a host only takes. */
async function measureCapacity(address: string, rawKey: string): Promise<number> {
  const options = { address, rawKey, connections: CONNECTIONS, durationMs: windowMs / 16 };
  let most = 0;
  for (let i = 0; i < 10; i++) {
    most = Math.max(most, await answersPerS({ ...options, next: nextUnchecked }));
  }
  return most;
}

function checkStatus({ status, text }: { status: number; text: string }): void {
  if (status !== 200 && status !== 404) throw new Error(`${status}: ${text}`);
}

/** What asks must not wait itself for a processor: these are latencies of the server. */
function askFirst(): void {
  try {
    setPriority(constants.priority.PRIORITY_HIGH);
  } catch {
    console.log('only root may ask before others: latencies are those of this process too');
  }
}

interface Measured {
  /** Of one thread. */
  answersPerS: number;
  ratePerS: number;
  /** Of each calm moment. */
  without: LatencyCounts[];
  with: LatencyCounts[];
  /** Milliseconds each. */
  publishes: number[];
  /** Longest turns of an event loop that opens the versions, milliseconds each. */
  turns: number[];
}

async function measure(dataDir: string): Promise<Measured> {
  const publisher = await startPublisher(dataDir);
  const { child, publishMs, tell } = publisher;
  const keyOptions = ['--mode', 'live', '--label', 'bench', '--scopes', 'all', '--limit', 'none'];
  const { rawKey } = await documentOf(runVerb(dataDir, 'keys', 'create', ...keyOptions));
  const server = runVerb(dataDir, 'serve');
  const { address } = await documentOf(server);
  // Answers are checked while versions come.
  tell('go');
  const checking = {
    address,
    rawKey,
    connections: 4,
    durationMs: 250,
    next: () => questions.next(),
  };
  while (publishMs.length < 3) await answersPerS(checking);
  tell('pause');
  await delay(PUBLISH_EVERY_MS);
  publishMs.length = 0;
  const capacity = await measureCapacity(address, rawKey);
  const ratePerS = Math.round(BUSY_SHARE * capacity);
  askFirst();
  const readers = startReaders(address, rawKey, ratePerS);
  const measured: Measured = {
    ...{ answersPerS: capacity, ratePerS, without: [], with: [], publishes: [], turns: [] },
  };
  try {
    const startMs = performance.now();
    do {
      tell('pause');
      // A publish that has begun ends.
      await delay(PUBLISH_EVERY_MS);
      measured.without.push(...(await readers.window(windowMs)));
      tell('go');
      measured.with.push(...(await readers.window(windowMs)));
    } while (
      Math.min(measured.without.length, measured.with.length) < calm &&
      performance.now() < startMs + LIMIT_MS
    );
    await readers.loop.stop();
    measured.publishes = publishMs.slice();
    measured.turns = await longestTurns(modePaths(dataDir, 'live').serving, versions);
  } finally {
    child.kill();
    server.kill();
    await once(server, 'exit');
  }
  return measured;
}

const dataDir = mkdtempSync(join(tmpdir(), 'tapeworks-'));
try {
  const measured = await measure(dataDir);
  if (size === 'smoke') console.log('publish-under-load: answers are right');
  else report(measured);
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}

function report(measured: Measured): void {
  const counted = Math.min(measured.without.length, measured.with.length);
  checkResult(
    counted >= calm,
    `the host took time in all but ${counted} moments of ${MOMENT_MS} ms`,
  );
  const { publishes, ratePerS } = measured;
  const medianMs = timingFromSamples(publishes).medianMs;
  console.log(
    `${symbols} symbols; one thread answers ${readable(measured.answersPerS)} a second, ` +
      `${ratePerS} are asked; ${publishes.length} publishes of ${readable(medianMs)} ms; ` +
      `${machineLine()}\n`,
  );
  const kinds = ['without', 'with'] as const;
  const shares = [0.5, 0.9, 0.99, 0.999];
  const [quiet, busy] = kinds.map((kind) => {
    const counts = addedCounts(measured[kind]);
    return shares.map((share) => latencyAt(counts, share));
  });
  const [calmWithout, calmWith] = kinds.map((kind) => measured[kind].length);
  const rows = [
    ['without publishes', ...quiet.map(readable)],
    ['with', ...busy.map(readable)],
    ['difference', ...busy.map((ms, i) => readable(ms - quiet[i]))],
    ['ratio', ...busy.map((ms, i) => readable(ms / quiet[i]))],
  ];
  const header = ['latency ms', 'p50', 'p90', 'p99', 'p99.9'];
  console.log(`${tableFromRows(header, rows)}\n`);
  console.log(
    `Counted: ${calmWithout} and ${calmWith} moments of ${MOMENT_MS} ms, those in which the host ` +
      `of this machine took nothing\n`,
  );
  const turns = timingFromSamples(measured.turns);
  console.log(
    `Longest turn of an event loop that opens a version: ${readable(turns.medianMs)} ms in the ` +
      `median of ${turns.runCount} versions, ${readable(turns.p99Ms)} ms at most\n`,
  );
  const riseMs = Math.max(0.01, busy[2] - quiet[2]);
  console.log(
    goalLines([{ name: `${GOAL_MS} ms / rise of the p99`, ratio: GOAL_MS / riseMs, atLeast: 1 }]),
  );
}
