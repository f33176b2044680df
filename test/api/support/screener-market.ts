/** Published quotes with known figures, for screens: no bars, which a screen never reads. */

import { MILLIS_PER_DAY } from '../../../src/base/bars.ts';
import type { DirectoryRow } from '../../../src/base/directory-row.ts';
import { defaultColumns } from '../../../src/compute/indicators/catalogue.ts';
import type { Quote } from '../../../src/store/arrow/snapshot/snapshot.ts';
import { Publication } from '../../../src/store/arrow/write/publication.ts';
import { directoryRow, factsRow, quoteRow } from '../../store/arrow/support/published-rows.ts';
import { LAST_DAY, NOW_MS } from './market-fixture.ts';

export interface Company extends Partial<Quote>, Partial<Omit<DirectoryRow, 'symbol'>> {
  symbol: string;
  /** Day of the newest bar; default `LAST_DAY`. */
  day?: number;
}

const HOURS_TO_CLOSE = 21;

function quoteOf({ symbol, day = LAST_DAY, ...company }: Company): Quote {
  const { changePct = null, volume = 100, marketCap = null } = company;
  const { rsi14 = null, peRatio = null, dividendYield = null } = company;
  const timestampMs = day * MILLIS_PER_DAY + HOURS_TO_CLOSE * 3_600_000;
  const values = { changePct, volume, timestampMs, marketCap, rsi14, peRatio, dividendYield };
  return quoteRow(symbol, company.price ?? 10, values);
}

function listingOf(company: Company): DirectoryRow {
  const { symbol, companyName = null, exchange = null, type = null } = company;
  const { country = null, sector = null, industry = null } = company;
  const values = { companyName, exchange, type, country, sector, industry };
  return directoryRow(symbol, values);
}

/** @param companies In any order; their places are the symbols' numbers. */
export async function publishCompanies(
  folder: string,
  companies: readonly Company[],
  createdMs = NOW_MS,
): Promise<void> {
  const publication = new Publication(folder, {
    indicatorColumns: defaultColumns.map(({ name }) => name),
  });
  await publication.commit({
    seq: 1,
    storeMark: 'fixture',
    createdMs,
    replacesLayers: true,
    currentYear: 2026,
    symbols: companies.map(({ symbol }) => factsRow(symbol)),
    quotes: companies.map(quoteOf),
    directory: companies.map(listingOf).sort((a, b) => (a.symbol < b.symbol ? -1 : 1)),
  });
}
