/** Datasets that files may hold, in the words of people. */
export const FILE_DATASETS: Readonly<Record<string, string>> = {
  candles: 'Bars: daily, 1 or 5 minutes',
  'corporate-actions': 'Splits and dividends',
  statements: 'Statements of companies',
  'balance-sheet': 'Balance sheets',
  shares: 'Numbers of shares',
  insider: 'Insider transactions',
  news: 'News',
  'analyst-consensus': 'Consensus of analysts',
  'analyst-targets': 'Price targets of analysts',
  'upgrades-downgrades': 'Rating changes',
  expirations: 'Option expirations',
  'earnings-calendar': 'Earnings dates',
  symbols: 'Names and types of symbols',
};
