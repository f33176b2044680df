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

/**
 * Lines of borrowings. Of a list of totals the first concept that is given counts; the lists of
 * parts are added, unless they are inside a total (`debt.ts`).
 */
export const DEBT_CONCEPTS = {
  allDebt: [
    'us-gaap:DebtLongtermAndShorttermCombinedAmount',
    'us-gaap:DebtAndCapitalLeaseObligations',
    'ifrs-full:Borrowings',
  ],
  /** All borrowings due within a year. */
  allCurrent: [
    'us-gaap:DebtCurrent',
    'ifrs-full:CurrentBorrowingsAndCurrentPortionOfNoncurrentBorrowings',
  ],
  currentPortion: [
    'us-gaap:LongTermDebtCurrent',
    'us-gaap:LongTermDebtAndCapitalLeaseObligationsCurrent',
    'ifrs-full:CurrentPortionOfLongtermBorrowings',
  ],
  currentPortionParts: [
    'us-gaap:ConvertibleDebtCurrent',
    'us-gaap:ConvertibleNotesPayableCurrent',
    'us-gaap:ConvertibleSubordinatedDebtCurrent',
    'us-gaap:SeniorNotesCurrent',
    'us-gaap:SecuredDebtCurrent',
    'us-gaap:UnsecuredDebtCurrent',
    'us-gaap:SubordinatedDebtCurrent',
    'us-gaap:MediumtermNotesCurrent',
    'us-gaap:OtherLongTermDebtCurrent',
    'us-gaap:LongtermTransitionBondCurrent',
    'us-gaap:LoansPayableCurrent',
    'us-gaap:LoansPayableToBankCurrent',
    'ifrs-full:CurrentBondsIssuedAndCurrentPortionOfNoncurrentBondsIssued',
    'ifrs-full:CurrentLoansReceivedAndCurrentPortionOfNoncurrentLoansReceived',
  ],
  shortTerm: [
    'us-gaap:ShortTermBorrowings',
    'us-gaap:ShortTermDebtAmount',
    'us-gaap:NotesAndLoansPayable',
    'ifrs-full:ShorttermBorrowings',
  ],
  shortTermParts: [
    'us-gaap:CommercialPaper',
    'us-gaap:OtherShortTermBorrowings',
    'us-gaap:LinesOfCreditCurrent',
    'us-gaap:ShortTermBankLoansAndNotesPayable',
    'us-gaap:ShortTermNonBankLoansAndNotesPayable',
    'us-gaap:FederalHomeLoanBankAdvancesShortTerm',
    'us-gaap:NotesPayableCurrent',
    'us-gaap:NotesPayableToBankCurrent',
    'us-gaap:OtherNotesPayableCurrent',
    'us-gaap:NotesAndLoansPayableCurrent',
    'us-gaap:BridgeLoan',
  ],
  noncurrent: [
    'us-gaap:LongTermDebtNoncurrent',
    'us-gaap:LongTermDebtAndCapitalLeaseObligations',
    'us-gaap:LongTermNotesAndLoans',
    'ifrs-full:LongtermBorrowings',
    'ifrs-full:NoncurrentPortionOfNoncurrentBorrowings',
  ],
  noncurrentParts: [
    'us-gaap:ConvertibleDebtNoncurrent',
    'us-gaap:ConvertibleLongTermNotesPayable',
    'us-gaap:ConvertibleSubordinatedDebtNoncurrent',
    'us-gaap:LongTermNotesPayable',
    'us-gaap:SeniorLongTermNotes',
    'us-gaap:SecuredLongTermDebt',
    'us-gaap:UnsecuredLongTermDebt',
    'us-gaap:SubordinatedLongTermDebt',
    'us-gaap:MediumtermNotesNoncurrent',
    'us-gaap:OtherLongTermDebtNoncurrent',
    'us-gaap:LongTermTransitionBond',
    'us-gaap:LongTermLineOfCredit',
    'us-gaap:LongTermLoansPayable',
    'us-gaap:LongTermLoansFromBank',
    'us-gaap:CommercialPaperNoncurrent',
    'us-gaap:FederalHomeLoanBankAdvancesLongTerm',
    'ifrs-full:NoncurrentPortionOfNoncurrentBondsIssued',
    'ifrs-full:NoncurrentPortionOfNoncurrentLoansReceived',
  ],
  /** Debt with its current portion, without other short-term borrowings. */
  longTerm: [
    'us-gaap:LongTermDebt',
    'us-gaap:LongTermDebtAndCapitalLeaseObligationsIncludingCurrentMaturities',
  ],
  /** Lines that don't say when they are due. */
  undatedParts: [
    'us-gaap:SeniorNotes',
    'us-gaap:SecuredDebt',
    'us-gaap:SecuredDebtOther',
    'us-gaap:UnsecuredDebt',
    'us-gaap:SubordinatedDebt',
    'us-gaap:ConvertibleDebt',
    'us-gaap:ConvertibleNotesPayable',
    'us-gaap:ConvertibleSubordinatedDebt',
    'us-gaap:NotesPayable',
    'us-gaap:NotesPayableToBank',
    'us-gaap:LoansPayable',
    'us-gaap:LoansPayableToBank',
    'us-gaap:LineOfCredit',
    'us-gaap:MediumtermNotes',
    'us-gaap:OtherLongTermDebt',
    'us-gaap:OtherBorrowings',
    'us-gaap:OtherLoansPayable',
    'us-gaap:OtherNotesPayable',
    'us-gaap:JuniorSubordinatedNotes',
    'us-gaap:JuniorSubordinatedDebentureOwedToUnconsolidatedSubsidiaryTrust',
    'us-gaap:AdvancesFromFederalHomeLoanBanks',
    'us-gaap:LongTermDebtComponentsMortgageLoans',
    'ifrs-full:BondsIssued',
    'ifrs-full:LoansReceived',
  ],
  /** Parts of other lines in some filings, and lines of their own in others. */
  affiliateParts: [
    'us-gaap:NotesPayableRelatedPartiesClassifiedCurrent',
    'us-gaap:NotesPayableRelatedPartiesNoncurrent',
    'us-gaap:NotesPayableRelatedPartiesCurrentAndNoncurrent',
    'us-gaap:SubordinatedDebtLongTermAffiliates',
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
