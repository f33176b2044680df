/**
 * Figures that company facts alone don't decide: of 490 filings, 9 revenues, 6 profits, 5 equities
 * and 2 amounts of cash were wrong, and given.
 */

import { expect, it } from 'vitest';
import { evidenceOf } from '../../../../../src/base/datasets/evidence.ts';
import { balance, income, rowsOf } from '../support/facts-json.ts';

type Amounts = Record<string, number>;

const PRETAX =
  'IncomeLossFromContinuingOperationsBeforeIncomeTaxesMinorityInterestAndIncomeLossFromEquityMethodInvestments';
const PART = 'NetIncomeLossAttributableToNoncontrollingInterest';

function yearOf(lines: Amounts, sheet: Amounts = {}) {
  const facts = [
    ...income('2024-01-01', '2024-12-31', { DividendsPreferredStock: 0, ...lines }),
    ...balance('2024-12-31', { Assets: 1000, ...sheet }),
  ];
  const filing = { filed: '2025-02-20', fy: 2024, fp: 'FY', facts };
  const { statements, balanceSheets } = rowsOf([filing]);
  return { statement: statements[0], sheet: balanceSheets[0] };
}

const OIL = { Revenues: 500, CostsAndExpenses: 400, NetIncomeLoss: 70 };

it.each<[string, Amounts, number | null]>([
  ['with other income, as of an oil company', { OtherNonoperatingIncome: 9, [PRETAX]: 100 }, null],
  [
    'that its costs and exploration leave before taxes',
    { ExplorationExpense: 5, [PRETAX]: 100 },
    null,
  ],
  ['with exploration and a result of operations', { ExplorationExpense: 5, [PRETAX]: 90 }, 500],
  ['with other income behind it', { OtherNonoperatingIncome: 9, [PRETAX]: 109 }, 500],
  ['of an insurer', { OtherNonoperatingIncome: 9, [PRETAX]: 100, PremiumsEarnedNet: 300 }, 500],
  ['with other operating income', { OtherIncome: 9, OperatingIncomeLoss: 100 }, null],
  ['before taxes on sales', { ExciseAndSalesTaxes: 20, OperatingIncomeLoss: 80 }, null],
  ['with taxes among costs', { ExciseAndSalesTaxes: 20, OperatingIncomeLoss: 100 }, 500],
  [
    'of a bank after losses on loans',
    { InterestIncomeExpenseNet: 300, NoninterestIncome: 260 },
    null,
  ],
])('revenue %s', (_, lines, expected) => {
  const { statement } = yearOf({ ...OIL, ...lines });
  expect(statement.revenue).toBe(expected);
  expect(Boolean(evidenceOf({ ...statement }).revenue?.reason)).toBe(expected === null);
});

const TAXED = { [PRETAX]: 100, IncomeTaxExpenseBenefit: 30 };
const CONTINUING = 'IncomeTaxExpenseBenefitContinuingOperations';

it.each<[string, Amounts, number]>([
  ['as stated', { [PRETAX]: 100, IncomeTaxExpenseBenefit: -30, NetIncomeLoss: 130 }, -30],
  ['turned by its profit', { [PRETAX]: 100, IncomeTaxExpenseBenefit: -30, NetIncomeLoss: 70 }, 30],
  ['as stated without proof', { [PRETAX]: 100, IncomeTaxExpenseBenefit: -30, ProfitLoss: 75 }, -30],
  [
    'of the concept with its sign, as of Walmart in 2011',
    { [PRETAX]: 235, IncomeTaxExpenseBenefit: -76, [CONTINUING]: 76, ProfitLoss: 170 },
    76,
  ],
])('a tax is %s', (_, lines, expected) => {
  expect(yearOf({ Revenues: 500, ...lines }).statement.incomeTax).toBe(expected);
});

const SHARED = { MinorityInterest: 5, StockholdersEquity: 400 };
/** Equity by part, as of Xerox, whose minorities of 5 have a concept of its own. */
const BY_PART = {
  CommonStockValue: 250,
  RetainedEarningsAccumulatedDeficit: 185,
  AccumulatedOtherComprehensiveIncomeLossNetOfTax: -20,
  TreasuryStockValue: 20,
  StockholdersEquity: 400,
};
const EARNED = { EarningsPerShareBasic: 0.7, WeightedAverageNumberOfSharesOutstandingBasic: 100 };

it.each<[string, Amounts, Amounts, number | null]>([
  ['in exchanged concepts', { ProfitLoss: 66, NetIncomeLoss: 70, [PART]: 4 }, {}, null],
  ['less a part with the other sign', { ProfitLoss: 74, NetIncomeLoss: 70, [PART]: -4 }, {}, 70],
  ['after preferred dividends', { ProfitLoss: 74, NetIncomeLoss: 70 }, {}, null],
  ['after a part that nothing names', { ProfitLoss: 74, NetIncomeLoss: 70, ...EARNED }, {}, 70],
  ['of a company with minorities', { ProfitLoss: 70 }, SHARED, null],
  ['that taxes leave, with minorities', { NetIncomeLoss: 70, ...TAXED }, SHARED, null],
  ['that is less than taxes leave', { NetIncomeLoss: 66, ...TAXED }, SHARED, 66],
  ['that earnings per share prove', { NetIncomeLoss: 70, ...TAXED, ...EARNED }, SHARED, 70],
  ['without minorities', { NetIncomeLoss: 70, ...TAXED }, {}, 70],
  ['with equity that no concept names', { NetIncomeLoss: 70, ...TAXED }, BY_PART, null],
  [
    'with equity that is its parts',
    { NetIncomeLoss: 70, ...TAXED },
    { ...BY_PART, CommonStockValue: 255 },
    70,
  ],
  [
    'with unnamed equity, that earnings per share prove',
    { NetIncomeLoss: 70, ...TAXED, ...EARNED },
    BY_PART,
    70,
  ],
  [
    'that is not all of common shares',
    { ProfitLoss: 7000, NetIncomeLossAvailableToCommonStockholdersBasic: 7010 },
    {},
    null,
  ],
])('net income %s', (_, lines, sheet, expected) => {
  const { statement } = yearOf({ Revenues: 500, ...lines }, sheet);
  expect(statement.netIncome).toBe(expected);
  expect(Boolean(evidenceOf({ ...statement }).netIncome?.reason)).toBe(expected === null);
});

it.each<[string, Amounts, Amounts, number | null]>([
  ['is what liabilities leave', { Liabilities: 600, StockholdersEquity: 400 }, {}, 400],
  ['leaves a part out', { Liabilities: 600, StockholdersEquity: 390 }, {}, null],
  ['may hold minorities', { Liabilities: 595, ...SHARED }, {}, null],
  ['has no total of liabilities', { StockholdersEquity: 400 }, {}, 400],
  ['is of a company whose profit others share', { PartnersCapital: 400 }, { [PART]: 4 }, null],
])('equity that %s', (_, lines, profit, expected) => {
  const own = { Revenues: 500, NetIncomeLoss: 70, ...profit };
  const { sheet } = yearOf(own, lines);
  expect(sheet.totalEquity).toBe(expected);
  expect(Boolean(evidenceOf({ ...sheet }).totalEquity?.reason)).toBe(expected === null);
});

it.each<[string, Amounts, number | null]>([
  ['of a bank', { CashAndDueFromBanks: 30 }, 30],
  [
    'of a bank with more',
    { CashAndDueFromBanks: 30, CashCashEquivalentsAndFederalFundsSold: 75 },
    null,
  ],
  [
    'that leaves room',
    { CashAndCashEquivalentsAtCarryingValue: 30, AssetsHeldForSaleCurrent: 20, AssetsCurrent: 50 },
    30,
  ],
  [
    'with that held for sale',
    { CashAndCashEquivalentsAtCarryingValue: 40, AssetsHeldForSaleCurrent: 20, AssetsCurrent: 50 },
    null,
  ],
])('cash %s', (_, lines, expected) => {
  const { sheet } = yearOf({ Revenues: 500, NetIncomeLoss: 70 }, lines);
  expect(sheet.cash).toBe(expected);
  expect(Boolean(evidenceOf({ ...sheet }).cash?.reason)).toBe(expected === null);
});

it.each([
  [59, null],
  [400, 400],
])('inventory of %d, next to 196 of materials, is %s', (InventoryNet, expected) => {
  const lines = { InventoryNet, InventoryRawMaterialsAndSupplies: 196 };
  const { sheet } = yearOf({ Revenues: 500, NetIncomeLoss: 70 }, lines);
  expect(sheet.inventory).toBe(expected);
  expect(Boolean(evidenceOf({ ...sheet }).inventory?.reason)).toBe(expected === null);
});

const LOAN = { InterestExpense: 30, IncomeTaxExpenseBenefit: 20, NetIncomeLoss: 60 };

it.each<[string, Amounts, number | null]>([
  [
    'that tax alone leaves the profit of, as of American Express',
    { OperatingIncomeLoss: 80 },
    null,
  ],
  ['before interest', { OperatingIncomeLoss: 110 }, 110],
  ['with another line before taxes', { OperatingIncomeLoss: 80, [PRETAX]: 80 }, 80],
  [
    'that is revenue less all costs, interest among them, as of Boston Properties',
    { OperatingIncomeLoss: 85, Revenues: 500, CostsAndExpenses: 415 },
    null,
  ],
  [
    'that is more than the profit of all owners and tax, as of Oracle with a gain',
    { OperatingIncomeLoss: 85, Revenues: 500, CostsAndExpenses: 415, ProfitLoss: 60 },
    85,
  ],
  [
    'that is revenue less all costs, before interest',
    { OperatingIncomeLoss: 105, Revenues: 500, CostsAndExpenses: 395 },
    105,
  ],
])('operating income %s', (_, lines, expected) => {
  const { statement } = yearOf({ ...LOAN, ...lines });
  expect(statement.operatingIncome).toBe(expected);
  expect(Boolean(evidenceOf({ ...statement }).operatingIncome?.reason)).toBe(expected === null);
});

const OWED = { LiabilitiesCurrent: 200, LongTermDebtNoncurrent: 250 };
const PARTED = {
  ...BY_PART,
  StockholdersEquity: 395,
  MinorityInterest: 5,
  StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest: 400,
};

it.each<[string, string, Amounts, number | null]>([
  ['totalLiabilities', 'with a gap, of Kimberly-Clark', { ...OWED, ...PARTED }, null],
  [
    'totalLiabilities',
    'without a gap',
    { ...OWED, OtherLiabilitiesNoncurrent: 150, ...PARTED },
    600,
  ],
  ['totalLiabilities', 'of one owner', { ...OWED, StockholdersEquity: 400 }, 600],
  ['totalLiabilities', 'as stated', { ...OWED, ...PARTED, Liabilities: 500 }, 500],
  ['minorityInterest', 'in equity', PARTED, 5],
  ['minorityInterest', 'of two kinds', { ...PARTED, StockholdersEquity: 385 }, null],
  ['minorityInterest', 'without equity of all', { ...BY_PART, MinorityInterest: 9 }, null],
  ['preferredEquity', 'that closes', { ...PARTED, PreferredStockValue: 0 }, 0],
  [
    'preferredEquity',
    'next to others',
    { ...PARTED, CommonStockValue: 200, PreferredStockValue: 9 },
    null,
  ],
  ['accountsPayable', 'of a broker', { AccountsPayableCurrentAndNoncurrent: 90 }, null],
  ['accountsPayable', 'by date', { ...OWED, AccountsPayableCurrentAndNoncurrent: 90 }, 90],
])('%s %s', (field, _, lines, expected) => {
  const { sheet } = yearOf({ Revenues: 500, NetIncomeLoss: 70 }, lines);
  expect(sheet[field as 'totalLiabilities']).toBe(expected);
  expect(Boolean(evidenceOf({ ...sheet })[field]?.reason)).toBe(expected === null);
});

it('expenses of an insurer may be more than selling and administration', () => {
  const lines = { Revenues: 500, NetIncomeLoss: 70, SellingGeneralAndAdministrativeExpense: 90 };
  const spent = (more: Amounts) => yearOf({ ...lines, ...more }).statement;
  expect(spent({}).sellingGeneralAdministrative).toBe(90);
  expect(spent({ PremiumsEarnedNet: 400 }).sellingGeneralAdministrative).toBeNull();
});
