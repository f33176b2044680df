/** Publishes by writing all series: the first publish, and one that changes many series. */

import type { ModePaths } from '../../src/base/config/data-dir.ts';
import { DAILY_INTERVALS, type DailyInterval } from '../../src/base/time/intervals.ts';
import { Checkpoints } from '../../src/compute/indicators/checkpoints.ts';
import type { PublishedVersion } from '../../src/store/arrow/read/published-version.ts';
import { quoteColumns } from '../../src/store/arrow/snapshot/quote.ts';
import type { Quote } from '../../src/store/arrow/snapshot/snapshot.ts';
import type { SymbolFacts } from '../../src/store/arrow/snapshot/symbol-directory.ts';
import { addToBase } from '../../src/store/arrow/write/base-series.ts';
import { seriesRows } from '../../src/store/arrow/write/compact.ts';
import { Publication, type PublicationContent } from '../../src/store/arrow/write/publication.ts';
import type { SeriesRows } from '../../src/store/arrow/write/volume-writer.ts';
import type { MarketDb } from '../../src/store/duckdb/connection/open.ts';
import { changedSeries, wholeBars } from './changed-series.ts';
import { CheckpointsToSave, openCheckpoints } from './checkpoints.ts';
import { type DerivedSeries, publishedColumns, SeriesDeriver } from './derive-series.ts';
import { publishIntraday } from './intraday/publish.ts';
import { publishLists } from './lists/publish.ts';
import { GAP } from './next-symbols.ts';
import { changedSymbols, type PublishDeps, type PublishPlan } from './plan.ts';
import { publishCompanies } from './quotes/companies.ts';
import type { QuotedSymbols } from './quotes/company-quotes.ts';
import { dailyQuote, lastRsi } from './quotes/daily-quote.ts';
import { lastDayOf } from './quotes/daily-side.ts';
import { restatedQuote } from './quotes/restated-facts.ts';

/** Symbols by number, with their quotes. */
interface Listed {
  symbols: SymbolFacts[];
  quotes: (Quote | undefined)[];
}

/** Reads changed series from the market store and copies all others from the published version. */
export async function publishBase(
  market: MarketDb,
  paths: ModePaths,
  plan: PublishPlan,
  { nowMs, onProgress, epoch, signal }: PublishDeps,
): Promise<void> {
  const { published, seq, storeMark, directory } = plan;
  const changed = changedSymbols(plan);
  const others = published?.directory.sortedNames.filter((name) => !changed.has(name)) ?? [];
  const oldCheckpoints = published && openCheckpoints(paths.serving, published);
  const checkpoints = new CheckpointsToSave();
  const currentYear = new Date(nowMs).getUTCFullYear();
  const symbols: SymbolFacts[] = [];
  const quotes: (Quote | undefined)[] = [];
  const publication = new Publication(paths.serving, {
    indicatorColumns: publishedColumns,
    epoch,
    isWhole: published === undefined,
  });
  const add = async (facts: SymbolFacts, series: DerivedSeries, quote: Quote | undefined) => {
    signal?.throwIfAborted();
    const number = symbols.push(facts) - 1;
    quotes.push(quote);
    checkpoints.add(number, series.checkpoint);
    for (const interval of DAILY_INTERVALS) {
      addToBase(publication.layer, number, interval, series[interval], currentYear);
    }
    await publication.layer.settle();
    onProgress?.('publish', symbols.length, changed.size + others.length);
  };
  try {
    const deriver = new SeriesDeriver();
    for await (const changed of changedSeries(market, plan)) {
      const { facts } = changed;
      const bars = wholeBars(published, changed);
      const series = deriver.derive(bars, facts);
      await add(facts, series, dailyQuote(bars, facts, lastRsi(series['1d'])));
    }
    for (const name of others) {
      const { directory } = published!;
      const checkpoint = oldCheckpoints!.row(directory.number(name)!);
      const series = { ...publishedSeries(published!, name), checkpoint };
      const quote = published!.quote(name);
      const facts = plan.restatedFacts.get(name);
      await add(
        facts ?? directory.facts(name),
        series,
        facts ? restatedQuote(quote, facts) : quote,
      );
    }
    const states = checkpoints.states();
    const minutes = await publishMinutes(market, publication, plan, {
      symbols,
      quotes,
      checkpoints: new Checkpoints(states.rows),
      signal,
    });
    const content = { seq, storeMark, createdMs: nowMs, currentYear, replacesLayers: true };
    const lists = await publishLists(publication, market, plan.lists);
    const next = quotedSymbols(minutes);
    const companies = await publishCompanies(publication, market, plan, next);
    await publication.commit({
      ...content,
      ...minutes,
      quotes: next.quotes,
      ...companies,
      directory,
      states,
      lists,
    });
  } finally {
    await publication.abandon();
  }
}

function quotedSymbols({ symbols, quotes }: Listed): QuotedSymbols {
  const numbers = new Map(symbols.map(({ symbol }, number) => [symbol, number]));
  return {
    quotes: quoteColumns(quotes),
    number: (symbol) => numbers.get(symbol),
    splits: (symbol) => symbols[numbers.get(symbol) ?? -1]?.splits ?? [],
    coveredFacts: (number) => (symbols[number].actionCoverage ? symbols[number] : undefined),
  };
}

/** Adds the intraday series, the symbols that have nothing else, and the quotes they change. */
async function publishMinutes(
  market: MarketDb,
  publication: Publication,
  plan: PublishPlan,
  daily: {
    symbols: readonly SymbolFacts[];
    quotes: readonly (Quote | undefined)[];
    checkpoints: Checkpoints;
    signal?: AbortSignal;
  },
): Promise<Listed & Pick<PublicationContent, 'intraday'>> {
  const { checkpoints, signal } = daily;
  const symbols = [...daily.symbols];
  const numbers = new Map(symbols.map(({ symbol }, number) => [symbol, number]));
  const { content, facts, quotes } = await publishIntraday(publication, {
    market,
    published: plan.published,
    changes: plan.intraday,
    daily: {
      changed: changedSymbols(plan),
      factsOf: (symbol) => symbols[numbers.get(symbol) ?? -1],
      lastDayOf: (symbol) => lastDayOf(checkpoints, numbers.get(symbol)),
    },
    signal,
  });
  for (const known of facts) {
    const number = numbers.get(known.symbol) ?? symbols.length;
    numbers.set(known.symbol, number);
    symbols[number] = known;
  }
  const byNumber = symbols.map(({ symbol }, number) =>
    quotes.has(symbol) ? quotes.get(symbol) : daily.quotes[number],
  );
  const listed = symbols.map((known, number) => (byNumber[number] ? known : GAP));
  return { symbols: listed, quotes: byNumber, intraday: content };
}

function publishedSeries(
  published: PublishedVersion,
  name: string,
): Record<DailyInterval, SeriesRows> {
  return {
    '1d': seriesRows(published, name, '1d'),
    '1w': seriesRows(published, name, '1w'),
    '1M': seriesRows(published, name, '1M'),
  };
}
