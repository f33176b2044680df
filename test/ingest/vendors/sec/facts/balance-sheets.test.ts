/** Balance sheets and counts of shares from company facts. */

import { describe, expect, it } from 'vitest';
import { evidenceOf } from '../../../../../src/base/datasets/evidence.ts';
import { dateFromDay } from '../../../../../src/base/time/dates.ts';
import {
  accessionOf,
  balance,
  day,
  income,
  rowsOf,
  type TestFiling,
} from '../support/facts-json.ts';

const YEAR = income('2024-01-01', '2024-12-31', { Revenues: 100, NetIncomeLoss: 10 });

describe('balance sheets', () => {
  it('of the end of a year are there as a year and as a fourth quarter', () => {
    const facts = [
      ...YEAR,
      ...balance('2024-12-31', {
        Assets: 100,
        Liabilities: 60,
        StockholdersEquity: 35,
        StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest: 40,
        CashAndCashEquivalentsAtCarryingValue: 20,
        MarketableSecuritiesCurrent: 15,
        LongTermDebtNoncurrent: 30,
        CommercialPaper: 4,
        OperatingLeaseLiabilityNoncurrent: 9,
      }),
    ];
    const figures = {
      date: day('2024-12-31'),
      totalAssets: 100,
      totalLiabilities: 60,
      totalEquity: 40,
      cash: 20,
      totalDebt: 34,
      netDebt: 14,
      fiscalYear: 2024,
    };
    expect(
      rowsOf([{ filed: '2025-02-01', fy: 2024, fp: 'FY', facts }]).balanceSheets,
    ).toMatchObject([
      { ...figures, period: 'annual', fiscalQuarter: null },
      { ...figures, period: 'quarterly', fiscalQuarter: 4 },
    ]);
  });

  // Union Pacific's at the end of 2009, which its statement of equity has before an adjustment.
  it('have the equity of the parent where that of all owners is of a note', () => {
    const facts = [
      ...YEAR,
      ...balance('2024-12-31', {
        Assets: 42_184,
        Liabilities: 25_383,
        StockholdersEquity: 16_801,
        StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest: 16_941,
      }),
    ];
    expect(rowsOf([{ filed: '2025-02-01', facts }]).balanceSheets[0]).toMatchObject({
      ...{ totalEquity: 16_801, minorityInterest: null, unexplainedAssets: 0 },
    });
  });

  it('get their liabilities from the rest where none are stated', () => {
    const facts = [
      ...YEAR,
      ...balance('2024-12-31', {
        Assets: 100,
        StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest: 30,
        TemporaryEquityCarryingAmountAttributableToParent: 10,
      }),
    ];
    expect(rowsOf([{ filed: '2025-02-01', facts }]).balanceSheets[0]).toMatchObject({
      totalLiabilities: 60,
      totalEquity: 30,
      cash: null,
      totalDebt: null,
      netDebt: null,
    });
  });

  it.each([
    ['add up', 40, {}, { temporaryEquity: null, unexplainedAssets: 0 }],
    ['leave a gap', 37, {}, { temporaryEquity: null, unexplainedAssets: 3 }],
    [
      'add up with redeemable shares',
      37,
      { TemporaryEquityCarryingAmountAttributableToParent: 3 },
      { temporaryEquity: 3, unexplainedAssets: 0 },
    ],
  ])('say so where they %s', (_, equity, more, sides) => {
    const name = 'StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest';
    const lines = { Assets: 100, Liabilities: 60, [name]: equity, ...more };
    const facts = [...YEAR, ...balance('2024-12-31', lines)];
    expect(rowsOf([{ filed: '2025-02-01', facts }]).balanceSheets[0]).toMatchObject(sides);
  });

  it('have the amounts of each line, and a reason for what lines leave open', () => {
    const lines = {
      ...{ Assets: 100, Liabilities: 60, StockholdersEquity: 35, MinorityInterest: 5 },
      ...{ LongTermDebtNoncurrent: 30, CommercialPaper: 4, LongTermDebtCurrent: 4.02 },
      ...{ ShortTermInvestments: 3, TradingSecuritiesCurrent: 9 },
    };
    const facts = [...YEAR, ...balance('2024-12-31', lines)];
    const [sheet] = rowsOf([{ filed: '2025-02-01', facts }]).balanceSheets;
    expect(sheet).toMatchObject({ totalDebt: null, shortTermInvestments: null });
    const { totalEquity, totalDebt, shortTermInvestments } = evidenceOf({ ...sheet });
    expect(totalEquity?.reason).toBe(
      'the equity may be a part of assets less liabilities, or hold minorities twice',
    );
    expect(totalDebt?.reason).toBe('the lines of borrowings fit more than one sum');
    expect(shortTermInvestments?.reason).toBe(
      'some may be parts: ShortTermInvestments, TradingSecuritiesCurrent',
    );
  });

  it.each([
    ['shares and minorities', { RedeemableNoncontrollingInterestEquityCarryingAmount: 20 }, 60],
    [
      'minorities of two kinds',
      {
        RedeemableNoncontrollingInterestEquityPreferredCarryingAmount: 15,
        RedeemableNoncontrollingInterestEquityCommonCarryingAmount: 5,
      },
      60,
    ],
    [
      'a total of both',
      {
        TemporaryEquityCarryingAmountIncludingPortionAttributableToNoncontrollingInterests: 25,
        RedeemableNoncontrollingInterestEquityCarryingAmount: 15,
      },
      65,
    ],
  ])('leave redeemable %s out of liabilities', (_, redeemable, totalLiabilities) => {
    const lines = {
      Assets: 100,
      PartnersCapitalIncludingPortionAttributableToNoncontrollingInterest: 10,
      TemporaryEquityCarryingAmountAttributableToParent: 10,
    };
    const facts = [...YEAR, ...balance('2024-12-31', { ...lines, ...redeemable })];
    expect(rowsOf([{ filed: '2025-02-01', facts }]).balanceSheets[0]).toMatchObject({
      totalLiabilities,
      totalEquity: 10,
    });
  });

  it('carry parts of debt forward that a later filing does not show', () => {
    const first = {
      filed: '2025-02-01',
      facts: [
        ...YEAR,
        ...balance('2024-12-31', {
          Assets: 100,
          LongTermDebtNoncurrent: 30,
          LongTermDebtCurrent: 5,
          // The total of what is due within a year.
          DebtCurrent: 5,
          MinorityInterest: 3,
        }),
      ],
    };
    const later = {
      form: '10-Q',
      filed: '2025-05-01',
      facts: balance('2024-12-31', { Assets: 90, LongTermDebtNoncurrent: 30 }),
    };
    const { balanceSheets } = rowsOf([first, later]);
    const newest = balanceSheets.filter((row) => row.totalAssets === 90);
    expect(balanceSheets.map((row) => row.totalDebt)).toEqual([35, 35, 35, 35]);
    // Its lines add up to each figure, and those that an earlier filing gave are named, too.
    const { totalDebt, shortTermDebt, minorityInterest } = evidenceOf({ ...newest[0] });
    const [soon, late] = ['DebtCurrent', 'LongTermDebtNoncurrent'].map((name, i) => {
      return [`us-gaap:${name}`, null, i === 0 ? 5 : 30];
    });
    expect(totalDebt).toEqual({ verdict: 'summed', lines: [soon, late] });
    expect(shortTermDebt).toEqual({ verdict: 'stated', lines: [soon] });
    expect(minorityInterest?.lines).toEqual([['us-gaap:MinorityInterest', null, 3]]);
  });

  it('have no debt that is more than all liabilities', () => {
    const facts = [
      ...YEAR,
      ...balance('2024-12-31', { Assets: 100, Liabilities: 60, SeniorNotes: 40, SecuredDebt: 30 }),
    ];
    expect(rowsOf([{ filed: '2025-02-01', facts }]).balanceSheets[0].totalDebt).toBeNull();
  });

  it('leave out a day of which only a later report says that it ends a period', () => {
    const facts = [
      ...income('2024-04-01', '2024-06-30', { Revenues: 5, NetIncomeLoss: 1 }),
      ...balance('2024-06-30', { Assets: 90 }),
      ...balance('2023-06-30', { Assets: 80 }),
    ];
    const compared = income('2023-04-01', '2023-06-30', { Revenues: 4, NetIncomeLoss: 1 });
    const first = { form: '10-Q', filed: '2024-08-01', facts };
    const amended = { form: '10-Q/A', filed: '2024-09-01', facts: [...facts, ...compared] };
    const days = (filings: TestFiling[]) =>
      rowsOf(filings).balanceSheets.map(
        ({ date, accession }) => `${dateFromDay(date)} ${accession}`,
      );
    expect(days([first])).toEqual([`2024-06-30 ${accessionOf(0)}`]);
    expect(days([first, amended])).toEqual([
      `2024-06-30 ${accessionOf(0)}`,
      `2023-06-30 ${accessionOf(1)}`,
    ]);
  });

  it('leave out days that end no period, which notes on purchases have', () => {
    const facts = [
      ...YEAR,
      ...balance('2024-12-31', { Assets: 100 }),
      ...balance('2024-08-15', { Assets: 7 }),
    ];
    const dates = rowsOf([{ filed: '2025-02-01', facts }]).balanceSheets.map(({ date }) => date);
    expect(new Set(dates)).toEqual(new Set([day('2024-12-31')]));
  });
});

describe('counts of shares', () => {
  it('come from the cover, the balance sheet and the shortest mean, when they change', () => {
    const count = (concept: string, end: string, val: number) => ({
      concept,
      unit: 'shares',
      end,
      val,
    });
    const mean = 'WeightedAverageNumberOfDilutedSharesOutstanding';
    const filing = {
      filed: '2025-02-01',
      facts: [
        count('dei:EntityCommonStockSharesOutstanding', '2025-01-20', 1000),
        count('CommonStockSharesOutstanding', '2024-12-31', 990),
        ...income('2024-01-01', '2024-12-31', { [mean]: 1010 }),
        ...income('2024-10-01', '2024-12-31', { [mean]: 1020 }),
      ],
    };
    const again = {
      form: '10-Q',
      filed: '2025-05-01',
      facts: [count('CommonStockSharesOutstanding', '2024-12-31', 990)],
    };
    expect(
      rowsOf([filing, again]).shares.map(({ kind, date, shares }) => [kind, date, shares]),
    ).toEqual([
      ['cover', day('2025-01-20'), 1000],
      ['balance', day('2024-12-31'), 990],
      ['weighted', day('2024-12-31'), 1020],
    ]);
  });

  it('of zero are none', () => {
    const facts = [
      { concept: 'CommonStockSharesOutstanding', unit: 'shares', end: '2024-12-31', val: 0 },
    ];
    expect(rowsOf([{ filed: '2025-02-01', facts }]).shares).toEqual([]);
  });
});
