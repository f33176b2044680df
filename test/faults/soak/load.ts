/**
 * The load of the soak, in a process of its own: `soak-load.ts ADDRESS KEY SYMBOLS RATE`. Tells
 * what was answered since it told before, whenever it is asked; told to stop, it asks until every
 * connection has seen the last version.
 */

import { countLatency, type LatencyCounts } from '../../../bench/http/latency-histogram.ts';
import { startOpenLoop } from '../../../bench/http/open-loop.ts';
import { SoakQuestions } from './answers.ts';
import { MARKS, type Marks } from './market.ts';

export interface LoadReport {
  answers: number;
  latencies: LatencyCounts;
  /** Requests that failed and answers that were wrong. */
  failed: number;
  /** Descriptions of the first failures. */
  failures: string[];
}

/** Marks of the last version: stop when all connections have seen it. */
export type LoadRequest = 'report' | Marks;

const CONNECTIONS = 16;
const TOLD_FAILURES = 10;
const LAST_VERSION_MS = 300_000;

const [address, rawKey, ...numbers] = process.argv.slice(2);
const [symbolCount, ratePerS] = numbers.map(Number);
const blank = (): LoadReport => ({ answers: 0, latencies: [], failed: 0, failures: [] });
let report = blank();
let isEnding = false;

function fail(text: string): void {
  report.failed++;
  if (report.failures.length < TOLD_FAILURES) report.failures.push(text);
}

const questions = new SoakQuestions(symbolCount);
const loop = startOpenLoop({
  ...{ address, rawKey, ratePerS, connections: CONNECTIONS },
  next: () => (isEnding ? questions.nextOfLast() : questions.next()),
  onAnswer(latencyMs) {
    report.answers++;
    countLatency(report.latencies, latencyMs);
  },
  onFailure: (error, path) => fail(`${path}: ${error.message}`),
});

function tell(): void {
  process.send?.(report);
  report = blank();
}

const hasSeen = (last: Marks) => (newest: Marks) =>
  MARKS.every((mark) => newest[mark] === last[mark]);

async function stopAfter(last: Marks): Promise<void> {
  isEnding = true;
  const untilMs = performance.now() + LAST_VERSION_MS;
  const looking = setInterval(async () => {
    const isSeen = questions.newest.length === CONNECTIONS && questions.newest.every(hasSeen(last));
    if (!isSeen && performance.now() < untilMs) return;
    clearInterval(looking);
    await loop.stop();
    if (!isSeen) fail(`not every connection has seen the last version ${JSON.stringify(last)}`);
    tell();
    process.disconnect?.();
  }, 50);
}

process.on('message', (request: LoadRequest) => {
  if (request === 'report') tell();
  else stopAfter(request);
});
process.on('disconnect', () => process.exit());
