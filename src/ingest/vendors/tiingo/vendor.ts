import type { VendorFacts } from '../../contract/source.ts';

export const vendor: VendorFacts = {
  id: 'tiingo',
  title: 'Tiingo, daily bars of single symbols, splits and dividends',
  datasets: ['candles', 'corporate-actions'],
  history: 'whole histories, some from 1962 on, of delisted symbols too; raw',
  delay: 'the evening of the session',
  cost: 'free with an account, 50 requests an hour; paid plans ask more often',
  terms: 'https://www.tiingo.com/about/terms-of-use',
  redistribution: 'no, unless your contract says so',
  verified: 'answers recorded in 2018; not asked live',
  host: {
    id: 'TIINGO',
    title: 'Tiingo',
    url: 'https://api.tiingo.com',
    keyUrl: 'https://www.tiingo.com',
    limit: { requests: 50, windowS: 3600 },
    auth: (key) => ({ headers: { authorization: `Token ${key}` }, secrets: [key] }),
  },
  command: { description: 'daily bars of --symbols from Tiingo', needsSymbols: true },
  schedules: [
    {
      name: 'days',
      rank: 4,
      rule: { minutesAfterClose: 120 },
      isWatched: true,
      priority: 'daily',
    },
  ],
  stored: 'bars',
};
