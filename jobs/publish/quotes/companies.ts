/** Publishes facts of companies: changed ones from the store, all others as published. */

import { isDeepStrictEqual } from 'node:util';
import type { Split } from '../../../src/base/bars.ts';
import type { DirectoryRow } from '../../../src/base/directory-row.ts';
import { dayFromMillis } from '../../../src/base/time/dates.ts';
import {
  type CompanyFacts,
  declaredYield,
  isPriced,
  marketCap,
  newestFacts,
  peRatio,
} from '../../../src/compute/companies/company-facts.ts';
import { companyHistory } from '../../../src/compute/companies/company-history.ts';
import { dividendYield } from '../../../src/compute/companies/dividend-yield.ts';
import { isReadable } from '../../../src/store/arrow/figures/company-figures.ts';
import { mergeFigures, type NewFigures } from '../../../src/store/arrow/figures/merge.ts';
import type { PublishedVersion } from '../../../src/store/arrow/read/published-version.ts';
import { directoryColumns, listedRows } from '../../../src/store/arrow/snapshot/directory-table.ts';
import type { QuoteData } from '../../../src/store/arrow/snapshot/quote.ts';
import type { Listings } from '../../../src/store/arrow/snapshot/snapshot.ts';
import type { SymbolFacts } from '../../../src/store/arrow/snapshot/symbol-directory.ts';
import type {
  Companies,
  Publication,
  PublicationContent,
} from '../../../src/store/arrow/write/publication.ts';
import { readActions } from '../../../src/store/duckdb/candles/read-actions.ts';
import type { MarketDb } from '../../../src/store/duckdb/connection/open.ts';
import {
  FILED_DATASETS,
  readReceipts,
  streamFilings,
  symbolsWithFilings,
} from '../../../src/store/duckdb/rows/read-filings.ts';
import type { ListsPlan } from '../lists/publish.ts';
import { ShareClasses } from './share-classes.ts';

/** Part of a publish plan that companies depend on. */
export interface CompaniesPlan {
  kind: string;
  published: PublishedVersion | undefined;
  directory: readonly DirectoryRow[] | undefined;
  lists: ListsPlan | undefined;
  restated: readonly string[];
}

type CompaniesContent = Pick<PublicationContent, 'companies' | 'quotes' | 'figureLayersKept'>;

/** Sets the company figures in quotes. @returns what changes. */
export async function publishCompanies(
  publication: Publication,
  market: MarketDb,
  plan: CompaniesPlan,
  next: QuotedSymbols,
): Promise<CompaniesContent> {
  const before = publication.companies();
  const { companies, figureLayersKept } = await nextCompanies(
    publication,
    market,
    { ...plan, before },
    next,
  );
  const listed = companies && { ...listingsOf(plan), receipts: await readReceipts(market) };
  const isChanged = listed && setCompanyFigures(next, companies, listed);
  return {
    ...(companies && companies !== before && { companies }),
    ...(figureLayersKept !== undefined && { figureLayersKept }),
    ...(isChanged && { quotes: next.quotes }),
  };
}

function listingsOf({ directory, published }: CompaniesPlan): Listings {
  return directory ? directoryColumns(directory) : published!.listings;
}

/**
 * Writes the figures of companies that change.
 *
 * @param plan `before` has the companies of the published version.
 * @returns The companies of the next version; `before` itself if none changes.
 */
async function nextCompanies(
  publication: Publication,
  market: MarketDb,
  plan: CompaniesPlan & { before: Companies | undefined },
  next: QuotedSymbols,
): Promise<Pick<CompaniesContent, 'companies' | 'figureLayersKept'>> {
  const { lists, published, kind, restated, before } = plan;
  const classes = new ShareClasses(listingsOf(plan), next);
  // Splits may differ in another store.
  const isOtherStore = kind === 'base' && !published && before;
  if (isOtherStore || (lists && !lists.changed))
    return writeAllCompanies(publication, market, classes);
  if (!before) return {};
  // A version of an older program has no figures, or fewer.
  if (!published?.manifest.figures?.every(isReadable))
    return writeAllCompanies(publication, market, classes);
  const filed = FILED_DATASETS.flatMap(({ name }) => lists?.changed?.get(name) ?? []);
  const receipts = lists?.changed?.has('values') ? [...(await readReceipts(market))] : [];
  const isSplit = (symbol: string) =>
    before.has(symbol) &&
    !isDeepStrictEqual(published.directory.splits(symbol), next.splits(symbol));
  const ofClass = classes.changed(published.figures);
  // A directory says whether the ticker of a foreign company is a share.
  const rows = listedRows(published.listings);
  const isTyped = ({ symbol, type }: DirectoryRow) =>
    type && published.listings.type[rows.get(symbol) ?? -1] !== type;
  const typed = new Set((plan.directory ?? []).filter(isTyped).map(({ symbol }) => symbol));
  const ofType =
    typed.size > 0 ? (await symbolsWithFilings(market)).filter((one) => typed.has(one)) : [];
  const changed = [
    ...new Set([...filed, ...receipts, ...ofClass, ...ofType, ...restated.filter(isSplit)]),
  ];
  if (changed.length === 0) return { companies: before };
  const companies = new Map(before);
  for (const symbol of changed) companies.delete(symbol);
  const histories = withFacts(streamHistories(market, classes, changed), companies);
  const writer = publication.openFigures();
  const figureLayersKept = await mergeFigures(writer, published.figures, changed, histories);
  return { companies: ascending(companies), figureLayersKept };
}

async function writeAllCompanies(
  publication: Publication,
  market: MarketDb,
  classes: ShareClasses,
): Promise<Pick<CompaniesContent, 'companies' | 'figureLayersKept'>> {
  const companies = new Map<string, CompanyFacts>();
  const writer = publication.openFigures();
  for await (const { symbol, history } of withFacts(streamHistories(market, classes), companies)) {
    if (history.length > 0) writer.add(symbol, history);
    await writer.settle();
  }
  return { companies: ascending(companies), figureLayersKept: 0 };
}

async function* streamHistories(
  market: MarketDb,
  classes: ShareClasses,
  symbols?: readonly string[],
): AsyncGenerator<NewFigures> {
  const actions = await readActions(market, symbols);
  for await (const { symbol, ...filings } of streamFilings(market, symbols)) {
    const history = companyHistory(filings, actions.get(symbol)?.splits ?? []);
    yield { symbol, history: classes.marked(symbol, history) };
  }
}

/** Passes histories on, and adds the facts that they state to `companies`. */
async function* withFacts(
  histories: AsyncIterable<NewFigures>,
  companies: Map<string, CompanyFacts>,
): AsyncGenerator<NewFigures> {
  for await (const one of histories) {
    const facts = newestFacts(one.history);
    if (Object.values(facts).some((fact) => fact !== null)) companies.set(one.symbol, facts);
    yield one;
  }
}

function ascending(companies: Map<string, CompanyFacts>): Companies {
  return new Map([...companies].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Symbols of a publish. */
export interface QuotedSymbols {
  /** By symbol number. */
  readonly quotes: QuoteData;
  number(symbol: string): number | undefined;
  splits(symbol: string): readonly Split[];
  /** Returns undefined if splits and dividends are not known. */
  coveredFacts(number: number): SymbolFacts | undefined;
}

/**
 * Sets market caps, price-earnings ratios and dividend yields of all quotes. A yield comes from
 * corporate actions, or from statements if the actions of the year are not known.
 *
 * @returns true if any figure changed.
 */
export function setCompanyFigures(
  symbols: QuotedSymbols,
  companies: Companies,
  listed: ListedTypes,
): boolean {
  const { quotes } = symbols;
  const { marketCap: caps, peRatio: ratios, dividendYield: yields } = quotes;
  const { price: prices, timestamp: timestamps } = quotes;
  const before = [caps.slice(), ratios.slice(), yields.slice()];
  caps.fill(Number.NaN);
  ratios.fill(Number.NaN);
  const without = withoutShares(listed);
  for (const [symbol, facts] of companies) {
    const row = symbols.number(symbol);
    if (row === undefined || Number.isNaN(prices[row]) || without.has(symbol)) continue;
    const known = symbols.splits(symbol);
    const price = prices[row];
    // A session ends on its own date in UTC.
    const day = dayFromMillis(Number(timestamps[row]) / 1000);
    caps[row] = marketCap(facts, known, price, day);
    ratios[row] = peRatio(facts, known, price, day);
    if (facts.dividends === null) continue;
    const covered = symbols.coveredFacts(row);
    yields[row] =
      (covered && dividendYield(covered, day, price)) ?? declaredYield(facts, known, price, day);
  }
  return [caps, ratios, yields].some((column, i) => !isSameColumn(before[i], column));
}

export interface ListedTypes extends Pick<Listings, 'symbol' | 'type'> {
  /** Receipts whose number of shares is known. */
  receipts: ReadonlySet<string>;
}

function withoutShares({ symbol, type, receipts }: ListedTypes): Set<string> {
  const ratioOf = (one: string) => (receipts.has(one) ? 1 : Number.NaN);
  return new Set(symbol.filter((one, row) => !isPriced(type[row], ratioOf(one))));
}

function isSameColumn(a: Float64Array, b: Float64Array): boolean {
  for (let row = 0; row < a.length; row++) if (!Object.is(a[row], b[row])) return false;
  return true;
}
