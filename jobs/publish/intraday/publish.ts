/**
 * Publishes bars of one and five minutes as a layer, and the quotes that follow from them. The cost
 * follows the number of new bars.
 */

import { type BarColumns, barRows } from '../../../src/base/bars.ts';
import { limits } from '../../../src/base/limits.ts';
import {
  INTRADAY_SERIES,
  type IntradaySeriesInterval,
  isExtended,
} from '../../../src/base/time/intervals.ts';
import type { IntradayFacts } from '../../../src/store/arrow/read/intraday-part.ts';
import type { PublishedVersion } from '../../../src/store/arrow/read/published-version.ts';
import type { Quote } from '../../../src/store/arrow/snapshot/snapshot.ts';
import type { SymbolFacts } from '../../../src/store/arrow/snapshot/symbol-directory.ts';
import type { IntradayContent, Publication } from '../../../src/store/arrow/write/publication.ts';
import { readActions } from '../../../src/store/duckdb/candles/read-actions.ts';
import { streamWinningBars } from '../../../src/store/duckdb/candles/read-bars.ts';
import { type NewBars, readNewBars } from '../../../src/store/duckdb/candles/read-new-bars.ts';
import { barTable } from '../../../src/store/duckdb/connection/bar-table.ts';
import type { Change } from '../../../src/store/duckdb/connection/changes.ts';
import type { MarketDb } from '../../../src/store/duckdb/connection/open.ts';
import {
  jsonTable,
  selectValue,
  sqlTimestamp,
} from '../../../src/store/duckdb/connection/sql-rows.ts';
import { type DailySide, IntradayQuotes } from '../quotes/intraday-quotes.ts';
import { addMerged, addResampled } from './five-minutes.ts';
import { type IntradayPlan, planIntraday } from './plan.ts';
import { factsOfSeries, IntradaySeriesWriter } from './series-writer.ts';

export interface IntradaySource {
  market: MarketDb;
  /** Version whose intraday series stay; undefined = all are read from the store. */
  published: PublishedVersion | undefined;
  /** Pending changes of 1m and 5m; all series if nothing is published. */
  changes: readonly Change[];
  daily: DailySide;
  signal?: AbortSignal;
}

export interface PublishedIntraday {
  /** Undefined = as published. */
  content: IntradayContent | undefined;
  /** Facts of symbols that have no daily bars. */
  facts: SymbolFacts[];
  /** Quotes by symbol that differ from the daily ones; undefined if no bars are left. */
  quotes: Map<string, Quote | undefined>;
}

interface Target extends IntradaySource {
  plan: IntradayPlan;
  writer: IntradaySeriesWriter;
  quotes: IntradayQuotes;
}

export async function publishIntraday(
  publication: Publication,
  source: IntradaySource,
): Promise<PublishedIntraday> {
  const { market, published, changes, daily } = source;
  const plan = await planIntraday(market, published, changes);
  const part = published?.intradayPart;
  const wholeRows = await rowsOfWhole(market, plan);
  const writer = new IntradaySeriesWriter(publication.intradayLayer, part, wholeRows);
  const facts = new Map<string, SymbolFacts>();
  const factsOf = (symbol: string) => facts.get(symbol) ?? daily.factsOf(symbol);
  const quotes = new IntradayQuotes(published, { ...daily, factsOf }, writer.facts.bind(writer));
  const target = { ...source, plan, writer, quotes };
  for (const interval of INTRADAY_SERIES) {
    for (const symbol of plan.removed[interval]) {
      writer.remove(symbol, interval);
      if (!isExtended(interval)) quotes.remove(symbol, interval);
    }
    await addWhole(target, interval);
    await addNewest(target, interval);
  }
  for (const symbol of plan.merged) await addMerged(target, symbol);
  for (const known of await factsWithoutDays(target)) facts.set(known.symbol, known);
  return { content: writer.content(), facts: [...facts.values()], quotes: quotes.quotes() };
}

async function rowsOfWhole({ connection }: MarketDb, { whole }: IntradayPlan): Promise<number> {
  const symbols = INTRADAY_SERIES.flatMap((interval) =>
    whole[interval].map((symbol) => ({ symbol, interval })),
  );
  if (symbols.length === 0) return 0;
  const rows = await selectValue<number>(
    connection,
    `SELECT coalesce(sum(s.row_count), 0)::DOUBLE FROM series s
     SEMI JOIN ${jsonTable({ symbol: 'VARCHAR', interval: 'VARCHAR' })} w USING (symbol, interval)`,
    [JSON.stringify(symbols)],
  );
  return rows;
}

async function addWhole(
  { market, plan, writer, quotes, signal }: Target,
  interval: IntradaySeriesInterval,
): Promise<void> {
  const symbols = plan.whole[interval];
  if (symbols.length === 0) return;
  for await (const series of streamWinningBars(market, interval, symbols)) {
    signal?.throwIfAborted();
    await writer.add(factsOfSeries(series, interval), 0, series.bars);
    if (!isExtended(interval)) quotes.add(series.symbol, interval, 0, series.bars);
  }
}

/** Reads the newest bars of all series at once, or in groups if memory requires it. */
async function addNewest(target: Target, interval: IntradaySeriesInterval): Promise<void> {
  const all = target.plan.from[interval];
  if (all.size === 0) return;
  const rowsExpected = await rowsFrom(target.market, all);
  const groupCount = Math.ceil(rowsExpected / limits.serving.newRowsReadMax);
  const groupSize = Math.ceil(all.size / Math.max(1, groupCount));
  const entries = [...all];
  for (let start = 0; start < entries.length; start += groupSize) {
    await addGroup(target, interval, new Map(entries.slice(start, start + groupSize)));
  }
}

/** Returns an upper bound of new rows: those of all series from the earliest new one on. */
async function rowsFrom(
  { connection }: MarketDb,
  fromUs: ReadonlyMap<string, number>,
): Promise<number> {
  const earliestUs = [...fromUs.values()].reduce((a, b) => Math.min(a, b));
  const rows = await selectValue<number>(
    connection,
    `SELECT count(*)::DOUBLE FROM ${barTable('1m').bars}
     WHERE ts >= ${sqlTimestamp(earliestUs)}`,
  );
  return rows;
}

/** @param fromUs First bar that differs from the published ones, by symbol. */
async function addGroup(
  target: Target,
  interval: IntradaySeriesInterval,
  fromUs: ReadonlyMap<string, number>,
): Promise<void> {
  const { market, writer, quotes, signal } = target;
  const read = await readNewBars(market, interval, fromUs);
  signal?.throwIfAborted();
  const series = newSeries(target, interval, read, fromUs);
  for (const { facts, firstRow, bars } of series) {
    if (read.vintageUs.has(facts.symbol)) writer.set(facts);
    if (!isExtended(interval)) quotes.add(facts.symbol, interval, firstRow, bars);
    const isResampled = interval === '1m' && target.plan.resampled.has(facts.symbol);
    if (isResampled) await addResampled(target, facts.symbol, firstRow, bars);
  }
  if (series.every(({ bars }) => writer.isSlice(bars.close.length))) {
    let row = 0;
    writer.addSlices(interval, {
      symbols: Int32Array.from(series, ({ facts }) => writer.number(facts.symbol, interval)!),
      starts: Int32Array.from(series, ({ bars }) => {
        row += bars.close.length;
        return row - bars.close.length;
      }),
      firstRows: Int32Array.from(series, ({ firstRow }) => firstRow),
      bars: read.bars,
    });
    return;
  }
  for (const { facts, firstRow, bars } of series) await writer.add(facts, firstRow, bars);
}

interface NewSeries {
  facts: IntradayFacts;
  firstRow: number;
  bars: BarColumns;
}

/** Returns the series of `fromUs` in the order of `read`. A series without bars ends there. */
function newSeries(
  { published, writer }: Target,
  interval: IntradaySeriesInterval,
  { bars, symbolIndex, vintageUs }: NewBars,
  fromUs: ReadonlyMap<string, number>,
): NewSeries[] {
  let end = 0;
  return [...fromUs].map(([symbol, us], place) => {
    const start = end;
    while (symbolIndex[end] === place) end++;
    const known = writer.facts(symbol, interval)!;
    const asOfUs = vintageUs.get(symbol);
    return {
      facts: asOfUs === undefined ? known : { ...known, asOfUs },
      firstRow: published!.rowAt(symbol, interval, BigInt(us)),
      bars: barRows(bars, start, end),
    };
  });
}

/** Returns the facts of changed symbols that have no daily bars. */
async function factsWithoutDays({
  market,
  changes,
  daily,
  writer,
}: Target): Promise<SymbolFacts[]> {
  const changed = new Set([...changes.map(({ symbol }) => symbol), ...daily.changed]);
  const symbols = [...changed].filter((symbol) => !daily.lastDayOf(symbol));
  if (symbols.length === 0) return [];
  const actions = await readActions(market, symbols);
  return symbols.flatMap((symbol) => {
    const series = INTRADAY_SERIES.map((interval) => writer.facts(symbol, interval)).find(Boolean);
    if (!series) return [];
    const { source, basis, asOfUs } = series;
    const { splits = [], dividends = [], coverage } = actions.get(symbol) ?? {};
    return [{ symbol, source, basis, asOfUs, splits, dividends, actionCoverage: coverage }];
  });
}
