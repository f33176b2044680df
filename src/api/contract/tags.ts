/** Nouns that group operations, in the order of the reference page. */

export const TAGS = {
  Quotes: 'Latest prices of one symbol or up to 100.',
  Candles: 'Bars of many or all symbols in one response.',
  Files: 'Whole datasets as Parquet files.',
  'Technical analysis': 'Bars and indicators of one symbol.',
  Screener: 'Filter and sort all symbols.',
  Symbols: 'Listed symbols, splits and dividends.',
  Fundamentals: 'Income statements, balance sheets, cash flows and ratios, also as of a past date.',
  News: 'News articles with symbols and sentiment.',
  Insiders: 'Trades that officers, directors and large owners report.',
  Analysts: 'Consensus, price targets and rating changes.',
  Earnings: 'Earnings dates and estimates.',
  Options: 'Option expiration dates.',
  Backfills: 'Load data from sources and files.',
  'API keys': 'Keys of your account.',
  Usage: 'Requests, errors and tokens of your keys.',
  Webhooks: 'Events sent to your server.',
  Accounts: 'For operators: accounts, their plans and keys.',
  Service: 'Health checks and the API description.',
} as const satisfies Record<string, string>;

export type Tag = keyof typeof TAGS;
