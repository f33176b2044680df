/** The table of companies' figures, which quotes combine with prices. */

import type { CompanyFacts } from '../../../compute/companies/company-facts.ts';
import { NULL_INT } from '../format/batch-layout.ts';
import type { TableData, TableRow } from '../format/table-file.ts';
import type { COMPANY_TABLE } from '../format/tables.ts';

/** Figures by symbol, ascending. */
export type Companies = ReadonlyMap<string, CompanyFacts>;

export function companyTableRows(companies: Companies): TableRow<typeof COMPANY_TABLE>[] {
  return Array.from(companies, ([symbol, { sharesDay, epsDay, dividendsDay, ...figures }]) => ({
    symbol,
    ...figures,
    sharesDay: sharesDay ?? NULL_INT,
    epsDay: epsDay ?? NULL_INT,
    dividendsDay: dividendsDay ?? NULL_INT,
  }));
}

export function companiesOfTable(table: TableData<typeof COMPANY_TABLE>): Companies {
  const figure = (value: number) => (Number.isNaN(value) ? null : value);
  const day = (value: number) => (value === NULL_INT ? null : value);
  const companies = new Map<string, CompanyFacts>();
  for (let row = 0; row < table.symbol.length; row++) {
    companies.set(table.symbol[row], {
      shares: figure(table.shares[row]),
      sharesDay: day(table.sharesDay[row]),
      epsDiluted: figure(table.epsDiluted[row]),
      epsDay: day(table.epsDay[row]),
      dividends: figure(table.dividends[row]),
      dividendsDay: day(table.dividendsDay[row]),
    });
  }
  return companies;
}
