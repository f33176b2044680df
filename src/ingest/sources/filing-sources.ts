/** Directories of symbols, and what companies and insiders file with the SEC. */

import type { Source } from '../contract/source.ts';
import { vendors } from '../http/vendors.ts';

export const filingSources: readonly Source[] = [
  {
    id: 'symbols',
    title: "Nasdaq Trader's and the SEC's directories of symbols",
    datasets: ['symbols'],
    history: 'the symbols listed today',
    delay: 'made every day',
    cost: 'free; local files, or over the network with TAPEWORKS_CONTACT',
    keyNeeded: false,
    terms:
      'https://www.nasdaqtrader.com/Trader.aspx?id=SymbolDirDefs and https://www.sec.gov/privacy',
    redistribution: 'the SEC: yes; Nasdaq Trader: see its terms',
    verified: 'real files: Nasdaq Trader of October 2019, the SEC of later',
    vendor: vendors.SEC,
    async plan(options) {
      return (await import('../directory/symbols.ts')).planSymbols(options);
    },
  },
  {
    id: 'sec',
    title: 'The SEC’s company facts and submissions: what companies filed, and who they are',
    datasets: ['statements', 'balance-sheet', 'shares', 'symbols'],
    history: 'from 2009 on, every restatement with the moment of its filing',
    delay: 'minutes by symbol; the zips of all companies nightly',
    cost: 'free with TAPEWORKS_CONTACT, 10 requests a second; local files need none',
    keyNeeded: false,
    terms: 'https://www.sec.gov/privacy',
    redistribution: 'yes',
    verified:
      'real company facts of SNOW, MRVL and GOOGL and submissions of 15 filers, of 2025 and 2026',
    vendor: vendors.SEC_DATA,
    async *fetch(options, context) {
      yield* (await import('../vendors/sec/source.ts')).fetchSec(options, context);
    },
    async plan(options) {
      return (await import('../vendors/sec/source.ts')).planSec(options);
    },
  },
  {
    id: 'form4',
    title: 'The SEC’s Forms 4 and 5, transactions of insiders',
    datasets: ['insider'],
    history: 'from 2006 on as quarterly data sets, day by day since the newest of them',
    delay: 'minutes; data sets some weeks after the quarter',
    cost: 'free with TAPEWORKS_CONTACT, 10 requests a second; local files need none',
    keyNeeded: false,
    terms: 'https://www.sec.gov/privacy',
    redistribution: 'yes',
    verified:
      'real filings, indexes and feeds of 2020 to 2025; data sets: documented columns, one real table',
    vendor: vendors.SEC,
    async *fetch(options, context) {
      yield* (await import('../vendors/form4/source.ts')).fetchForm4(options, context);
    },
    async plan(options, nowMs) {
      return (await import('../vendors/form4/plan.ts')).planForm4(options, nowMs);
    },
  },
];
