import type { VendorFacts } from '../../contract/source.ts';

export const vendor: VendorFacts = {
  id: 'finnhub',
  title:
    'Finnhub: earnings dates of all companies; consensus, upgrades and downgrades of single ones',
  datasets: ['earnings-calendar', 'analyst-consensus', 'upgrades-downgrades'],
  history: 'dates of a month back and some ahead; consensus by month; grades of years',
  delay: 'a day',
  cost: 'free with an account, 60 requests a minute; price targets and grades are paid',
  terms: 'https://finnhub.io/terms-of-service',
  redistribution: 'no, unless your contract says so',
  verified: 'unverified: documented formats only, not asked live',
  host: {
    id: 'FINNHUB',
    title: 'Finnhub',
    url: 'https://finnhub.io',
    keyUrl: 'https://finnhub.io/register',
    limit: { requests: 60, windowS: 60 },
    auth: (key) => ({ headers: { 'x-finnhub-token': key }, secrets: [key] }),
  },
  command: {
    description: 'earnings dates and, with --symbols, analyst ratings from Finnhub',
  },
  schedules: [
    { name: 'earnings dates', rank: 2, rule: { at: '07:00', on: 'days' }, priority: 'daily' },
    {
      name: 'analysts',
      rank: 2,
      rule: { at: '18:30', on: 'sessions' },
      isWatched: true,
      priority: 'daily',
    },
  ],
};
