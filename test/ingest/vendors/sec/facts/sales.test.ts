/**
 * Revenue, its cost and net income from lines of which some are totals and others parts. The first
 * concept of a list used to count alone: a bank had the part under ASC 606, 41 million for 375.
 */

import { describe, expect, it } from 'vitest';
import { evidenceOf } from '../../../../../src/base/datasets/evidence.ts';
import { day, income, rowsOf } from '../support/facts-json.ts';

/** Figures of one year with these lines. */
function yearOf(lines: Record<string, number>) {
  const filing = {
    filed: '2025-02-20',
    fy: 2024,
    fp: 'FY',
    facts: income('2024-01-01', '2024-12-31', { NetIncomeLoss: 5, ...lines }),
  };
  return rowsOf([filing]).statements[0];
}

const CONTRACTS = 'RevenueFromContractWithCustomerExcludingAssessedTax';

describe('revenue', () => {
  it.each<[string, Record<string, number>, number]>([
    ['a bank', { InterestIncomeExpenseNet: 236, NoninterestIncome: 139, [CONTRACTS]: 41 }, 375],
    [
      'a bank without net interest income',
      {
        InterestAndDividendIncomeOperating: 380,
        InterestExpense: 144,
        NoninterestIncome: 139,
        [CONTRACTS]: 41,
      },
      375,
    ],
    ['a utility', { RegulatedAndUnregulatedOperatingRevenue: 1000, [CONTRACTS]: 890 }, 1000],
    ['a lessor', { OperatingLeaseLeaseIncome: 500, [CONTRACTS]: 20 }, 520],
    ['a lessor without other revenue', { OperatingLeaseLeaseIncome: 500 }, 500],
    ['a seller that lets a floor', { OperatingLeaseLeaseIncome: 5, [CONTRACTS]: 900 }, 900],
    [
      'an insurer',
      { PremiumsEarnedNet: 800, NetInvestmentIncome: 90, RealizedInvestmentGainsLosses: -10 },
      880,
    ],
    ['goods and services', { SalesRevenueGoodsNet: 70, SalesRevenueServicesNet: 30 }, 100],
    ['a total and its parts', { SalesRevenueGoodsNet: 70, SalesRevenueNet: 100 }, 100],
    ['a driller', { RevenueOilAndGasServices: 449 }, 449],
  ])('of %s', (_, lines, revenue) => {
    expect(yearOf(lines).revenue).toBe(revenue);
  });

  const PRETAX =
    'IncomeLossFromContinuingOperationsBeforeIncomeTaxesExtraordinaryItemsNoncontrollingInterest';
  const ALL = { CostsAndExpenses: 800, OperatingIncomeLoss: 200 };

  it.each<[string, Record<string, number>, number]>([
    [
      'revenue beside contracts',
      { [CONTRACTS]: 890, RevenueNotFromContractWithCustomer: 110 },
      1000,
    ],
    [
      'sales less taxes on them',
      { SalesRevenueNet: 1200, RegulatedOperatingRevenue: 1000, ...ALL },
      1000,
    ],
    ['sales, where a note has another total', { [CONTRACTS]: 1000, Revenues: 90 }, 1000],
    ['sales less losses on hedges', { [CONTRACTS]: 1100, Revenues: 1000 }, 1000],
    ['sales before other operating income', { [CONTRACTS]: 970, ...ALL }, 970],
  ])('is %s', (_, lines, revenue) => {
    expect(yearOf(lines).revenue).toBe(revenue);
  });

  it.each<[string, Record<string, number>]>([
    ['a utility, under contracts', { [CONTRACTS]: 890, ...ALL }],
    ['a utility, regulated', { RegulatedOperatingRevenue: 800, UnregulatedOperatingRevenue: 200 }],
    ['a utility, of current', { ElectricUtilityRevenue: 700, GasDomesticRegulatedRevenue: 300 }],
    ['a bank, under contracts', { [CONTRACTS]: 41, InterestIncomeExpenseNet: 236 }],
    ['a lender, under contracts', { [CONTRACTS]: 100, InterestAndDividendIncomeOperating: 275 }],
    ['an insurer, under contracts', { [CONTRACTS]: 40, PremiumsEarnedNet: 800 }],
    ['an owner of hotels, under contracts', { [CONTRACTS]: 600, OperatingLeaseLeaseIncome: 300 }],
    [
      'an insurer without its other income',
      {
        PremiumsEarnedNet: 800,
        NetInvestmentIncome: 105,
        BenefitsLossesAndExpenses: 820,
        [PRETAX]: 115,
      },
    ],
  ])('is unknown where it is the part of %s', (_, lines) => {
    expect(yearOf(lines).revenue).toBeNull();
  });

  it('is unknown where only premiums are given', () => {
    const row = yearOf({ PremiumsEarnedNet: 800, EarningsPerShareDiluted: 1 });
    expect(row.revenue).toBeNull();
  });
});

describe('cost of revenue', () => {
  it.each<[string, Record<string, number>, number | null]>([
    ['goods and services', { CostOfGoodsSold: 500, CostOfServices: 280 }, 780],
    [
      'a total and its parts',
      { CostOfGoodsAndServicesSold: 780, CostOfGoodsSold: 500, CostOfServices: 280 },
      780,
    ],
    [
      'a health plan that sells drugs',
      { PolicyholderBenefitsAndClaimsIncurredNet: 660, CostOfGoodsAndServicesSold: 120 },
      780,
    ],
    ['an insurer', { PolicyholderBenefitsAndClaimsIncurredNet: 660 }, null],
    ['a negative amount', { CostOfGoodsSold: -720 }, 720],
    ['goods alone', { CostOfGoodsSold: 500 }, 500],
    [
      'services before depreciation',
      { CostOfGoodsAndServiceExcludingDepreciationDepletionAndAmortization: 700 },
      700,
    ],
    ['services beside goods', { CostOfGoodsAndServicesSold: 50, CostOfServices: 300 }, null],
    ['goods beside services', { CostOfRevenue: 100, CostOfGoodsAndServicesSold: 300 }, null],
    [
      'goods, though services are sold too',
      { CostOfGoodsSold: 5, SalesRevenueServicesNet: 300 },
      null,
    ],
  ])('of %s', (_, lines, cost) => {
    const row = yearOf({ Revenues: 1000, ...lines });
    expect(row.costOfRevenue).toBe(cost);
    expect(row.grossProfit).toBe(cost === null ? null : 1000 - cost);
  });
});

it('leaves out a cost that may be of a part, as all costs hold much that no known line is', () => {
  // A filer's own cost of services is in no company facts: 281 of these 1,110 at a telephone company.
  const phones = {
    Revenues: 1340,
    CostOfGoodsSold: 268,
    SellingGeneralAndAdministrativeExpense: 327,
    DepreciationDepletionAndAmortization: 234,
    CostsAndExpenses: 1110,
  };
  const part = yearOf(phones);
  expect(part).toMatchObject({ costOfRevenue: null, grossProfit: null });
  const reason = 'no line of cost is known to be all of it';
  expect(evidenceOf(part).costOfRevenue).toMatchObject({ verdict: null, reason });
  expect(yearOf({ ...phones, CostsAndExpenses: 850 })).toMatchObject({ costOfRevenue: 268 });
  expect(yearOf({ ...phones, CostOfRevenue: 549 })).toMatchObject({ costOfRevenue: 549 });
  expect(yearOf({ ...phones, GrossProfit: 1072 })).toMatchObject({ costOfRevenue: 268 });
});

it('leaves out a cost that stated gross profit shows to be one of several lines', () => {
  const stated = { Revenues: 1000, CostOfGoodsSold: 300, GrossProfit: 400 };
  expect(yearOf(stated)).toMatchObject({ costOfRevenue: null, grossProfit: 400 });
  expect(yearOf({ ...stated, CostOfGoodsSold: 601 })).toMatchObject({ costOfRevenue: 601 });
});

it('leaves out a cost that does not fit a later filing of its period', () => {
  const year = (lines: Record<string, number>) => income('2024-01-01', '2024-12-31', lines);
  const first = { filed: '2025-02-20', facts: year({ Revenues: 1000, CostOfRevenue: 600 }) };
  const later = { filed: '2026-02-20', facts: year({ Revenues: 1100, GrossProfit: 400 }) };
  const costs = rowsOf([first, later]).statements.map((row) => row.costOfRevenue);
  expect(costs).toEqual([600, 700]);
  const restated = { filed: '2026-02-20', facts: year({ Revenues: 1100, NetIncomeLoss: 5 }) };
  const rows = rowsOf([first, restated]).statements;
  expect(rows.map((row) => row.costOfRevenue)).toEqual([600, null]);
});

describe('net income', () => {
  const profitOf = (lines: Record<string, number>) => {
    const facts = income('2024-01-01', '2024-12-31', { Revenues: 1000, ProfitLoss: 350, ...lines });
    const [row] = rowsOf([{ filed: '2025-02-20', fy: 2024, fp: 'FY', facts }]).statements;
    return [row.netIncome, row.netIncomeToCommon];
  };

  it('is that of the parent', () => {
    expect(profitOf({ NetIncomeLossAttributableToNoncontrollingInterest: 80 })).toEqual([270, 270]);
    const shares = { WeightedAverageNumberOfSharesOutstandingBasic: 100 };
    const proof = { EarningsPerShareBasic: 2.7, ...shares };
    expect(profitOf({ NetIncomeLoss: 270, ...proof })).toEqual([270, 270]);
  });

  it('is all profit where earnings per share prove it, or nothing speaks against it', () => {
    const shares = { WeightedAverageNumberOfSharesOutstandingBasic: 100 };
    expect(profitOf({})).toEqual([350, 350]);
    expect(profitOf({ EarningsPerShareBasic: 3.5, ...shares })).toEqual([350, 350]);
    expect(
      profitOf({ EarningsPerShareBasic: 3.4, DividendsPreferredStock: 10, ...shares }),
    ).toEqual([350, 340]);
  });

  it('is less the parts of minorities', () => {
    const redeemable = { NetIncomeLossAttributableToRedeemableNoncontrollingInterest: 30 };
    const other = { NetIncomeLossAttributableToNonredeemableNoncontrollingInterest: 50 };
    expect(profitOf({ ...redeemable, ...other })).toEqual([270, 270]);
    const partners = { MinorityInterestInNetIncomeLossOperatingPartnerships: 80 };
    expect(profitOf(partners)).toEqual([null, null]);
    const common = { NetIncomeLossAvailableToCommonStockholdersBasic: 270 };
    expect(profitOf({ ...partners, ...common })).toEqual([270, 270]);
  });

  it('is not all profit that is tagged as the parent’s, as at Xerox', () => {
    const pretax =
      'IncomeLossFromContinuingOperationsBeforeIncomeTaxesExtraordinaryItemsNoncontrollingInterest';
    const tagged = {
      NetIncomeLoss: 350_000,
      NetIncomeLossAttributableToNoncontrollingInterest: 80_000,
      IncomeTaxExpenseBenefit: 100_000,
    };
    expect(yearOf({ ...tagged, [pretax]: 450_000 }).netIncome).toBe(270_000);
    expect(yearOf({ ...tagged, [pretax]: 530_000 }).netIncome).toBe(350_000);
    expect(
      yearOf({
        ...tagged,
        EarningsPerShareBasic: 2.7,
        WeightedAverageNumberOfSharesOutstandingBasic: 100_000,
      }).netIncome,
    ).toBe(270_000);
  });

  it('is unknown where diluted earnings per share show a part of others', () => {
    const shares = { WeightedAverageNumberOfDilutedSharesOutstanding: 100 };
    expect(profitOf({ EarningsPerShareDiluted: 2.7, ...shares })).toEqual([null, null]);
    expect(profitOf({ EarningsPerShareDiluted: 3.5, ...shares })).toEqual([350, 350]);
  });

  it('is unknown where earnings per share show that others have a part of the profit', () => {
    const shares = { WeightedAverageNumberOfSharesOutstandingBasic: 100 };
    expect(profitOf({ EarningsPerShareBasic: 2.7, ...shares })).toEqual([null, null]);
    expect(profitOf({ NetIncomeLossAvailableToCommonStockholdersBasic: 270 })).toEqual([null, 270]);
  });
});

it('names the lines that net income and the revenue of a bank are', () => {
  const evidence = (lines: Record<string, number>) => {
    const facts = income('2024-01-01', '2024-12-31', lines);
    return evidenceOf(rowsOf([{ filed: '2025-02-20', facts }]).statements[0]);
  };
  const bank = { InterestIncomeExpenseNet: 897, NoninterestIncome: 627, NetIncomeLoss: 40 };
  expect(evidence(bank)).toMatchObject({
    revenue: {
      verdict: 'summed',
      lines: [
        ['us-gaap:InterestIncomeExpenseNet', null, 897],
        ['us-gaap:NoninterestIncome', null, 627],
      ],
    },
    netIncome: { verdict: 'stated', lines: [['us-gaap:NetIncomeLoss', null, 40]] },
  });
  const part = { NetIncomeLossAttributableToNoncontrollingInterest: 5 };
  expect(evidence({ Revenues: 100, ProfitLoss: 40, ...part }).netIncome).toMatchObject({
    verdict: 'summed',
    lines: [
      ['us-gaap:ProfitLoss', null, 40],
      ['us-gaap:NetIncomeLossAttributableToNoncontrollingInterest', null, -5],
    ],
  });
});

const QUARTERS = [
  ['2024-01-01', '2024-03-31', '2024-05-01', 'Q1'],
  ['2024-04-01', '2024-06-30', '2024-08-01', 'Q2'],
  ['2024-07-01', '2024-09-30', '2024-11-01', 'Q3'],
] as const;

/** The last quarter of a year, from three reports of a quarter and one of the year. */
function lastQuarterOf(quarter: Record<string, number>, year: Record<string, number>) {
  const reports = QUARTERS.map(([start, end, filed, fp]) => ({
    form: '10-Q',
    filed,
    fy: 2024,
    fp,
    facts: income(start, end, quarter),
  }));
  const annual = {
    filed: '2025-02-20',
    fy: 2024,
    fp: 'FY',
    facts: income('2024-01-01', '2024-12-31', year),
  };
  const { statements } = rowsOf([...reports, annual]);
  return statements.find(
    ({ period, fiscalQuarter }) => period === 'quarterly' && fiscalQuarter === 4,
  );
}

describe('a fourth quarter', () => {
  it('has one concept for the year and the quarters', () => {
    const quarter = { [CONTRACTS]: 240, NetIncomeLoss: 20 };
    const both = { [CONTRACTS]: 1000, Revenues: 1100, NetIncomeLoss: 90 };
    expect(lastQuarterOf(quarter, both)).toMatchObject({ revenue: 280, netIncome: 30 });
    // Without a sign that they differ, they are two names of one figure.
    const renamed = { Revenues: 1000, NetIncomeLoss: 90 };
    expect(lastQuarterOf(quarter, renamed)).toMatchObject({ revenue: 280 });
  });

  it('is unknown where the report of the year restates the year before', () => {
    const year = (start: number, lines: Record<string, number>) =>
      income(`${start}-01-01`, `${start}-12-31`, lines);
    const before = { filed: '2024-02-20', facts: year(2023, { Revenues: 900, NetIncomeLoss: 80 }) };
    const reports = QUARTERS.map(([start, end, filed, fp]) => {
      const facts = income(start, end, { Revenues: 250, NetIncomeLoss: 20 });
      return { form: '10-Q', filed, fy: 2024, fp, facts };
    });
    const restOf = (revenue: number) => {
      // It sold a business: the year has no revenue of it, the quarters had.
      const own = year(2024, { Revenues: 800, NetIncomeLoss: 90 });
      const facts = [...own, ...year(2023, { Revenues: revenue, NetIncomeLoss: 80 })];
      const { statements } = rowsOf([before, ...reports, { filed: '2025-02-20', facts }]);
      return statements.find(
        ({ date, period }) => period === 'quarterly' && date === day('2024-12-31'),
      );
    };
    expect(restOf(720)).toMatchObject({ revenue: null, netIncome: 30 });
    expect(restOf(899)).toMatchObject({ revenue: 50, netIncome: 30 });
  });

  it('has no part of minorities', () => {
    const part = { NetIncomeLossAttributableToNoncontrollingInterest: 5 };
    const quarter = { Revenues: 250, NetIncomeLoss: 20, ProfitLoss: 25, ...part };
    const minorities = { NetIncomeLossAttributableToNoncontrollingInterest: 20 };
    const year = { Revenues: 1000, ProfitLoss: 100 };
    expect(lastQuarterOf(quarter, { ...year, ...minorities })).toMatchObject({ netIncome: 20 });
    expect(lastQuarterOf(quarter, year)).toMatchObject({ revenue: 250, netIncome: null });
  });

  it('says which period leaves it unknown', () => {
    const quarter = { Revenues: 250, NetIncomeLoss: 20, ResearchAndDevelopmentExpense: 9 };
    const reason = (field: string, year: Record<string, number>, own = quarter) =>
      evidenceOf(lastQuarterOf(own, year)!)[field]?.reason;
    const year = { Revenues: 1000, NetIncomeLoss: 90 };
    expect(reason('researchDevelopment', year)).toBe('unknown in the year to 2024-12-31');
    const tax = { ...year, IncomeTaxExpenseBenefit: 30 };
    expect(reason('incomeTax', tax)).toBe('unknown in the quarter to 2024-03-31');
    const paid = { CommonStockDividendsPerShareDeclared: 1 };
    expect(reason('dividendsPerShare', { ...year, ...paid }, { ...quarter, ...paid })).toBe(
      'the shorter periods have more, as before a split or another classification',
    );
  });

  it('has one kind of cost for the year and the quarters', () => {
    const quarter = { Revenues: 250, CostOfGoodsSold: 100 };
    const year = { Revenues: 1000, CostOfGoodsSold: 400, CostOfServices: 200, CostOfRevenue: 600 };
    expect(lastQuarterOf(quarter, year)).toMatchObject({ costOfRevenue: 100, grossProfit: 150 });
  });

  it('has no earnings per share where those of the quarters show preferred dividends', () => {
    const counts = { WeightedAverageNumberOfSharesOutstandingBasic: 100 };
    const quarter = { Revenues: 250, NetIncomeLoss: 25, EarningsPerShareBasic: 0.2, ...counts };
    const common = { NetIncomeLossAvailableToCommonStockholdersBasic: 80 };
    const year = { Revenues: 1000, NetIncomeLoss: 100, EarningsPerShareBasic: 0.8, ...counts };
    expect(lastQuarterOf(quarter, { ...year, ...common })).toMatchObject({
      netIncome: 25,
      netIncomeToCommon: null,
      eps: null,
    });
  });

  const shares = (count: number) => ({ WeightedAverageNumberOfDilutedSharesOutstanding: count });

  it('has earnings per share by four times the shares of the year less those of the quarters', () => {
    const quarter = { Revenues: 250, NetIncomeLoss: 200, ...shares(100) };
    const year = { Revenues: 1000, NetIncomeLoss: 860, ...shares(99) };
    const row = lastQuarterOf(quarter, year);
    expect(row).toMatchObject({ sharesDiluted: 96, netIncome: 260 });
    expect(row?.epsDiluted).toBeCloseTo(260 / 96, 12);
  });

  it('has none if the year and the quarters differ by a split', () => {
    const quarter = { Revenues: 250, NetIncomeLoss: 200, ...shares(1000) };
    const year = { Revenues: 1000, NetIncomeLoss: 860, ...shares(99) };
    expect(lastQuarterOf(quarter, year)).toMatchObject({ sharesDiluted: null, epsDiluted: null });
  });
});

it('marks a quarter whose revenue is of another definition than that of the one before', () => {
  const quarter = { [CONTRACTS]: 240, NetIncomeLoss: 20 };
  const year = { [CONTRACTS]: 1000, Revenues: 1100, NetIncomeLoss: 90 };
  const reports = QUARTERS.map(([start, end, filed, fp]) => {
    return { form: '10-Q', filed, fy: 2024, fp, facts: income(start, end, quarter) };
  });
  const annual = { filed: '2025-02-20', facts: income('2024-01-01', '2024-12-31', year) };
  const next = {
    form: '10-Q',
    filed: '2025-05-01',
    facts: income('2025-01-01', '2025-03-31', { Revenues: 290, NetIncomeLoss: 21 }),
  };
  const { statements } = rowsOf([...reports, annual, next]);
  const marked = statements.filter((row) => evidenceOf(row).revenue?.isApart);
  expect(marked.map(({ date, revenue }) => [date, revenue])).toEqual([[day('2025-03-31'), 290]]);
});

it('gives figures per unit of a partnership', () => {
  const facts = [
    ...income('2024-01-01', '2024-12-31', {
      Revenues: 1000,
      NetIncomeLoss: 200,
      WeightedAverageLimitedPartnershipUnitsOutstandingDiluted: 101,
    }),
    {
      concept: 'NetIncomeLossPerOutstandingLimitedPartnershipUnitDiluted',
      unit: 'USD/shares',
      start: '2024-01-01',
      end: '2024-12-31',
      val: 1.98,
    },
  ];
  const [row] = rowsOf([{ filed: '2025-02-20', facts }]).statements;
  expect(row).toMatchObject({ epsDiluted: 1.98, sharesDiluted: 101 });
});
