/** XBRL concepts of cash flows (`docs/sec.md`). */

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

export const CASH_CONCEPTS: readonly string[] = [
  ...Object.values(CASH_TOTALS).flat(),
  ...Object.values(CASH_PARTS).flat(),
  ...CHANGE_BEFORE_EXCHANGE,
  ...Object.values<LineRule>(CASH_LINES).flatMap(conceptsOf),
];
