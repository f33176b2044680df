/** XBRL concepts of cash flows (`docs/sec.md`). */

import { DOUBT_CONCEPTS } from './doubt-concepts.ts';
import { conceptsOf, type LineRule } from './line-concepts.ts';

/** Totals, best first. */
export const CASH_TOTALS = {
  operatingCashFlow: [
    'us-gaap:NetCashProvidedByUsedInOperatingActivities',
    'ifrs-full:CashFlowsFromUsedInOperatingActivities',
  ],
  investingCashFlow: [
    'us-gaap:NetCashProvidedByUsedInInvestingActivities',
    'ifrs-full:CashFlowsFromUsedInInvestingActivities',
  ],
  financingCashFlow: [
    'us-gaap:NetCashProvidedByUsedInFinancingActivities',
    'ifrs-full:CashFlowsFromUsedInFinancingActivities',
  ],
  exchangeEffect: [
    'us-gaap:EffectOfExchangeRateOnCashCashEquivalentsRestrictedCashAndRestrictedCashEquivalents',
    'us-gaap:EffectOfExchangeRateOnCashCashEquivalentsRestrictedCashAndRestrictedCashEquivalentsIncludingDisposalGroupAndDiscontinuedOperations',
    'us-gaap:EffectOfExchangeRateOnCashAndCashEquivalents',
    'us-gaap:EffectOfExchangeRateOnCash',
    'ifrs-full:EffectOfExchangeRateChangesOnCashAndCashEquivalents',
  ],
  changeInCash: [
    'us-gaap:CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalentsPeriodIncreaseDecreaseIncludingExchangeRateEffect',
    'us-gaap:CashAndCashEquivalentsPeriodIncreaseDecrease',
    'us-gaap:CashPeriodIncreaseDecrease',
    'ifrs-full:IncreaseDecreaseInCashAndCashEquivalents',
  ],
} as const;

/** Change in cash before the effect of exchange rates, which is added. */
export const CHANGE_BEFORE_EXCHANGE = [
  'us-gaap:CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalentsPeriodIncreaseDecreaseExcludingExchangeRateEffect',
  'us-gaap:CashAndCashEquivalentsPeriodIncreaseDecreaseExcludingExchangeRateEffect',
  'ifrs-full:IncreaseDecreaseInCashAndCashEquivalentsBeforeEffectOfExchangeRateChanges',
];

/** Flows of continuing operations, and those of the others, which are added. */
export const CASH_PARTS = {
  operatingCashFlow: [
    'us-gaap:NetCashProvidedByUsedInOperatingActivitiesContinuingOperations',
    'us-gaap:CashProvidedByUsedInOperatingActivitiesDiscontinuedOperations',
  ],
  investingCashFlow: [
    'us-gaap:NetCashProvidedByUsedInInvestingActivitiesContinuingOperations',
    'us-gaap:CashProvidedByUsedInInvestingActivitiesDiscontinuedOperations',
  ],
  financingCashFlow: [
    'us-gaap:NetCashProvidedByUsedInFinancingActivitiesContinuingOperations',
    'us-gaap:CashProvidedByUsedInFinancingActivitiesDiscontinuedOperations',
  ],
  exchangeEffect: [
    'us-gaap:EffectOfExchangeRateOnCashAndCashEquivalentsContinuingOperations',
    'us-gaap:EffectOfExchangeRateOnCashAndCashEquivalentsDiscontinuedOperations',
  ],
} as const;

/** Lines of which a statement may have several. */
export const CASH_LINES = {
  capitalExpenditure: {
    totals: ['us-gaap:PaymentsToAcquireProductiveAssets'],
    isAlsoLine: true,
    lines: [
      'us-gaap:PaymentsToAcquirePropertyPlantAndEquipment',
      'us-gaap:PaymentsToAcquireOtherPropertyPlantAndEquipment',
      'us-gaap:PaymentsToAcquireMachineryAndEquipment',
      'us-gaap:PaymentsToAcquireBuildings',
      'us-gaap:PaymentsForCapitalImprovements',
      'us-gaap:PaymentsForConstructionInProcess',
      'us-gaap:PaymentsToAcquireOilAndGasPropertyAndEquipment',
      'us-gaap:PaymentsToExploreAndDevelopOilAndGasProperties',
      'ifrs-full:PurchaseOfPropertyPlantAndEquipmentClassifiedAsInvestingActivities',
    ],
  },
  depreciationAmortization: {
    totals: [
      'us-gaap:DepreciationDepletionAndAmortization',
      'us-gaap:DepreciationAmortizationAndAccretionNet',
      'us-gaap:DepreciationAndAmortization',
      'ifrs-full:AdjustmentsForDepreciationAndAmortisationExpense',
    ],
    isGreatest: true,
  },
  stockCompensation: {
    totals: ['us-gaap:ShareBasedCompensation', 'ifrs-full:AdjustmentsForSharebasedPayments'],
  },
  dividendsPaid: {
    totals: [
      'us-gaap:PaymentsOfDividends',
      'ifrs-full:DividendsPaidClassifiedAsFinancingActivities',
    ],
    lines: [
      'us-gaap:PaymentsOfDividendsCommonStock',
      'us-gaap:PaymentsOfOrdinaryDividends',
      'us-gaap:PaymentsOfDividendsPreferredStockAndPreferenceStock',
    ],
  },
  shareRepurchases: {
    totals: [
      'us-gaap:PaymentsForRepurchaseOfEquity',
      'us-gaap:PaymentsForRepurchaseOfCommonStock',
      'ifrs-full:PaymentsToAcquireOrRedeemEntitysShares',
    ],
    isGreatest: true,
  },
  shareIssuance: {
    totals: ['us-gaap:ProceedsFromIssuanceOrSaleOfEquity'],
    lines: [
      'us-gaap:ProceedsFromIssuanceOfCommonStock',
      'us-gaap:ProceedsFromStockOptionsExercised',
      'us-gaap:ProceedsFromIssuanceOfSharesUnderIncentiveAndShareBasedCompensationPlansIncludingStockOptions',
      'us-gaap:ProceedsFromStockPlans',
      'ifrs-full:ProceedsFromIssuingShares',
    ],
  },
  debtIssued: {
    totals: ['us-gaap:ProceedsFromIssuanceOfDebt', 'us-gaap:ProceedsFromDebtNetOfIssuanceCosts'],
    lines: [
      'us-gaap:ProceedsFromIssuanceOfLongTermDebt',
      'us-gaap:ProceedsFromIssuanceOfLongTermDebtAndCapitalSecuritiesNet',
      'us-gaap:ProceedsFromIssuanceOfSeniorLongTermDebt',
      'us-gaap:ProceedsFromIssuanceOfUnsecuredDebt',
      'us-gaap:ProceedsFromIssuanceOfSecuredDebt',
      'us-gaap:ProceedsFromConvertibleNotesPayable',
      'us-gaap:ProceedsFromNotesPayable',
      'us-gaap:ProceedsFromLinesOfCredit',
      'us-gaap:ProceedsFromLongTermLinesOfCredit',
      'us-gaap:ProceedsFromBankDebt',
      'ifrs-full:ProceedsFromBorrowingsClassifiedAsFinancingActivities',
    ],
  },
  debtRepaid: {
    totals: ['us-gaap:RepaymentsOfDebt'],
    lines: [
      'us-gaap:RepaymentsOfLongTermDebt',
      'us-gaap:RepaymentsOfLongTermDebtAndCapitalSecurities',
      'us-gaap:RepaymentsOfSeniorDebt',
      'us-gaap:RepaymentsOfUnsecuredDebt',
      'us-gaap:RepaymentsOfSecuredDebt',
      'us-gaap:RepaymentsOfConvertibleDebt',
      'us-gaap:RepaymentsOfNotesPayable',
      'us-gaap:RepaymentsOfLinesOfCredit',
      'us-gaap:RepaymentsOfLongTermLinesOfCredit',
      'us-gaap:RepaymentsOfBankDebt',
      'ifrs-full:RepaymentsOfBorrowingsClassifiedAsFinancingActivities',
    ],
  },
  acquisitions: {
    totals: [
      'us-gaap:PaymentsToAcquireBusinessesNetOfCashAcquired',
      'us-gaap:PaymentsToAcquireBusinessesAndInterestInAffiliates',
      'ifrs-full:CashFlowsUsedInObtainingControlOfSubsidiariesOrOtherBusinessesClassifiedAsInvestingActivities',
    ],
    isGreatest: true,
  },
  interestPaid: {
    totals: ['us-gaap:InterestPaidNet', 'us-gaap:InterestPaid'],
    lines: ['ifrs-full:InterestPaidClassifiedAsOperatingActivities'],
  },
  taxesPaid: {
    totals: [
      'us-gaap:IncomeTaxesPaidNet',
      'us-gaap:IncomeTaxesPaid',
      'ifrs-full:IncomeTaxesPaidRefundClassifiedAsOperatingActivities',
    ],
  },
} as const satisfies Record<string, LineRule>;

/** Flows of financing that no figure is read from. Those of a figure may be a part of it. */
export const OTHER_FLOWS = {
  debtIssued: [
    'us-gaap:ProceedsFromShortTermDebtMaturingInMoreThanThreeMonths',
    'us-gaap:ProceedsFromShortTermDebtMaturingInThreeMonthsOrLess',
    'us-gaap:ProceedsFromDebtMaturingInMoreThanThreeMonths',
    'us-gaap:ProceedsFromOtherShortTermDebt',
    'us-gaap:ProceedsFromConvertibleDebt',
    'us-gaap:ProceedsFromRelatedPartyDebt',
    'us-gaap:ProceedsFromConstructionLoansPayable',
    'us-gaap:ProceedsFromIssuanceOfSubordinatedLongTermDebt',
    'us-gaap:ProceedsFromSecuredNotesPayable',
    'ifrs-full:ProceedsFromCurrentBorrowings',
    'ifrs-full:ProceedsFromNoncurrentBorrowings',
    'ifrs-full:ProceedsFromIssueOfBondsNotesAndDebentures',
  ],
  debtRepaid: [
    'us-gaap:RepaymentsOfShortTermDebtMaturingInMoreThanThreeMonths',
    'us-gaap:RepaymentsOfShortTermDebtMaturingInThreeMonthsOrLess',
    'us-gaap:RepaymentsOfDebtMaturingInMoreThanThreeMonths',
    'us-gaap:EarlyRepaymentOfSeniorDebt',
    'us-gaap:RepaymentsOfAssumedDebt',
    'us-gaap:RepaymentsOfRelatedPartyDebt',
    'us-gaap:RepaymentsOfConstructionLoansPayable',
    'us-gaap:RepaymentsOfSubordinatedDebt',
    'us-gaap:RepaymentsOfDebtAndCapitalLeaseObligations',
    'ifrs-full:RepaymentsOfCurrentBorrowings',
    'ifrs-full:RepaymentsOfNoncurrentBorrowings',
    'ifrs-full:RepaymentsOfBondsNotesAndDebentures',
  ],
  shareIssuance: [
    'us-gaap:ProceedsFromSaleOfTreasuryStock',
    'us-gaap:ProceedsFromOtherEquity',
    'us-gaap:ProceedsFromIssuanceInitialPublicOffering',
    'us-gaap:ProceedsFromIssuanceOfWarrants',
  ],
  financing: [
    'us-gaap:ExcessTaxBenefitFromShareBasedCompensationFinancingActivities',
    'us-gaap:PaymentsRelatedToTaxWithholdingForShareBasedCompensation',
    'us-gaap:ProceedsFromPaymentsForOtherFinancingActivities',
    'us-gaap:PaymentsForProceedsFromHedgeFinancingActivities',
    'us-gaap:PaymentForContingentConsiderationLiabilityFinancingActivities',
    'us-gaap:PaymentsOfDebtIssuanceCosts',
    'us-gaap:PaymentsOfDebtExtinguishmentCosts',
    'us-gaap:PaymentsOfFinancingCosts',
    'us-gaap:PaymentsOfStockIssuanceCosts',
    'us-gaap:PaymentOfFinancingAndStockIssuanceCosts',
    'us-gaap:ProceedsFromRepaymentsOfDebtMaturingInThreeMonthsOrLess',
    'us-gaap:CashProvidedByUsedInFinancingActivitiesDiscontinuedOperations',
    'us-gaap:RepaymentsOfLongTermCapitalLeaseObligations',
    'us-gaap:FinanceLeasePrincipalPayments',
    'us-gaap:PaymentsOfDividendsMinorityInterest',
    'us-gaap:PaymentsToMinorityShareholders',
    'us-gaap:ProceedsFromMinorityShareholders',
    'us-gaap:ProceedsFromPaymentsToMinorityShareholders',
    'us-gaap:PaymentsToAcquireAdditionalInterestInSubsidiaries',
    'us-gaap:ProceedsFromRepaymentsOfBankOverdrafts',
    'us-gaap:ProceedsFromRepaymentsOfRestrictedCashFinancingActivities',
    'us-gaap:IncreaseDecreaseInOutstandingChecksFinancingActivities',
    'us-gaap:IncreaseDecreaseInDeposits',
    'us-gaap:IncreaseDecreaseInFederalFundsPurchasedAndSecuritiesSoldUnderAgreementsToRepurchaseNet',
    'us-gaap:AdditionsToContractHoldersFunds',
    'us-gaap:WithdrawalFromContractHoldersFunds',
    'us-gaap:ProceedsFromIssuanceOfSharesUnderIncentiveAndShareBasedCompensationPlans',
    'us-gaap:ProceedsFromIssuanceOfCommonLimitedPartnersUnits',
    'us-gaap:ProceedsFromIssuanceOfConvertiblePreferredStock',
    'us-gaap:ProceedsFromIssuanceOfPreferredStockAndPreferenceStock',
    'us-gaap:PaymentsForRepurchaseOfPreferredStockAndPreferenceStock',
    'us-gaap:PaymentsForRepurchaseOfOtherEquity',
    'us-gaap:PaymentsOfCapitalDistribution',
    'us-gaap:ProceedsFromRepurchaseOfEquity',
    'ifrs-full:PaymentsOfLeaseLiabilitiesClassifiedAsFinancingActivities',
    'ifrs-full:InterestPaidClassifiedAsFinancingActivities',
    'ifrs-full:DividendsPaidToNoncontrollingInterestsClassifiedAsFinancingActivities',
    'ifrs-full:OtherInflowsOutflowsOfCashClassifiedAsFinancingActivities',
  ],
} as const;

const FINANCED = [
  'dividendsPaid',
  'shareRepurchases',
  'shareIssuance',
  'debtIssued',
  'debtRepaid',
] as const;

/** Flows of financing. Those of a statement add up to its total. */
export const FINANCING_CONCEPTS: readonly string[] = [
  ...new Set([
    ...FINANCED.flatMap((field) => conceptsOf(CASH_LINES[field])),
    ...Object.values(OTHER_FLOWS).flat(),
    ...DOUBT_CONCEPTS.longTermFlows,
    ...DOUBT_CONCEPTS.otherDebtFlows,
  ]),
];

export const CASH_CONCEPTS: readonly string[] = [
  ...Object.values(CASH_TOTALS).flat(),
  ...Object.values(CASH_PARTS).flat(),
  ...CHANGE_BEFORE_EXCHANGE,
  ...Object.values<LineRule>(CASH_LINES).flatMap(conceptsOf),
  ...FINANCING_CONCEPTS,
  ...DOUBT_CONCEPTS.amortization,
];
