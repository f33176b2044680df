/**
 * Check that users' files keep their unit. A history of which a part is in cents has no stored bars
 * to contradict when it is loaded for the first time, nor has a file that goes on after them.
 */

import type { DuckDBConnection } from '@duckdb/node-api';
import { MICROS_PER_MILLI, MILLIS_PER_DAY } from '../../../base/bars.ts';
import { limits } from '../../../base/limits.ts';
import { distance } from '../../../base/prices/split-jump.ts';
import {
  isLevelJump,
  isUnitJump,
  levelsThatGoBack,
  NIGHT_STEP_MIN,
  type NightStep,
  SPIKE_MIN,
  spikeLength,
  type UnitBars,
  unitOf,
} from '../../../base/prices/unit-jump.ts';
import type { PublishedQuotes } from '../../../base/published-quotes.ts';
import type { StoredInterval } from '../../../base/time/intervals.ts';
import { barTable } from '../connection/bar-table.ts';
import { jsonTable, selectRows, sqlTimestamp } from '../connection/sql-rows.ts';
import { fromServedSql, symbolList } from './beside-bars.ts';
import { type SeriesHold, timeText } from './series-hold.ts';

export interface NewFiles {
  interval: StoredInterval;
  /** First id that the load gave to a file. */
  firstFileId: number;
  /** True if its rows were merged one by one: `fresh` has those that were not stored. */
  isMerged: boolean;
  /** Prices before the load; undefined: nothing is published. */
  published: PublishedQuotes | undefined;
}

export interface UnitFindings {
  hold?: SeriesHold;
  /** Other levels that no split explains, and that are not held: reverse splits are such ones. */
  levels: string[];
  /** Some bars far from those beside them. */
  spikes: string[];
}

export async function findUnitJumps(
  connection: DuckDBConnection,
  files: NewFiles,
): Promise<UnitFindings> {
  const time = timeText(files.interval);
  const { symbols, back } = await findLeaps(connection, files);
  const rows = symbols.length === 0 ? [] : await readSeries(connection, files, symbols);
  const splits = symbols.length === 0 ? undefined : await readSplitDays(connection, symbols);
  const levels: string[] = [];
  const spikes: string[] = [];
  const found = [...Map.groupBy(rows, ({ symbol }) => symbol)].flatMap(([symbol, bars]) => {
    const jump = firstJump(bars, files.interval, splits?.get(symbol) ?? []);
    if (jump === undefined) return [];
    back.delete(symbol);
    const [before, after] = [bars[jump.row - 1], bars[jump.row]];
    const move = `from ${before.close} on ${time(before.us)} to ${after.close} on ${time(after.us)}`;
    if (jump.kind === 'unit')
      return [{ symbol, detail: `${move} (× ${unitOf(after.close / before.close)})` }];
    (jump.kind === 'level' ? levels : spikes).push(`${symbol} ${move}`);
    return [];
  });
  for (const [symbol, { us, before, ratio }] of back) {
    spikes.push(
      `${symbol} from ${before} to ${Number((before * ratio).toPrecision(8))} on ${time(us)}`,
    );
  }
  if (found.length === 0) return { levels, spikes };
  const text =
    'on in another unit, and no split is known that explains it ' +
    '(correct the file, or load the split first)';
  return { hold: { check: 'another unit', verbs: ['goes', 'go'], text, found }, levels, spikes };
}

/** A step over night, with the close before it and the time of its bar. */
type Step = NightStep & { symbol: string; us: number; before: number; isLeap: boolean };

/**
 * Finds symbols with new bars beside which the price moves by `SPIKE_MIN`, or which begin that far
 * from the published price, and others of which some bars are at another level. Rows of one load are
 * in order of their series and time.
 */
async function findLeaps(
  connection: DuckDBConnection,
  { interval, firstFileId, published }: NewFiles,
): Promise<{ symbols: string[]; back: Map<string, Step> }> {
  const { bars } = barTable(interval);
  const isLeap = (a: string, b: string, by = SPIKE_MIN) =>
    `(${a} > ${by} * ${b} OR ${b} > ${by} * ${a})`;
  const steps = await selectRows<Step>(
    connection,
    `SELECT s.symbol, place, epoch_us(ts)::DOUBLE AS us, before, open / before AS ratio,
       ${isLeap('close', 'before')} AS "isLeap" FROM (
       SELECT series_id, ts, open, close, row_number() OVER ()::DOUBLE AS place,
         lag(series_id) OVER () AS previous, lag(close) OVER () AS before
       FROM ${bars} WHERE file_id >= ${firstFileId}) JOIN series s USING (series_id)
     WHERE previous = series_id
       AND (${isLeap('close', 'before')} OR ${isLeap('open', 'before', NIGHT_STEP_MIN)})
     ORDER BY place`,
  );
  const inside = [...new Set(steps.filter((step) => step.isLeap).map(({ symbol }) => symbol))];
  const back = new Map(
    [...Map.groupBy(steps, ({ symbol }) => symbol)].flatMap(([symbol, own]) =>
      levelsThatGoBack(own)
        .slice(0, 1)
        .map((step) => [symbol, step] as const),
    ),
  );
  if (!published || interval.endsWith('extended')) return { symbols: inside, back };
  const fromUs = (published.newestMs - GAP_MS) * MICROS_PER_MILLI;
  const firsts = await selectRows<{ symbol: string; price: number }>(
    connection,
    `SELECT w.symbol, arg_min(b.close * w.factor, b.ts) AS price
     FROM (SELECT series_id, ts, close FROM ${bars}
           WHERE file_id >= ${firstFileId} AND ts >= ${sqlTimestamp(fromUs)}) b
     JOIN winners w ON w.series_id = b.series_id AND b.ts BETWEEN w.from_ts AND w.to_ts
     GROUP BY w.symbol`,
  );
  const beside = firsts.filter(({ symbol, price }) => {
    const before = published.quote(symbol)?.price ?? price;
    return Math.max(price / before, before / price) > SPIKE_MIN;
  });
  return { symbols: [...new Set([...inside, ...beside.map(({ symbol }) => symbol)])], back };
}

const GAP_MS = limits.sanity.gapDaysMax * MILLIS_PER_DAY;

interface SeriesBar {
  symbol: string;
  us: number;
  open: number;
  close: number;
  volume: number;
  isNew: boolean;
}

/** Reads the served bars of symbols, in order of time. */
async function readSeries(
  connection: DuckDBConnection,
  { interval, firstFileId, isMerged }: NewFiles,
  symbols: readonly string[],
): Promise<SeriesBar[]> {
  // Bars that replace served ones, or lie between them, were compared with them.
  const isNew = isMerged
    ? 'EXISTS (FROM fresh f WHERE f.series_id = b.series_id AND f.ts = b.ts)'
    : `b.file_id >= ${firstFileId} AND NOT EXISTS (
         FROM previous_winners p WHERE p.symbol = w.symbol AND b.ts BETWEEN p.from_ts AND p.to_ts)`;
  return selectRows<SeriesBar>(
    connection,
    `SELECT w.symbol, epoch_us(b.ts)::DOUBLE AS us, b.open * w.factor AS open,
       b.close * w.factor AS close, b.volume,
       ${isNew} AS "isNew"
     ${await fromServedSql(connection, interval, symbols)} ORDER BY w.symbol, b.ts`,
    [symbolList(symbols)],
  );
}

interface KnownSplit {
  symbol: string;
  us: number;
  ratio: number;
}

async function readSplitDays(
  connection: DuckDBConnection,
  symbols: readonly string[],
): Promise<Map<string, KnownSplit[]>> {
  const rows = await selectRows<KnownSplit>(
    connection,
    `SELECT symbol, epoch_us(ex_date::TIMESTAMP)::DOUBLE AS us,
       (denominator / numerator)::DOUBLE AS ratio
     FROM corporate_actions SEMI JOIN ${jsonTable({ symbol: 'VARCHAR' })} USING (symbol) WHERE type = 'split'`,
    [symbolList(symbols)],
  );
  return Map.groupBy(rows, ({ symbol }) => symbol);
}

/** Bars of a session, in which volume is lowest at noon, and bars of two weeks. */
const VOLUME_BARS: Record<string, number> = { '1d': limits.quality.splitVolumeBars, '5m': 78 };
const MINUTES_OF_SESSION = 390;

interface Jump {
  row: number;
  kind: 'unit' | 'level' | 'spike';
}

/**
 * Returns the first new bar, or the one after them, whose unit is not that of the bar before; without
 * one, the first whose level is not, or that is far from the bars on both sides.
 */
function firstJump(
  rows: readonly SeriesBar[],
  interval: StoredInterval,
  splits: readonly KnownSplit[],
): Jump | undefined {
  let found: Jump | undefined;
  let spikeEnd = 0;
  const bars: UnitBars = {
    open: Float64Array.from(rows, ({ open }) => open),
    close: Float64Array.from(rows, ({ close }) => close),
    volume: Float64Array.from(rows, ({ volume }) => volume),
  };
  const volumeBars = VOLUME_BARS[interval.slice(0, 2)] ?? MINUTES_OF_SESSION;
  const gapUs = GAP_MS * MICROS_PER_MILLI;
  for (let row = 1; row < rows.length; row++) {
    const { us, isNew } = rows[row];
    const before = rows[row - 1];
    if (!(isNew || before.isNew) || us - before.us > gapUs) continue;
    const jump = bars.close[row] / bars.close[row - 1];
    if (Math.max(jump, 1 / jump) < SPIKE_MIN) continue;
    const isKnown = splits.some(
      (split) => Math.abs(split.us - us) <= gapUs && distance(jump, split.ratio) < Math.log(2),
    );
    if (isKnown || row < spikeEnd) continue;
    if (isUnitJump(bars, row, volumeBars)) return { row, kind: 'unit' };
    const spike = spikeLength(bars, row);
    if (spike !== undefined) {
      // The way back is of the same fault.
      spikeEnd = row + spike + 1;
      found ??= { row, kind: 'spike' };
    } else if (isLevelJump(bars, row)) found ??= { row, kind: 'level' };
  }
  return found;
}
