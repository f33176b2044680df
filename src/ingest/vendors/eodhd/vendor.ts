import type { VendorFacts } from '../../contract/source.ts';

export const vendor: VendorFacts = {
  id: 'eodhd',
  title: 'EODHD, daily bars of single symbols or of a day of the US, splits and dividends',
  datasets: ['candles', 'corporate-actions'],
  history: 'a year on the free plan, 30 years and more on paid ones; raw',
  delay: 'two to three hours after the close',
  cost: 'free with an account, 20 requests a day; whole days are paid',
  terms: 'https://eodhd.com/financial-apis/terms-conditions',
  redistribution: 'no, unless your contract says so',
  verified: 'unverified: documented formats only, not asked live',
  host: {
    id: 'EODHD',
    title: 'EODHD',
    url: 'https://eodhd.com',
    keyUrl: 'https://eodhd.com/register',
    limit: { requests: 20, windowS: 86_400 },
    // It takes its key in the query only.
    auth: (key) => ({ query: { api_token: key }, secrets: [key] }),
  },
  command: { description: 'daily bars from EODHD, of --symbols or the whole US market' },
  schedules: [{ name: 'days', rank: 3, rule: { minutesAfterClose: 200 }, priority: 'daily' }],
  stored: 'bars',
};
