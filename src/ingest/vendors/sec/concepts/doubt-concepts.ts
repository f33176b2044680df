/** XBRL concepts of lines that show that another line may not be the figure it is named for. */

export const DOUBT_CONCEPTS = {
  /** Income that statements of oil and mining companies add to their revenue. */
  otherIncome: [
    'us-gaap:OtherNonoperatingIncome',
    'us-gaap:OtherIncome',
    'us-gaap:OtherOperatingIncome',
  ],
  /** Other income less other expense, which most statements have among costs or behind them. */
  otherIncomeNet: ['us-gaap:OtherNonoperatingIncomeExpense'],
  /** Income that is inside an operating result. */
  otherOperatingIncome: ['us-gaap:OtherOperatingIncome', 'us-gaap:OtherIncome'],
  domesticPretax: ['us-gaap:IncomeLossFromContinuingOperationsBeforeIncomeTaxesDomestic'],
  /** Taxes that customers pay, which are inside some revenues. */
  salesTaxes: ['us-gaap:ExciseAndSalesTaxes'],
  /** Cash of a bank with funds that it lent for a day, and balances at other banks. */
  cashOfBank: ['us-gaap:CashCashEquivalentsAndFederalFundsSold'],
  heldForSale: [
    'us-gaap:AssetsHeldForSaleCurrent',
    'us-gaap:AssetsOfDisposalGroupIncludingDiscontinuedOperationCurrent',
  ],
  otherCurrentAssets: [
    'us-gaap:OtherAssetsCurrent',
    'us-gaap:PrepaidExpenseAndOtherAssetsCurrent',
    'us-gaap:PrepaidExpenseCurrent',
  ],
  derivatives: ['us-gaap:DerivativeAssetsCurrent'],
} as const;
