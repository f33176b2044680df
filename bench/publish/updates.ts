/**
 * Cost of an update: a new day and a new minute for every symbol, and a split of one:
 * `node bench/publish/updates.ts [--quick | --smoke]`. Milliseconds from the loaded store to the published
 * version, processor time of these, and bytes written. The store that the load has opened stays
 * open for the publish, as in a run. Minutes come over sessions of minutes, and those whose publish
 * compacts layers stand apart. Results are checked against a full derivation first.
 */

import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { publish, type StoreLeftOpen } from '../../jobs/publish/publish.ts';
import { dailyQuote, lastRsi } from '../../jobs/publish/quotes/daily-quote.ts';
import { type ModePaths, modePaths } from '../../src/base/config/data-dir.ts';
import { sessionsBetween } from '../../src/base/time/calendar.ts';
import { dayFromDate } from '../../src/base/time/dates.ts';
import { DAILY_INTERVALS } from '../../src/base/time/intervals.ts';
import { SeriesDeriver } from '../../src/compute/indicators/derive-series.ts';
import { openPublished } from '../../src/store/arrow/read/reader.ts';
import { symbolName } from '../command/data/synthetic.ts';
import {
  benchSizeFromArgs,
  checkResult,
  type Goal,
  goalLines,
  machineLine,
  readable,
  type Timing,
  tableFromRows,
  timingFromSamples,
} from '../harness.ts';
import {
  afterSessionMs,
  dailySegment,
  loadAndKeepOpen,
  loadSegment,
  minuteSegment,
  SESSION_MINUTES,
  sessionSegment,
} from './updates-market.ts';

/**
 * Fewer days than delta batches before a compaction, whose cost is not an update's, and but for
 * smoke enough minutes for one. Splits follow one another, of the same symbol.
 */
const SIZES = {
  smoke: { symbolCount: 40, years: [1], rounds: 1, splits: 1, sessions: 1, minutes: 1 },
  quick: { symbolCount: 1_000, years: [2], rounds: 5, splits: 4, sessions: 5, minutes: 20 },
  full: { symbolCount: 10_000, years: [2, 20], rounds: 9, splits: 4, sessions: 20, minutes: 50 },
};

type Size = (typeof SIZES)['full'];

const LAST_DAY = dayFromDate('2026-06-30');
const DAYS_PER_YEAR = 365.25;
/** Symbols that are derived whole for comparison. */
const CHECKED = 25;

/** Symbols whose minutes of the sessions before are loaded at a time. */
const LOADED_TOGETHER = 500;

interface Sample {
  ms: number;
  cpuMs: number;
  /** Bytes written. */
  bytes: number;
  /** True if the publish compacted layers of minutes, too. */
  isCompacted: boolean;
}

interface Update {
  timing: Timing;
  /** Median of processor milliseconds. */
  cpuMs: number;
  /** Median of bytes written. */
  bytes: number;
}

/** Names, inodes and sizes: a file that is written again has another inode. */
function filesOf(folder: string): Map<string, number> {
  return new Map(
    readdirSync(folder).map((name) => {
      const { ino, size } = statSync(join(folder, name));
      return [`${name} ${ino}`, size];
    }),
  );
}

/** Loads and publishes one update after another; loading is not timed. */
async function measure(
  paths: ModePaths,
  updates: readonly { load: () => Promise<StoreLeftOpen>; nowMs: number }[],
): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (const { load, nowMs } of updates) {
    const open = await load();
    const before = filesOf(paths.serving);
    const startMs = performance.now();
    const cpu = process.cpuUsage();
    const { compactedIntraday } = await publish(paths, { verb: 'bench', nowMs, open });
    const ms = performance.now() - startMs;
    const { user, system } = process.cpuUsage(cpu);
    let bytes = 0;
    for (const [file, size] of filesOf(paths.serving)) if (!before.has(file)) bytes += size;
    const isCompacted = compactedIntraday !== undefined;
    samples.push({ ms, cpuMs: (user + system) / 1000, bytes, isCompacted });
  }
  return samples;
}

function updateOf(samples: readonly Sample[]): Update {
  const timing = (name: 'ms' | 'cpuMs' | 'bytes') =>
    timingFromSamples(samples.map((sample) => sample[name]));
  return { timing: timing('ms'), cpuMs: timing('cpuMs').medianMs, bytes: timing('bytes').medianMs };
}

/** Checks that the published series follow from the whole daily bars. */
function checkPublished(paths: ModePaths, symbols: readonly string[]): void {
  const version = openPublished(paths.serving)!;
  const deriver = new SeriesDeriver();
  const step = Math.max(1, Math.floor(symbols.length / CHECKED));
  for (let i = 0; i < symbols.length; i += step) {
    const bars = version.bars(symbols[i], '1d');
    const facts = version.directory.facts(symbols[i]);
    const series = deriver.derive(bars, facts);
    for (const interval of DAILY_INTERVALS) {
      const { bars: expected, indicators } = series[interval];
      const columns = version.manifest.indicatorColumns;
      const isSame =
        isDeepStrictEqual(version.bars(symbols[i], interval), expected) &&
        version
          .indicators(symbols[i], interval, columns)
          .every((column, at) =>
            column.every((value, row) => Object.is(value, indicators[at][row])),
          );
      checkResult(isSame, `${interval} of ${symbols[i]} is not what its days give`);
    }
    const quote = dailyQuote(bars, facts, lastRsi(series['1d']));
    checkResult(isDeepStrictEqual(version.quote(symbols[i]), quote), `quote of ${symbols[i]}`);
  }
  version.close();
}

/** A new day of every symbol on each of some sessions. */
function dayUpdates(paths: ModePaths, symbols: readonly string[], days: readonly number[]) {
  return days.map((day) => ({
    load: () => loadAndKeepOpen(paths, dailySegment(symbols, day, day), afterSessionMs(day)),
    nowMs: afterSessionMs(day),
  }));
}

/** One symbol's day with a split, all of its past with it. */
function splitUpdates(
  paths: ModePaths,
  symbol: string,
  firstDay: number,
  days: readonly number[],
): ReturnType<typeof dayUpdates> {
  return days.map((day, count) => {
    const statement = {
      symbol,
      splits: [{ exDay: day, numerator: 2 + count, denominator: 1 }],
      dividends: [],
      coverageFromDay: firstDay,
      coverageToDay: day,
    };
    const segment = dailySegment([symbol], day, day, [statement]);
    const nowMs = afterSessionMs(day);
    return { load: () => loadAndKeepOpen(paths, segment, nowMs), nowMs };
  });
}

/** A session's first minutes, one update each. */
function minuteUpdates(
  paths: ModePaths,
  symbols: readonly string[],
  day: number,
  count: number,
): ReturnType<typeof dayUpdates> {
  const nowMs = afterSessionMs(day);
  return Array.from({ length: count }, (_, minute) => ({
    load: () => loadAndKeepOpen(paths, minuteSegment(symbols, day, minute), nowMs),
    nowMs,
  }));
}

/** Publishes minutes of whole sessions. */
async function loadSessions(
  paths: ModePaths,
  symbols: readonly string[],
  days: readonly number[],
): Promise<void> {
  const nowMs = afterSessionMs(days[days.length - 1]);
  for (let first = 0; first < symbols.length; first += LOADED_TOGETHER) {
    const some = symbols.slice(first, first + LOADED_TOGETHER);
    await loadSegment(paths, sessionSegment(some, days, { first }), nowMs);
  }
  await publish(paths, { verb: 'bench', nowMs });
}

type Updates = Record<'day' | 'split' | 'minute' | 'compaction', Update>;

/** The first update of a kind is not counted: it pays for code that is not compiled yet. */
async function benchYears(
  symbols: readonly string[],
  years: number,
  { rounds, splits: splitCount, sessions: past, minutes: minuteCount }: Size,
): Promise<Updates> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tapeworks-'));
  const paths = modePaths(dataDir, 'live');
  try {
    const firstDay = Math.ceil(LAST_DAY - years * DAYS_PER_YEAR);
    const nowMs = afterSessionMs(LAST_DAY);
    await loadSegment(paths, dailySegment(symbols, firstDay, LAST_DAY), nowMs);
    await publish(paths, { verb: 'bench', nowMs });
    const sessions = [...sessionsBetween(LAST_DAY + 1, LAST_DAY + 60)];
    const [firstSession, ...days] = sessions.splice(0, rounds + 1);
    await measure(paths, dayUpdates(paths, symbols, [firstSession]));
    const day = updateOf(await measure(paths, dayUpdates(paths, symbols, days)));
    checkPublished(paths, symbols);
    const splits = splitUpdates(paths, symbols[0], firstDay, sessions.splice(0, splitCount + 1));
    await measure(paths, splits.slice(0, 1));
    const split = updateOf(await measure(paths, splits.slice(1)));
    checkPublished(paths, symbols);
    await loadSessions(paths, symbols, sessions.splice(0, past));
    const [, ...minutes] = await measure(
      paths,
      minuteUpdates(paths, symbols, sessions[0], minuteCount + 1),
    );
    const { true: compacted = [], false: others = [] } = Object.groupBy(minutes, (sample) =>
      sample.isCompacted ? 'true' : 'false',
    );
    checkResult(compacted.length > 0 || size === 'smoke', 'minutes are compacted');
    const served = openPublished(paths.serving)!;
    const expected = past * SESSION_MINUTES + minuteCount + 1;
    checkResult(served.rowCount(symbols[0], '1m') === expected, 'all minutes are served');
    served.close();
    return { day, split, minute: updateOf(others), compaction: updateOf(compacted) };
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const size = benchSizeFromArgs();
const { symbolCount, years, rounds } = SIZES[size];
const symbols = Array.from({ length: symbolCount }, (_, number) => symbolName(number)).sort();
const results: Updates[] = [];
for (const span of years) results.push(await benchYears(symbols, span, SIZES[size]));

if (size === 'smoke') {
  console.log('updates: results are right');
} else {
  console.log(`${symbolCount} symbols, ${rounds} updates of a kind`);
  console.log(`${machineLine()}\n`);
  const names = {
    day: 'a day of all symbols',
    split: 'a split of one symbol',
    minute: 'a minute of all symbols',
    compaction: 'a minute that compacts others',
  };
  const rows = results.flatMap((updates, i) =>
    Object.entries(names).map(([kind, name]) => {
      const { timing, cpuMs, bytes } = updates[kind as keyof Updates];
      const times = [timing.minMs, timing.medianMs, timing.p99Ms].map(readable);
      return [`${name}, after ${years[i]} years`, ...times, readable(cpuMs), readable(bytes / 1e6)];
    }),
  );
  console.log(
    `${tableFromRows(['', 'min ms', 'median ms', 'p99 ms', 'CPU ms', 'MB written'], rows)}\n`,
  );
  const goals = results.flatMap(({ day, split }, i): Goal[] => [
    {
      name: `150 ms / a day after ${years[i]} years`,
      ratio: 150 / day.timing.medianMs,
      atLeast: 1,
    },
    { name: `5 MB / a day after ${years[i]} years`, ratio: 5e6 / day.bytes, atLeast: 1 },
    {
      name: `50 ms / a split after ${years[i]} years`,
      ratio: 50 / split.timing.medianMs,
      atLeast: 1,
    },
  ]);
  console.log(goalLines(goals));
}
