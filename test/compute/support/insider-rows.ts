/** Insider transactions for tests: a sale of 100 shares at 10 unless they say otherwise. */

import { dayFromDate } from '../../../src/base/time/dates.ts';
import type { InsiderRow } from '../../../src/compute/companies/insider-summary.ts';

export function insiderTransaction(
  values: Partial<Omit<InsiderRow, 'filedAt' | 'transactionDate'>> & {
    /** Date-time with its zone. */
    filedAt?: string;
    transactionDate?: string;
  } = {},
): InsiderRow {
  const { filedAt = '2025-03-03T21:00:00Z', transactionDate = '2025-03-01', ...others } = values;
  const { shares = 100, price = 10 } = others;
  return {
    symbol: 'AAPL',
    insiderName: 'COOK TIMOTHY D',
    title: 'CEO',
    transactionType: 'sell',
    transactionCode: 'S',
    shares,
    price,
    totalValue: shares === null || price === null ? null : shares * price,
    sharesOwnedAfter: 1000,
    isDerivative: 'false',
    accession: '0000320193-25-000001',
    line: 1,
    amends: null,
    securityTitle: 'Common Stock',
    direction: 'disposed',
    ownership: 'direct',
    isPlanned: null,
    issuerCik: null,
    ...others,
    filedAt: Date.parse(filedAt),
    transactionDate: dayFromDate(transactionDate),
  };
}
