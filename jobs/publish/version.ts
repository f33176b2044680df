/** Writes the version that a plan describes and commits it. */

import type { ModePaths } from '../../src/base/config/data-dir.ts';
import { DAILY_INTERVALS } from '../../src/base/time/intervals.ts';
import type { Checkpoints } from '../../src/compute/indicators/checkpoints.ts';
import { publishedColumns } from '../../src/compute/indicators/derive-series.ts';
import type { SavedStates } from '../../src/store/arrow/format/state-file.ts';
import { Publication, type PublicationContent } from '../../src/store/arrow/write/publication.ts';
import type { MarketDb } from '../../src/store/duckdb/connection/open.ts';
import { withSaved } from './checkpoints.ts';
import { publishIntraday } from './intraday/publish.ts';
import { publishLists } from './lists/publish.ts';
import { NextSymbols } from './next-symbols.ts';
import { changedSymbols, type PublishDeps, type PublishPlan } from './plan.ts';
import { publishCompanies } from './quotes/companies.ts';
import { lastDayOf } from './quotes/intraday-quotes.ts';
import { addChangedSeries, hasMinutes, type NextVersion, writeAllSeries } from './series.ts';

export async function publishVersion(
  market: MarketDb,
  paths: ModePaths,
  plan: PublishPlan,
  deps: PublishDeps,
): Promise<void> {
  const { kind, published, seq, storeMark, directory } = plan;
  const publication = new Publication(paths.serving, {
    indicatorColumns: publishedColumns,
    epoch: deps.epoch,
    open: published,
    isWhole: published === undefined,
  });
  const older = kind === 'base' ? undefined : published;
  const currentYear = older?.manifest.currentYear ?? new Date(deps.nowMs).getUTCFullYear();
  const next = new NextSymbols(older);
  const version = { paths, plan, publication, next, deps, currentYear };
  try {
    const series = kind === 'directory' ? undefined : await publishSeries(market, version);
    deps.signal?.throwIfAborted();
    const companies = await publishCompanies(publication, market, plan, next);
    await publication.commit({
      seq,
      storeMark,
      createdMs: deps.clock?.() ?? deps.nowMs,
      currentYear,
      replacesLayers: kind === 'base',
      directory,
      lists: await publishLists(publication, market, plan.lists),
      ...series,
      ...companies,
    });
  } finally {
    await publication.abandon();
  }
}

/** Writes daily and intraday series, and makes the symbols with their quotes. */
async function publishSeries(
  market: MarketDb,
  version: NextVersion,
): Promise<Pick<PublicationContent, 'symbols' | 'quotes' | 'states' | 'intraday'>> {
  const { plan, next } = version;
  const isBase = plan.kind === 'base';
  const { checkpoints, states } = isBase
    ? await writeAllSeries(market, version)
    : await addChangedSeries(market, version);
  // A base always says which intraday series there are.
  const intraday =
    isBase || hasMinutes(plan)
      ? await publishMinutes(market, version, checkpoints, states)
      : undefined;
  return { symbols: next.facts(), quotes: next.quotes, states, intraday };
}

/** Publishes intraday series, and the facts and quotes that follow from them. */
async function publishMinutes(
  market: MarketDb,
  { plan, publication, next, deps }: NextVersion,
  older: Checkpoints,
  states: SavedStates,
): Promise<PublicationContent['intraday']> {
  const checkpoints = withSaved(older, states, next.count);
  const { content, facts, quotes } = await publishIntraday(publication, {
    market,
    published: plan.published,
    changes: plan.intraday,
    daily: {
      changed: changedSymbols(plan),
      factsOf: (symbol) => next.factsOf(symbol),
      lastDayOf: (symbol) => lastDayOf(checkpoints, next.number(symbol)),
    },
    signal: deps.signal,
  });
  for (const known of facts) {
    const number = next.set(known);
    // Its daily bars are gone, its minutes stay.
    if (plan.kind === 'base' || !plan.removed.includes(known.symbol)) continue;
    for (const interval of DAILY_INTERVALS) publication.layer.endSeries(number, interval, 0);
  }
  for (const [symbol, quote] of quotes) {
    const number = next.number(symbol);
    if (!quote) next.remove(symbol);
    else if (number !== undefined) next.setQuote(number, quote);
  }
  return content;
}
