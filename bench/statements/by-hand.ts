/**
 * Figures that were read by hand from a statement, because the oracle reads another line or adds
 * others. Undefined is a figure that the statement does not show.
 */

import type { OracleAnswer } from './oracle.ts';

export const BY_HAND: Readonly<Record<string, OracleAnswer>> = {
  // Loews: "Total" behind revenue of six businesses.
  '0001193125-10-105707': { revenue: 3_713e6 },
  // Marathon Oil: sales and sales to related parties, without income from affiliates, gains, others.
  '0000101778-10-000027': { revenue: 15_869e6, grossProfit: 2_988e6 },
  // Deere: "Total" of net sales and revenues.
  '0001104659-10-031404': { revenue: 7_130.9e6, grossProfit: 2_365.7e6 },
  // Ameriprise and T. Rowe Price: "Total revenues"; net ones follow.
  '0001104659-10-025288': { revenue: 2_292e6 },
  '0000950123-10-037519': { revenue: 557.1e6, costOfRevenue: undefined, grossProfit: undefined },
  // Covance: reimbursed expenses are revenue, and no cost of it.
  '0001104659-10-023774': {
    ...{ revenue: 505_019e3, costOfRevenue: undefined, grossProfit: undefined },
  },
  // Consol Energy and CNX Gas: all sales, without other income.
  '0001193125-10-105758': {
    ...{ revenue: 1_218_069e3, costOfRevenue: 766_862e3, grossProfit: undefined },
  },
  '0001193125-10-105749': { revenue: 191_368e3 },
  // U.S. Steel: with sales to related parties, and with minorities.
  '0001193125-10-094744': { revenue: 3_896e6, grossProfit: 257e6, totalEquity: 4_557e6 },
  // Costs of services, games, licences, equipment.
  '0001437749-10-001467': { costOfRevenue: 221.8e6, grossProfit: 272.6e6 },
  '0001193125-10-110738': {
    ...{ costOfRevenue: 598e6, grossProfit: 410e6 },
    // Flows of operations that ended stand on lines of their own.
    ...{ operatingCashFlow: 257e6, investingCashFlow: -33e6 },
  },
  '0001193125-10-112656': { costOfRevenue: 411.2e6, grossProfit: 1_500e6 },
  '0000950123-10-045637': { costOfRevenue: 522_353e3, grossProfit: 760_793e3 },
  '0001104659-10-022064': { costOfRevenue: 12_880e6 },
  // One cost of several: fuels of Xcel, financial services of Sony, medical costs of UnitedHealth,
  // programmes of Dish, services of NTT Docomo.
  '0001104659-10-024080': { costOfRevenue: undefined, grossProfit: undefined },
  '0000950123-10-061435': { costOfRevenue: undefined, grossProfit: undefined },
  '0001193125-10-108897': { costOfRevenue: undefined, grossProfit: undefined },
  '0000950123-10-046773': {
    ...{ costOfRevenue: undefined, grossProfit: undefined, netIncome: 230_947e3 },
  },
  '0000950123-10-060473': { costOfRevenue: undefined, grossProfit: undefined },
  // The filing has its amounts in millions as if they were dollars.
  '0000055785-10-000019': { netIncome: 384 },
  // Profit of the parent before the dividends of its preferred shares.
  '0001193125-10-150583': { netIncome: 492_266e6 },
  '0001104659-10-027738': { netIncome: 51_656e3 },
  '0001193125-10-110115': { netIncome: 55_483e3 },
  '0001004980-10-000047': { netIncome: 261e6 },
  '0001193125-10-113706': { netIncome: -119_275e3, totalEquity: 2_687_109e3 },
  '0001047469-10-004999': { netIncome: 14_983e3 },
  '0001193125-10-149108': { netIncome: 37_757e6 },
  '0000950123-10-046562': { netIncome: 133_740e3 },
  '0001393311-10-000011': { netIncome: 123_961e3 },
  // Banks whose lines at the end of the cash flows do not say "cash".
  '0001144204-10-032612': { cash: 65_456e6 },
  '0001292814-10-002221': { cash: 83_982e6 },
  // Cash beside the trust of a shell company.
  '0001213900-25-059885': { cash: 4_480 },
  // AIG: with both facilities of the Federal Reserve. Exelon: with notes on receivables.
  '0001047469-10-004918': { totalDebt: 139_429e6 },
  '0001193125-10-091626': { totalDebt: 12_910e6 },
  // Aetna: without the collateral of lent securities.
  '0001122304-10-000046': { totalDebt: 4_119.4e6 },
  // Goldman and Morgan Stanley: other secured financings may be debt.
  '0000950123-10-046612': { totalDebt: undefined },
  '0001193125-10-112958': { totalDebt: undefined },
  // GrafTech tags its financing of suppliers as debt.
  '0001193125-10-099369': { totalDebt: 40_400e3 },
  '0000065984-10-000092': { totalEquity: 8_954_079e3 },
  '0000107815-10-000062': { totalEquity: 3_641.8e6 },
  '0001193125-10-116299': { totalEquity: 38_969e6 },
  '0000950123-10-050717': { totalEquity: 3_445e6, financingCashFlow: 303e6 },
  // Flows with those of operations that ended, except where the statement has them apart.
  '0001193125-10-108357': { operatingCashFlow: -7.7e6 },
  '0001104659-10-026401': {
    ...{ operatingCashFlow: 361_456e3, investingCashFlow: -150_897e3 },
    financingCashFlow: -171_043e3,
  },
  '0000950123-10-037065': {
    ...{ operatingCashFlow: 29.5e6, investingCashFlow: -21.3e6, financingCashFlow: -33.2e6 },
  },
};
