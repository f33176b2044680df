/** XBRL concepts of lines that show that another line may not be the figure it is named for. */

export const DOUBT_CONCEPTS = {
  /** Income that statements of oil and mining companies add to their revenue. */
  otherIncome: [
    'us-gaap:OtherNonoperatingIncome',
    'us-gaap:OtherIncome',
    'us-gaap:OtherOperatingIncome',
  ],
  /** Costs of oil and mining companies, whose revenue often holds all their other income. */
  exploration: ['us-gaap:ExplorationExpense', 'us-gaap:ExplorationExpenseMining'],
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
  /** Inventories that some filers show in lines of their own. */
  inventories: [
    'us-gaap:EnergyRelatedInventory',
    'us-gaap:EnergyRelatedInventoryNaturalGasInStorage',
    'us-gaap:InventoryRawMaterialsAndSupplies',
  ],
  derivatives: ['us-gaap:DerivativeAssetsCurrent'],
  /** Parts of the equity of the parent, and those that are taken off. */
  equityParts: [
    'us-gaap:CommonStockValue',
    'us-gaap:CommonStockValueOutstanding',
    'us-gaap:CommonStocksIncludingAdditionalPaidInCapital',
    'us-gaap:CommonStockIncludingAdditionalPaidInCapital',
    'us-gaap:CommonStockIncludingAdditionalPaidInCapitalNetOfDiscount',
    'us-gaap:PreferredStockIncludingAdditionalPaidInCapital',
    'us-gaap:PreferredStockIncludingAdditionalPaidInCapitalNetOfDiscount',
    'us-gaap:PreferredStockValue',
    'us-gaap:PreferredStockValueOutstanding',
    'us-gaap:AdditionalPaidInCapital',
    'us-gaap:AdditionalPaidInCapitalCommonStock',
    'us-gaap:RetainedEarningsAccumulatedDeficit',
    'us-gaap:RetainedEarningsAppropriated',
    'us-gaap:RetainedEarningsUnappropriated',
    'us-gaap:AccumulatedOtherComprehensiveIncomeLossNetOfTax',
  ],
  equityLess: [
    'us-gaap:TreasuryStockValue',
    'us-gaap:TreasuryStockCommonValue',
    'us-gaap:UnearnedESOPShares',
    'us-gaap:DeferredCompensationEquity',
    'us-gaap:CommonStockSharesHeldInEmployeeTrust',
    'us-gaap:CommonStockIssuedEmployeeStockTrust',
  ],
  /** Amounts due to affiliates, which may be loans. */
  dueToAffiliates: ['us-gaap:DueToRelatedPartiesNoncurrent', 'us-gaap:DueToAffiliateNoncurrent'],
  /** Repurchase agreements of a bank, which are no borrowings here. */
  repurchases: [
    'us-gaap:FederalFundsPurchasedAndSecuritiesSoldUnderAgreementsToRepurchase',
    'us-gaap:SecuritiesSoldUnderAgreementsToRepurchase',
    'us-gaap:FederalFundsPurchased',
  ],
  deposits: ['us-gaap:Deposits'],
  /** Amortization that statements show in a line of its own, or in one with depreciation. */
  amortization: ['us-gaap:AmortizationOfIntangibleAssets'],
  /** Cash flows of debt that is due after a year when it is taken up. */
  longTermFlows: [
    'us-gaap:ProceedsFromIssuanceOfLongTermDebt',
    'us-gaap:ProceedsFromIssuanceOfLongTermDebtAndCapitalSecuritiesNet',
    'us-gaap:ProceedsFromIssuanceOfOtherLongTermDebt',
    'us-gaap:ProceedsFromIssuanceOfSeniorLongTermDebt',
    'us-gaap:ProceedsFromIssuanceOfUnsecuredDebt',
    'us-gaap:ProceedsFromIssuanceOfSecuredDebt',
    'us-gaap:ProceedsFromConvertibleNotesPayable',
    'us-gaap:ProceedsFromLongTermLinesOfCredit',
    'us-gaap:ProceedsFromRepaymentsOfLongTermDebtAndCapitalSecurities',
    'us-gaap:RepaymentsOfLongTermDebt',
    'us-gaap:RepaymentsOfLongTermDebtAndCapitalSecurities',
    'us-gaap:RepaymentsOfOtherLongTermDebt',
    'us-gaap:RepaymentsOfSeniorDebt',
    'us-gaap:RepaymentsOfUnsecuredDebt',
    'us-gaap:RepaymentsOfSecuredDebt',
    'us-gaap:RepaymentsOfConvertibleDebt',
    'us-gaap:RepaymentsOfLongTermLinesOfCredit',
  ],
  /** Cash flows of other debt, which may be due within a year. */
  otherDebtFlows: [
    'us-gaap:ProceedsFromIssuanceOfDebt',
    'us-gaap:ProceedsFromDebtNetOfIssuanceCosts',
    'us-gaap:ProceedsFromNotesPayable',
    'us-gaap:ProceedsFromLinesOfCredit',
    'us-gaap:ProceedsFromBankDebt',
    'us-gaap:ProceedsFromOtherDebt',
    'us-gaap:ProceedsFromShortTermDebt',
    'us-gaap:ProceedsFromIssuanceOfCommercialPaper',
    'us-gaap:ProceedsFromRepaymentsOfDebt',
    'us-gaap:ProceedsFromRepaymentsOfOtherDebt',
    'us-gaap:ProceedsFromRepaymentsOfBankDebt',
    'us-gaap:ProceedsFromRepaymentsOfLinesOfCredit',
    'us-gaap:ProceedsFromRepaymentsOfNotesPayable',
    'us-gaap:ProceedsFromRepaymentsOfShortTermDebt',
    'us-gaap:ProceedsFromRepaymentsOfShortTermDebtMaturingInThreeMonthsOrLess',
    'us-gaap:ProceedsFromRepaymentsOfShortTermDebtMaturingInMoreThanThreeMonths',
    'us-gaap:ProceedsFromRepaymentsOfCommercialPaper',
    'us-gaap:RepaymentsOfDebt',
    'us-gaap:RepaymentsOfNotesPayable',
    'us-gaap:RepaymentsOfLinesOfCredit',
    'us-gaap:RepaymentsOfBankDebt',
    'us-gaap:RepaymentsOfOtherDebt',
    'us-gaap:RepaymentsOfShortTermDebt',
    'us-gaap:RepaymentsOfOtherShortTermDebt',
    'us-gaap:RepaymentsOfCommercialPaper',
  ],
} as const;
