/** Datasets of news, option expirations, earnings dates, corporate actions and securities. */

import { choice, optional, optionalChoice, required, symbol } from './columns.ts';
import { moneyFrom } from './currency.ts';
import type { Dataset, DatasetRow } from './dataset.ts';
import { isNewsId, newsId } from './news-id.ts';

export const SENTIMENTS = ['positive', 'neutral', 'negative'] as const;

export const REPORT_TIMES = ['before_market', 'after_market', 'during_market', 'unknown'] as const;

const AS_OF = '2026-11-20T22:00:00Z';

export const news = {
  name: 'news',
  title: 'News',
  table: 'news',
  path: 'news/$',
  scope: 'news:read',
  event: 'news.published',
  list: { order: 'newest', isJoined: true },
  isFile: true,
  columns: [
    optional('id', 'text', '`news_` and 26 of a to z and 0 to 9; else made from the url', ''),
    required('title', 'text', 'headline', 'Apple unveils a new chip'),
    optional('summary', 'text', 'a few sentences', 'The chip is faster, the company says.'),
    required('source', 'text', 'who published it', 'Example Wire'),
    required('url', 'text', 'where it is', 'https://example.com/apple-chip'),
    required('publishedAt', 'moment', 'when', '2026-11-19T14:30:00Z'),
    optional('symbols', 'symbols', 'tickers that it is about', 'AAPL'),
    optionalChoice(
      'sentiment',
      SENTIMENTS,
      'how it sounds; scored by title and summary where it is empty',
      'positive',
    ),
  ],
  key: ['id'],
  time: 'publishedAt',
  complete(row: DatasetRow) {
    row.id ??= typeof row.url === 'string' ? newsId(row.url) : null;
  },
  conflict({ id, url }: DatasetRow) {
    if (!isNewsId(String(id))) return 'id is not news_ and 26 lower-case letters and digits';
    return /^https?:\/\/\S+$/i.test(String(url)) ? undefined : 'url is not a web address';
  },
} as const satisfies Dataset;

export const expirations = {
  name: 'expirations',
  title: 'Option expirations',
  table: 'expirations',
  path: 'options/$/expirations',
  scope: 'options:read',
  list: { order: 'oldest' },
  columns: [
    symbol(['AAPL', 'AAPL']),
    required('asOf', 'moment', 'when it was so; rows of one moment are all there are', AS_OF),
    required('date', 'date', 'last day of the options', ['2026-11-27', '2026-12-18']),
  ],
  key: ['symbol', 'asOf', 'date'],
  time: 'asOf',
} as const satisfies Dataset;

export const earningsCalendar = {
  name: 'earnings-calendar',
  title: 'Earnings dates',
  table: 'earnings_calendar',
  path: 'earnings/calendar?symbols=$',
  scope: 'earnings:read',
  event: 'earnings.updated',
  list: { order: 'oldest', isOfAll: true },
  columns: [
    symbol(),
    optional('companyName', 'text', 'the company’s name', 'Apple Inc.'),
    required('date', 'date', 'day of the report', '2027-01-28'),
    optional('fiscalQuarter', 'text', 'the company’s own, as 2026-Q3', '2027-Q1'),
    optionalChoice('time', REPORT_TIMES, 'when on that day; `unknown` by default', 'after_market'),
    optional('epsEstimate', 'number', 'earnings per share that analysts expect', '2.65'),
    optional('revenueEstimate', 'number', 'revenue that analysts expect', '138400000000'),
    required('asOf', 'moment', 'when it was so', AS_OF),
  ],
  key: ['symbol', ['fiscalQuarter', 'date']],
  time: 'asOf',
  complete(row: DatasetRow) {
    row.time ??= 'unknown';
  },
  conflict({ fiscalQuarter }: DatasetRow) {
    if (fiscalQuarter === null || /^\d{4}-Q[1-4]$/.test(String(fiscalQuarter))) return undefined;
    return 'fiscalQuarter is not like 2026-Q3';
  },
} as const satisfies Dataset;

const ACTION_TYPES = [
  'split',
  'dividend',
  'spin-off',
  'cancelled split',
  'cancelled dividend',
] as const;

/** Splits, dividends and spin-offs; `action-spelling.ts` reads other spellings of their files. */
export const corporateActions = {
  name: 'corporate-actions',
  title: 'Splits and dividends',
  table: 'corporate_actions',
  path: 'corporate-actions/$',
  scope: 'quotes:read',
  columns: [
    symbol(['AAPL', 'AAPL']),
    choice('type', ACTION_TYPES, 'what it is', ['split', 'dividend']),
    required('exDate', 'date', 'first day on which the shares trade after it', [
      '2020-08-31',
      '2020-11-06',
    ]),
    optional('numerator', 'integer', 'of a split: new shares; or the ratio, as 4:1', ['4', ''], {
      above: 0,
    }),
    optional('denominator', 'integer', 'of a split: the old shares they are given for', ['1', ''], {
      above: 0,
    }),
    optional(
      'amount',
      'number',
      'of a dividend or spin-off: cash or value per share as declared, not adjusted for later splits',
      ['', '0.205'],
      { above: 0 },
    ),
    optional(
      'currency',
      'text',
      'of the amount, as CAD or GBX; USD by default. Other dividends are listed, not used',
      ['', 'USD'],
    ),
  ],
  key: ['symbol', 'type', 'exDate', 'numerator', 'denominator', 'amount', 'currency'],
  time: 'exDate',
  complete(row: DatasetRow) {
    if (row.type === 'split' || row.type === 'cancelled split' || typeof row.amount !== 'number')
      return;
    const money = moneyFrom(row.amount, row.currency);
    if (money) Object.assign(row, { currency: null }, money);
  },
  conflict({ type, numerator, denominator, amount, currency }: DatasetRow) {
    if (!moneyFrom(0, currency)) return 'currency is not a code like USD';
    if (type === 'cancelled split' || type === 'cancelled dividend') return undefined;
    if (type !== 'split') {
      if (amount === null) return `amount is missing, and a ${type} has one`;
      return numerator === null && denominator === null ? undefined : `a ${type} has no ratio`;
    }
    if (numerator === null) return 'numerator is missing, and a split has one';
    if (denominator === null) return 'denominator is missing, and a split has one';
    return amount === null ? undefined : 'a split has no amount';
  },
} as const satisfies Dataset;

export const EXCHANGES = ['NYSE', 'NASDAQ', 'AMEX'] as const;

export const SECURITY_TYPES = [
  'stock',
  'adr',
  'etf',
  'etn',
  'preferred',
  'warrant',
  'right',
  'unit',
  'note',
] as const;

/** Facts about securities. Files give no moment for them: they describe the present. */
export const symbols = {
  name: 'symbols',
  title: 'Names and types of symbols',
  table: 'symbols',
  scope: 'quotes:read',
  columns: [
    symbol(),
    optional('companyName', 'text', 'the company’s name', 'Apple Inc.'),
    optionalChoice('exchange', EXCHANGES, 'where it is listed', 'NASDAQ'),
    optionalChoice('type', SECURITY_TYPES, 'what kind of security it is', 'stock'),
    optional('country', 'text', 'of the company, ISO 3166 alpha-2', 'US'),
    optional('sector', 'text', 'as the screener’s filter is to know it', 'Technology'),
    optional('industry', 'text', 'likewise', 'Electronic Computers'),
    optional('cik', 'integer', 'the SEC’s number of the company', '320193', { above: 0 }),
  ],
  key: ['symbol'],
  time: 'symbol',
  conflict({ country }: DatasetRow) {
    const isCode = country === null || /^[A-Z]{2}$/.test(String(country));
    return isCode ? undefined : 'country is not two capital letters';
  },
} as const satisfies Dataset;
