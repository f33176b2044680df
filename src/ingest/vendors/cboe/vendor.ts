import type { VendorFacts } from '../../contract/source.ts';

export const vendor: VendorFacts = {
  id: 'cboe',
  title: "Cboe's delayed quotes: expiration days of options",
  datasets: ['expirations'],
  history: 'what is traded now',
  delay: '15 minutes',
  cost: 'free',
  terms: 'https://www.cboe.com/us_disclaimers/',
  redistribution: 'no',
  verified: 'unverified: answers as clients of it describe them, not asked live',
  host: {
    id: 'CBOE',
    title: 'Cboe',
    url: 'https://cdn.cboe.com',
    limit: { requests: 2, windowS: 1 },
  },
  command: { description: 'option expirations of --symbols from Cboe', needsSymbols: true },
  schedules: [
    {
      name: 'expirations',
      rank: 1,
      rule: { at: '17:30', on: 'sessions' },
      isWatched: true,
      priority: 'daily',
    },
  ],
};
