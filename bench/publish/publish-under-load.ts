/**
 * Cost of publishes to concurrent readers: latencies of a real server under all kinds of requests,
 * in windows with publishes and without, in turn:
 * `node bench/publish/publish-under-load.ts [--quick | --smoke]`. Another process publishes minutes of all
 * symbols, rows, and corrections of some, every three seconds; the load comes from this one.
 *
 * The load keeps the one serving thread busy. The publisher runs on another processor, which it
 * shares with the client. The last part has no load and measures the longest ticks of an event loop
 * that follows the publishes. The soak (`test/faults`) measures requests that fall due while a server
 * stands still.
 */

import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { modePaths } from '../../src/base/config/data-dir.ts';
import { SoakQuestions } from '../../test/faults/soak/answers.ts';
import { benchFolder, benchSizeFromArgs, checkResult } from '../harness.ts';
import { type Question, startClosedLoop } from '../http/ask.ts';
import { startReaders } from '../http/calm-latencies.ts';
import { longestTurns } from '../http/opening-turns.ts';
import { documentOf, launch } from '../launch.ts';
import { type Measured, type MeasuredLoad, reportPublishes } from './publish-report.ts';
import { type Publisher, startPublisher } from './publisher-child.ts';

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

/** On a host that is never calm. */
const LIMIT_MS = 600_000;
/** Each connection sends its next request at once, so this many requests are always waiting. */
const CONNECTIONS = 8;

const size = benchSizeFromArgs();
const { symbols, days, calm, windowMs, publishEveryMs, publishes, checks, versions } = SIZES[size];

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

/** The client must not wait for a processor itself: these are latencies of the server. */
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
    // The publisher has a lower priority.
    await delay(checks.restMs);
  }
  await publisher.pause();
}

/** Windows in turn, until both kinds have enough calm moments. */
async function measureLoad(publisher: Publisher, server: Server): Promise<MeasuredLoad> {
  const measured: MeasuredLoad = { without: [], with: [], publishes: [] };
  const readers = startReaders((told) =>
    startClosedLoop({ ...server, ...told, next: nextUnchecked, connections: CONNECTIONS }),
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

async function measure(dataDir: string): Promise<Pick<Measured, 'load' | 'turns'>> {
  const publisher = await startPublisher([dataDir, symbols, days, publishEveryMs]);
  const keyOptions = ['--mode', 'live', '--label', 'bench', '--scopes', 'all', '--limit', 'none'];
  const { rawKey } = await documentOf(launch(dataDir, ['keys', 'create', ...keyOptions]));
  const serving = launch(dataDir, ['serve']);
  try {
    const { address } = await documentOf(serving);
    const server = { address, rawKey };
    await checkAnswers(publisher, server);
    askFirst();
    const load = await measureLoad(publisher, server);
    publisher.go();
    const turns = await longestTurns(modePaths(dataDir, 'live').serving, versions);
    await publisher.pause();
    return { load, turns };
  } finally {
    publisher.child.kill();
    serving.kill();
    await once(serving, 'exit');
  }
}

const dataDir = benchFolder();
const measured = await measure(dataDir);
if (size === 'smoke') console.log('publish-under-load: answers are right');
else reportPublishes({ ...measured, symbols, calm, publishes });
