import type { VendorFacts } from '../../contract/source.ts';

export const vendor: VendorFacts = {
  id: 'nasdaq',
  title: "Nasdaq's earnings calendar, of its own pages",
  datasets: ['earnings-calendar'],
  history: 'from 2010 on, and some months ahead; estimates of earnings, none of revenue',
  delay: 'minutes',
  cost: 'free, undocumented; refused without the headers of a browser',
  terms: 'https://www.nasdaq.com/legal',
  redistribution: 'no',
  verified: 'unverified: answers as clients of it describe them, not asked live',
  host: {
    id: 'NASDAQ',
    title: 'Nasdaq',
    url: 'https://api.nasdaq.com',
    // It serves its own pages: requests come at a person's pace.
    limit: { requests: 1, windowS: 1 },
  },
  command: { description: 'earnings dates from Nasdaq (default: the next 30 days)' },
  schedules: [
    { name: 'earnings dates', rank: 3, rule: { at: '07:00', on: 'days' }, priority: 'daily' },
  ],
  stored: 'year ends',
};
