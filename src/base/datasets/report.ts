/** Columns and rules that all reports of companies by period have. */

import { MILLIS_PER_DAY } from '../bars.ts';
import { choice, optional, optionalChoice, required, symbol } from './columns.ts';
import type { DatasetRow } from './dataset.ts';

const PERIODS = ['annual', 'quarterly', 'semiannual'] as const;
export const FILED = ['2025-10-31T10:01:26Z', '2026-01-30T11:01:32Z'] as const;

/** First columns of a report. */
export const period = [
  symbol(),
  required('date', 'date', 'last day of the period', ['2025-09-27', '2025-12-27']),
  choice('period', PERIODS, 'how long it is', PERIODS),
  required('filedAt', 'moment', 'when it was filed; a restatement is a row of its own', FILED),
  optional('fiscalYear', 'integer', 'the company’s own', ['2025', '2026']),
  optional('fiscalQuarter', 'integer', '1 to 4, of a quarter', ['', '1'], {
    atLeast: 1,
    atMost: 4,
  }),
] as const;

/** Version of the store's schema that has the statements themselves first. */
const FACE_SINCE = 12;

/** Last columns of a report. */
export const filing = [
  optional('currency', 'text', 'ISO 4217 code of the amounts', 'USD'),
  optional('form', 'text', 'kind of the filing', ['10-K', '10-Q']),
  optional('accession', 'text', 'number of the filing', [
    '0000320193-25-000079',
    '0000320193-26-000006',
  ]),
  {
    ...optionalChoice('readFrom', ['face'], 'face: from the lines of the statement itself', ''),
    since: FACE_SINCE,
  },
  {
    ...optional('evidence', 'text', 'how its figures follow from the filing, as JSON', ''),
    since: FACE_SINCE,
  },
] as const;

function conflictOfPeriod(row: DatasetRow): string | undefined {
  if (row.period !== 'quarterly' && row.fiscalQuarter !== null) {
    return 'only a quarter has a fiscalQuarter';
  }
  return filedTooEarly(row);
}

export function filedTooEarly({ date, filedAt }: DatasetRow): string | undefined {
  // One day of tolerance: filedAt is in UTC, and the day ends earlier in the east.
  const isTooEarly = Number(filedAt) < (Number(date) - 1) * MILLIS_PER_DAY;
  return isTooEarly ? 'filedAt is before date' : undefined;
}

/** Rules of a report, and how it is published. */
export const REPORT = {
  // A filing's statement and its facts are two rows, which are joined when they are read.
  key: ['symbol', 'date', 'period', 'filedAt', 'readFrom'],
  time: 'filedAt',
  isComputed: ({ period }: DatasetRow) => period === 'ttm',
  conflict: conflictOfPeriod,
  scope: 'fundamentals:read',
  event: 'fundamentals.statement_created',
  list: { order: 'newest' },
  isFile: true,
} as const;
