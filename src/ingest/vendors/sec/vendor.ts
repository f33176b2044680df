import { fileURLToPath } from 'node:url';
import type { VendorFacts } from '../../contract/source.ts';
import { SEC_DATA } from '../shared/sec.ts';

export const vendor: VendorFacts = {
  id: 'sec',
  title: 'The SEC’s company facts and submissions: what companies filed, and who they are',
  datasets: ['statements', 'balance-sheet', 'cash-flow', 'shares', 'filings', 'symbols'],
  history: 'from 2009 on, every restatement with the moment of its filing',
  delay: 'minutes by symbol; the zips of all companies nightly',
  cost: 'free with TAPEWORKS_CONTACT, 10 requests a second; local files need none',
  terms: 'https://www.sec.gov/privacy',
  redistribution: 'yes',
  verified: 'real company facts of ten companies and submissions of 15 filers, of 2025 and 2026',
  host: SEC_DATA,
  command: {
    description:
      'statements, balance sheets, cash flows, shares, sectors and countries from the SEC',
    argument: {
      name: '[paths...]',
      description:
        'company facts, submissions, tickers, sets of financial statements; folders or zips of them',
      option: 'paths',
    },
    bulk: 'download and load the nightly zips of all companies (3 GB)',
    statements:
      'download and load the SEC’s sets of financial statements of all companies, 100 MB a quarter: 2024q1, 2009q2..2024q1, or 2009q2.. up to the last quarter',
    sample: {
      path: fileURLToPath(new URL('./sample/files', import.meta.url)),
      description: 'load real statements of ten companies that come with the program',
    },
    misuse({ bulk, symbols, statements, paths = [] }) {
      const download = bulk ? '--bulk' : statements && '--statements';
      if (download && paths.length > 0) {
        return `${download} downloads the zips itself: leave out the paths`;
      }
      if (bulk && statements) return 'sec takes --bulk or --statements, not both';
      const isEmpty = !download && symbols === undefined && paths.length === 0;
      return isEmpty
        ? 'sec needs --symbols A,B, --bulk, --statements, --sample, or files, folders or zips'
        : undefined;
    },
  },
  schedules: [
    {
      name: 'filings',
      rank: 1,
      rule: { at: '22:30', on: 'sessions' },
      isWatched: true,
      priority: 'daily',
    },
    {
      // Too large to run by default.
      name: 'filings',
      rank: 2,
      rule: { at: '05:00', on: 'days' },
      options: { bulk: true },
      mustBeNamed: true,
      priority: 'backfill',
    },
  ],
  stored: 'tickers',
};
