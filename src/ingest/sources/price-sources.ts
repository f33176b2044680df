/** Vendors of bars, splits and dividends. */

import type { Source } from '../contract/source.ts';
import { vendors } from '../http/vendors.ts';

export const priceSources: readonly Source[] = [
  {
    id: 'yahoo',
    title: 'Yahoo Finance: daily bars, splits, dividends; analysts, earnings dates, expirations',
    datasets: [
      'candles',
      'corporate-actions',
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
      return (await import('../contract/dry-runs.ts')).planYahoo(options, nowMs);
    },
    async *fetch(options, context) {
      yield* options.dataset === undefined
        ? (await import('../vendors/yahoo/source.ts')).fetchYahoo(options, context)
        : (await import('../vendors/yahoo/rows.ts')).fetchYahooRows(options, context);
    },
  },
  {
    id: 'alpaca',
    title: 'Alpaca, daily and 1-minute bars of many symbols, splits and dividends',
    datasets: ['candles', 'corporate-actions'],
    history: 'from 2016 on, raw, of the tape of all exchanges',
    delay: '16 minutes',
    cost: 'free with an account, 200 requests a minute; paid plans ask more often',
    keyNeeded: true,
    terms: 'https://alpaca.markets/disclosures',
    redistribution: 'no',
    verified: 'unverified: documented formats only, not asked live',
    vendor: vendors.ALPACA,
    async *fetch(options, context) {
      yield* (await import('../vendors/alpaca/source.ts')).fetchAlpaca(options, context);
    },
    async plan(options, nowMs) {
      return (await import('../contract/dry-runs.ts')).planAlpaca(options, nowMs);
    },
  },
  {
    id: 'massive',
    title: 'Massive (Polygon), days of the whole market, single symbols, flat files from disk',
    datasets: ['candles', 'corporate-actions'],
    history: 'two years on the free plan, from 2003 on paid ones; raw',
    delay: 'after the close; flat files the next day',
    cost: 'free with an account, 5 requests a minute; flat files and longer history are paid',
    keyNeeded: true,
    terms: 'https://massive.com/terms',
    redistribution: 'no, unless your contract says so',
    verified: 'unverified: documented formats only, not asked live',
    vendor: vendors.MASSIVE,
    async *fetch(options, context) {
      yield* (await import('../vendors/massive/source.ts')).fetchMassive(options, context);
    },
    async plan(options, nowMs) {
      return (await import('../contract/dry-runs.ts')).planMassive(options, nowMs);
    },
  },
  {
    id: 'tiingo',
    title: 'Tiingo, daily bars of single symbols, splits and dividends',
    datasets: ['candles', 'corporate-actions'],
    history: 'whole histories, some from 1962 on, of delisted symbols too; raw',
    delay: 'the evening of the session',
    cost: 'free with an account, 50 requests an hour; paid plans ask more often',
    keyNeeded: true,
    terms: 'https://www.tiingo.com/about/terms-of-use',
    redistribution: 'no, unless your contract says so',
    verified: 'answers recorded in 2018; not asked live',
    vendor: vendors.TIINGO,
    async *fetch(options, context) {
      yield* (await import('../vendors/tiingo/source.ts')).fetchTiingo(options, context);
    },
    async plan(options, nowMs) {
      return (await import('../contract/dry-runs.ts')).planTiingo(options, nowMs);
    },
  },
  {
    id: 'eodhd',
    title: 'EODHD, daily bars of single symbols or of a day of the US, splits and dividends',
    datasets: ['candles', 'corporate-actions'],
    history: 'a year on the free plan, 30 years and more on paid ones; raw',
    delay: 'two to three hours after the close',
    cost: 'free with an account, 20 requests a day; whole days are paid',
    keyNeeded: true,
    terms: 'https://eodhd.com/financial-apis/terms-conditions',
    redistribution: 'no, unless your contract says so',
    verified: 'unverified: documented formats only, not asked live',
    vendor: vendors.EODHD,
    async *fetch(options, context) {
      yield* (await import('../vendors/eodhd/source.ts')).fetchEodhd(options, context);
    },
    async plan(options, nowMs) {
      return (await import('../contract/dry-runs.ts')).planEodhd(options, nowMs);
    },
  },
];
