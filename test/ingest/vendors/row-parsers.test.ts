/** Documented and recorded responses with rows, and every mutation of them. */

import { describe, expect, it } from 'vitest';
import {
  analystConsensus,
  analystTargets,
  upgradesDowngrades,
} from '../../../src/base/datasets/analysts.ts';
import type { Dataset } from '../../../src/base/datasets/dataset.ts';
import { earningsCalendar, expirations } from '../../../src/base/datasets/market.ts';
import { TapeworksError } from '../../../src/base/errors.ts';
import { dayFromDate } from '../../../src/base/time/dates.ts';
import { rowFault } from '../../../src/ingest/rows/check-row.ts';
import type { UncheckedRow } from '../../../src/ingest/rows/stage-rows.ts';
import { parseCboeOptions } from '../../../src/ingest/vendors/cboe/parse-options.ts';
import * as finnhub from '../../../src/ingest/vendors/finnhub/parse.ts';
import * as fmp from '../../../src/ingest/vendors/fmp/parse.ts';
import { parseNasdaqEarnings } from '../../../src/ingest/vendors/nasdaq/parse-earnings.ts';
import { parseYahooOptions } from '../../../src/ingest/vendors/yahoo/parse-options.ts';
import { parseYahooSummary } from '../../../src/ingest/vendors/yahoo/parse-summary.ts';
import { hasRealdata } from '../../support/realdata.ts';
import { mutationsOf, reordered, withExtra } from '../support/mutations.ts';
import * as samples from './support/row-samples.ts';
import { yahooOptions, yahooSummary } from './support/yahoo-samples.ts';

const asOfMs = Date.parse('2026-11-20T22:00:00Z');
const day = dayFromDate('2026-11-20');
const rowsOf = (all: UncheckedRow[]) => all.flatMap((one) => ('row' in one ? [one.row] : []));

const targets = finnhub.parseFinnhubTargets(samples.FINNHUB_TARGETS, 'AAPL');
const consensusOf = (countsBody: string, targetsBody: string) =>
  fmp.parseFmpConsensus({ countsBody, targetsBody }, 'AAPL', asOfMs);

type Parse = (body: string) => UncheckedRow[];

const PARSERS: [name: string, sample: string, parse: Parse, dataset: Dataset][] = [
  [
    'earnings of Finnhub',
    samples.FINNHUB_EARNINGS,
    (body) => finnhub.parseFinnhubEarnings(body, asOfMs),
    earningsCalendar,
  ],
  [
    'recommendations of Finnhub',
    samples.FINNHUB_RECOMMENDATIONS,
    (body) => finnhub.parseFinnhubRecommendations(body, 'AAPL', { asOfMs, targets }),
    analystConsensus,
  ],
  [
    'grades of Finnhub',
    samples.FINNHUB_GRADES,
    (body) => finnhub.parseFinnhubGrades(body, 'AAPL'),
    upgradesDowngrades,
  ],
  [
    'earnings of FMP',
    samples.FMP_EARNINGS,
    (body) => fmp.parseFmpEarnings(body, asOfMs),
    earningsCalendar,
  ],
  [
    'counts of FMP',
    samples.FMP_COUNTS,
    (body) => consensusOf(body, samples.FMP_CONSENSUS_TARGETS),
    analystConsensus,
  ],
  [
    'targets of consensus of FMP',
    samples.FMP_CONSENSUS_TARGETS,
    (body) => consensusOf(samples.FMP_COUNTS, body),
    analystConsensus,
  ],
  [
    'grades of FMP',
    samples.FMP_GRADES,
    (body) => fmp.parseFmpGrades(body, 'AAPL'),
    upgradesDowngrades,
  ],
  [
    'targets of FMP',
    samples.FMP_TARGETS,
    (body) => fmp.parseFmpTargets(body, 'AAPL'),
    analystTargets,
  ],
  [
    'earnings of Nasdaq',
    samples.NASDAQ_EARNINGS,
    (body) => parseNasdaqEarnings(body, { day, asOfMs, yearEnds: new Map() }),
    earningsCalendar,
  ],
  [
    'options of Cboe',
    samples.CBOE_OPTIONS,
    (body) => parseCboeOptions(body, { symbol: 'AAPL', todayDay: day, asOfMs }),
    expirations,
  ],
  ...(hasRealdata ? yahooParsers() : []),
];

function yahooParsers(): typeof PARSERS {
  const summary = yahooSummary('AAPL', 3);
  const options = yahooOptions('EPAC');
  options.optionChain.result[0].options = [];
  options.optionChain.result[0].quote = {};
  const now = { symbol: 'EPAC', todayDay: dayFromDate('2025-03-01'), asOfMs };
  const parsed = (body: string) => parseYahooSummary(body, 'AAPL', asOfMs);
  return [
    ['grades of Yahoo', summary, (body) => parsed(body).grades, upgradesDowngrades],
    ['consensus of Yahoo', summary, (body) => parsed(body).consensus, analystConsensus],
    ['earnings of Yahoo', summary, (body) => parsed(body).earnings, earningsCalendar],
    [
      'options of Yahoo',
      JSON.stringify(options),
      (body) => parseYahooOptions(body, now),
      expirations,
    ],
  ];
}

describe.each(PARSERS)('%s', (_, sample, parse, dataset) => {
  it('give good rows', () => {
    const all = parse(sample);
    expect(rowsOf(all)).toHaveLength(all.length);
    expect(all.length).toBeGreaterThan(0);
    for (const row of rowsOf(all)) expect(rowFault(dataset, row)).toBeUndefined();
  });

  it('are the same with other fields in another order', () => {
    const json = JSON.parse(sample);
    expect(rowsOf(parse(JSON.stringify(withExtra(json))))).toEqual(rowsOf(parse(sample)));
    const turned = rowsOf(parse(JSON.stringify(reordered(json))));
    expect(turned).toEqual(rowsOf(parse(sample)));
  });

  it('survive every mutation, with good rows, reasons or an error', () => {
    for (const { name, text } of mutationsOf(sample)) {
      try {
        for (const one of parse(text)) {
          if ('row' in one) expect(rowFault(dataset, one.row) ?? 'good', name).not.toBe('');
          else expect(one.reason, name).not.toBe('');
        }
      } catch (error) {
        expect(error, name).toBeInstanceOf(TapeworksError);
      }
    }
  });
});

describe('rows', () => {
  it('of earnings have the company’s own quarter where it is said', () => {
    expect(rowsOf(PARSERS[0][2](samples.FINNHUB_EARNINGS))).toEqual([
      {
        symbol: 'AAPL',
        date: dayFromDate('2026-11-23'),
        fiscalQuarter: '2027-Q1',
        time: 'after_market',
        epsEstimate: 1.42,
        revenueEstimate: 88496400810,
        asOf: asOfMs,
      },
      expect.objectContaining({ symbol: 'MSFT', time: 'unknown', epsEstimate: null }),
    ]);
  });

  it('of other markets in a calendar are left out, and others are refused', () => {
    const [[first]] = [JSON.parse(samples.FMP_EARNINGS)];
    const { earningsCalendar } = JSON.parse(samples.FINNHUB_EARNINGS);
    const named = ['VOD.L', 'BTC-USD', 'AAPL', 'not a ticker'];
    const fmpRows = named.map((symbol) => ({ ...first, symbol }));
    const finnhubRows = named.map((symbol) => ({ ...earningsCalendar[0], symbol }));
    const parsed = [
      fmp.parseFmpEarnings(JSON.stringify(fmpRows), asOfMs),
      finnhub.parseFinnhubEarnings(JSON.stringify({ earningsCalendar: finnhubRows }), asOfMs),
    ];
    for (const rows of parsed) {
      expect(rows).toMatchObject([
        { row: { symbol: 'AAPL' }, line: 3 },
        { reason: 'symbol is not a ticker', line: 4 },
      ]);
    }
  });

  it('of recommendations have the targets at the newest month', () => {
    expect(rowsOf(PARSERS[1][2](samples.FINNHUB_RECOMMENDATIONS))).toMatchObject([
      { asOf: asOfMs, strongBuy: 13, buy: 24, targetMean: 387.66 },
      { asOf: Date.parse('2026-10-01T00:00:00Z'), sell: 5 },
    ]);
    const none = { asOfMs, targets: undefined };
    expect(finnhub.parseFinnhubRecommendations('[]', 'AAPL', none)).toEqual([]);
    const zeros = samples.FINNHUB_TARGETS.replace(/:\d[\d.]*/g, ':0');
    expect(finnhub.parseFinnhubTargets(zeros, 'AAPL')).toBeUndefined();
  });

  it('of FMP put counts and targets together', () => {
    expect(rowsOf(consensusOf(samples.FMP_COUNTS, samples.FMP_CONSENSUS_TARGETS))).toMatchObject([
      { consensus: 'Buy', buy: 29, targetMean: 251.7, targetMedian: 258 },
    ]);
    expect(consensusOf('[]', '[]')).toEqual([]);
    expect(rowsOf(consensusOf('[]', samples.FMP_CONSENSUS_TARGETS))).toMatchObject([{ buy: null }]);
  });
});
