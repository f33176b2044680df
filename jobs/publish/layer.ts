/** Publishes by adding a layer: new bars as delta batches, series with a changed past as overrides. */

import { assert } from '../../src/base/errors.ts';
import { DAILY_INTERVALS } from '../../src/base/time/intervals.ts';
import { Checkpoints } from '../../src/compute/indicators/checkpoints.ts';
import type { SavedStates } from '../../src/store/arrow/format/state-file.ts';
import type { LayerWriter } from '../../src/store/arrow/write/layer-writer.ts';
import { Publication } from '../../src/store/arrow/write/publication.ts';
import type { MarketDb } from '../../src/store/duckdb/connection/open.ts';
import { type AppendTarget, publishAppended } from './append.ts';
import { changedSeries, wholeBars } from './changed-series.ts';
import { CheckpointsToSave, openCheckpoints, withSaved } from './checkpoints.ts';
import { publishedColumns, SeriesDeriver } from './derive-series.ts';
import { type PublishedIntraday, publishIntraday } from './intraday/publish.ts';
import { publishLists } from './lists/publish.ts';
import { NextSymbols } from './next-symbols.ts';
import { changedSymbols, type PublishDeps, type PublishPlan } from './plan.ts';
import { publishCompanies } from './quotes/companies.ts';
import { dailyQuote, lastRsi } from './quotes/daily-quote.ts';
import { lastDayOf } from './quotes/daily-side.ts';
import { restatedQuote } from './quotes/restated-facts.ts';

/** For a publish of overrides only. */
const NO_CHECKPOINTS = new Checkpoints(new Float64Array(0));

export async function publishLayer(
  market: MarketDb,
  path: string,
  plan: PublishPlan,
  deps: PublishDeps,
): Promise<void> {
  const { published, seq, storeMark, appended } = plan;
  assert(published, 'a layer lies over a published version');
  const options = { indicatorColumns: publishedColumns, epoch: deps.epoch };
  const publication = new Publication(path, options);
  const next = new NextSymbols(published);
  const { layer } = publication;
  try {
    const isNeeded = appended.size > 0 || hasMinutes(plan);
    const checkpoints = isNeeded ? openCheckpoints(path, published) : NO_CHECKPOINTS;
    const notPlain = await publishAppended(market, plan, { published, next, layer, checkpoints });
    deps.onProgress?.('publish', appended.size - notPlain.size, changedSymbols(plan).size);
    const wholePlan = { ...plan, appended: notPlain };
    const states = await publishWhole(market, wholePlan, { published, next, layer }, deps);
    for (const [symbol, facts] of plan.restatedFacts) {
      next.setQuote(next.set(facts), restatedQuote(published.quote(symbol), facts));
    }
    for (const symbol of plan.removed) next.remove(symbol);
    const intraday = hasMinutes(plan)
      ? await publishMinutes(market, publication, plan, { next, checkpoints, states }, deps)
      : undefined;
    if (intraday) takeIntraday(next, layer, plan.removed, intraday);
    deps.signal?.throwIfAborted();
    const companies = await publishCompanies(publication, market, plan, next);
    await publication.commit({
      seq,
      storeMark,
      createdMs: deps.nowMs,
      currentYear: published.manifest.currentYear,
      replacesLayers: false,
      symbols: next.facts(),
      quotes: next.quotes,
      ...companies,
      states,
      directory: plan.directory,
      intraday: intraday?.content,
      lists: await publishLists(publication, market, plan.lists),
    });
  } finally {
    await publication.abandon();
  }
}

/** Derives the changed series of a plan whole. @returns their checkpoints, to be saved. */
async function publishWhole(
  market: MarketDb,
  plan: PublishPlan,
  { published, next, layer }: Omit<AppendTarget, 'checkpoints'>,
  { signal }: PublishDeps,
): Promise<SavedStates> {
  const saved = new CheckpointsToSave();
  if (plan.rewritten.length + plan.appended.size === 0) return saved.states();
  const deriver = new SeriesDeriver();
  for await (const changed of changedSeries(market, plan)) {
    signal?.throwIfAborted();
    const { facts } = changed;
    const bars = wholeBars(published, changed);
    const series = deriver.derive(bars, facts);
    const number = next.set(facts);
    for (const interval of DAILY_INTERVALS) {
      layer.addBatch(number, interval, 'patches', series[interval]);
    }
    saved.add(number, series.checkpoint);
    next.setQuote(number, dailyQuote(bars, facts, lastRsi(series['1d'])));
    await layer.settle();
  }
  return saved.states();
}

/** Returns true if there are intraday bars: their quotes depend on the daily ones. */
function hasMinutes({ published, intraday }: PublishPlan): boolean {
  return intraday.length > 0 || published?.manifest.intraday !== undefined;
}

function publishMinutes(
  market: MarketDb,
  publication: Publication,
  plan: PublishPlan,
  {
    next,
    checkpoints,
    states,
  }: { next: NextSymbols; checkpoints: Checkpoints; states: SavedStates },
  { signal }: PublishDeps,
): Promise<PublishedIntraday> {
  const nextCheckpoints = withSaved(checkpoints, states, next.count);
  return publishIntraday(publication, {
    market,
    published: plan.published,
    changes: plan.intraday,
    daily: {
      changed: changedSymbols(plan),
      factsOf: (symbol) => next.factsOf(symbol),
      lastDayOf: (symbol) => lastDayOf(nextCheckpoints, next.number(symbol)),
    },
    signal,
  });
}

function takeIntraday(
  next: NextSymbols,
  layer: LayerWriter,
  removed: readonly string[],
  { facts, quotes }: PublishedIntraday,
): void {
  for (const known of facts) {
    const number = next.set(known);
    // Its daily bars are gone, its minutes stay.
    if (!removed.includes(known.symbol)) continue;
    for (const interval of DAILY_INTERVALS) layer.endSeries(number, interval, 0);
  }
  for (const [symbol, quote] of quotes) {
    const number = next.number(symbol);
    if (!quote) next.remove(symbol);
    else if (number !== undefined) next.setQuote(number, quote);
  }
}

/** Publishes names of symbols, lists and companies; all series stay as they are. */
export async function publishDirectory(
  market: MarketDb,
  path: string,
  plan: PublishPlan,
  { nowMs, epoch }: PublishDeps,
): Promise<void> {
  const { seq, storeMark, published, directory, lists } = plan;
  const publication = new Publication(path, {
    indicatorColumns: publishedColumns,
    epoch,
    isWhole: published === undefined,
  });
  try {
    const next = published && new NextSymbols(published);
    const companies = await publishCompanies(publication, market, plan, next);
    await publication.commit({
      seq,
      storeMark,
      createdMs: nowMs,
      replacesLayers: false,
      currentYear: published?.manifest.currentYear ?? new Date(nowMs).getUTCFullYear(),
      directory,
      lists: await publishLists(publication, market, lists),
      ...companies,
    });
  } finally {
    await publication.abandon();
  }
}
