/**
 * Members of the universes of bars on any day since 1970, of 25,000 securities of which half have
 * ended and a fifth had another ticker: `node bench/screener/members.ts [--smoke]`. The first answer
 * is that of a version whose universes were just made, as a server does before it uses one.
 */

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { memberRows, universeSteps } from '../../src/api/responses/universes.ts';
import { MICROS_PER_DAY } from '../../src/base/bars.ts';
import type { DirectoryRow } from '../../src/base/directory-row.ts';
import { dateFromDay } from '../../src/base/time/dates.ts';
import { openPublished } from '../../src/store/arrow/read/reader.ts';
import type { Snapshot } from '../../src/store/arrow/snapshot/snapshot.ts';
import { universeNamed } from '../../src/store/arrow/snapshot/universes.ts';
import { generatedBars, LAST_DAY, symbolName } from '../command/data/synthetic.ts';
import { publishMarket } from '../command/serving/market.ts';
import {
  benchFolder,
  benchSizeFromArgs,
  checkResult,
  cpuMs,
  machineLine,
  readable,
  tableFromRows,
  timingFromSamples,
} from '../harness.ts';

const SIZES = {
  smoke: { count: 100, rounds: 2 },
  quick: { count: 25_000, rounds: 5 },
  full: { count: 25_000, rounds: 40 },
};
const GOAL_MS = 20;

interface Life {
  symbol: string;
  /** Ticker up to `renamedOn`; undefined without one. */
  former: string | undefined;
  renamedOn: number;
  first: number;
  last: number;
  hasEnded: boolean;
}

function lifeOf(number: number): Life {
  const first = (number * 7919) % (LAST_DAY - 400);
  const hasEnded = number % 2 === 0;
  const last = hasEnded ? first + 300 + ((number * 104_729) % (LAST_DAY - first - 300)) : LAST_DAY;
  const former = number % 5 === 0 ? `${symbolName(number)}.A` : undefined;
  return { symbol: symbolName(number), former, renamedOn: first + 100, first, last, hasEnded };
}

function rowOf(
  { symbol, former, renamedOn, last, hasEnded }: Life,
  securityId: number,
): DirectoryRow {
  const none = { exchange: null, venue: null, type: null, cik: null, country: null, sector: null };
  const formerTickers = former ? `${former} ${dateFromDay(renamedOn - 1)}` : '';
  const listing = {
    companyName: symbol,
    formerNames: former
      ? JSON.stringify([[`Old ${symbol}`, 'NYSE', 'NYSE', dateFromDay(renamedOn - 1)]])
      : '',
    industry: null,
    source: null,
    firstSeenMs: 0,
  };
  const ended = {
    delistedDay: hasEnded ? last : null,
    delistedReason: '',
    successor: '',
    parent: '',
  };
  return { symbol, ...none, ...listing, securityId, formerTickers, ...ended };
}

/** Returns the names of those that traded on a day, from the lives alone. */
function tradedOn(lives: readonly Life[], day: number): string[] {
  return lives
    .filter(({ first, last }) => first <= day && day <= last)
    .map(({ symbol, former, renamedOn }) => (former && day < renamedOn ? former : symbol))
    .sort();
}

/** Returns the members of a day as a response has them. */
function answerOf(version: Snapshot, day: number): string[] {
  return memberRows(version, universeNamed(version, 'active')!, day);
}

/** Returns the megabytes that objects and buffers of this process take. */
function usedMegabytes(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 1e6;
}

const { count, rounds } = SIZES[benchSizeFromArgs()];
const lives = Array.from({ length: count }, (_, number) => lifeOf(number));
lives.sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
const folder = benchFolder();
const bars = lives.map(({ first, last }, seed) => {
  const timestampUs = BigInt64Array.from([first, last], (day) => BigInt(day) * MICROS_PER_DAY);
  return { ...generatedBars(2, seed), timestampUs };
});
const symbols = lives.map(({ symbol }) => symbol);
await publishMarket(folder, { symbols, bars }, lives.map(rowOf));

const dayOf = (round: number) => (round * 12_289 + 5000) % LAST_DAY;
const firsts: number[] = [];
const others: number[] = [];
let openMs = 0;
let madeMs = 0;
let megabytes = 0;
for (let round = 0; round < rounds; round++) {
  const emptyMegabytes = round === 0 ? usedMegabytes() : 0;
  const before = cpuMs();
  using version = openPublished(folder)!;
  openMs = cpuMs() - before;
  // A server does so before it uses a version.
  for (const step of universeSteps(version)) step();
  madeMs = cpuMs() - before - openMs;
  for (const [samples, day] of [
    [firsts, dayOf(round)] as const,
    [others, dayOf(round + 1)] as const,
  ]) {
    const from = cpuMs();
    const answer = answerOf(version, day);
    samples.push(cpuMs() - from);
    const names = answer.map((row): string => JSON.parse(row).symbol);
    const right = tradedOn(lives, day);
    checkResult(
      names.length === right.length && names.every((name, i) => name === right[i]),
      `members of ${dateFromDay(day)}: ${names.length}, not ${right.length}`,
    );
  }
  if (round === 0) megabytes = usedMegabytes() - emptyMegabytes;
}
const rows = [['first of a version', firsts] as const, ['another day', others] as const];
console.log(machineLine());
console.log(
  tableFromRows(
    [`${count} securities, processor ms`, 'min', 'median', 'p99'],
    rows.map(([name, samples]) => {
      const { minMs, medianMs, p99Ms } = timingFromSamples(samples);
      return [name, ...[minMs, medianMs, p99Ms].map(readable)];
    }),
  ),
);
console.log(
  `opening the version: ${readable(openMs)} ms, making its universes: ${readable(madeMs)} ms, ` +
    `${readable(megabytes)} MB with names`,
);
const { medianMs } = timingFromSamples(firsts);
console.log(`first answer: ${readable(medianMs)} ms (goal ${GOAL_MS})`);
