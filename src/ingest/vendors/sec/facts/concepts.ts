/**
 * XBRL concepts for each figure, best first; a filing uses `us-gaap` or `ifrs-full`
 * (`docs/sec.md`).
 */

/** Figures of an income statement that add up over time: a year is the sum of its quarters. */
export const FLOW_CONCEPTS = {
  revenue: [
    'us-gaap:Revenues',
    'us-gaap:RevenueFromContractWithCustomerExcludingAssessedTax',
    'us-gaap:RevenueFromContractWithCustomerIncludingAssessedTax',
    'us-gaap:SalesRevenueNet',
    'us-gaap:RevenuesNetOfInterestExpense',
    'us-gaap:RegulatedAndUnregulatedOperatingRevenue',
    'us-gaap:HealthCareOrganizationRevenue',
    'us-gaap:RealEstateRevenueNet',
    'us-gaap:OilAndGasRevenue',
    'us-gaap:SalesRevenueGoodsNet',
    'us-gaap:SalesRevenueServicesNet',
    'ifrs-full:Revenue',
    'ifrs-full:RevenueFromContractsWithCustomers',
  ],
  costOfRevenue: [
    'us-gaap:CostOfRevenue',
    'us-gaap:CostOfGoodsAndServicesSold',
    'us-gaap:CostOfGoodsSold',
    'us-gaap:CostOfServices',
    'ifrs-full:CostOfSales',
  ],
  grossProfit: ['us-gaap:GrossProfit', 'ifrs-full:GrossProfit'],
  operatingIncome: ['us-gaap:OperatingIncomeLoss', 'ifrs-full:ProfitLossFromOperatingActivities'],
  netIncome: [
    'us-gaap:NetIncomeLoss',
    'us-gaap:ProfitLoss',
    'ifrs-full:ProfitLossAttributableToOwnersOfParent',
    'ifrs-full:ProfitLoss',
  ],
  netIncomeToCommon: [
    'us-gaap:NetIncomeLossAvailableToCommonStockholdersBasic',
    'us-gaap:NetIncomeLossAvailableToCommonStockholdersDiluted',
    'ifrs-full:ProfitLossAttributableToOrdinaryEquityHoldersOfParentEntity',
  ],
  /** Dividends declared in the period. Unlike earnings per share, they add up. */
  dividendsPerShare: [
    'us-gaap:CommonStockDividendsPerShareDeclared',
    'us-gaap:CommonStockDividendsPerShareCashPaid',
    'ifrs-full:DividendsRecognisedAsDistributionsToOwnersPerShare',
  ],
  /** Unpublished figure. Net income less preferred dividends belongs to common shares. */
  preferredDividends: [
    'us-gaap:PreferredStockDividendsIncomeStatementImpact',
    'us-gaap:DividendsPreferredStock',
  ],
  netInterestIncome: ['us-gaap:InterestIncomeExpenseNet'],
  otherBankIncome: ['us-gaap:NoninterestIncome'],
} as const;

/** Figures of an income statement that do not add up. */
export const MEAN_CONCEPTS = {
  eps: [
    'us-gaap:EarningsPerShareBasic',
    'us-gaap:EarningsPerShareBasicAndDiluted',
    'ifrs-full:BasicEarningsLossPerShare',
  ],
  epsDiluted: [
    'us-gaap:EarningsPerShareDiluted',
    'us-gaap:EarningsPerShareBasicAndDiluted',
    'ifrs-full:DilutedEarningsLossPerShare',
  ],
  sharesBasic: [
    'us-gaap:WeightedAverageNumberOfSharesOutstandingBasic',
    'us-gaap:WeightedAverageNumberOfShareOutstandingBasicAndDiluted',
    'ifrs-full:WeightedAverageShares',
  ],
  sharesDiluted: [
    'us-gaap:WeightedAverageNumberOfDilutedSharesOutstanding',
    'us-gaap:WeightedAverageNumberOfShareOutstandingBasicAndDiluted',
    'ifrs-full:AdjustedWeightedAverageShares',
  ],
} as const;

export const BALANCE_CONCEPTS = {
  totalAssets: ['us-gaap:Assets', 'us-gaap:LiabilitiesAndStockholdersEquity', 'ifrs-full:Assets'],
  liabilities: ['us-gaap:Liabilities', 'ifrs-full:Liabilities'],
  /** Equity of all owners, minorities included: assets less liabilities. */
  wholeEquity: [
    'us-gaap:StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest',
    'ifrs-full:Equity',
  ],
  parentEquity: [
    'us-gaap:StockholdersEquity',
    'us-gaap:PartnersCapital',
    'us-gaap:MembersEquity',
    'ifrs-full:EquityAttributableToOwnersOfParent',
  ],
  minorityInterest: ['us-gaap:MinorityInterest', 'ifrs-full:NoncontrollingInterests'],
  /** Stands between liabilities and equity. */
  temporaryEquity: [
    'us-gaap:TemporaryEquityCarryingAmountIncludingPortionAttributableToNoncontrollingInterests',
    'us-gaap:TemporaryEquityCarryingAmountAttributableToParent',
    'us-gaap:RedeemableNoncontrollingInterestEquityCarryingAmount',
  ],
  cash: [
    'us-gaap:CashAndCashEquivalentsAtCarryingValue',
    'us-gaap:Cash',
    'us-gaap:CashAndDueFromBanks',
    'ifrs-full:CashAndCashEquivalents',
  ],
} as const;

/** Parts of borrowings. The first concept of each that a filing gives counts. */
export const DEBT_CONCEPTS = {
  allDebt: ['us-gaap:DebtLongtermAndShorttermCombinedAmount', 'ifrs-full:Borrowings'],
  /** All borrowings due within a year. */
  allCurrent: [
    'us-gaap:DebtCurrent',
    'ifrs-full:CurrentBorrowingsAndCurrentPortionOfNoncurrentBorrowings',
  ],
  currentPortion: [
    'us-gaap:LongTermDebtCurrent',
    'us-gaap:LongTermDebtAndCapitalLeaseObligationsCurrent',
    'us-gaap:ConvertibleDebtCurrent',
    'us-gaap:ConvertibleNotesPayableCurrent',
    'us-gaap:NotesPayableCurrent',
    'us-gaap:SeniorNotesCurrent',
    'ifrs-full:CurrentPortionOfLongtermBorrowings',
  ],
  shortTerm: [
    'us-gaap:ShortTermBorrowings',
    'us-gaap:CommercialPaper',
    'us-gaap:OtherShortTermBorrowings',
    'us-gaap:LinesOfCreditCurrent',
    'ifrs-full:ShorttermBorrowings',
  ],
  noncurrent: [
    'us-gaap:LongTermDebtNoncurrent',
    'us-gaap:LongTermDebtAndCapitalLeaseObligations',
    'us-gaap:ConvertibleDebtNoncurrent',
    'us-gaap:ConvertibleLongTermNotesPayable',
    'us-gaap:LongTermNotesPayable',
    'us-gaap:SeniorLongTermNotes',
    'us-gaap:LongTermLineOfCredit',
    'ifrs-full:LongtermBorrowings',
    'ifrs-full:NoncurrentPortionOfNoncurrentBorrowings',
  ],
  longTerm: [
    'us-gaap:LongTermDebt',
    'us-gaap:LongTermDebtAndCapitalLeaseObligationsIncludingCurrentMaturities',
    'us-gaap:NotesPayable',
    'us-gaap:ConvertibleNotesPayable',
  ],
} as const;

/** Counts of shares, by the kind of row that they fill. */
export const SHARE_CONCEPTS = {
  cover: ['dei:EntityCommonStockSharesOutstanding'],
  balance: ['us-gaap:CommonStockSharesOutstanding', 'ifrs-full:NumberOfSharesOutstanding'],
  weighted: MEAN_CONCEPTS.sharesDiluted,
} as const;

const TABLES = [FLOW_CONCEPTS, MEAN_CONCEPTS, BALANCE_CONCEPTS, DEBT_CONCEPTS, SHARE_CONCEPTS];

/** All concepts above. Others are not read. */
export const CONCEPTS: ReadonlySet<string> = new Set(
  TABLES.flatMap((table) => Object.values<readonly string[]>(table).flat()),
);
