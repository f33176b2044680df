/** Vendors of news, earnings dates, expirations and opinions of analysts. */

import type { Source } from '../contract/source.ts';
import { vendors } from '../http/vendors.ts';

export const rowSources: readonly Source[] = [
  {
    id: 'rss',
    title: 'News feeds, RSS and Atom, of any site',
    datasets: ['news'],
    history: 'what a feed holds, some 20 to 100 articles: news from the day it starts',
    delay: 'minutes, as the site writes its feed',
    cost: 'free',
    keyNeeded: false,
    terms: 'those of each site; Yahoo: https://legal.yahoo.com/us/en/yahoo/terms/otos/index.html',
    redistribution: 'no, unless the site says so',
    verified: "the SEC's Atom feeds, recorded; other formats after their specifications",
    vendor: vendors.RSS,
    async plan(options) {
      return (await import('../vendors/rss/source.ts')).planRss(options);
    },
    async *fetch(options, context) {
      yield* (await import('../vendors/rss/source.ts')).fetchRss(options, context);
    },
  },
  {
    id: 'nasdaq',
    title: "Nasdaq's earnings calendar, of its own pages",
    datasets: ['earnings-calendar'],
    history: 'from 2010 on, and some months ahead; estimates of earnings, none of revenue',
    delay: 'minutes',
    cost: 'free, undocumented; refused without the headers of a browser',
    keyNeeded: false,
    terms: 'https://www.nasdaq.com/legal',
    redistribution: 'no',
    verified: 'unverified: answers as clients of it describe them, not asked live',
    vendor: vendors.NASDAQ,
    async plan(options, nowMs) {
      return (await import('../vendors/nasdaq/source.ts')).planNasdaq(options, nowMs);
    },
    async *fetch(options, context) {
      yield* (await import('../vendors/nasdaq/source.ts')).fetchNasdaq(options, context);
    },
  },
  {
    id: 'cboe',
    title: "Cboe's delayed quotes: expiration days of options",
    datasets: ['expirations'],
    history: 'what is traded now',
    delay: '15 minutes',
    cost: 'free',
    keyNeeded: false,
    terms: 'https://www.cboe.com/us_disclaimers/',
    redistribution: 'no',
    verified: 'unverified: answers as clients of it describe them, not asked live',
    vendor: vendors.CBOE,
    async plan(options) {
      return (await import('../vendors/cboe/source.ts')).planCboe(options);
    },
    async *fetch(options, context) {
      yield* (await import('../vendors/cboe/source.ts')).fetchCboe(options, context);
    },
  },
  {
    id: 'finnhub',
    title:
      'Finnhub: earnings dates of all companies; consensus, upgrades and downgrades of single ones',
    datasets: ['earnings-calendar', 'analyst-consensus', 'upgrades-downgrades'],
    history: 'dates of a month back and some ahead; consensus by month; grades of years',
    delay: 'a day',
    cost: 'free with an account, 60 requests a minute; price targets and grades are paid',
    keyNeeded: true,
    terms: 'https://finnhub.io/terms-of-service',
    redistribution: 'no, unless your contract says so',
    verified: 'unverified: documented formats only, not asked live',
    vendor: vendors.FINNHUB,
    async plan(options, nowMs) {
      return (await import('../vendors/finnhub/source.ts')).planFinnhub(options, nowMs);
    },
    async *fetch(options, context) {
      yield* (await import('../vendors/finnhub/source.ts')).fetchFinnhub(options, context);
    },
  },
  {
    id: 'fmp',
    title:
      'FMP: earnings dates of all companies; consensus, targets, upgrades and downgrades of single ones',
    datasets: ['earnings-calendar', 'analyst-consensus', 'analyst-targets', 'upgrades-downgrades'],
    history: 'years of grades and targets; dates from 1985 on by plan',
    delay: 'a day',
    cost: 'free with an account, 250 requests a day, of some large companies; the rest is paid',
    keyNeeded: true,
    terms: 'https://site.financialmodelingprep.com/terms-of-service',
    redistribution: 'no, unless your contract says so',
    verified: 'unverified: documented formats only, not asked live',
    vendor: vendors.FMP,
    async plan(options, nowMs) {
      return (await import('../vendors/fmp/source.ts')).planFmp(options, nowMs);
    },
    async *fetch(options, context) {
      yield* (await import('../vendors/fmp/source.ts')).fetchFmp(options, context);
    },
  },
];
