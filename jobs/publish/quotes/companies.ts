/** Publishes facts of companies: changed ones from the store, all others as published. */

import { isDeepStrictEqual } from 'node:util';
import type { Split } from '../../../src/base/bars.ts';
import type { DatasetRow } from '../../../src/base/datasets/dataset.ts';
import { shares, statements } from '../../../src/base/datasets/filings.ts';
import type { DirectoryRow } from '../../../src/base/directory-row.ts';
import { dayFromMillis } from '../../../src/base/time/dates.ts';
import {
  type CompanyFacts,
  companyFacts,
  declaredYield,
  marketCap,
  peRatio,
  type ShareRow,
} from '../../../src/compute/companies/company-facts.ts';
import type { StatementRow } from '../../../src/compute/companies/trailing-statements.ts';
import type { PublishedVersion } from '../../../src/store/arrow/read/published-version.ts';
import type { QuoteData } from '../../../src/store/arrow/snapshot/quote.ts';
import type { SymbolFacts } from '../../../src/store/arrow/snapshot/symbol-directory.ts';
import type {
  Companies,
  Publication,
  PublicationContent,
} from '../../../src/store/arrow/write/publication.ts';
import { readActions } from '../../../src/store/duckdb/candles/read-actions.ts';
import type { MarketDb } from '../../../src/store/duckdb/connection/open.ts';
import { streamRows } from '../../../src/store/duckdb/rows/read-rows.ts';
import type { ListsPlan } from '../lists/publish.ts';
import { dividendYield } from './dividend-yield.ts';

/** Part of a publish plan that companies depend on. */
export interface CompaniesPlan {
  kind: string;
  published: PublishedVersion | undefined;
  directory: readonly DirectoryRow[] | undefined;
  lists: ListsPlan | undefined;
  restated: readonly string[];
}

/** Sets the company figures in quotes. @returns companies, and quotes if some figure changes. */
export async function publishCompanies(
  publication: Publication,
  market: MarketDb,
  plan: CompaniesPlan,
  next: QuotedSymbols,
): Promise<Pick<PublicationContent, 'companies' | 'quotes'>> {
  const before = publication.companies();
  const companies = await nextCompanies(market, plan, before, next);
  const isChanged = companies && setCompanyFigures(next, companies, listedTypes(plan));
  return {
    ...(companies !== before && { companies }),
    ...(isChanged && { quotes: next.quotes }),
  };
}

function listedTypes({ directory, published }: CompaniesPlan): ListedTypes {
  if (!directory) return published!.listings;
  return { symbol: directory.map(({ symbol }) => symbol), type: directory.map(({ type }) => type) };
}

/**
 * @param before Those of the published version.
 * @returns `before` itself if nothing changes.
 */
async function nextCompanies(
  market: MarketDb,
  plan: CompaniesPlan,
  before: Companies | undefined,
  next: Pick<QuotedSymbols, 'splits'>,
): Promise<Companies | undefined> {
  const { lists, published, kind } = plan;
  // Splits may differ in another store.
  const isOtherStore = kind === 'base' && !published && before;
  if (isOtherStore || (lists && !lists.changed)) return readCompanies(market);
  if (!before) return undefined;
  const filed = [statements, shares].flatMap(({ name }) => lists?.changed?.get(name) ?? []);
  const isSplit = (symbol: string) =>
    before.has(symbol) &&
    !isDeepStrictEqual(published?.directory.splits(symbol), next.splits(symbol));
  const changed = [...new Set([...filed, ...plan.restated.filter(isSplit)])];
  if (changed.length === 0) return before;
  const companies = new Map(before);
  for (const symbol of changed) companies.delete(symbol);
  for (const [symbol, facts] of await readCompanies(market, changed)) companies.set(symbol, facts);
  return new Map([...companies].sort(([a], [b]) => (a < b ? -1 : 1)));
}

async function readCompanies(market: MarketDb, symbols?: readonly string[]): Promise<Companies> {
  const actions = await readActions(market, symbols);
  const counts = new Map<string, DatasetRow[]>();
  for await (const { symbol, rows } of streamRows(market, shares, symbols)) {
    counts.set(symbol, rows);
  }
  const companies = new Map<string, CompanyFacts>();
  const add = (symbol: string, filed: DatasetRow[]) => {
    const counted = counts.get(symbol) ?? [];
    const splits = actions.get(symbol)?.splits ?? [];
    // The store has checked that rows are those of their datasets.
    const [own, reports] = [counted, filed] as unknown as [ShareRow[], StatementRow[]];
    const facts = companyFacts(own, reports, splits);
    if (Object.values(facts).some((fact) => fact !== null)) companies.set(symbol, facts);
    counts.delete(symbol);
  };
  for await (const { symbol, rows } of streamRows(market, statements, symbols)) add(symbol, rows);
  for (const symbol of [...counts.keys()]) add(symbol, []);
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

/** Kinds of securities whose prices are not those of a company's shares. */
const NOT_SHARES = new Set(['etf', 'etn', 'preferred', 'warrant', 'right', 'unit', 'note']);

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

export interface ListedTypes {
  symbol: readonly string[];
  type: readonly (string | null)[];
}

function withoutShares({ symbol, type }: ListedTypes): Set<string> {
  return new Set(symbol.filter((_, row) => NOT_SHARES.has(type[row] ?? '')));
}

function isSameColumn(a: Float64Array, b: Float64Array): boolean {
  for (let row = 0; row < a.length; row++) if (!Object.is(a[row], b[row])) return false;
  return true;
}
