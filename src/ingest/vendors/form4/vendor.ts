import type { VendorFacts } from '../../contract/source.ts';
import { SEC } from '../shared/sec.ts';

export const vendor: VendorFacts = {
  id: 'form4',
  title: 'The SEC’s Forms 4 and 5, transactions of insiders',
  datasets: ['insider'],
  history: 'from 2006 on as quarterly data sets, day by day since the newest of them',
  delay: 'minutes; data sets some weeks after the quarter',
  cost: 'free with TAPEWORKS_CONTACT, 10 requests a second; local files need none',
  terms: 'https://www.sec.gov/privacy',
  redistribution: 'yes',
  verified:
    'real filings, indexes and feeds of 2020 to 2025; data sets: documented columns, one real table',
  host: SEC,
  command: {
    description: 'insider transactions (Form 4) from the SEC or from files',
    argument: {
      name: '[paths...]',
      description: 'XML filings, submissions, quarterly data sets; folders or zips of them',
      option: 'paths',
    },
  },
  schedules: [
    {
      name: 'insiders',
      rank: 1,
      rule: { everyMinutes: 10, from: '06:00', until: '22:30' },
      sinceDays: 7,
      priority: 'daily',
    },
  ],
  stored: 'filings',
};
