/**
 * What publishes cost those who read meanwhile: latencies of a real server at a steady rate of all
 * kinds of requests, in windows with publishes and without, in turn:
 * `node bench/publish-under-load.ts [--quick | --smoke]`. Another process publishes minutes of all
 * symbols, rows, and corrections of some, every three seconds; the load comes from this one.
 *
 * The rate is a share of what one thread answers, which is measured first. In the end, without load,
 * the longest turns of an event loop that follows the publishes.
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
import type { Question } from './ask.ts';
import { MOMENT_MS, startReaders } from './calm-latencies.ts';
import { startClosedLoop } from './closed-loop.ts';
import { benchSizeFromArgs, checkResult } from './harness.ts';
import { startOpenLoop } from './open-loop.ts';
import { longestTurns } from './opening-turns.ts';
import { type MeasuredLoad, reportPublishes } from './publish-report.ts';

const SIZES = {
  smoke: {
    symbols: 40,
    days: 30,
    calm: 0,
    windowMs: 500,
    publishEveryMs: 300,
    publishes: 0,
    checks: { durationMs: 50, restMs: 150 },
    versions: { count: 1, cold: 0 },
  },
  quick: {
    symbols: 1_000,
    days: 250,
    calm: 120,
    windowMs: 9_000,
    publishEveryMs: 3000,
    publishes: 6,
    checks: { durationMs: 250, restMs: 0 },
    versions: { count: 15, cold: 5 },
  },
  full: {
    symbols: 10_000,
    days: 500,
    calm: 400,
    windowMs: 9_000,
    publishEveryMs: 3000,
    publishes: 15,
    checks: { durationMs: 250, restMs: 0 },
    versions: { count: 36, cold: 6 },
  },
};

/** Of the time of the thread that answers. Asking takes as much, and publishing a processor. */
const BUSY_SHARE = Math.min(0.5, availableParallelism() / 8);

/** On a host that is never calm. */
const LIMIT_MS = 600_000;
const CONNECTIONS = 32;

const size = benchSizeFromArgs();
const { symbols, days, calm, windowMs, publishEveryMs, publishes, checks, versions } = SIZES[size];

function pathOf(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url));
}

interface Publisher {
  child: ChildProcess;
  /** Milliseconds of each publish since it began. */
  publishMs: number[];
  go(): void;
  /** Resolves when what has begun has ended. */
  pause(): Promise<void>;
}

/** Fills a store, and then publishes when it is told to. */
async function startPublisher(dataDir: string): Promise<Publisher> {
  const args = [dataDir, symbols, days, publishEveryMs].map(String);
  const child = spawn(process.execPath, [pathOf('../test/faults/soak-publisher.ts'), ...args], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const publishMs: number[] = [];
  let paused = Promise.withResolvers<void>();
  child.on('message', (message: PublisherMessage) => {
    if (message.kind === 'published') publishMs.push(message.ms);
    if (message.kind === 'paused') paused.resolve();
  });
  child.on('exit', (code) => paused.reject(new Error(`publisher ended with ${code}`)));
  const tell = (request: PublisherRequest) => child.send(request);
  await paused.promise;
  publishMs.length = 0;
  return {
    child,
    publishMs,
    go() {
      paused = Promise.withResolvers();
      tell('go');
    },
    async pause() {
      tell('pause');
      await paused.promise;
    },
  };
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

interface Server {
  address: string;
  rawKey: string;
}

const questions = new SoakQuestions(symbols);

/** Checking every number would make this process late; walks go on from what screens answer. */
function nextUnchecked(): Question {
  const question = questions.next();
  const isScreen = question.path.startsWith('/v1/svc/screener');
  return isScreen ? question : { ...question, check: checkStatus };
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

/** Answers are checked while versions come. */
async function checkAnswers(publisher: Publisher, server: Server): Promise<void> {
  publisher.go();
  while (publisher.publishMs.length < 3) {
    const loop = startClosedLoop({
      ...{ ...server, connections: 4, next: () => questions.next(), onAnswer() {} },
      onFailure: (error, path) => checkResult(false, `${path}: ${error.message}`),
    });
    await delay(checks.durationMs);
    await loop.stop();
    // The publisher gives way to everything else.
    await delay(checks.restMs);
  }
  await publisher.pause();
}

/** Answers a second while nothing is published, of the calm moments in the median. */
async function answersPerS(server: Server): Promise<number> {
  const readers = startReaders((told) =>
    startClosedLoop({ ...server, ...told, next: nextUnchecked, connections: CONNECTIONS }),
  );
  const moments = await readers.window(windowMs);
  await readers.stop();
  const counts = moments.map((moment) => moment.reduce((sum, count) => sum + count, 0));
  const median = counts.sort((a, b) => a - b)[counts.length >> 1] ?? 0;
  return Math.max(10, (median * 1000) / MOMENT_MS);
}

/** Windows in turn, until both kinds have enough calm moments. */
async function measureLoad(publisher: Publisher, server: Server): Promise<MeasuredLoad> {
  const mostPerS = await answersPerS(server);
  const ratePerS = Math.round(BUSY_SHARE * mostPerS);
  const measured: MeasuredLoad = { mostPerS, ratePerS, without: [], with: [], publishes: [] };
  const readers = startReaders((told) =>
    startOpenLoop({ ...server, ...told, next: nextUnchecked, connections: CONNECTIONS, ratePerS }),
  );
  publisher.publishMs.length = 0;
  const startMs = performance.now();
  const isEnough = () =>
    publisher.publishMs.length >= publishes &&
    Math.min(measured.without.length, measured.with.length) >= calm;
  do {
    measured.without.push(...(await readers.window(windowMs)));
    publisher.go();
    measured.with.push(...(await readers.window(windowMs)));
    await publisher.pause();
  } while (!isEnough() && performance.now() < startMs + LIMIT_MS);
  await readers.stop();
  measured.publishes = publisher.publishMs.slice();
  return measured;
}

async function measure(dataDir: string): Promise<{ load: MeasuredLoad; turns: number[] }> {
  const publisher = await startPublisher(dataDir);
  const keyOptions = ['--mode', 'live', '--label', 'bench', '--scopes', 'all', '--limit', 'none'];
  const { rawKey } = await documentOf(runVerb(dataDir, 'keys', 'create', ...keyOptions));
  const serving = runVerb(dataDir, 'serve');
  try {
    const { address } = await documentOf(serving);
    const server = { address, rawKey };
    await checkAnswers(publisher, server);
    askFirst();
    const load = await measureLoad(publisher, server);
    const turns = await longestTurns(modePaths(dataDir, 'live').serving, versions);
    return { load, turns };
  } finally {
    publisher.child.kill();
    serving.kill();
    await once(serving, 'exit');
  }
}

const dataDir = mkdtempSync(join(tmpdir(), 'tapeworks-'));
try {
  const measured = await measure(dataDir);
  if (size === 'smoke') console.log('publish-under-load: answers are right');
  else reportPublishes({ ...measured, symbols, calm, publishes });
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
