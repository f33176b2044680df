import { describe, expect, it } from 'vitest';
import { evidenceOf } from '../../../../../src/base/datasets/evidence.ts';
import type { FactFiling } from '../../../../../src/ingest/vendors/sec/concepts/parse-companyfacts.ts';
import {
  cashFlowReports,
  cashFlows,
} from '../../../../../src/ingest/vendors/sec/facts/cash-flows.ts';
import { fiscalCalendar } from '../../../../../src/ingest/vendors/sec/facts/fiscal-calendar.ts';
import { periodEnds } from '../../../../../src/ingest/vendors/sec/facts/period-ends.ts';

const dayOf = (date: string) => Date.parse(date) / 86_400_000;

const MAIN = {
  NetCashProvidedByUsedInOperatingActivities: 100,
  NetCashProvidedByUsedInInvestingActivities: -30,
  NetCashProvidedByUsedInFinancingActivities: -50,
  CashAndCashEquivalentsPeriodIncreaseDecrease: 20,
};

type Amounts = Readonly<Record<string, number>>;

/** A filing of one period from the start of 2024 on. */
function filing(end: string, amounts: Amounts, form = '10-Q', start = '2024-01-01') {
  const facts = Object.entries(amounts).map(([name, value]) => {
    return {
      concept: `us-gaap:${name}`,
      unit: 'USD',
      startDay: dayOf(start),
      endDay: dayOf(end),
      value,
    };
  });
  const filedDay = dayOf(end) + 30;
  const head = { accession: `0000000001-24-${String(filedDay).slice(-6)}`, form, filedDay };
  const own = { fiscalYear: 2024, fiscalPeriod: form === '10-K' ? 'FY' : 'Q1', facts };
  return { ...head, ...own } satisfies FactFiling;
}

/** Newest version of each row, by period and date. */
function rowsOf(filings: readonly FactFiling[]) {
  const dated = filings.map((one) => ({ ...one, filedAtMs: one.filedDay * 86_400_000 }));
  const reports = cashFlowReports(dated);
  const ends = periodEnds([]);
  const rows = cashFlows(reports, fiscalCalendar([], ends));
  return new Map(
    rows.map((row) => [
      `${row.period} ${new Date(row.date * 864e5).toISOString().slice(0, 10)}`,
      row,
    ]),
  );
}

const yearOf = (amounts: Amounts) =>
  rowsOf([filing('2024-12-31', { ...MAIN, ...amounts }, '10-K')]).get('annual 2024-12-31');

const times = (amounts: Amounts, factor: number): Amounts =>
  Object.fromEntries(Object.entries(amounts).map(([name, value]) => [name, value * factor]));

it('adds the effect of exchange rates to a change before it', () => {
  const { CashAndCashEquivalentsPeriodIncreaseDecrease: _, ...flows } = MAIN;
  const facts = filing(
    '2024-12-31',
    {
      ...flows,
      EffectOfExchangeRateOnCashAndCashEquivalents: -5,
      CashAndCashEquivalentsPeriodIncreaseDecreaseExcludingExchangeRateEffect: 20,
    },
    '10-K',
  );
  const row = rowsOf([facts]).get('annual 2024-12-31')!;
  expect(row).toMatchObject({ changeInCash: 15, unexplainedChange: 0 });
  expect(evidenceOf({ ...row }).changeInCash?.lines?.map(([, , amount]) => amount)).toEqual([
    20, -5,
  ]);
});

describe('a year to date', () => {
  const rows = rowsOf([
    filing('2024-03-31', MAIN),
    filing('2024-06-30', times(MAIN, 3)),
    filing('2024-09-30', times(MAIN, 4)),
    filing('2024-12-31', times(MAIN, 10), '10-K'),
  ]);

  it.each([
    ['2024-03-31', 100],
    ['2024-06-30', 200],
    ['2024-09-30', 100],
    ['2024-12-31', 600],
  ])('gives the quarter up to %s as a difference', (date, operatingCashFlow) => {
    const row = rows.get(`quarterly ${date}`);
    expect(row).toMatchObject({ operatingCashFlow, unexplainedChange: 0 });
  });

  it('gives no quarter below zero of what is received or paid, but for corrections', () => {
    const repaid = (end: string, amount: number) =>
      filing(end, { ...MAIN, ProceedsFromIssuanceOfDebt: amount, RepaymentsOfDebt: 50 + amount });
    const issued = [repaid('2024-03-31', 100), repaid('2024-06-30', 97), repaid('2024-09-30', 60)];
    const told = ['2024-06-30', '2024-09-30'].map((date) => {
      const row = rowsOf(issued).get(`quarterly ${date}`)!;
      return [row.debtIssued, evidenceOf({ ...row }).debtIssued?.reason];
    });
    const reason = 'the shorter periods have more, as before a split or another classification';
    expect(told).toEqual([
      [-3, undefined],
      [null, reason],
    ]);
  });

  it.each([
    ['DepreciationAndAmortization', 92, null],
    ['DepreciationAndAmortization', 147, 59],
    ['DepreciationDepletionAndAmortization', 92, 114],
  ])('gives a quarter in line with %s of nine months, or none: %i', (concept, known, rest) => {
    const [first, last, year] = [
      filing('2024-06-30', { ...MAIN, [concept]: (known * 2) / 3 }),
      filing('2024-09-30', { ...MAIN, [concept]: known }),
      filing('2024-12-31', { ...MAIN, DepreciationDepletionAndAmortization: 206 }, '10-K'),
    ];
    const row = rowsOf([first, last, year]).get('quarterly 2024-12-31')!;
    const { reason } = evidenceOf({ ...row }).depreciationAmortization ?? {};
    expect([row.depreciationAmortization, reason]).toEqual([
      rest,
      rest === null
        ? 'its periods have several concepts, and the difference is not in line with them'
        : undefined,
    ]);
  });

  it('is no year of twelve months', () => {
    expect([...rows.keys()].filter((key) => key.startsWith('annual'))).toEqual([
      'annual 2024-12-31',
    ]);
  });

  it('gives no quarter where the one before is not there', () => {
    const some = rowsOf([filing('2024-03-31', MAIN), filing('2024-09-30', times(MAIN, 4))]);
    expect([...some.keys()]).toEqual(['quarterly 2024-03-31']);
  });
});

describe('the change in cash', () => {
  it.each([
    'EffectOfExchangeRateOnCashAndCashEquivalents',
    'EffectOfExchangeRateOnCashAndCashEquivalentsContinuingOperations',
  ])('that is the three flows alone is one before exchange rates: %s', (name) => {
    expect(yearOf({ [name]: -4 })).toMatchObject({
      ...{ exchangeEffect: -4, changeInCash: 16, unexplainedChange: 0 },
    });
  });

  it('says what its parts leave out', () => {
    expect(yearOf({ CashAndCashEquivalentsPeriodIncreaseDecrease: 23 })?.unexplainedChange).toBe(3);
  });

  it('holds the effect of exchange rates', () => {
    const row = yearOf({
      EffectOfExchangeRateOnCashAndCashEquivalents: -4,
      CashAndCashEquivalentsPeriodIncreaseDecrease: 16,
    });
    expect(row).toMatchObject({ exchangeEffect: -4, unexplainedChange: 0 });
  });

  it('is not compared where a flow is unknown', () => {
    const { NetCashProvidedByUsedInInvestingActivities: _, ...some } = MAIN;
    const row = rowsOf([filing('2024-12-31', some, '10-K')]).get('annual 2024-12-31');
    expect(row).toMatchObject({ investingCashFlow: null, unexplainedChange: null });
  });
});

it('adds the flows of discontinued operations where no total is given', () => {
  const { NetCashProvidedByUsedInOperatingActivities: _, ...others } = MAIN;
  const parts = {
    NetCashProvidedByUsedInOperatingActivitiesContinuingOperations: 90,
    CashProvidedByUsedInOperatingActivitiesDiscontinuedOperations: 10,
  };
  const row = rowsOf([filing('2024-12-31', { ...others, ...parts }, '10-K')]).get(
    'annual 2024-12-31',
  );
  expect(row).toMatchObject({ operatingCashFlow: 100, unexplainedChange: 0 });
});

it.each<[string, Amounts, number | null]>([
  ['the only line', { PaymentsToAcquirePropertyPlantAndEquipment: 25 }, 25],
  ['a payment below zero', { PaymentsToAcquirePropertyPlantAndEquipment: -25 }, 25],
  [
    'the total beside all of its parts',
    { PaymentsToAcquireProductiveAssets: 25, PaymentsToAcquirePropertyPlantAndEquipment: 25 },
    25,
  ],
  [
    'one amount under two names',
    { PaymentsToAcquirePropertyPlantAndEquipment: 25, PaymentsToAcquireBuildings: 25 },
    25,
  ],
  [
    'the line that is the sum of the others',
    {
      PaymentsToAcquirePropertyPlantAndEquipment: 25,
      PaymentsToAcquireBuildings: 20,
      PaymentsToAcquireMachineryAndEquipment: 5,
    },
    25,
  ],
  [
    'no one of several lines',
    { PaymentsToAcquirePropertyPlantAndEquipment: 25, PaymentsToAcquireBuildings: 20 },
    null,
  ],
  [
    'no line in the concept of the total beside others',
    { PaymentsToAcquireProductiveAssets: 617, PaymentsToAcquirePropertyPlantAndEquipment: 79 },
    null,
  ],
  ['nothing where none is given', {}, null],
  ['a line of zero', { PaymentsToAcquirePropertyPlantAndEquipment: 0 }, 0],
])('takes %s as capital expenditure', (_, amounts, capitalExpenditure) => {
  const freeCashFlow = capitalExpenditure === null ? null : 100 - capitalExpenditure;
  expect(yearOf(amounts)).toMatchObject({ capitalExpenditure, freeCashFlow });
});

it('takes figures of notes alone for no statement', () => {
  expect(
    rowsOf([filing('2024-12-31', { InterestPaidNet: 5, IncomeTaxesPaidNet: 7 }, '10-K')]).size,
  ).toBe(0);
});

it('takes amounts below zero for what they are', () => {
  const taxes = (amounts: Amounts) =>
    rowsOf([filing('2024-03-31', { ...MAIN, IncomeTaxesPaid: -9, ...amounts })])
      .values()
      .next().value;
  expect(taxes({ InterestPaid: 40 })?.taxesPaid).toBe(-9);
  expect(taxes({ InterestPaid: -40 })?.taxesPaid).toBe(9);
  expect(taxes({ ShareBasedCompensation: -66 })?.stockCompensation).toBeNull();
});

/** Company facts leave out lines in concepts of the filer. Financing is -50 here. */
describe('a flow from company facts alone', () => {
  const LEFT_OUT = 'company facts leave out flows of financing, which may be a part of it';
  const PARTS = 'some may be parts: ';
  const NOTED = 'the flows of financing add up without it, so it may be from a note';
  const NO_SIGN = 'it is tagged below zero, and no payment shows which sign is paid';
  const repaid = { RepaymentsOfLongTermDebt: 50 };
  const ENDED = { IncomeLossFromDiscontinuedOperationsNetOfTax: 9, CostsAndExpenses: 700 };

  it.each<[string, Amounts, number | null, reason?: string]>([
    ['debtRepaid', repaid, 50],
    ['debtRepaid', { RepaymentsOfLongTermDebt: -50 }, 50],
    ['debtRepaid', { RepaymentsOfLongTermDebt: 20 }, null, LEFT_OUT],
    [
      'debtRepaid',
      {
        ...repaid,
        PaymentsForProceedsFromHedgeFinancingActivities: -4,
        ProceedsFromOtherEquity: 3,
      },
      null,
      LEFT_OUT,
    ],
    // A flow that notes give once more.
    ['debtRepaid', { ...repaid, ProceedsFromIssuanceOfDebt: 7 }, 50],
    // Something was received, too. No line of what was paid is missing.
    ['debtRepaid', { RepaymentsOfLongTermDebt: 90 }, 90],
    [
      'debtRepaid',
      { RepaymentsOfLongTermDebt: 20, RepaymentsOfShortTermDebt: 30 },
      null,
      `${PARTS}RepaymentsOfLongTermDebt, RepaymentsOfShortTermDebt`,
    ],
    [
      'debtRepaid',
      { RepaymentsOfDebt: 50, RepaymentsOfLongTermDebt: 20, RepaymentsOfShortTermDebt: 30 },
      50,
    ],
    [
      'debtRepaid',
      { RepaymentsOfLongTermDebt: 20, RepaymentsOfShortTermDebt: 30, RepaymentsOfOtherDebt: 50 },
      null,
      'other lines show that it may be a part',
    ],
    // Alphabet repays debt and leases in one line.
    [
      'debtRepaid',
      { RepaymentsOfDebtAndCapitalLeaseObligations: 50 },
      null,
      'may be a part, or hold others: RepaymentsOfDebtAndCapitalLeaseObligations',
    ],
    // NVIDIA's loan of 2016 stood in a note of the three years after it, tagged as theirs.
    ['debtIssued', { ...repaid, ProceedsFromIssuanceOfLongTermDebt: 10 }, null, NOTED],
    ['debtIssued', { RepaymentsOfLongTermDebt: 70, ProceedsFromIssuanceOfLongTermDebt: 30 }, 30],
    // Of a total of all debt, more may be missing than of one of its lines.
    ['debtRepaid', { RepaymentsOfDebt: 46 }, 46],
    ['debtRepaid', { RepaymentsOfLongTermDebt: 46 }, null, LEFT_OUT],
    ['debtRepaid', { RepaymentsOfLongTermDebt: 48 }, 48],
    ['debtIssued', { RepaymentsOfDebt: 70, ProceedsFromNotesPayable: 10 }, null, LEFT_OUT],
    [
      'shareIssuance',
      { ProceedsFromIssuanceOfCommonStock: 13, ProceedsFromSaleOfTreasuryStock: 51 },
      null,
      `${PARTS}ProceedsFromIssuanceOfCommonStock, ProceedsFromSaleOfTreasuryStock`,
    ],
    ['shareIssuance', { ProceedsFromIssuanceOfCommonStock: 13 }, 13],
    [
      'depreciationAmortization',
      { DepreciationAndAmortization: 23, AmortizationOfIntangibleAssets: 22 },
      null,
      'amortization of intangible assets may be a line of its own',
    ],
    [
      'depreciationAmortization',
      { DepreciationAndAmortization: 23, AmortizationOfIntangibleAssets: 4 },
      23,
    ],
    // Notes of Amazon and UPS have a part of it in the concept of the total.
    [
      'depreciationAmortization',
      { DepreciationDepletionAndAmortization: 3000, DepreciationAndAmortization: 3746 },
      3746,
    ],
    [
      'shareRepurchases',
      { PaymentsForRepurchaseOfEquity: 450, PaymentsForRepurchaseOfCommonStock: 1485 },
      1485,
    ],
    // A real estate trust, whose flows hold the depreciation of what it sold.
    [
      'depreciationAmortization',
      { DepreciationAndAmortization: 200, ...ENDED },
      null,
      'it may be a line of costs, which leaves out discontinued operations',
    ],
    [
      'depreciationAmortization',
      { DepreciationAndAmortization: 200, DepreciationDepletionAndAmortization: 201, ...ENDED },
      201,
    ],
    ['depreciationAmortization', { DepreciationAndAmortization: 2, ...ENDED, CostOfRevenue: 4 }, 2],
    ['acquisitions', { PaymentsToAcquireBusinessesNetOfCashAcquired: -157 }, null, NO_SIGN],
    ['taxesPaid', { IncomeTaxesPaid: -9 }, null, NO_SIGN],
  ])('%s of %o is %s', (field, amounts, value, reason) => {
    const row = { ...yearOf(amounts)! } as Record<string, unknown>;
    expect([row[field], evidenceOf(row)[field]?.reason]).toEqual([value, reason]);
  });
});

it('leaves a part open that the annual report before gives with all of it', () => {
  const [all, part] = ['DepreciationDepletionAndAmortization', 'DepreciationAndAmortization'];
  const since = (start: string, end: string, amounts: Amounts, form?: string) =>
    filing(end, { ...MAIN, ...amounts }, form, start);
  const rows = rowsOf([
    since('2023-01-01', '2023-12-31', { [all]: 104, [part]: 61 }, '10-K'),
    since('2024-01-01', '2024-03-31', { [part]: 16 }),
    since('2024-01-01', '2024-09-30', { [part]: 51 }),
    since('2024-01-01', '2024-12-31', { [all]: 101 }, '10-K'),
    since('2025-01-01', '2025-03-31', { [part]: 17 }),
  ]);
  const told = [...rows].map(([key, row]) => `${key} ${row.depreciationAmortization}`);
  expect(told.sort()).toEqual([
    'annual 2023-12-31 104',
    'annual 2024-12-31 101',
    'quarterly 2024-03-31 null',
    'quarterly 2024-12-31 null',
    'quarterly 2025-03-31 17',
  ]);
  expect(evidenceOf({ ...rows.get('quarterly 2024-03-31')! }).depreciationAmortization).toEqual({
    ...{ verdict: null, isAbsent: true },
    reason: 'the annual report before gives it as a part of a greater amount',
  });
});
