/** A publish that writes all series anew: the first one, and one that changes many. */

import { DAILY_INTERVALS } from '../src/intervals.ts';
import type { MarketDb } from '../src/store/market/open.ts';
import { addToBase } from '../src/store/serving/base-series.ts';
import { seriesRows } from '../src/store/serving/fold.ts';
import { Publication } from '../src/store/serving/publication.ts';
import type { PublishedVersion } from '../src/store/serving/published-version.ts';
import type { Quote } from '../src/store/serving/snapshot.ts';
import type { SymbolFacts } from '../src/store/serving/symbol-directory.ts';
import { changedSeries, wholeBars } from './changed-series.ts';
import { dailyQuote, lastRsi } from './daily-quote.ts';
import {
  type DerivedSeries,
  deriveSeries,
  IndicatorScratch,
  publishedColumns,
} from './derive-series.ts';
import type { PublishDeps } from './publish.ts';
import type { PublishPlan } from './publish-plan.ts';

/** Changed series come from the market store, all others from what is published. */
export async function publishBase(
  market: MarketDb,
  path: string,
  plan: PublishPlan,
  { nowMs, onProgress, onStep, signal }: PublishDeps,
): Promise<void> {
  const { published, seq, storeMark, rewritten, appended, directory } = plan;
  const changed = new Set([...rewritten, ...appended.keys()]);
  const others = published?.symbols.filter((name) => !changed.has(name)) ?? [];
  const currentYear = new Date(nowMs).getUTCFullYear();
  const symbols: SymbolFacts[] = [];
  const quotes: (Quote | undefined)[] = [];
  const publication = new Publication(path, { indicatorColumns: publishedColumns, onStep });
  const add = async (facts: SymbolFacts, series: DerivedSeries, quote: Quote | undefined) => {
    signal?.throwIfAborted();
    const number = symbols.push(facts) - 1;
    quotes.push(quote);
    for (const interval of DAILY_INTERVALS) {
      addToBase(publication.layer, number, interval, series[interval], currentYear);
    }
    await publication.layer.settle();
    onProgress?.('publish', symbols.length, changed.size + others.length);
  };
  try {
    const scratch = new IndicatorScratch();
    for await (const changed of changedSeries(market, plan)) {
      const { facts } = changed;
      const bars = wholeBars(published, changed);
      const series = deriveSeries(bars, facts, scratch);
      await add(facts, series, dailyQuote(bars, facts, lastRsi(series['1d'])));
    }
    for (const name of others) {
      const { directory } = published!;
      await add(directory.facts(name), publishedSeries(published!, name), published!.quote(name));
    }
    const content = { seq, storeMark, createdMs: nowMs, currentYear, replacesLayers: true };
    await publication.commit({ ...content, symbols, quotes, directory });
  } finally {
    await publication.abandon();
  }
}

function publishedSeries(published: PublishedVersion, name: string): DerivedSeries {
  return {
    '1d': seriesRows(published, name, '1d'),
    '1w': seriesRows(published, name, '1w'),
    '1M': seriesRows(published, name, '1M'),
  };
}
