/**
 * Screens over candles of all symbols: `node bench/screener/screens.ts [--quick | --smoke]
 * [--python PATH] [--data DIR]`. Peers are DuckDB and, with `--python`, polars with polars-talib.
 *
 * Every peer must find the same symbols first, as of the newest day and as of a past one. A screen
 * runs with columns in memory and states saved, from the page cache, and as of a past day; values
 * of columns that an earlier screen computed are dropped each time.
 */

import { runScreen } from '../../src/api/screens/screened.ts';
import { limits } from '../../src/base/limits.ts';
import { namedScreens } from '../../src/bench/screens/named.ts';
import {
  duckdbPeer,
  type Found,
  polarsPeer,
  type ScreenColumnsInMemory,
  type ScreensPeer,
} from '../../src/bench/screens/peers.ts';
import { resampleDaily } from '../../src/compute/bars/resample-daily.ts';
import { compileScreen } from '../../src/compute/screens/compile.ts';
import type { ScreenPlan } from '../../src/compute/screens/screen-plan.ts';
import { dailyOnBasis, MICROS_PER_DAY } from '../../src/store/arrow/screens/bars-on-basis.ts';
import { ScreenMemory } from '../../src/store/arrow/screens/screen-memory.ts';
import type { ScreenUniverse } from '../../src/store/arrow/screens/screen-universe.ts';
import type { Snapshot } from '../../src/store/arrow/snapshot/snapshot.ts';
import {
  benchFolder,
  benchSizeFromArgs,
  checkResult,
  goalLines,
  machineLine,
  readable,
  tableFromRows,
  takeDataDir,
  timingFromSamples,
} from '../harness.ts';
import { openScreenMarket } from './screens-market.ts';

const SIZES = {
  smoke: { symbolCount: 60, barCount: 700, rounds: 1 },
  quick: { symbolCount: 2000, barCount: 2520, rounds: 3 },
  full: { symbolCount: 10_000, barCount: 2520, rounds: 7 },
};

const MEMORY = 'columns in memory, states saved';
const CACHE = 'from the page cache';
const PAST = 'as of a past day';
const AGAIN = 'values in memory';

function takePython(args: string[] = process.argv): string | undefined {
  const at = args.indexOf('--python');
  return at < 0 ? undefined : args.splice(at, 2)[1];
}

function columnsOf(snapshot: Snapshot, barCount: number): ScreenColumnsInMemory {
  const { symbols } = snapshot;
  const column = () => new Float64Array(symbols.length * barCount);
  const columns = { close: column(), high: column(), volume: column() };
  let week = new Int32Array(0);
  symbols.forEach((symbol, number) => {
    const bars = dailyOnBasis(snapshot, snapshot.symbol(symbol)!, '1d', 'split');
    for (const name of ['close', 'high', 'volume'] as const) {
      columns[name].set(bars[name], number * barCount);
    }
    if (number > 0) return;
    const mondays = resampleDaily(bars, '1w').timestampUs;
    let place = 0;
    week = Int32Array.from(bars.timestampUs, (us) => {
      while (mondays[place + 1] <= us) place++;
      return Number(mondays[place] / MICROS_PER_DAY);
    });
  });
  return { symbolCount: symbols.length, barCount, week, ...columns };
}

function universeOf(snapshot: Snapshot, asOfDay?: number): ScreenUniverse {
  const { symbols } = snapshot;
  return {
    table: { ...snapshot.screener(), symbols },
    series: symbols,
    asOfDay,
    bases: undefined,
    *prepare() {},
    field: () => ({ kind: 'number', values: new Float64Array(symbols.length) }),
    *readRsi() {},
  };
}

/** Runs a screen to its end. */
function find(
  snapshot: Snapshot,
  plan: ScreenPlan,
  memory: ScreenMemory,
  universe: ScreenUniverse,
): Pick<Found, 'ms' | 'rows'> & { longestMs: number } {
  const startMs = performance.now();
  const run = runScreen(snapshot, plan, universe, { isExplained: false, needsRsi: false, memory });
  let longestMs = 0;
  for (let tickMs = startMs; ; ) {
    const { done, value } = run.next();
    const nowMs = performance.now();
    longestMs = Math.max(longestMs, nowMs - tickMs);
    tickMs = nowMs;
    if (!done) continue;
    const rows = [...value.matches!.keys()].filter((row) => value.matches![row] === 1);
    return { ms: nowMs - startMs, rows, longestMs };
  }
}

const newMemory = () => new ScreenMemory(limits.screens.memoryBytesMax);

/** Days before the newest one of which a screen is checked, then measured. */
const PAST_BARS = [21, 333, 500, 1000, 1500, 2000, 2200];

interface Sample {
  ms: number;
  cpuMs: number;
}

async function sample(run: () => { ms: number } | Promise<Found | undefined>) {
  const before = process.cpuUsage();
  const startMs = performance.now();
  const found = await run();
  const ms = performance.now() - startMs;
  const { user, system } = process.cpuUsage(before);
  return { ms: found?.ms ?? ms, cpuMs: (user + system) / 1000 };
}

class Measured {
  readonly #samples = new Map<string, Sample[]>();

  add(candidate: string, screen: string, one: Sample): void {
    const key = `${candidate}/${screen}`;
    this.#samples.set(key, [...(this.#samples.get(key) ?? []), one]);
  }

  median(candidate: string, screen: string, of: keyof Sample = 'ms'): number {
    const samples = this.#samples.get(`${candidate}/${screen}`);
    if (!samples) return Number.NaN;
    return timingFromSamples(samples.map((one) => one[of])).medianMs;
  }

  /** Sum over the screens that two candidates have. */
  sum(candidate: string, other = candidate, of: keyof Sample = 'ms'): number {
    return namedScreens
      .filter(({ name }) => !Number.isNaN(this.median(other, name)))
      .reduce((total, { name }) => total + this.median(candidate, name, of), 0);
  }
}

const dataGiven = takeDataDir();
const python = takePython();
const { symbolCount, barCount, rounds } = SIZES[benchSizeFromArgs()];
const dataDir = dataGiven ?? benchFolder();
const peers: ScreensPeer[] = [];
try {
  const snapshot = await openScreenMarket(dataDir, symbolCount, barCount);
  const columns = columnsOf(snapshot, barCount);
  const plans = namedScreens.map(({ where }) => compileScreen({ where }));
  peers.push(await duckdbPeer(columns));
  if (python === undefined) console.log('without polars: name a Python that has it by --python');
  else {
    const polars = await polarsPeer(python, columns);
    checkResult(polars !== undefined, `${python} has no polars, or no polars-talib`);
    peers.push(polars);
  }
  const { timestampUs } = snapshot.bars(snapshot.symbols[0], '1d');
  const dayBefore = (omitted: number) =>
    Number(timestampUs[barCount - 1 - omitted] / MICROS_PER_DAY);
  const newest = universeOf(snapshot);
  const counts: number[] = [];

  // Results first: as of the newest day, and as of past ones.
  const memory = newMemory();
  for (const [i, screen] of namedScreens.entries()) {
    for (const omitted of [0, PAST_BARS[0], PAST_BARS[1]]) {
      const universe = omitted === 0 ? newest : universeOf(snapshot, dayBefore(omitted));
      const ours = find(snapshot, plans[i], memory, universe).rows;
      if (omitted === 0) counts.push(ours.length);
      for (const peer of peers) {
        const theirs = await peer.run(screen, omitted);
        const isSame = theirs === undefined || ours.join() === theirs.rows.join();
        checkResult(isSame, `${screen.name}, ${omitted} bars ago: ${peer.name} differs`);
      }
    }
  }

  const measured = new Measured();
  let longestMs = 0;
  for (let round = -1; round < rounds; round++) {
    const cold = newMemory();
    const omitted = PAST_BARS[(round + PAST_BARS.length) % PAST_BARS.length] % (barCount - 300);
    const past = universeOf(snapshot, dayBefore(omitted));
    for (const [i, screen] of namedScreens.entries()) {
      const take = async (name: string, run: Parameters<typeof sample>[0]) => {
        const one = await sample(run);
        if (round >= 0) measured.add(name, screen.name, one);
      };
      const ours = (from: ScreenMemory, universe = newest) => {
        const found = find(snapshot, plans[i], from, universe);
        longestMs = Math.max(longestMs, found.longestMs);
        return found;
      };
      memory.dropValues();
      await take(MEMORY, () => ours(memory));
      await take(AGAIN, () => ours(memory));
      // The screens of a round follow one another: each reads what those before it did not.
      await take(CACHE, () => ours(cold));
      await take(PAST, () => ours(memory, past));
      for (const peer of peers) {
        if (screen.sql || peer.name !== 'DuckDB') {
          await take(peer.name, () => peer.run(screen, 0));
        }
      }
    }
  }

  console.log(`${machineLine()}; ${symbolCount} symbols, ${barCount} bars, ${rounds} rounds`);
  console.log(
    `memory: ${readable(memory.bytes / 1e6)} MB; longest tick ${readable(longestMs)} ms\n`,
  );
  const candidates = [MEMORY, AGAIN, CACHE, PAST, ...peers.map(({ name }) => name)];
  const cell = (ms: number) => (Number.isNaN(ms) ? '' : readable(ms));
  const header = ['median ms', ...namedScreens.map(({ name }) => name), 'all', 'all, CPU'];
  const rows = candidates.map((name) => [
    name,
    ...namedScreens.map((screen) => cell(measured.median(name, screen.name))),
    readable(measured.sum(name)),
    name === 'polars + polars-talib' ? '' : readable(measured.sum(name, name, 'cpuMs')),
  ]);
  console.log(
    tableFromRows(header, [['symbols that match', ...counts.map(String), '', ''], ...rows]),
  );
  const goals = [
    { name: `20 ms ÷ ${MEMORY}`, ratio: 20 / measured.sum(MEMORY), atLeast: 1 },
    { name: `150 ms ÷ ${CACHE}`, ratio: 150 / measured.sum(CACHE), atLeast: 1 },
    { name: `60 ms ÷ ${PAST}, each`, ratio: 300 / measured.sum(PAST), atLeast: 1 },
    ...peers.map(({ name }) => ({
      name: `${name} ÷ ${MEMORY}`,
      ratio: measured.sum(name) / measured.sum(MEMORY, name),
      atLeast: name === 'DuckDB' ? 50 : 20,
    })),
  ];
  console.log(`\n${goalLines(goals)}`);
} finally {
  for (const peer of peers) await peer.close();
}
