/** Every source in one table: what it gives, what it costs, what its terms allow, how it is run. */

import { datasets, rowDatasets } from '../datasets.ts';
import type { FetchContext, Fetched } from './fetch-context.ts';
import type { FetchPlan } from './fetch-plans.ts';
import type { SourceOptions } from './source-options.ts';
import { type Vendor, vendors } from './vendors.ts';

export interface Source {
  /** Name in `backfill <source>` and in the store. */
  id: string;
  title: string;
  datasets: readonly string[];
  history: string;
  delay: string;
  cost: string;
  keyNeeded: boolean;
  /** Where the terms are, or whose they are. */
  terms: string;
  /** Whether its data may be passed on to others. */
  redistribution: string;
  /** What the connector was tried against. */
  verified: string;
  /**
   * Fetches what the options ask for. Each segment can be used until the next is asked for.
   * Undefined where a job of its own loads what it gives.
   *
   * @throws as the source's own module says.
   */
  fetch?(options: SourceOptions, context: FetchContext): AsyncIterable<Fetched>;
  /** Who is asked over the network; undefined for sources that ask nobody. */
  vendor?: Vendor;
  /**
   * What `fetch` would ask, without asking.
   *
   * @throws {ParameterError} as `fetch`.
   */
  plan?(options: SourceOptions, nowMs: number): Promise<FetchPlan>;
}

export const sources: readonly Source[] = [
  {
    id: 'stooq',
    title: 'Stooq bulk downloads, US bars of days and 5 minutes',
    datasets: ['candles'],
    history:
      'whole daily histories, some from 1970 on, 5 minutes of recent weeks; adjusted for splits and dividends',
    delay: 'as of the day of the download',
    cost: 'free; the zip is downloaded by hand, behind a CAPTCHA',
    keyNeeded: false,
    terms: 'https://stooq.com/about/',
    redistribution: 'no',
    verified: 'a real bulk file of 33 funds to July 2026',
    async *fetch(options, context) {
      yield* (await import('./sources/stooq.ts')).fetchStooq(options, context);
    },
  },
  {
    id: 'files',
    title: 'Your own CSV, JSON or Parquet files of every dataset; bars of days, 1 or 5 minutes',
    datasets: ['candles', ...datasets.map(({ name }) => name.replaceAll('-', ' '))],
    history: 'as in the files',
    delay: 'as in the files',
    cost: 'none',
    keyNeeded: false,
    terms: 'those of whoever the files come from',
    redistribution: 'as whoever the files come from allows',
    verified: 'real files of ten vendors and tools',
    async *fetch(options, context) {
      if (rowDatasets.some(({ name }) => name === options.dataset)) {
        yield* (await import('./dataset-files.ts')).fetchDatasetFiles(options, context);
      } else {
        yield* (await import('./sources/files.ts')).fetchFiles(options, context);
      }
    },
  },
  {
    id: 'yahoo',
    title: 'Yahoo Finance: daily bars, splits, dividends; analysts, earnings dates, expirations',
    datasets: [
      'candles',
      'corporate actions',
      'analyst-consensus',
      'upgrades-downgrades',
      'earnings-calendar',
      'expirations',
    ],
    history: 'whole histories of listed symbols; nothing of delisted ones',
    delay: 'the session is complete after its close',
    cost: 'free, unofficial; for tens of symbols, refused for hours when asked too often',
    keyNeeded: false,
    terms: 'https://legal.yahoo.com/us/en/yahoo/terms/otos/index.html',
    redistribution: 'no',
    verified: 'recorded answers; not asked live by the tests',
    vendor: vendors.YAHOO,
    async plan(options, nowMs) {
      return (await import('./fetch-plans.ts')).planYahoo(options, nowMs);
    },
    async *fetch(options, context) {
      yield* options.dataset === undefined
        ? (await import('./sources/yahoo.ts')).fetchYahoo(options, context)
        : (await import('./yahoo-rows.ts')).fetchYahooRows(options, context);
    },
  },
  {
    id: 'alpaca',
    title: 'Alpaca, daily and 1-minute bars of many symbols, splits and dividends',
    datasets: ['candles', 'corporate actions'],
    history: 'from 2016 on, raw, of the tape of all exchanges',
    delay: '16 minutes',
    cost: 'free with an account, 200 requests a minute; paid plans ask more often',
    keyNeeded: true,
    terms: 'https://alpaca.markets/disclosures',
    redistribution: 'no',
    verified: 'unverified: documented formats only, not asked live',
    vendor: vendors.ALPACA,
    async *fetch(options, context) {
      yield* (await import('./sources/alpaca.ts')).fetchAlpaca(options, context);
    },
    async plan(options, nowMs) {
      return (await import('./fetch-plans.ts')).planAlpaca(options, nowMs);
    },
  },
  {
    id: 'massive',
    title: 'Massive (Polygon), days of the whole market, single symbols, flat files from disk',
    datasets: ['candles', 'corporate actions'],
    history: 'two years on the free plan, from 2003 on paid ones; raw',
    delay: 'after the close; flat files the next day',
    cost: 'free with an account, 5 requests a minute; flat files and longer history are paid',
    keyNeeded: true,
    terms: 'https://massive.com/terms',
    redistribution: 'no, unless your contract says so',
    verified: 'unverified: documented formats only, not asked live',
    vendor: vendors.MASSIVE,
    async *fetch(options, context) {
      yield* (await import('./sources/massive.ts')).fetchMassive(options, context);
    },
    async plan(options, nowMs) {
      return (await import('./fetch-plans.ts')).planMassive(options, nowMs);
    },
  },
  {
    id: 'tiingo',
    title: 'Tiingo, daily bars of single symbols, splits and dividends',
    datasets: ['candles', 'corporate actions'],
    history: 'whole histories, some from 1962 on, of delisted symbols too; raw',
    delay: 'the evening of the session',
    cost: 'free with an account, 50 requests an hour; paid plans ask more often',
    keyNeeded: true,
    terms: 'https://www.tiingo.com/about/terms-of-use',
    redistribution: 'no, unless your contract says so',
    verified: 'answers recorded in 2018; not asked live',
    vendor: vendors.TIINGO,
    async *fetch(options, context) {
      yield* (await import('./sources/tiingo.ts')).fetchTiingo(options, context);
    },
    async plan(options, nowMs) {
      return (await import('./fetch-plans.ts')).planTiingo(options, nowMs);
    },
  },
  {
    id: 'eodhd',
    title: 'EODHD, daily bars of single symbols or of a day of the US, splits and dividends',
    datasets: ['candles', 'corporate actions'],
    history: 'a year on the free plan, 30 years and more on paid ones; raw',
    delay: 'two to three hours after the close',
    cost: 'free with an account, 20 requests a day; whole days are paid',
    keyNeeded: true,
    terms: 'https://eodhd.com/financial-apis/terms-conditions',
    redistribution: 'no, unless your contract says so',
    verified: 'unverified: documented formats only, not asked live',
    vendor: vendors.EODHD,
    async *fetch(options, context) {
      yield* (await import('./sources/eodhd.ts')).fetchEodhd(options, context);
    },
    async plan(options, nowMs) {
      return (await import('./fetch-plans.ts')).planEodhd(options, nowMs);
    },
  },
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
      return (await import('./sources/rss.ts')).planRss(options);
    },
    async *fetch(options, context) {
      yield* (await import('./sources/rss.ts')).fetchRss(options, context);
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
      return (await import('./sources/nasdaq.ts')).planNasdaq(options, nowMs);
    },
    async *fetch(options, context) {
      yield* (await import('./sources/nasdaq.ts')).fetchNasdaq(options, context);
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
      return (await import('./sources/cboe.ts')).planCboe(options);
    },
    async *fetch(options, context) {
      yield* (await import('./sources/cboe.ts')).fetchCboe(options, context);
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
      return (await import('./sources/finnhub.ts')).planFinnhub(options, nowMs);
    },
    async *fetch(options, context) {
      yield* (await import('./sources/finnhub.ts')).fetchFinnhub(options, context);
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
      return (await import('./sources/fmp.ts')).planFmp(options, nowMs);
    },
    async *fetch(options, context) {
      yield* (await import('./sources/fmp.ts')).fetchFmp(options, context);
    },
  },
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
    async plan() {
      return { requests: 3, bars: 0 };
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
      yield* (await import('./sources/sec.ts')).fetchSec(options, context);
    },
    async plan(options) {
      return (await import('./sources/sec.ts')).planSec(options);
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
      yield* (await import('./sources/form4.ts')).fetchForm4(options, context);
    },
    async plan(options, nowMs) {
      return (await import('./form4/plan-form4.ts')).planForm4(options, nowMs);
    },
  },
  {
    id: 'sandbox',
    title: 'Synthetic market of companies that do not exist',
    datasets: ['candles', 'corporate actions', 'symbols', ...rowDatasets.map(({ name }) => name)],
    history:
      'five years, ten sessions of minutes, a year and a half of news and opinions; extended to the latest completed session',
    delay: 'none',
    cost: 'none',
    keyNeeded: false,
    terms: 'none: the data is made by Tapeworks',
    redistribution: 'yes',
    verified: 'generated from a fixed seed',
    async *fetch(options, context) {
      const { sandboxSegments } = await import('./sources/sandbox.ts');
      const { fromDay, toDay } = options;
      yield* sandboxSegments({ fromDay, toDay }, context);
    },
  },
];
