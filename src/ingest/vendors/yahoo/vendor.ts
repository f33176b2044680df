import type { VendorFacts } from '../../contract/source.ts';

export const vendor: VendorFacts = {
  id: 'yahoo',
  title: 'Yahoo Finance: daily bars, splits, dividends; analysts, earnings dates, expirations',
  datasets: [
    'candles',
    'corporate-actions',
    'analyst-consensus',
    'upgrades-downgrades',
    'earnings-calendar',
    'expirations',
  ],
  history: 'whole histories of listed symbols; nothing of delisted ones',
  delay: 'the session is complete after its close',
  cost: 'free, unofficial; a few symbols, when it lets you: it refuses unknown clients for days',
  terms: 'https://legal.yahoo.com/us/en/yahoo/terms/otos/index.html',
  redistribution: 'no',
  verified: 'recorded answers; not asked live by the tests',
  host: {
    id: 'YAHOO',
    title: 'Yahoo',
    url: 'https://query2.finance.yahoo.com',
    // A person's pace: it answers tens of symbols and then refuses for hours.
    limit: { requests: 2, windowS: 1 },
  },
  command: {
    description: 'daily bars, analysts or option expirations of --symbols from Yahoo',
    needsSymbols: true,
    argument: {
      name: '[rows]',
      description: 'data to load (default: candles)',
      choices: ['candles', 'analysts', 'expirations'],
      option: 'dataset',
    },
  },
  schedules: [
    {
      name: 'days',
      rank: 5,
      rule: { minutesAfterClose: 30 },
      isWatched: true,
      priority: 'daily',
    },
    {
      name: 'analysts',
      rank: 3,
      rule: { at: '18:30', on: 'sessions' },
      options: { dataset: 'analysts' },
      isWatched: true,
      priority: 'daily',
    },
    {
      name: 'expirations',
      rank: 2,
      rule: { at: '17:30', on: 'sessions' },
      options: { dataset: 'expirations' },
      isWatched: true,
      priority: 'daily',
    },
  ],
  stored: 'bars',
};
