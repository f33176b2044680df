/** The table of what prices of companies are held against. */

import type { CompanyFacts } from '../../compute/company-facts.ts';
import { NULL_INT } from './batch-layout.ts';
import type { TableData, TableRow } from './table-file.ts';
import type { COMPANY_TABLE } from './tables.ts';

/** By symbol, ascending. */
export type Companies = ReadonlyMap<string, CompanyFacts>;

export function companyTableRows(companies: Companies): TableRow<typeof COMPANY_TABLE>[] {
  return Array.from(companies, ([symbol, { shares, sharesDay, epsDiluted, epsDay }]) => ({
    symbol,
    shares,
    sharesDay: sharesDay ?? NULL_INT,
    epsDiluted,
    epsDay: epsDay ?? NULL_INT,
  }));
}

export function companiesOfTable(table: TableData<typeof COMPANY_TABLE>): Companies {
  const { symbol, shares, sharesDay, epsDiluted, epsDay } = table;
  const companies = new Map<string, CompanyFacts>();
  for (let row = 0; row < symbol.length; row++) {
    companies.set(symbol[row], {
      shares: Number.isNaN(shares[row]) ? null : shares[row],
      sharesDay: sharesDay[row] === NULL_INT ? null : sharesDay[row],
      epsDiluted: Number.isNaN(epsDiluted[row]) ? null : epsDiluted[row],
      epsDay: epsDay[row] === NULL_INT ? null : epsDay[row],
    });
  }
  return companies;
}
