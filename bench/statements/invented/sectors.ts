/** Writes the statements of each sector, and what is right of them. */

import { debtsOf } from './debts.ts';
import {
  Filer,
  type InventedFiler,
  type Line,
  negated,
  own,
  SECTORS,
  type Sector,
} from './filer.ts';
import { writeFlows } from './flows.ts';
import { writeGoods } from './goods.ts';
import { writeProfit, writeTaxes } from './income.ts';
import { writeBank, writeCaptive, writeInsurer, writeReit } from './lenders.ts';
import { tradeAssets, writeBalance } from './sheets.ts';

export function inventedFiler(index: number, seed: number): InventedFiler {
  const sector = SECTORS[index % SECTORS.length];
  const isOfWeeks = sector === 'retailer';
  const f = new Filer(sector, isOfWeeks ? '20250131' : '20241231', seed * 100_003 + index);
  WRITE[sector](f);
  const adsh = `${String(9_000_000_000 + index)}-25-${String(index % 1e6).padStart(6, '0')}`;
  const form = sector === 'ifrs' ? '20-F' : '10-K';
  const filing = {
    ...{ adsh, cik: 1000 + index, form, period: f.day, filed: '20250320', fy: 2024, fp: 'FY' },
    accepted: '2025-03-20 16:05:00.0',
    instance: isOfWeeks ? 'acme-20250201_htm.xml' : 'acme-20241231_htm.xml',
    lines: f.lines,
  };
  return { sector, traits: f.traits, filing, truth: f.truth };
}

const IFRS_TAGS: Readonly<Record<string, string>> = {
  LongTermDebtCurrent: 'CurrentPortionOfLongtermBorrowings',
  LongTermDebtNoncurrent: 'LongtermBorrowings',
  ShortTermBorrowings: 'ShorttermBorrowings',
};

function writeMaker(f: Filer): void {
  writeGoods(f);
  writeBalance(f, true, tradeAssets(f), [], debtsOf(f));
  writeFlows(f);
}

function writeUtility(f: Filer): void {
  const electric = f.amount(1500, 3000);
  const gas = f.amount(200, 700);
  const revenue = electric + gas;
  f.truth.revenue = revenue;
  f.add('IS', [
    f.pick([
      'ElectricUtilityRevenue',
      'RegulatedOperatingRevenueElectric',
      'RegulatedElectricRevenue',
    ]),
    'Electric',
    electric,
    {},
  ]);
  f.add('IS', [
    f.pick(['GasUtilityRevenue', 'RegulatedOperatingRevenueGas', 'RegulatedGasRevenue']),
    'Natural gas',
    gas,
    {},
  ]);
  f.add('IS', [
    f.pick(['Revenues', 'RegulatedAndUnregulatedOperatingRevenue', 'UtilityRevenue']),
    'Total operating revenues',
    revenue,
  ]);
  if (f.trait('contract revenue in a note', 0.5))
    f.note(
      'RevenueFromContractWithCustomerExcludingAssessedTax',
      Math.round((revenue / f.unit) * 0.9) * f.unit,
      4,
    );
  const fuel = f.amount(400, 800);
  const running = f.amount(300, 400);
  const worn = f.amount(100, 200);
  f.add('IS', ['FuelCosts', 'Fuel and purchased power', fuel]);
  f.add('IS', [
    'UtilitiesOperatingExpenseMaintenanceAndOperations',
    'Operations and maintenance',
    running,
  ]);
  f.add('IS', [
    'UtilitiesOperatingExpenseDepreciationAndAmortization',
    'Depreciation and amortization',
    worn,
  ]);
  f.add('IS', ['OperatingExpenses', 'Total operating expenses', fuel + running + worn]);
  const operating = revenue - fuel - running - worn;
  f.add('IS', ['OperatingIncomeLoss', 'Operating income', operating]);
  f.truth.operatingIncome = operating;
  f.truth.costOfRevenue = null;
  f.truth.grossProfit = null;
  const interest = f.amount(30, 120);
  f.add('IS', ['InterestExpense', 'Interest charges', interest]);
  writeProfit(f, writeTaxes(f, operating - interest));
  writeBalance(
    f,
    true,
    tradeAssets(f),
    [['RegulatoryLiabilityNoncurrent', 'Regulatory liabilities', f.amount(50, 300)]],
    debtsOf(f),
  );
  writeFlows(f);
}

function writeIfrs(f: Filer): void {
  const revenue = f.amount(2000, 9000);
  const cost = f.amount(900, 1500);
  f.truth.revenue = revenue;
  f.add('IS', [
    f.pick(['Revenue', 'RevenueFromContractsWithCustomers']),
    f.pick(['Revenue', 'Net sales', 'Turnover']),
    revenue,
  ]);
  f.truth.costOfRevenue = cost;
  const isTurned = f.trait('cost tagged negative', 0.3);
  f.add('IS', ['CostOfSales', 'Cost of sales', isTurned ? -cost : cost, isTurned ? {} : negated]);
  f.truth.grossProfit = revenue - cost;
  if (f.chance(0.7)) f.add('IS', ['GrossProfit', 'Gross profit', revenue - cost]);
  const selling = f.amount(50, 300);
  const admin = f.amount(30, 200);
  f.add('IS', ['DistributionCosts', 'Selling expenses', selling, negated]);
  f.add('IS', ['AdministrativeExpense', 'Administrative expenses', admin, negated]);
  const operating = revenue - cost - selling - admin;
  f.add('IS', ['ProfitLossFromOperatingActivities', 'Operating profit', operating]);
  f.truth.operatingIncome = operating;
  const finance = f.amount(10, 90);
  f.add('IS', ['FinanceCosts', 'Finance costs', finance, negated]);
  writeProfit(f, writeTaxes(f, operating - finance));
  const debts = debtsOf(f);
  const named = (lines: Line[]) =>
    lines.map(
      ([tag, label, value, more]): Line => [
        IFRS_TAGS[tag] ?? tag,
        label,
        value,
        IFRS_TAGS[tag] ? more : own,
      ],
    );
  writeBalance(f, true, tradeAssets(f), [], {
    current: named(debts.current),
    noncurrent: named(debts.noncurrent),
  });
  writeFlows(f);
}

function writeBiotech(f: Filer): void {
  f.truth.revenue = null;
  f.truth.costOfRevenue = null;
  f.truth.grossProfit = null;
  const rd = f.amount(50, 400);
  const general = f.amount(20, 100);
  f.add('IS', ['ResearchAndDevelopmentExpense', 'Research and development', rd]);
  f.add('IS', ['GeneralAndAdministrativeExpense', 'General and administrative', general]);
  f.add('IS', ['OperatingExpenses', 'Total operating expenses', rd + general]);
  f.truth.operatingIncome = -rd - general;
  f.add('IS', [
    'OperatingIncomeLoss',
    f.pick(['Loss from operations', 'Operating loss']),
    -rd - general,
  ]);
  const interest = f.amount(2, 20);
  f.add('IS', ['InvestmentIncomeInterest', 'Interest income', interest]);
  const loss = interest - rd - general;
  f.profit = ['NetIncomeLoss', 'Net loss', loss];
  f.add('IS', f.profit);
  f.truth.netIncome = loss;
  writeBalance(
    f,
    true,
    [['ShortTermInvestments', 'Short-term investments', f.amount(100, 500)]],
    [],
    debtsOf(f),
  );
  writeFlows(f);
}

const WRITE: Readonly<Record<Sector, (f: Filer) => void>> = {
  bank: writeBank,
  insurer: writeInsurer,
  reit: writeReit,
  utility: writeUtility,
  retailer: writeMaker,
  ifrs: writeIfrs,
  partnership: writeMaker,
  biotech: writeBiotech,
  captive: writeCaptive,
  maker: writeMaker,
};
