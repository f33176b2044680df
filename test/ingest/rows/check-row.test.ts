import { describe, expect, it } from 'vitest';
import { analystConsensus } from '../../../src/base/datasets/analysts.ts';
import type { Dataset, DatasetRow, RowOf } from '../../../src/base/datasets/dataset.ts';
import { datasets } from '../../../src/base/datasets/datasets.ts';
import { balanceSheet, insider, statements } from '../../../src/base/datasets/filings.ts';
import { earningsCalendar, news } from '../../../src/base/datasets/market.ts';
import { rowFault } from '../../../src/ingest/rows/check-row.ts';
import { millisOfText } from '../../../src/ingest/rows/fields.ts';

const DAY = 20_000;
const MOMENT = DAY * 86_400_000;

/** A good row with the required columns only. */
function goodRow({ columns }: Dataset): DatasetRow {
  const values = { symbol: 'AAPL', text: 'a', date: DAY, moment: MOMENT, number: 1, integer: 1 };
  const required = columns.filter(({ isRequired }) => isRequired);
  return Object.fromEntries(
    required.map(({ name, kind, choices }) => [
      name,
      choices ? choices[0] : kind === 'symbols' ? [] : values[kind as keyof typeof values],
    ]),
  );
}

describe.each(datasets.map((dataset) => [dataset.name, dataset] as const))(
  'a row of %s',
  (_name, dataset) => {
    const required = dataset.columns.filter(({ isRequired }) => isRequired);

    it.each(required.map(({ name }) => name))('needs %s', (name) => {
      expect(rowFault(dataset, { ...goodRow(dataset), [name]: null })).toBe(`${name} is missing`);
    });

    const texts = dataset.columns.filter(({ kind }) => kind === 'text');
    it.each(texts.map(({ name }) => name))(
      'has no character in %s that a terminal obeys',
      (name) => {
        const row = { ...goodRow(dataset), [name]: 'a\x1b[31mb\u202ec\x9bd\u200e\te\r\nf' };
        rowFault(dataset, row);
        // Names of indexes keep letters and digits alone.
        const isName = dataset.name === 'members' && name === 'index';
        expect(row[name]).toBe(isName ? 'a31mbcdef' : 'a\\u001b[31mb\\u202ec\\u009bd\\u200e\te\nf');
      },
    );

    it('has all columns once it is checked', () => {
      const row = goodRow(dataset);
      rowFault(dataset, row);
      expect(Object.keys(row).sort()).toEqual(dataset.columns.map(({ name }) => name).sort());
    });
  },
);

describe('a value', () => {
  it.each([
    ['symbol', 'brk-b', 'symbol is not a ticker'],
    ['insiderName', '', 'insiderName is not a text'],
    ['insiderName', 'a\0b', 'insiderName has characters that are no text'],
    ['insiderName', '\ud800', 'insiderName has characters that are no text'],
    ['insiderName', 'a'.repeat(20_001), 'insiderName has more than 20000 characters'],
    ['transactionType', 'Sell', /^transactionType is none of buy, sell/],
    ['transactionDate', 0.5, 'transactionDate is not a day of these times'],
    ['transactionDate', 60_000, 'transactionDate is not a day of these times'],
    ['filedAt', 1e15, 'filedAt is not a moment of these times'],
    ['shares', Number.NaN, 'shares is not a number'],
    ['shares', -1, 'shares is below 0'],
    ['line', 1.5, 'line is not a whole number'],
  ])('%s of %j is refused', (name, value, reason) => {
    expect(rowFault(insider, { ...goodRow(insider), [name]: value })).toMatch(reason);
  });

  it('of symbols is a list of canonical tickers, empty by default', () => {
    const row: DatasetRow = { ...goodRow(news), url: 'https://example.com' };
    expect(rowFault(news, row)).toBeUndefined();
    expect(row.symbols).toEqual([]);
    expect(rowFault(news, { ...row, symbols: ['BRK-B'] })).toBe(
      'symbols has something that is not a ticker',
    );
  });
});

describe('a column that follows from others', () => {
  it('is filled in', () => {
    const bought: DatasetRow = { ...goodRow(insider), shares: 10, price: 2.5 };
    rowFault(insider, bought);
    expect(bought.totalValue).toBe(25);
    // The product of float64 numbers is 1036069.9999999999.
    const sold: DatasetRow = { ...goodRow(insider), shares: 7000, price: 148.01 };
    rowFault(insider, sold);
    expect(sold.totalValue).toBe(1_036_070);
    const sheet: DatasetRow = { ...goodRow(balanceSheet), totalDebt: 10, cash: 25 };
    rowFault(balanceSheet, sheet);
    expect(sheet.netDebt).toBe(-15);
    const report: DatasetRow = goodRow(earningsCalendar);
    rowFault(earningsCalendar, report);
    expect(report.time).toBe('unknown');
  });

  it('keeps its stated value', () => {
    const gift: DatasetRow = { ...goodRow(insider), shares: 10, price: 2.5, totalValue: 0 };
    rowFault(insider, gift);
    expect(gift.totalValue).toBe(0);
  });
});

describe('a row of good values', () => {
  const year: RowOf<typeof statements> = {
    ...(goodRow(statements) as RowOf<typeof statements>),
    period: 'annual',
  };

  it.each([
    [statements, { ...year, fiscalQuarter: 4 }, 'only a quarter has a fiscalQuarter'],
    [statements, { ...year, filedAt: (DAY - 2) * 86_400_000 }, 'filedAt is before date'],
    [news, { ...goodRow(news), url: 'mailto:a@b' }, 'url is not a web address'],
    [
      news,
      { ...goodRow(news), url: 'https://example.com', id: 'news_1' },
      'id is not news_ and 26 lower-case letters and digits',
    ],
    [analystConsensus, goodRow(analystConsensus), 'it has neither counts nor targets'],
    [
      analystConsensus,
      { ...goodRow(analystConsensus), targetHigh: 1, targetLow: 2 },
      'targetLow is above targetHigh',
    ],
    [
      earningsCalendar,
      { ...goodRow(earningsCalendar), fiscalQuarter: 'Q3 2026' },
      'fiscalQuarter is not like 2026-Q3',
    ],
  ] as [Dataset, DatasetRow, string][])('of $name may break a rule', (dataset, row, reason) => {
    expect(rowFault(dataset, row)).toBe(reason);
  });
});

const NOON = Date.parse('2026-11-20T14:02:00Z');

describe('a moment of a vendor', () => {
  it.each([
    ['2026-11-20T14:02:00.000Z', NOON],
    ['2026-11-20T09:02-05:00', NOON],
    // Without a zone it counts as UTC, so it is the same on every machine.
    ['2026-11-20 14:02:00', NOON],
    ['2026-11-20', undefined],
    ['2026-13-40 14:02:00', undefined],
    ['yesterday', undefined],
    [null, undefined],
  ])('%j', (text, ms) => expect(millisOfText(text)).toBe(ms));
});
