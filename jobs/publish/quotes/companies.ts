/** What a publish knows of companies: of changed ones from the store, of all others as published. */

import { isDeepStrictEqual } from 'node:util';
import type { DatasetRow } from '../../../src/base/datasets/datasets.ts';
import { shares, statements } from '../../../src/base/datasets/filings.ts';
import {
  type CompanyFacts,
  companyFacts,
  type ShareRow,
} from '../../../src/compute/companies/company-facts.ts';
import type { StatementRow } from '../../../src/compute/companies/trailing-statements.ts';
import type { Companies } from '../../../src/store/arrow/snapshot/companies-table.ts';
import type {
  Publication,
  PublicationContent,
} from '../../../src/store/arrow/write/publication.ts';
import { readActions } from '../../../src/store/duckdb/candles/read-actions.ts';
import type { MarketDb } from '../../../src/store/duckdb/connection/open.ts';
import { streamRows } from '../../../src/store/duckdb/rows/read-rows.ts';
import type { PublishPlan } from '../publish-plan.ts';
import { type ListedTypes, type QuotedSymbols, setCompanyFigures } from './company-quotes.ts';

/**
 * What the commit is to be told of companies, and of quotes, whose figures of companies are then
 * set.
 *
 * @param next The symbols of the publish with all else that their quotes say; undefined while there
 *   are no symbols.
 * @returns quotes only where some figure changes.
 */
export async function publishCompanies(
  publication: Publication,
  market: MarketDb,
  plan: PublishPlan,
  next: QuotedSymbols | undefined,
): Promise<Pick<PublicationContent, 'companies' | 'quotes'>> {
  const before = publication.companies();
  const companies = await nextCompanies(market, plan, before, next);
  const isChanged = companies && next && setCompanyFigures(next, companies, listedTypes(plan));
  return {
    ...(companies !== before && { companies }),
    ...(isChanged && { quotes: next.quotes }),
  };
}

function listedTypes({ directory, published }: PublishPlan): ListedTypes {
  if (!directory) return published!.listings;
  return { symbol: directory.map(({ symbol }) => symbol), type: directory.map(({ type }) => type) };
}

/**
 * Companies as they are to be published.
 *
 * @param before As they are published.
 * @param next Symbols of the publish, whose splits are those to come; undefined without any.
 * @returns `before` itself where nothing changes.
 */
async function nextCompanies(
  market: MarketDb,
  plan: PublishPlan,
  before: Companies | undefined,
  next: Pick<QuotedSymbols, 'splits'> | undefined,
): Promise<Companies | undefined> {
  const { lists, published, kind } = plan;
  // Splits in another store may be others.
  const isOtherStore = kind === 'base' && !published && before;
  if (isOtherStore || (lists && !lists.changed)) return readCompanies(market);
  if (!before) return undefined;
  const filed = [statements, shares].flatMap(({ name }) => lists?.changed?.get(name) ?? []);
  const isSplit = (symbol: string) =>
    before.has(symbol) &&
    !isDeepStrictEqual(published?.directory.splits(symbol), next?.splits(symbol));
  const split = next ? plan.restated.filter(isSplit) : [];
  const changed = [...new Set([...filed, ...split])];
  if (changed.length === 0) return before;
  const companies = new Map(before);
  for (const symbol of changed) companies.delete(symbol);
  for (const [symbol, facts] of await readCompanies(market, changed)) companies.set(symbol, facts);
  return new Map([...companies].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** @param symbols Only these; default all. */
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
    // The rows are those of their datasets, as the store has checked them.
    const [own, reports] = [counted, filed] as unknown as [ShareRow[], StatementRow[]];
    const facts = companyFacts(own, reports, splits);
    if (Object.values(facts).some((fact) => fact !== null)) companies.set(symbol, facts);
    counts.delete(symbol);
  };
  for await (const { symbol, rows } of streamRows(market, statements, symbols)) add(symbol, rows);
  for (const symbol of [...counts.keys()]) add(symbol, []);
  return new Map([...companies].sort(([a], [b]) => (a < b ? -1 : 1)));
}
