/** Single lines of statements: a figure is a total, a proven sum, or null. */

import { describe, expect, it } from 'vitest';
import { balance, income, rowsOf, type TestFact } from '../support/facts-json.ts';

const MAIN = { Revenues: 1000, NetIncomeLoss: 100 };

function incomeOf(lines: Record<string, number>) {
  const facts = income('2024-01-01', '2024-12-31', { ...MAIN, ...lines });
  const { statements } = rowsOf([{ filed: '2025-02-01', fy: 2024, fp: 'FY', facts }]);
  return statements.find(({ period }) => period === 'annual')!;
}

function balanceOf(lines: Record<string, number>) {
  const facts = [
    ...income('2024-01-01', '2024-12-31', MAIN),
    ...balance('2024-12-31', { Assets: 1000, Liabilities: 600, ...lines }),
  ];
  const { balanceSheets } = rowsOf([{ filed: '2025-02-01', fy: 2024, fp: 'FY', facts }]);
  return balanceSheets.find(({ period }) => period === 'annual')!;
}

describe('lines of an income statement', () => {
  it.each<[string, Record<string, number>, Record<string, number | null>]>([
    [
      'a total beside its parts',
      {
        SellingGeneralAndAdministrativeExpense: 90,
        SellingAndMarketingExpense: 60,
        GeneralAndAdministrativeExpense: 30,
      },
      { sellingGeneralAdministrative: 90 },
    ],
    [
      'both parts',
      { SellingAndMarketingExpense: 60, GeneralAndAdministrativeExpense: 30 },
      { sellingGeneralAdministrative: 90 },
    ],
    ['one part', { GeneralAndAdministrativeExpense: 30 }, { sellingGeneralAdministrative: null }],
    [
      'two lines of one part',
      { SellingExpense: 60, MarketingExpense: 20, GeneralAndAdministrativeExpense: 30 },
      { sellingGeneralAdministrative: null },
    ],
    [
      'a line that is less than its part',
      { SellingGeneralAndAdministrativeExpense: 20, SellingAndMarketingExpense: 60 },
      { sellingGeneralAdministrative: null },
    ],
    ['an expense below zero', { InterestExpense: -12 }, { interestExpense: 12 }],
    [
      'interest beside that of a finance business',
      { InterestExpense: 12, FinancingInterestExpense: 8 },
      { interestExpense: null },
    ],
    [
      'interest on debt beside that on leases',
      { InterestExpenseDebt: 12, FinanceLeaseInterestExpense: 3 },
      { interestExpense: null },
    ],
    ['interest on debt alone', { InterestExpenseDebt: 12 }, { interestExpense: 12 }],
    ['a benefit of tax', { IncomeTaxExpenseBenefit: -7 }, { incomeTax: -7 }],
    [
      'the part of minorities',
      { ProfitLoss: 104, NetIncomeLossAttributableToNoncontrollingInterest: -4 },
      { minorityIncome: 4 },
    ],
    [
      'a loss of minorities',
      { ProfitLoss: 90, NetIncomeLossAttributableToNoncontrollingInterest: -10 },
      { minorityIncome: -10 },
    ],
  ])('take %s', (_, lines, expected) => {
    expect(incomeOf(lines)).toMatchObject(expected);
  });

  const PRETAX =
    'IncomeLossFromContinuingOperationsBeforeIncomeTaxesExtraordinaryItemsNoncontrollingInterest';

  const FLOWS = {
    NetCashProvidedByUsedInOperatingActivities: 90,
    NetCashProvidedByUsedInInvestingActivities: -40,
  };

  it('give earnings before interest, tax and depreciation', () => {
    const lines = { [PRETAX]: 130, InterestExpense: 20, DepreciationDepletionAndAmortization: 50 };
    expect(incomeOf({ ...lines, ...FLOWS })).toMatchObject({ ebit: 150, ebitda: 200 });
    // Without cash flows, it may be that of a segment, or leave out what costs of goods hold.
    expect(incomeOf(lines)).toMatchObject({ ebit: 150, ebitda: null });
    expect(incomeOf({ [PRETAX]: 130, InterestExpense: 20 })).toMatchObject({
      ebit: 150,
      ebitda: null,
    });
    expect(incomeOf({ [PRETAX]: 130 })).toMatchObject({ ebit: null, ebitda: null });
  });

  it('are no statement without main figures', () => {
    const facts = income('2024-01-01', '2024-12-31', {
      ResearchAndDevelopmentExpense: 5,
      IncomeTaxExpenseBenefit: 7,
      DepreciationDepletionAndAmortization: 9,
    });
    expect(rowsOf([{ filed: '2025-02-01', facts }]).statements).toEqual([]);
  });

  it('give a fourth quarter as a difference, and depreciation from years to date', () => {
    const quarter = (start: string, end: string, factor: number): TestFact[] =>
      income(start, end, {
        Revenues: 100,
        NetIncomeLoss: 10,
        ResearchAndDevelopmentExpense: 5 * factor,
      });
    const ends = ['2024-03-31', '2024-06-30', '2024-09-30'];
    const starts = ['2024-01-01', '2024-04-01', '2024-07-01'];
    const toDate = ends.map((end, i) =>
      income('2024-01-01', end, {
        Revenues: 100 * (i + 1),
        NetIncomeLoss: 10 * (i + 1),
        [PRETAX]: 12 * (i + 1),
        InterestExpense: 2 * (i + 1),
        DepreciationDepletionAndAmortization: 3 * (i + 1),
        ...FLOWS,
      }),
    );
    const reports = ends.map((end, i) => ({
      form: '10-Q',
      filed: `2024-${end.slice(5, 7) === '09' ? '11' : end.slice(5, 7) === '06' ? '08' : '05'}-01`,
      fy: 2024,
      fp: `Q${i + 1}`,
      facts: [...quarter(starts[i], end, 1), ...toDate[i]],
    }));
    const year = income('2024-01-01', '2024-12-31', {
      Revenues: 400,
      NetIncomeLoss: 40,
      ResearchAndDevelopmentExpense: 21,
      [PRETAX]: 50,
      InterestExpense: 8,
      DepreciationDepletionAndAmortization: 13,
      ...FLOWS,
    });
    const { statements } = rowsOf([
      ...reports,
      { filed: '2025-02-01', fy: 2024, fp: 'FY', facts: year },
    ]);
    const quarters = statements.filter(({ period }) => period === 'quarterly');
    expect(quarters.map(({ researchDevelopment }) => researchDevelopment)).toEqual([5, 5, 5, 6]);
    expect(quarters.map(({ ebit }) => ebit)).toEqual([14, 14, 14, 16]);
    expect(quarters.map(({ ebitda }) => ebitda)).toEqual([17, 17, 17, 20]);
  });
});

describe('lines of a balance sheet', () => {
  it.each<[string, Record<string, number>, Record<string, number | null>]>([
    ['stated totals', { AssetsCurrent: 300, Goodwill: 0 }, { currentAssets: 300, goodwill: 0 }],
    [
      'all receivables before those from customers',
      { ReceivablesNetCurrent: 80, AccountsReceivableNetCurrent: 70 },
      { receivables: 80 },
    ],
    [
      'receivables in two lines, as of Duke Energy',
      { AccountsAndOtherReceivablesNetCurrent: 4214, AccountsReceivableNetCurrent: 16 },
      { receivables: null },
    ],
    [
      'receivables with others, as of a note of Target',
      { AccountsAndOtherReceivablesNetCurrent: 1265 },
      { receivables: null },
    ],
    [
      'intangible assets of both lives',
      {
        FiniteLivedIntangibleAssetsNet: 30,
        IndefiniteLivedIntangibleAssetsExcludingGoodwill: 20,
      },
      { intangibleAssets: 50 },
    ],
    [
      'intangible assets of one life',
      { FiniteLivedIntangibleAssetsNet: 30 },
      { intangibleAssets: null },
    ],
    [
      'two kinds of current securities',
      { AvailableForSaleSecuritiesCurrent: 30, TradingSecuritiesCurrent: 5 },
      { shortTermInvestments: null },
    ],
    [
      'both sides of leases',
      { OperatingLeaseLiabilityCurrent: 3, OperatingLeaseLiabilityNoncurrent: 9 },
      { leaseLiabilities: 12 },
    ],
    [
      'leases of both kinds',
      { OperatingLeaseLiability: 12, FinanceLeaseLiability: 4 },
      { leaseLiabilities: 16 },
    ],
    [
      'one side of a kind of leases',
      { OperatingLeaseLiability: 12, FinanceLeaseLiabilityNoncurrent: 4 },
      { leaseLiabilities: null },
    ],
    [
      'debt by when it is due',
      { LongTermDebtNoncurrent: 100, LongTermDebtCurrent: 10, CommercialPaper: 5 },
      { totalDebt: 115, shortTermDebt: 15, longTermDebt: 100 },
    ],
    [
      'debt in one line',
      { LongTermDebt: 100 },
      { totalDebt: 100, shortTermDebt: null, longTermDebt: null },
    ],
    [
      'minorities beside preferred shares',
      {
        StockholdersEquity: 290,
        StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest: 400,
        MinorityInterest: 60,
        PreferredStockValue: 50,
      },
      { minorityInterest: 60, preferredEquity: 50 },
    ],
    [
      'minorities as a difference',
      {
        StockholdersEquity: 340,
        StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest: 400,
      },
      { minorityInterest: 60 },
    ],
  ])('take %s', (_, lines, expected) => {
    expect(balanceOf(lines)).toMatchObject(expected);
  });
});

it('a filing that corrects the unit of an earlier one has no figures of that one', () => {
  const filing = (filed: string, unit: number, lines: Record<string, number>) => ({
    filed,
    facts: [
      ...income('2025-01-01', '2025-03-31', { Revenues: 600 * unit, NetIncomeLoss: 60 * unit }),
      ...balance('2025-03-31', { Assets: 900 * unit, StockholdersEquity: 400 * unit, ...lines }),
    ],
  });
  const { balanceSheets } = rowsOf([
    filing('2025-05-01', 1, { LongTermDebtNoncurrent: 88 }),
    filing('2025-05-20', 1e6, { ReceivablesNetCurrent: 70e6 }),
  ]);
  expect(balanceSheets.at(-1)).toMatchObject({ totalAssets: 900e6, longTermDebt: null });
});
