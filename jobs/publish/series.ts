/** Writes daily series: all of them as a base, or the changed ones as a layer over the base. */

import { type BarColumns, joinedBars } from '../../src/base/bars.ts';
import type { ModePaths } from '../../src/base/config/data-dir.ts';
import { DAILY_INTERVALS, type DailyInterval } from '../../src/base/time/intervals.ts';
import { Checkpoints } from '../../src/compute/indicators/checkpoints.ts';
import { type DerivedSeries, SeriesDeriver } from '../../src/compute/indicators/derive-series.ts';
import { markedFacts } from '../../src/compute/quality/unlikely-dividends.ts';
import type { SavedStates } from '../../src/store/arrow/format/state-file.ts';
import type { PublishedVersion } from '../../src/store/arrow/read/published-version.ts';
import type { SymbolFacts } from '../../src/store/arrow/snapshot/symbol-directory.ts';
import { addToBase, seriesRows } from '../../src/store/arrow/write/compact.ts';
import type { Publication } from '../../src/store/arrow/write/publication.ts';
import type { SeriesRows } from '../../src/store/arrow/write/volume-writer.ts';
import { type ActionsOfSymbol, readActions } from '../../src/store/duckdb/candles/read-actions.ts';
import {
  streamNewBars,
  streamWinningBars,
  type WinningSeries,
} from '../../src/store/duckdb/candles/read-bars.ts';
import type { MarketDb } from '../../src/store/duckdb/connection/open.ts';
import { publishAppended } from './append.ts';
import { CheckpointsToSave, openCheckpoints } from './checkpoints.ts';
import type { NextSymbols } from './next-symbols.ts';
import { changedSymbols, type PublishDeps, type PublishPlan } from './plan.ts';
import { dailyQuote, lastRsi, restatedQuote } from './quotes/daily-quote.ts';

/** A version that is being written. */
export interface NextVersion {
  paths: ModePaths;
  plan: PublishPlan;
  publication: Publication;
  next: NextSymbols;
  deps: PublishDeps;
  /** Year whose bars have their own file. */
  currentYear: number;
}

/** Checkpoints of the series that stay, and of those that were written whole. */
export interface NextCheckpoints {
  checkpoints: Checkpoints;
  states: SavedStates;
}

const NO_CHECKPOINTS = new Checkpoints(new Float64Array(0));

/** Reads changed series from the market store and copies all others from the published version. */
export async function writeAllSeries(
  market: MarketDb,
  { paths, plan, publication: { layer }, next, deps, currentYear }: NextVersion,
): Promise<NextCheckpoints> {
  const { published } = plan;
  const changed = changedSymbols(plan);
  const others = published?.directory.sortedNames.filter((name) => !changed.has(name)) ?? [];
  const saved = new CheckpointsToSave();
  const add = async (
    number: number,
    checkpoint: Float64Array,
    rowsOf: (interval: DailyInterval) => SeriesRows,
  ) => {
    deps.signal?.throwIfAborted();
    saved.add(number, checkpoint);
    for (const interval of DAILY_INTERVALS) {
      addToBase(layer, number, interval, rowsOf(interval), currentYear);
    }
    await layer.settle();
    deps.onProgress?.('publish', next.count, changed.size + others.length);
  };
  for await (const { number, series } of derivedSeries(market, plan, next)) {
    await add(number, series.checkpoint, (interval) => series[interval]);
  }
  if (published && others.length > 0) {
    const older = openCheckpoints(paths.serving, published);
    for (const name of others) {
      const restated = plan.restatedFacts.get(name);
      const quote = published.quote(name);
      const number = next.set(restated ?? published.directory.facts(name));
      next.setQuote(number, restated ? restatedQuote(quote, restated) : quote);
      const checkpoint = older.row(published.directory.number(name)!);
      await add(number, checkpoint, (interval) => seriesRows(published, name, interval));
    }
  }
  return { checkpoints: NO_CHECKPOINTS, states: saved.states() };
}

/** Adds new bars as delta batches, and series with a changed past as overrides. */
export async function addChangedSeries(
  market: MarketDb,
  version: NextVersion,
): Promise<NextCheckpoints> {
  const { paths, plan, publication, next, deps } = version;
  const { appended, restatedFacts } = plan;
  const published = plan.published!;
  const { layer } = publication;
  const isNeeded = appended.size > 0 || hasMinutes(plan);
  // The quotes of minutes continue from the days of any symbol.
  const wanted = hasMinutes(plan) ? undefined : numbersOf(published, appended.keys());
  const checkpoints = isNeeded ? openCheckpoints(paths.serving, published, wanted) : NO_CHECKPOINTS;
  const whole = await publishAppended(market, plan, { published, next, layer, checkpoints });
  deps.onProgress?.('publish', appended.size - whole.size, changedSymbols(plan).size);
  const saved = new CheckpointsToSave();
  if (plan.rewritten.length + whole.size > 0) {
    const wholePlan = { ...plan, appended: whole };
    for await (const { number, series } of derivedSeries(market, wholePlan, next)) {
      deps.signal?.throwIfAborted();
      for (const interval of DAILY_INTERVALS) {
        layer.addBatch(number, interval, 'patches', series[interval]);
      }
      saved.add(number, series.checkpoint);
      await layer.settle();
    }
  }
  for (const [symbol, facts] of restatedFacts) {
    next.setQuote(next.set(facts), restatedQuote(published.quote(symbol), facts));
  }
  for (const symbol of plan.removed) next.remove(symbol);
  return { checkpoints, states: saved.states() };
}

/** Derives changed series, one at a time, and sets their symbols and quotes. */
async function* derivedSeries(
  market: MarketDb,
  plan: PublishPlan,
  next: NextSymbols,
): AsyncGenerator<{ number: number; series: DerivedSeries }> {
  const deriver = new SeriesDeriver();
  for await (const { facts, bars } of changedSeries(market, plan)) {
    const series = deriver.derive(bars, facts);
    const number = next.set(facts);
    next.setQuote(number, dailyQuote(bars, facts, lastRsi(series['1d'])));
    yield { number, series };
  }
}

function numbersOf({ directory }: PublishedVersion, symbols: Iterable<string>): Set<number> {
  return new Set(Array.from(symbols, (symbol) => directory.number(symbol)!));
}

/** Returns true if there are intraday bars: their quotes depend on the daily ones. */
export function hasMinutes({ published, intraday }: PublishPlan): boolean {
  return intraday.length > 0 || published?.manifest.intraday !== undefined;
}

export interface ChangedSeries {
  facts: SymbolFacts;
  bars: BarColumns;
}

/**
 * Streams the changed series of a plan with their facts, one at a time.
 *
 * @returns whole series as stored; their bars last until the next one is read.
 */
export async function* changedSeries(
  market: MarketDb,
  { rewritten, appended, published }: PublishPlan,
): AsyncGenerator<ChangedSeries> {
  const changed = published && [...rewritten, ...appended.keys()];
  const actions = await readActions(market, changed);
  if (published && appended.size > 0) {
    for await (const series of streamNewBars(market, '1d', appended)) {
      const end = published.rowAt(series.symbol, '1d', series.bars.timestampUs[0]);
      const older = published.bars(series.symbol, '1d', { start: 0, end });
      const bars = joinedBars(older, series.bars);
      yield { facts: factsOf({ ...series, bars }, actions), bars };
    }
  }
  const symbols = published && rewritten;
  for await (const series of streamWinningBars(market, '1d', symbols)) {
    yield { facts: factsOf(series, actions), bars: series.bars };
  }
}

function factsOf(
  { symbol, source, basis, asOfUs, bars }: WinningSeries,
  actions: ReadonlyMap<string, ActionsOfSymbol>,
): SymbolFacts {
  const known = actions.get(symbol);
  return markedFacts(bars, {
    symbol,
    source,
    basis,
    asOfUs: basis === 'raw' ? undefined : asOfUs,
    splits: known?.splits ?? [],
    dividends: known?.dividends ?? [],
    actionCoverage: known?.coverage,
  });
}
