/** Company facts in the SEC's shape, built from a few lines a filing. */

import { dayFromDate } from '../../../../../src/base/time/dates.ts';
import {
  type CompanyRows,
  companyRows,
} from '../../../../../src/ingest/vendors/sec/company-rows.ts';
import { parseCompanyFacts } from '../../../../../src/ingest/vendors/sec/concepts/parse-companyfacts.ts';

export interface TestFact {
  concept: string;
  unit?: string;
  start?: string;
  end: string;
  val: number;
}

export interface TestFiling {
  form?: string;
  filed: string;
  fy?: number;
  fp?: string;
  facts: TestFact[];
}

export const day = dayFromDate;

/** The accession number of the nth filing. */
export const accessionOf = (nth: number) => `0000000001-26-${String(nth).padStart(6, '0')}`;

/** Concepts are us-gaap and amounts are in USD, unless the fact has its own. */
export function factsJson(filings: readonly TestFiling[]): unknown {
  const facts: Record<string, Record<string, { units: Record<string, unknown[]> }>> = {};
  for (const [nth, { form = '10-K', filed, fy, fp, facts: list }] of filings.entries()) {
    for (const { concept, unit = 'USD', ...fact } of list) {
      const [taxonomy, name] = concept.includes(':') ? concept.split(':') : ['us-gaap', concept];
      facts[taxonomy] ??= {};
      facts[taxonomy][name] ??= { units: {} };
      facts[taxonomy][name].units[unit] ??= [];
      facts[taxonomy][name].units[unit].push({
        ...fact,
        accn: accessionOf(nth),
        fy,
        fp,
        form,
        filed,
      });
    }
  }
  return { cik: 1, entityName: 'Test Corp', facts };
}

export function rowsOf(
  filings: readonly TestFiling[],
  acceptedMs: ReadonlyMap<string, number> = new Map(),
): CompanyRows {
  return companyRows(parseCompanyFacts(factsJson(filings)), acceptedMs);
}

/** An income statement's figures of one period. */
export function income(start: string, end: string, figures: Record<string, number>): TestFact[] {
  return Object.entries(figures).map(([concept, val]) => {
    const unit = concept.startsWith('EarningsPer')
      ? 'USD/shares'
      : concept.startsWith('Weighted')
        ? 'shares'
        : 'USD';
    return { concept, unit, start, end, val };
  });
}

/** A balance sheet's figures of one day. */
export function balance(end: string, figures: Record<string, number>): TestFact[] {
  return Object.entries(figures).map(([concept, val]) => ({ concept, end, val }));
}
