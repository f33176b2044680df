/** Yahoo's recorded answers about analysts, earnings and options. */

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { analystConsensus, upgradesDowngrades } from '../../../src/base/datasets/analysts.ts';
import type { DatasetRow } from '../../../src/base/datasets/dataset.ts';
import { earningsCalendar, expirations } from '../../../src/base/datasets/market.ts';
import { dateFromDay, dayFromDate } from '../../../src/base/time/dates.ts';
import { rowFault } from '../../../src/ingest/rows/check-row.ts';
import type { UncheckedRow } from '../../../src/ingest/rows/stage-rows.ts';
import { parseYahooOptions } from '../../../src/ingest/vendors/yahoo/parse-options.ts';
import { parseYahooSummary } from '../../../src/ingest/vendors/yahoo/parse-summary.ts';
import { hasRealdata, realdata } from '../../support/realdata.ts';
import { yahooSummary } from './support/yahoo-samples.ts';

const asOfMs = Date.parse('2025-02-26T12:00:00Z');
const FOLDER = 'vendor_json/yahoo_quoteSummary';

const parse = (body: string) => parseYahooSummary(body, 'AAPL', asOfMs);
const options = (body: string) =>
  parseYahooOptions(body, { symbol: 'AAPL', todayDay: dayFromDate('2025-03-01'), asOfMs });
const rowsOf = (all: UncheckedRow[]): DatasetRow[] =>
  all.flatMap((one) => ('row' in one ? [one.row] : []));

describe.skipIf(!hasRealdata)("Yahoo's summary", () => {
  it('gives grades, consensus and the next earnings date', () => {
    const { grades, consensus, earnings } = parse(yahooSummary('AAPL'));
    expect(grades.length).toBeGreaterThan(900);
    expect(rowsOf(grades)[0]).toEqual({
      symbol: 'AAPL',
      firm: 'Citigroup',
      analystName: null,
      action: 'maintain',
      fromGrade: 'Buy',
      toGrade: 'Buy',
      publishedAt: 1738352759000,
    });
    expect(rowsOf(consensus)).toEqual([
      {
        symbol: 'AAPL',
        asOf: asOfMs,
        strongBuy: 7,
        buy: 21,
        hold: 14,
        sell: 2,
        strongSell: 2,
        consensus: null,
        targetHigh: 325,
        targetLow: 197,
        targetMean: 252.22575,
        targetMedian: 257.5,
      },
    ]);
    expect(rowsOf(earnings)).toEqual([
      {
        symbol: 'AAPL',
        companyName: null,
        date: dayFromDate('2025-04-30'),
        fiscalQuarter: null,
        time: 'unknown',
        epsEstimate: 1.61696,
        revenueEstimate: 94076168920,
        asOf: asOfMs,
      },
    ]);
  });

  it('tells the time of day of a date that is settled', () => {
    const [row] = rowsOf(parse(yahooSummary('CRM')).earnings);
    expect([dateFromDay(Number(row.date)), row.time]).toEqual(['2025-02-26', 'after_market']);
  });

  it('gives good rows of every recorded company', () => {
    const symbols = readdirSync(realdata(`${FOLDER}/calendarEvents`)).map(
      (name) => name.split('-').at(-1)?.replace('.json', '') ?? '',
    );
    const counts = symbols.map((symbol) => {
      const { grades, consensus, earnings } = parse(yahooSummary(symbol));
      const faults = [
        ...rowsOf(grades).map((row) => rowFault(upgradesDowngrades, row)),
        ...rowsOf(consensus).map((row) => rowFault(analystConsensus, row)),
        ...rowsOf(earnings).map((row) => rowFault(earningsCalendar, row)),
      ].filter((fault) => fault !== undefined);
      return [symbol, grades.length, consensus.length, earnings.length, ...faults];
    });
    // One of the recorded grades has no firm.
    expect(counts).toEqual([
      ['AAPL', 968, 1, 1],
      ['AMZN', 983, 1, 1],
      ['BABA', 485, 1, 1],
      ['CRM', 742, 1, 1],
      ['GOOG', 659, 1, 1, 'firm is missing'],
    ]);
  });

  it('says nothing where nobody follows a company, and tells an unknown symbol', () => {
    const counts = { period: '0m', strongBuy: 0, buy: 0, hold: 0, sell: 0, strongSell: 0 };
    const result = [
      {
        recommendationTrend: { trend: [counts] },
        financialData: {},
        calendarEvents: { earnings: { earningsDate: [] } },
      },
    ];
    const body = JSON.stringify({ quoteSummary: { result, error: null } });
    expect(parse(body)).toEqual({ grades: [], consensus: [], earnings: [] });
    const error = { code: 'Not Found', description: 'Quote not found for symbol: NOPE' };
    const unknown = JSON.stringify({ quoteSummary: { result: null, error } });
    expect(() => parse(unknown)).toThrow('Yahoo does not know "AAPL" (Quote not found');
    const other = unknown.replace('Quote not found', 'Something else');
    expect(() => parse(other)).toThrow('cannot be read: Something else');
  });

  it('reads figures with the text of a page beside them', () => {
    const json = JSON.parse(yahooSummary('AAPL', 1));
    const [parts] = json.quoteSummary.result;
    parts.financialData.targetHighPrice = { raw: 325, fmt: '325.00' };
    parts.financialData.targetLowPrice = {};
    expect(rowsOf(parse(JSON.stringify(json)).consensus)).toMatchObject([
      { targetHigh: 325, targetLow: null },
    ]);
  });
});

describe.skipIf(!hasRealdata)("Yahoo's options", () => {
  const read = (path: string) => readFileSync(realdata(`vendor_json/${path}`), 'utf8');

  it('give the days to come', () => {
    const rows = rowsOf(options(read('yahoo_options/options-AAPL.json')));
    const dates = rows.map(({ date }) => dateFromDay(Number(date)));
    expect([dates.length, dates[0], dates.at(-1)]).toEqual([19, '2025-03-07', '2027-06-17']);
    expect(rows.map((row) => rowFault(expirations, row)).filter(Boolean)).toEqual([]);
  });

  it('are none of a symbol without any', () => {
    expect(options(read('yahoo_options_v7/yahoo_options2.json'))).toEqual([]);
    expect(options(read('yahoo_options/options-GC=F.json'))).toEqual([]);
    expect(options(read('yahoo_options_v7/yahoo_options1.json'))).toEqual([]);
  });
});
