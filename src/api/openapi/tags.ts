/** The nouns by which operations are grouped, in the order in which a reader wants them. */

export const TAGS = {
  Quotes: 'The newest prices, one symbol or up to a hundred.',
  Candles: 'Bars of many symbols, or of all, in one answer.',
  'Technical analysis': 'Bars and indicators of one symbol.',
  Screener: 'Symbols that pass filters, sorted.',
  Symbols: 'What is listed, and splits and dividends.',
  Fundamentals: 'Income statements and balance sheets, as they were known.',
  News: 'Articles with symbols and sentiment.',
  Insiders: 'What officers, directors and large owners report.',
  Analysts: 'Consensus, price targets and rating changes.',
  Earnings: 'When companies report, and what is expected.',
  Options: 'Days on which options end.',
  'API keys': 'Keys of your account.',
  Usage: 'What your keys asked.',
  Webhooks: 'Events sent to your own server.',
  Accounts: 'For who runs the server: accounts, their plans and keys.',
  Service: 'Whether the server answers, and this description itself.',
} as const satisfies Record<string, string>;

export type Tag = keyof typeof TAGS;
