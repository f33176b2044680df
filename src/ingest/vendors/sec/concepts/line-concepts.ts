/** XBRL concepts of single lines of income statements and balance sheets (`docs/sec.md`). */

/** Concepts of a line. A total counts alone; else the sum of its parts; else the only line. */
export interface LineRule {
  /** Best first. */
  totals?: readonly string[];
  /** Concepts of each part. Without one of the parts there is no sum. */
  sum?: readonly (readonly string[])[];
  /** Lines of which a statement may have several. */
  lines?: readonly string[];
  /** Lines that no concept above holds. With one of them the figure would be too small. */
  beside?: readonly string[];
  /** True if filers also use the concept of the total for one of several lines. */
  isAlsoLine?: boolean;
  /** True if the greatest total counts, since notes and parts are given in the concepts of totals. */
  isGreatest?: boolean;
}

export function conceptsOf({ totals = [], sum = [], lines = [], beside = [] }: LineRule): string[] {
  return [...totals, ...sum.flat(), ...lines, ...beside];
}

export const INCOME_LINES = {
  researchDevelopment: {
    totals: [
      'us-gaap:ResearchAndDevelopmentExpense',
      'us-gaap:ResearchAndDevelopmentExpenseExcludingAcquiredInProcessCost',
      'us-gaap:ResearchAndDevelopmentExpenseSoftwareExcludingAcquiredInProcessCost',
      'ifrs-full:ResearchAndDevelopmentExpense',
    ],
  },
  sellingGeneralAdministrative: {
    totals: [
      'us-gaap:SellingGeneralAndAdministrativeExpense',
      'ifrs-full:SellingGeneralAndAdministrativeExpense',
    ],
    sum: [
      [
        'us-gaap:SellingAndMarketingExpense',
        'us-gaap:SellingExpense',
        'us-gaap:MarketingExpense',
        'us-gaap:MarketingAndAdvertisingExpense',
        'ifrs-full:SalesAndMarketingExpense',
        'ifrs-full:DistributionCosts',
      ],
      [
        'us-gaap:GeneralAndAdministrativeExpense',
        'ifrs-full:AdministrativeExpense',
        'ifrs-full:GeneralAndAdministrativeExpense',
      ],
    ],
  },
  interestExpense: {
    totals: ['us-gaap:InterestExpense', 'ifrs-full:FinanceCosts', 'ifrs-full:InterestExpense'],
    lines: [
      'us-gaap:InterestExpenseNonoperating',
      'us-gaap:InterestExpenseOperating',
      'us-gaap:InterestAndDebtExpense',
      'us-gaap:InterestExpenseDebt',
      'us-gaap:FinanceLeaseInterestExpense',
      'us-gaap:InterestExpenseLesseeAssetsUnderCapitalLease',
    ],
    beside: ['us-gaap:FinancingInterestExpense'],
  },
  pretaxIncome: {
    totals: [
      'us-gaap:IncomeLossFromContinuingOperationsBeforeIncomeTaxesExtraordinaryItemsNoncontrollingInterest',
      'us-gaap:IncomeLossFromContinuingOperationsBeforeIncomeTaxesMinorityInterestAndIncomeLossFromEquityMethodInvestments',
      'ifrs-full:ProfitLossBeforeTax',
    ],
  },
  incomeTax: {
    totals: [
      'us-gaap:IncomeTaxExpenseBenefit',
      'us-gaap:IncomeTaxExpenseBenefitContinuingOperations',
      'ifrs-full:IncomeTaxExpenseContinuingOperations',
    ],
  },
} as const satisfies Record<string, LineRule>;

export const BALANCE_LINES = {
  currentAssets: { totals: ['us-gaap:AssetsCurrent', 'ifrs-full:CurrentAssets'] },
  currentLiabilities: { totals: ['us-gaap:LiabilitiesCurrent', 'ifrs-full:CurrentLiabilities'] },
  shortTermInvestments: {
    lines: [
      'us-gaap:ShortTermInvestments',
      'us-gaap:MarketableSecuritiesCurrent',
      'us-gaap:OtherShortTermInvestments',
      'us-gaap:AvailableForSaleSecuritiesDebtSecuritiesCurrent',
      'us-gaap:AvailableForSaleSecuritiesCurrent',
      'us-gaap:HeldToMaturitySecuritiesCurrent',
      'us-gaap:TradingSecuritiesCurrent',
      'us-gaap:DebtSecuritiesCurrent',
      'ifrs-full:CurrentInvestments',
    ],
  },
  receivables: {
    totals: [
      'us-gaap:ReceivablesNetCurrent',
      'us-gaap:AccountsNotesAndLoansReceivableNetCurrent',
      'us-gaap:AccountsReceivableNetCurrent',
      'us-gaap:AccountsReceivableNet',
      'ifrs-full:TradeAndOtherCurrentReceivables',
      'ifrs-full:CurrentTradeReceivables',
    ],
    lines: ['us-gaap:AccountsAndOtherReceivablesNetCurrent'],
    isAlsoLine: true,
    isGreatest: true,
  },
  inventory: {
    totals: [
      'us-gaap:InventoryNet',
      'us-gaap:InventoryNetOfAllowancesCustomerAdvancesAndProgressBillings',
      'us-gaap:RetailRelatedInventoryMerchandise',
      'ifrs-full:Inventories',
    ],
  },
  goodwill: { totals: ['us-gaap:Goodwill', 'ifrs-full:Goodwill'] },
  intangibleAssets: {
    totals: [
      'us-gaap:IntangibleAssetsNetExcludingGoodwill',
      'ifrs-full:IntangibleAssetsOtherThanGoodwill',
    ],
    sum: [
      ['us-gaap:FiniteLivedIntangibleAssetsNet'],
      ['us-gaap:IndefiniteLivedIntangibleAssetsExcludingGoodwill'],
    ],
    beside: ['us-gaap:OtherIndefiniteLivedIntangibleAssets', 'us-gaap:IntangibleAssetsCurrent'],
  },
  accountsPayable: {
    totals: [
      'us-gaap:AccountsPayableCurrent',
      'us-gaap:AccountsPayableTradeCurrent',
      'us-gaap:AccountsPayableCurrentAndNoncurrent',
      'ifrs-full:TradeAndOtherCurrentPayablesToTradeSuppliers',
      'ifrs-full:TradeAndOtherCurrentPayables',
    ],
  },
  retainedEarnings: {
    totals: ['us-gaap:RetainedEarningsAccumulatedDeficit', 'ifrs-full:RetainedEarnings'],
    sum: [['us-gaap:RetainedEarningsAppropriated'], ['us-gaap:RetainedEarningsUnappropriated']],
  },
  operatingLeases: {
    totals: ['us-gaap:OperatingLeaseLiability', 'ifrs-full:LeaseLiabilities'],
    sum: [
      ['us-gaap:OperatingLeaseLiabilityCurrent', 'ifrs-full:CurrentLeaseLiabilities'],
      ['us-gaap:OperatingLeaseLiabilityNoncurrent', 'ifrs-full:NoncurrentLeaseLiabilities'],
    ],
  },
  financeLeases: {
    totals: ['us-gaap:FinanceLeaseLiability', 'us-gaap:CapitalLeaseObligations'],
    sum: [
      ['us-gaap:FinanceLeaseLiabilityCurrent', 'us-gaap:CapitalLeaseObligationsCurrent'],
      ['us-gaap:FinanceLeaseLiabilityNoncurrent', 'us-gaap:CapitalLeaseObligationsNoncurrent'],
    ],
  },
  preferredEquity: {
    totals: [
      'us-gaap:PreferredStockValue',
      'us-gaap:PreferredStockValueOutstanding',
      'us-gaap:PreferredStockIncludingAdditionalPaidInCapital',
    ],
  },
} as const satisfies Record<string, LineRule>;

export const LINE_CONCEPTS: readonly string[] = [INCOME_LINES, BALANCE_LINES].flatMap((table) =>
  Object.values<LineRule>(table).flatMap(conceptsOf),
);
