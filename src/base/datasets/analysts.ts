/** Datasets of analysts: consensus, price targets, upgrades and downgrades. */

import { choice, optional, optionalChoice, required, symbol } from './columns.ts';
import type { Dataset, DatasetRow } from './dataset.ts';

export const RATINGS = ['Strong Buy', 'Buy', 'Hold', 'Sell', 'Strong Sell'] as const;

export const RATING_ACTIONS = [
  'upgrade',
  'downgrade',
  'initiate',
  'maintain',
  'reiterate',
] as const;

const COUNTS = ['strongBuy', 'buy', 'hold', 'sell', 'strongSell'] as const;
const NOT_NEGATIVE = { atLeast: 0 };
const POSITIVE = { above: 0 };
const PUBLISHED = '2026-11-19T12:30:00Z';

const PUBLISHED_RATINGS = {
  scope: 'analyst:read',
  event: 'analyst.rating_changed',
  list: { order: 'newest' },
} as const;

const isMissing = (row: DatasetRow, names: readonly string[]) =>
  names.every((name) => row[name] === null);

export const analystConsensus = {
  name: 'analyst-consensus',
  title: 'Consensus of analysts',
  table: 'analyst_consensus',
  path: 'analyst-consensus/$',
  ...PUBLISHED_RATINGS,
  columns: [
    symbol(),
    required('asOf', 'moment', 'when it was so', PUBLISHED),
    optional('strongBuy', 'integer', 'analysts who say so', '12', NOT_NEGATIVE),
    optional('buy', 'integer', 'analysts who say so', '21', NOT_NEGATIVE),
    optional('hold', 'integer', 'analysts who say so', '14', NOT_NEGATIVE),
    optional('sell', 'integer', 'analysts who say so', '2', NOT_NEGATIVE),
    optional('strongSell', 'integer', 'analysts who say so', '0', NOT_NEGATIVE),
    optionalChoice('consensus', RATINGS, 'else it is worked out from the counts', ''),
    optional('targetHigh', 'number', 'highest price target', '330', POSITIVE),
    optional('targetLow', 'number', 'lowest price target', '200', POSITIVE),
    optional('targetMean', 'number', 'mean of the price targets', '274.5', POSITIVE),
    optional('targetMedian', 'number', 'median of the price targets', '280', POSITIVE),
  ],
  key: ['symbol', 'asOf'],
  time: 'asOf',
  conflict(row: DatasetRow) {
    const { targetHigh: high, targetLow: low } = row;
    if (isMissing(row, [...COUNTS, 'consensus', 'targetHigh', 'targetLow', 'targetMean'])) {
      return 'it has neither counts nor targets';
    }
    return high !== null && low !== null && low > high
      ? 'targetLow is above targetHigh'
      : undefined;
  },
} as const satisfies Dataset;

export const analystTargets = {
  name: 'analyst-targets',
  title: 'Price targets of analysts',
  table: 'analyst_targets',
  path: 'analyst-targets/$',
  ...PUBLISHED_RATINGS,
  columns: [
    symbol(),
    required('firm', 'text', 'whose analyst', 'Morgan Stanley'),
    optional('analystName', 'text', 'who', 'Erik Woodring'),
    required('target', 'number', 'price that is expected', '305', POSITIVE),
    optional('rating', 'text', 'in the firm’s own words', 'Overweight'),
    required('publishedAt', 'moment', 'when', PUBLISHED),
  ],
  key: ['symbol', 'firm', 'analystName', 'publishedAt'],
  time: 'publishedAt',
} as const satisfies Dataset;

export const upgradesDowngrades = {
  name: 'upgrades-downgrades',
  title: 'Rating changes',
  table: 'upgrades_downgrades',
  path: 'upgrades-downgrades/$',
  ...PUBLISHED_RATINGS,
  isFile: true,
  columns: [
    symbol(),
    required('firm', 'text', 'whose analyst', 'Jefferies'),
    optional('analystName', 'text', 'who', 'Edison Lee'),
    choice('action', RATING_ACTIONS, 'what became of the rating', 'downgrade'),
    optional('fromGrade', 'text', 'in the firm’s own words', 'Hold'),
    optional('toGrade', 'text', 'in the firm’s own words', 'Underperform'),
    required('publishedAt', 'moment', 'when', PUBLISHED),
  ],
  key: ['symbol', 'firm', 'publishedAt'],
  time: 'publishedAt',
} as const satisfies Dataset;
