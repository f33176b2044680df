import type { VendorFacts } from '../../contract/source.ts';
import { FMP } from '../shared/keyed-hosts.ts';

export const vendor: VendorFacts = {
  id: 'fmp',
  title:
    'FMP: earnings dates of all companies; consensus, targets, upgrades and downgrades of single ones',
  datasets: ['earnings-calendar', 'analyst-consensus', 'analyst-targets', 'upgrades-downgrades'],
  history: 'years of grades and targets; dates from 1985 on by plan',
  delay: 'a day',
  cost: 'free with an account, 250 requests a day, of some large companies; the rest is paid',
  terms: 'https://site.financialmodelingprep.com/terms-of-service',
  redistribution: 'no, unless your contract says so',
  verified: 'unverified: documented formats only, not asked live',
  host: FMP,
  command: { description: 'earnings dates and, with --symbols, analyst ratings from FMP' },
  schedules: [
    { name: 'earnings dates', rank: 1, rule: { at: '07:00', on: 'days' }, priority: 'daily' },
    {
      name: 'analysts',
      rank: 1,
      rule: { at: '18:30', on: 'sessions' },
      isWatched: true,
      priority: 'daily',
    },
  ],
};
