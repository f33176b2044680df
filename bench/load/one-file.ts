/**
 * Size, times and memory of one `market.duckdb` as synthetic minutes of 10,000 symbols are loaded
 * and published, a session at a time: `node bench/load/one-file.ts [--days 20,60,120] [--symbols 10000]
 * [--compact-days 60] [--data DIR] [--smoke]`. Each mark of `--days` gives a column of times,
 * processor times, bytes and memory. A bar takes 65 bytes of disk, and compaction the store's size
 * again. A folder of `--data` stays, and a later run continues with its sessions.
 */

import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { compact } from '../../jobs/maintenance/compact.ts';
import { publish } from '../../jobs/publish/publish.ts';
import { candleSeries } from '../../src/api/routes/candles/series.ts';
import { blankBars, MICROS_PER_MILLI } from '../../src/base/bars.ts';
import { modePaths } from '../../src/base/config/data-dir.ts';
import { nextSession, sessionCloseMs, sessionOpenMs } from '../../src/base/time/calendar.ts';
import { dayFromDate } from '../../src/base/time/dates.ts';
import type { Interval } from '../../src/base/time/intervals.ts';
import { openPublished } from '../../src/store/arrow/read/reader.ts';
import type { CandleSegment } from '../../src/store/duckdb/connection/candle-segment.ts';
import { openMarketForWriting } from '../../src/store/duckdb/connection/open.ts';
import { selectRow } from '../../src/store/duckdb/connection/sql-rows.ts';
import { loadCandleBatch } from '../../src/store/duckdb/load/load-candles.ts';
import { symbolName } from '../command/data/synthetic.ts';
import {
  benchFolder,
  checkResult,
  cpuMs,
  machineLine,
  medianOf,
  readable,
  tableFromRows,
} from '../harness.ts';
import {
  afterSessionMs,
  dailySegment,
  loadSegment,
  SESSION_MINUTES,
  sessionSegment,
} from '../publish/updates-market.ts';

const { values } = parseArgs({
  options: {
    days: { type: 'string', default: '20,60,120' },
    symbols: { type: 'string', default: '10000' },
    'compact-days': { type: 'string', default: '60' },
    data: { type: 'string' },
    smoke: { type: 'boolean' },
  },
});
const marks = values.smoke ? [5, 8] : values.days.split(',').map(Number);
const symbolCount = values.smoke ? 6 : Number(values.symbols);
const compactDaysMax = Number(values['compact-days']);

const FIRST_DAY = dayFromDate('2025-01-02');
/** Sessions before each mark that are published one by one, as in an evening. */
const EVENINGS = 3;
/** Sessions before these that are published together: more would take twice their bytes at once. */
const CATCH_UP = 10;
/** Sessions that a late correction is behind the newest. */
const LATE_SESSIONS = 4;
const CORRECTED_SYMBOLS = 100;
const CHARTS = 200;

const paths = modePaths(values.data ?? benchFolder(), 'live');
const symbols = Array.from({ length: symbolCount }, (_, i) => symbolName(i));
const rowsPerDay = symbolCount * SESSION_MINUTES;

interface Cost {
  seconds: number;
  cpuSeconds: number;
  /** Peak of the memory that is not a mapped file. */
  peakMegabytes: number;
}

async function timed(work: () => Promise<unknown>): Promise<Cost> {
  let peakBytes = anonymousBytes();
  const timer = setInterval(() => {
    peakBytes = Math.max(peakBytes, anonymousBytes());
  }, 100);
  const [startMs, startCpuMs] = [performance.now(), cpuMs()];
  await work();
  clearInterval(timer);
  return {
    seconds: (performance.now() - startMs) / 1000,
    cpuSeconds: (cpuMs() - startCpuMs) / 1000,
    peakMegabytes: Math.max(peakBytes, anonymousBytes()) / 1e6,
  };
}

/** Returns the memory of the process without mapped files, or 0 where the system can't say. */
function anonymousBytes(): number {
  try {
    const [, kilobytes] = /RssAnon:\s*(\d+)/.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}

function medianCost(costs: readonly Cost[]): Cost {
  const of = (name: keyof Cost) => medianOf(costs.map((cost) => cost[name]));
  return {
    seconds: of('seconds'),
    cpuSeconds: of('cpuSeconds'),
    peakMegabytes: Math.max(...costs.map(({ peakMegabytes }) => peakMegabytes)),
  };
}

function bytesOfFolder(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

/** Loads a segment. @returns the cost, and that of closing the store, which writes a checkpoint. */
async function load(segment: CandleSegment, nowMs: number): Promise<{ load: Cost; close: Cost }> {
  const market = await openMarketForWriting(paths, { verb: 'bench', nowMs });
  const loaded = await timed(() => loadCandleBatch(market, [{ segment }], nowMs));
  return { load: loaded, close: await timed(async () => market.close()) };
}

/** Milliseconds of charts, each of another symbol. */
function chartMs(interval: Interval, fromMs: number | undefined): { median: number; max: number } {
  const version = openPublished(paths.serving)!;
  const fromUs = fromMs === undefined ? undefined : BigInt(fromMs * MICROS_PER_MILLI);
  const window = { interval, adjustment: undefined, fromUs, toUs: undefined };
  const samples: number[] = [];
  for (let i = 0; i < Math.min(CHARTS, symbolCount); i++) {
    const symbol = symbols[(i * 7919) % symbolCount];
    const startMs = performance.now();
    let rows = 0;
    for (const series of candleSeries(version, [symbol], window)) {
      series.copyRows(0, series.rowCount, blankBars(series.rowCount));
      rows += series.rowCount;
    }
    samples.push(performance.now() - startMs);
    checkResult(rows > 0, `${symbol} has bars of ${interval}`);
  }
  version.close();
  return { median: medianOf(samples), max: Math.max(...samples) };
}

const costText = ({ seconds, cpuSeconds }: Cost) =>
  `${readable(seconds)} (${readable(cpuSeconds)})`;

console.log(machineLine());
console.log(`${readable(symbolCount)} symbols, synthetic; seconds (processor seconds)`);
const columns: Record<string, string>[] = [];

/** State of a folder that a later run continues. */
interface Note {
  sessions: number[];
  dailyBytes: number;
  dailyServingBytes: number;
}

const notePath = join(paths.root, 'one-file.json');

async function loadPast(): Promise<Note> {
  const past = dailySegment(symbols, FIRST_DAY - 365, FIRST_DAY - 1);
  await loadSegment(paths, past, afterSessionMs(FIRST_DAY - 1));
  await publish(paths, { verb: 'bench', nowMs: afterSessionMs(FIRST_DAY - 1) });
  const dailyBytes = statSync(paths.market).size;
  return { sessions: [], dailyBytes, dailyServingBytes: bytesOfFolder(paths.serving) };
}

const note: Note = existsSync(notePath)
  ? JSON.parse(readFileSync(notePath, 'utf8'))
  : await loadPast();
const { sessions, dailyBytes, dailyServingBytes } = note;

for (const mark of marks.filter((one) => one > sessions.length + EVENINGS)) {
  const column: Record<string, string> = {};
  const [loads, closes, publishes]: Cost[][] = [[], [], []];
  const nextDay = () => {
    let day = nextSession(sessions.at(-1) ?? FIRST_DAY);
    // Sessions that end early have fewer minutes.
    while (sessionCloseMs(day) - sessionOpenMs(day) < SESSION_MINUTES * 60_000) {
      day = nextSession(day);
    }
    sessions.push(day);
    return day;
  };
  const addDay = async () => {
    const day = nextDay();
    const costs = await load(sessionSegment(symbols, [day]), afterSessionMs(day));
    loads.push(costs.load);
    closes.push(costs.close);
    return afterSessionMs(day);
  };
  const published = (nowMs: number) => timed(() => publish(paths, { verb: 'bench', nowMs }));
  let nowMs = 0;
  const catchUps: Cost[] = [];
  for (let waiting = 0; sessions.length < mark - EVENINGS; ) {
    nowMs = await addDay();
    const isDue = ++waiting === CATCH_UP || sessions.length === mark - EVENINGS;
    if (!isDue) continue;
    catchUps.push(await published(nowMs));
    waiting = 0;
  }
  if (catchUps.length > 0) {
    const cost = medianCost(catchUps);
    column[`publish of up to ${CATCH_UP} sessions`] = costText(cost);
    column['its memory, MB'] = readable(cost.peakMegabytes);
  }
  while (sessions.length < mark) publishes.push(await published(await addDay()));
  const newest = sessions.at(-1)!;
  nowMs = afterSessionMs(newest);

  const rows = rowsPerDay * sessions.length;
  const storeBytes = statSync(paths.market).size - dailyBytes;
  const servedBytes = bytesOfFolder(paths.serving) - dailyServingBytes;
  const loaded = medianCost(loads);
  column['million bars'] = readable(rows / 1e6);
  column['load of a session'] = costText(loaded);
  column['bars a second'] = readable(rowsPerDay / loaded.seconds);
  column['its memory, MB'] ??= '';
  column['load: memory, MB'] = readable(loaded.peakMegabytes);
  column['checkpoint at its end'] = costText(medianCost(closes));
  const evening = medianCost(publishes);
  column['publish of a session'] = costText(evening);
  column['publish: memory, MB'] = readable(evening.peakMegabytes);
  column['longest publish of these'] = readable(Math.max(...publishes.map((one) => one.seconds)));
  column['store, GB'] = readable(storeBytes / 1e9);
  column['store, bytes a bar'] = readable(storeBytes / rows);
  column['served files, GB'] = readable(servedBytes / 1e9);
  column['served, bytes a bar'] = readable(servedBytes / rows);

  const lateDay = sessions.at(-1 - LATE_SESSIONS)!;
  const few = symbols.slice(0, Math.min(CORRECTED_SYMBOLS, symbolCount));
  for (const [what, corrected, version] of [
    ['a late session of one symbol', few.slice(0, 1), 1],
    [`a late session of ${few.length} symbols`, few, 2],
  ] as const) {
    const segment = sessionSegment(corrected, [lateDay], { version: version + mark * 10 });
    const cost = await load(segment, nowMs);
    const cost2 = await published(nowMs);
    column[`${what}: load`] = costText(cost.load);
    column[`${what}: publish`] = costText(cost2);
  }
  const charts = {
    'chart of the newest session, ms': chartMs('1m', sessionOpenMs(newest)),
    'chart of all hours, ms': chartMs('1h', undefined),
  };
  for (const [name, { median, max }] of Object.entries(charts)) {
    column[name] = `${readable(median)}, at most ${readable(max)}`;
  }
  const market = await openMarketForWriting(paths, { verb: 'bench', nowMs });
  const { rowCount } = await selectRow<{ rowCount: number }>(
    market.connection,
    'SELECT count(*)::DOUBLE AS "rowCount" FROM intraday_bars',
  );
  market.close();
  checkResult(rowCount === rows, `the store has ${rows} bars, not ${rowCount}`);
  const version = openPublished(paths.serving)!;
  const served = version.rowCount(symbols[0], '1m');
  checkResult(served === sessions.length * SESSION_MINUTES, `${served} bars are served`);
  const lastUs = version.intraday(symbols[0], '1m')!.lastBarUs;
  checkResult(Number(lastUs) < sessionCloseMs(newest) * MICROS_PER_MILLI, 'bars end with it');
  version.close();
  if (mark <= compactDaysMax) {
    const cost = await timed(() => compact(paths, { isFull: false }, { verb: 'bench', nowMs }));
    column.compaction = costText(cost);
    column['compaction: memory, MB'] = readable(cost.peakMegabytes);
    column['store after it, GB'] = readable((statSync(paths.market).size - dailyBytes) / 1e9);
  }
  writeFileSync(notePath, JSON.stringify(note));
  columns.push({ sessions: String(mark), ...column });
  console.log(`${mark} sessions: ${JSON.stringify(column)}`);
}

const names = [...new Set(columns.flatMap(({ sessions, ...column }) => Object.keys(column)))];
console.log(
  tableFromRows(
    ['sessions', ...columns.map(({ sessions }) => sessions)],
    names.map((name) => [name, ...columns.map((column) => column[name] ?? '')]),
  ),
);
