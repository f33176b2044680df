/** Publishes facts of companies: changed ones from the store, all others as published. */

import { isDeepStrictEqual } from 'node:util';
import type { DatasetRow } from '../../../src/base/datasets/dataset.ts';
import { shares, statements } from '../../../src/base/datasets/filings.ts';
import type { DirectoryRow } from '../../../src/base/directory-row.ts';
import {
  type CompanyFacts,
  companyFacts,
  type ShareRow,
} from '../../../src/compute/companies/company-facts.ts';
import type { StatementRow } from '../../../src/compute/companies/trailing-statements.ts';
import type { PublishedVersion } from '../../../src/store/arrow/read/published-version.ts';
import type { Companies } from '../../../src/store/arrow/snapshot/companies-table.ts';
import type {
  Publication,
  PublicationContent,
} from '../../../src/store/arrow/write/publication.ts';
import { readActions } from '../../../src/store/duckdb/candles/read-actions.ts';
import type { MarketDb } from '../../../src/store/duckdb/connection/open.ts';
import { streamRows } from '../../../src/store/duckdb/rows/read-rows.ts';
import type { ListsPlan } from '../lists/publish.ts';
import { type ListedTypes, type QuotedSymbols, setCompanyFigures } from './company-quotes.ts';

/** Part of a publish plan that companies depend on. */
export interface CompaniesPlan {
  kind: string;
  published: PublishedVersion | undefined;
  directory: readonly DirectoryRow[] | undefined;
  lists: ListsPlan | undefined;
  restated: readonly string[];
}

/**
 * Sets the company figures in quotes.
 *
 * @returns companies, and quotes if some figure changes.
 */
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
