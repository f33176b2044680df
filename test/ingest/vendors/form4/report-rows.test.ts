/** Rows of an ownership document, on small samples. */

import { describe, expect, it } from 'vitest';
import type { DatasetRow } from '../../../../src/base/datasets/dataset.ts';
import { insider } from '../../../../src/base/datasets/filings.ts';
import { reportRows } from '../../../../src/ingest/vendors/form4/files.ts';
import { insiderRow } from '../../../../src/ingest/vendors/form4/insider-row.ts';
import { parseForm4 } from '../../../../src/ingest/vendors/form4/parse-form4.ts';
import { ownershipXml, type SampleFiling, type SampleOwner } from './support/filing-samples.ts';

const FILED = { accession: '0000320193-25-000001', filedAtMs: Date.parse('2025-03-03T21:30:00Z') };

function rowsOf(filing: SampleFiling) {
  const rows = reportRows(parseForm4(ownershipXml(filing)), FILED, new Map());
  if (typeof rows === 'string') throw new Error(rows);
  return rows.map((row) => ('row' in row ? row.row : row.reason));
}

describe('rows of an ownership document', () => {
  it('have every column of the dataset', () => {
    expect(rowsOf({})).toEqual([
      {
        symbol: 'AAPL',
        insiderName: 'COOK TIMOTHY D',
        title: 'CEO & Chair',
        transactionType: 'sell',
        transactionCode: 'S',
        transactionDate: 20148,
        shares: 100,
        price: 10.5,
        totalValue: null,
        sharesOwnedAfter: 1000,
        filedAt: FILED.filedAtMs,
        isDerivative: 'false',
        accession: FILED.accession,
        line: 1,
        amends: null,
        securityTitle: 'Common Stock',
        direction: 'disposed',
        ownership: null,
        isPlanned: null,
        issuerCik: 320193,
      },
    ]);
  });

  it('are numbered shares first, then derivatives', () => {
    const transactions = [{ isDerivative: true, code: 'M' }, { code: 'M' }, { code: 'F' }];
    expect(rowsOf({ transactions })).toMatchObject([
      { line: 1, isDerivative: 'false', transactionType: 'exercise' },
      { line: 2, isDerivative: 'false', transactionType: 'tax' },
      { line: 3, isDerivative: 'true', transactionType: 'exercise' },
    ]);
  });

  it.each([
    ['P', 'buy'],
    ['S', 'sell'],
    ['A', 'award'],
    ['M', 'exercise'],
    ['X', 'exercise'],
    ['O', 'exercise'],
    ['C', 'conversion'],
    ['F', 'tax'],
    ['G', 'gift'],
    ['D', 'return'],
    ['J', 'other'],
    ['W', 'other'],
  ])('call code %s %s', (code, transactionType) => {
    expect(rowsOf({ transactions: [{ code }] })).toMatchObject([{ transactionType }]);
  });

  it('have null if a footnote stands for a price or a number', () => {
    const transactions = [{ price: null }, { shares: null, price: '0' }];
    expect(rowsOf({ transactions })).toMatchObject([
      { shares: 100, price: null, totalValue: null },
      { shares: null, price: 0, totalValue: null },
    ]);
  });

  it.each<[string, SampleOwner[], string, string | null]>([
    ['officer’s title', [{ name: 'A', isOfficer: true, title: 'CFO' }], 'A', 'CFO'],
    ['officer without a title', [{ name: 'A', isOfficer: true }], 'A', 'Officer'],
    ['director', [{ name: 'A', isDirector: true, isTenPercentOwner: true }], 'A', 'Director'],
    ['large owner', [{ name: 'A', isTenPercentOwner: true }], 'A', '10% Owner'],
    ['none of these', [{ name: 'A' }], 'A', null],
    [
      'joint filers: one row, under the director and not the funds',
      [
        { name: 'FUND I LP', isTenPercentOwner: true },
        { name: 'FUND II LP', isTenPercentOwner: true },
        { name: 'DOE JANE', isDirector: true, isTenPercentOwner: true },
      ],
      'DOE JANE',
      'Director',
    ],
    [
      'joint filers that are alike: the first',
      [
        { name: 'FUND I LP', isTenPercentOwner: true },
        { name: 'FUND II LP', isTenPercentOwner: true },
      ],
      'FUND I LP',
      '10% Owner',
    ],
  ])('are under one insider: %s', (_what, owners, insiderName, title) => {
    expect(rowsOf({ owners })).toMatchObject([{ insiderName, title }]);
  });

  it.each([
    ['Sold under a Rule 10b5-1 trading plan adopted on May 3, 2019.', 'true'],
    ['Made pursuant to a 10b5-1 plan.', 'true'],
    ['These sales were not made pursuant to a Rule 10b5-1 plan.', null],
    ['See the agreement.', null],
  ])(
    'are planned by a footnote of the transaction where a form has no box: %s',
    (note, planned) => {
      const transactions = [{ price: null }, {}];
      expect(rowsOf({ transactions, note })).toMatchObject([
        { isPlanned: planned },
        { isPlanned: null },
      ]);
    },
  );

  it('name the filing that an amendment replaces', () => {
    expect(rowsOf({ form: '4/A', original: '2025-02-03' })).toMatchObject([
      { amends: '2025-02-03' },
    ]);
    expect(rowsOf({ form: '4/A' })).toMatchObject([{ amends: 'unnamed' }]);
  });

  it('are refused without code or date, or with an invalid number', () => {
    const transactions = [
      { code: '' },
      { date: '' },
      { date: '2025-02-30' },
      { shares: 'many' },
      { price: '1,5' },
    ];
    expect(rowsOf({ transactions })).toEqual([
      'transactionCode is missing',
      'transactionDate is missing',
      'transactionDate is not a day of the calendar',
      'shares is not a number',
      'price is not a number',
    ]);
  });

  it('take a date with an offset, as older documents write it', () => {
    expect(rowsOf({ transactions: [{ date: '2009-05-12-05:00' }] })).toMatchObject([
      { transactionDate: 14376 },
    ]);
  });

  it('are empty for Form 3 and for a filing without transactions, with the reason', () => {
    const said = (filing: SampleFiling) =>
      reportRows(parseForm4(ownershipXml(filing)), FILED, new Map());
    expect(said({ form: '3' })).toBe('Form 3 lists holdings and has no transactions');
    expect(said({ form: '3/A' })).toBe('Form 3/A lists holdings and has no transactions');
    expect(said({ transactions: [] })).toBe('Form 4 without transactions');
  });

  it('have the same number each time if the document has none', () => {
    const { contentId } = parseForm4(ownershipXml());
    expect(contentId).toMatch(/^xml-[0-9a-f]{20}$/);
    expect(parseForm4(ownershipXml().replaceAll(/>\s+</g, '><')).contentId).toBe(contentId);
    expect(parseForm4(ownershipXml({ signed: '2025-03-04' })).contentId).not.toBe(contentId);
  });
});

describe('a document of 2026', () => {
  const value = (name: string, text: string) => `<${name}><value>${text}</value></${name}>`;
  const document = (date: string) => `<ownershipDocument><documentType>4</documentType>
    <aff10b5One>1</aff10b5One>
    <nonDerivativeTable><nonDerivativeTransaction>
      ${value('securityTitle', 'Class A Common Stock')}${value('transactionDate', date)}
      <transactionCoding><transactionCode>P</transactionCode></transactionCoding>
      <transactionAmounts>${value('transactionAcquiredDisposedCode', 'A')}</transactionAmounts>
      <ownershipNature>${value('directOrIndirectOwnership', 'I')}</ownershipNature>
    </nonDerivativeTransaction></nonDerivativeTable></ownershipDocument>`;

  const filedAtMs = Date.parse('2026-11-20T21:00:00Z');
  const rowOf = (date: string): DatasetRow => {
    const { transactions, isPlanned, issuerCik } = parseForm4(document(date));
    const facts = { symbol: 'EXAA', insiderName: 'DOE', title: null, amends: null, isPlanned };
    const filing = { ...facts, issuerCik, filedAtMs, accession: '0000000001-26-000001' };
    const made = insiderRow(filing, { line: 1, ...transactions[0] });
    if (!('row' in made)) throw new Error(made.reason);
    return made.row;
  };

  it('says what was traded, which way, whose it is, and whether it was planned', () => {
    expect(rowOf('2026-11-18')).toMatchObject({
      securityTitle: 'Class A Common Stock',
      direction: 'acquired',
      ownership: 'indirect',
      isPlanned: 'true',
    });
  });

  it.each([
    ['2035-11-18', 'transactionDate is after filedAt'],
    ['2026-11-21', undefined],
    ['2026-11-20', undefined],
  ])('of %s is refused for its date if %s', (date, reason) => {
    expect(insider.conflict(rowOf(date))).toBe(reason);
  });
});
