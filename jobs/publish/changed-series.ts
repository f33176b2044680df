import { type BarColumns, joinedBars } from '../../src/base/bars.ts';
import type { ModePaths } from '../../src/base/config/data-dir.ts';
import { limits } from '../../src/base/limits/limits.ts';
import type { PublishedVersion } from '../../src/store/arrow/read/published-version.ts';
import type { SymbolFacts } from '../../src/store/arrow/snapshot/symbol-directory.ts';
import { type ActionsOfSymbol, readActions } from '../../src/store/duckdb/candles/read-actions.ts';
import {
  streamNewBars,
  streamWinningBars,
  type WinningSeries,
} from '../../src/store/duckdb/candles/read-bars.ts';
import type { MarketDb } from '../../src/store/duckdb/connection/open.ts';
import type { PublishPlan } from './plan.ts';

export interface ChangedSeries {
  facts: SymbolFacts;
  bars: BarColumns;
}

/**
 * Streams the changed series of a plan with their facts, one at a time.
 *
 * @param paths Given by the holder of the writer lock: another thread then reads many series.
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
      yield { facts: factsOf(series, actions), bars: joinedBars(older, series.bars) };
    }
  }
  const symbols = published && rewritten;
  for await (const series of streamWinningBars(market, '1d', symbols)) {
    yield { facts: factsOf(series, actions), bars: series.bars };
  }
}

function factsOf(
  { symbol, source, basis, asOfUs }: WinningSeries,
  actions: ReadonlyMap<string, ActionsOfSymbol>,
): SymbolFacts {
  const known = actions.get(symbol);
  return {
    symbol,
    source,
    basis,
    asOfUs: basis === 'raw' ? undefined : asOfUs,
    splits: known?.splits ?? [],
    dividends: known?.dividends ?? [],
    actionCoverage: known?.coverage,
  };
}
