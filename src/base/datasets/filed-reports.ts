/** Reports that companies filed, whose figures are in the other datasets. */

import { optional, required, symbol } from './columns.ts';
import type { Dataset } from './dataset.ts';

export const filings = {
  name: 'filings',
  title: 'Filings of companies',
  table: 'filings',
  since: 12,
  path: 'filings/$',
  scope: 'fundamentals:read',
  list: { order: 'newest' },
  isFile: true,
  columns: [
    symbol(),
    required('accession', 'text', 'number of the filing', '0000320193-25-000079'),
    required('form', 'text', 'kind of the filing', '10-K'),
    optional('period', 'date', 'last day of the period that it reports on', '2025-09-27'),
    required('filedAt', 'date', 'day of filing, as the SEC counts it', '2025-10-31'),
    optional('acceptedAt', 'moment', 'when the SEC accepted it', '2025-10-31T10:01:26Z'),
    optional(
      'link',
      'text',
      'address of the filing',
      'https://www.sec.gov/Archives/edgar/data/320193/000032019325000079/0000320193-25-000079-index.htm',
    ),
  ],
  // Several sources may know a filing, and some of them its moment: the list joins their rows.
  key: ['symbol', 'accession', 'acceptedAt'],
  time: 'filedAt',
} as const satisfies Dataset;
