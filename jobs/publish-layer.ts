/** A publish that adds a layer: new bars as slices, changed pasts as patches. */

import { isDeepStrictEqual } from 'node:util';
import { type Basis, joinedBars } from '../src/bars.ts';
import { defaultBasis } from '../src/compute/adjust.ts';
import { dayFromMillis } from '../src/dates.ts';
import { assert } from '../src/errors.ts';
import { DAILY_INTERVALS } from '../src/intervals.ts';
import { limits } from '../src/limits.ts';
import type { MarketDb } from '../src/store/market/open.ts';
import type { LayerWriter } from '../src/store/serving/layer-writer.ts';
import { Publication } from '../src/store/serving/publication.ts';
import type { PublishedVersion } from '../src/store/serving/published-version.ts';
import { type ChangedSeries, changedSeries, wholeBars } from './changed-series.ts';
import { dailyQuote, lastRsi } from './daily-quote.ts';
import {
  type DerivedSeries,
  deriveSeries,
  IndicatorScratch,
  publishedColumns,
} from './derive-series.ts';
import { createTailDeriver } from './derive-tail.ts';
import type { PublishDeps } from './publish.ts';
import type { PublishPlan } from './publish-plan.ts';

export async function publishLayer(
  market: MarketDb,
  path: string,
  plan: PublishPlan,
  { nowMs, onProgress, onStep, signal }: PublishDeps,
): Promise<void> {
  const { published, seq, storeMark, rewritten, appended } = plan;
  assert(published, 'a layer lies over a published version');
  const { directory, manifest } = published;
  const symbols = directory.names.map((name) => directory.facts(name));
  const quotes = directory.names.map((name) => published.quote(name));
  const publication = new Publication(path, { indicatorColumns: publishedColumns, onStep });
  try {
    const scratch = new IndicatorScratch();
    const deriveTail = createTailDeriver(published);
    let done = 0;
    let hasNewFacts = false;
    for await (const changed of changedSeries(market, plan)) {
      signal?.throwIfAborted();
      const { facts, bars, firstRow } = changed;
      const number = directory.number(facts.symbol) ?? symbols.length;
      const basis = unchangedBasis(published, changed);
      if (basis === undefined) {
        const whole = wholeBars(published, changed);
        const series = deriveSeries(whole, facts, scratch);
        addPatches(publication.layer, number, series);
        quotes[number] = dailyQuote(whole, facts, lastRsi(series['1d']));
      } else {
        const series = deriveTail({ facts, basis, bars, firstRow });
        addToSlices(publication.layer, number, series);
        const before = { start: firstRow - 1, end: firstRow };
        const lastOld = published.bars(facts.symbol, '1d', before);
        quotes[number] = dailyQuote(joinedBars(lastOld, bars), facts, lastRsi(series['1d']));
      }
      hasNewFacts ||= !isDeepStrictEqual(symbols[number], facts);
      symbols[number] = facts;
      await publication.layer.settle();
      onProgress?.('publish', ++done, rewritten.length + appended.size);
    }
    await publication.commit({
      seq,
      storeMark,
      createdMs: nowMs,
      currentYear: manifest.currentYear,
      replacesLayers: false,
      symbols: hasNewFacts ? symbols : undefined,
      quotes,
      directory: plan.directory,
    });
  } finally {
    await publication.abandon();
  }
}

/**
 * The default adjustment of a series with few new bars, if all that is published of its past
 * stays true with them.
 */
function unchangedBasis(
  published: PublishedVersion,
  { facts, bars, firstRow }: ChangedSeries,
): Basis | undefined {
  const old = firstRow > 0 && published.symbol(facts.symbol);
  if (!old || bars.close.length > limits.serving.sliceRowsMax) return undefined;
  const lastBarUs = bars.timestampUs[bars.timestampUs.length - 1];
  const basis = defaultBasis({ ...facts, firstBarUs: old.firstBarUs, lastBarUs });
  const lastDay = dayFromMillis(Number(old.lastBarUs / 1000n));
  const isUnchanged =
    old.basis === facts.basis &&
    defaultBasis(old) === basis &&
    isDeepStrictEqual(old.splits, facts.splits) &&
    // A split that was announced ahead comes into force with a later bar.
    facts.splits.every(({ exDay }) => exDay <= lastDay);
  return isUnchanged ? basis : undefined;
}

function addPatches(layer: LayerWriter, symbol: number, series: DerivedSeries): void {
  for (const interval of DAILY_INTERVALS) {
    layer.addBatch(symbol, interval, 'patches', series[interval]);
  }
}

function addToSlices(layer: LayerWriter, symbol: number, series: DerivedSeries): void {
  for (const interval of DAILY_INTERVALS) layer.addToSlice(symbol, interval, series[interval]);
}
