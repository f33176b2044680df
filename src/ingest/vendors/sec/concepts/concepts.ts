/**
 * XBRL concepts for each figure, best first; a filing uses `us-gaap` or `ifrs-full`
 * (`docs/sec.md`).
 */

import { CASH_CONCEPTS } from './cash-concepts.ts';
import { DEBT_CONCEPTS } from './debt-concepts.ts';
import { DOUBT_CONCEPTS } from './doubt-concepts.ts';
import { LIABILITY_CONCEPTS } from './liability-concepts.ts';
import { LINE_CONCEPTS } from './line-concepts.ts';

/** Lines of revenue. Totals go before parts, which are added (`sales.ts`). */
export const REVENUE_CONCEPTS = {
  revenue: [
    'us-gaap:Revenues',
    'us-gaap:SalesRevenueNet',
    'us-gaap:RevenuesNetOfInterestExpense',
    'us-gaap:RevenuesExcludingInterestAndDividends',
    'us-gaap:RegulatedAndUnregulatedOperatingRevenue',
    'ifrs-full:Revenue',
  ],
  /** All revenue of companies with one business, and a part of it for others. */
  industryRevenue: [
    'us-gaap:ElectricUtilityRevenue',
    'us-gaap:UtilityRevenue',
    'us-gaap:RegulatedOperatingRevenue',
    'us-gaap:ElectricDomesticRegulatedRevenue',
    'us-gaap:SalesRevenueEnergyServices',
    'us-gaap:HealthCareOrganizationRevenue',
    'us-gaap:HealthCareOrganizationPatientServiceRevenue',
    'us-gaap:RealEstateRevenueNet',
    'us-gaap:OilAndGasRevenue',
    'us-gaap:OilAndGasSalesRevenue',
    'us-gaap:RevenueOilAndGasServices',
    'us-gaap:RevenueMineralSales',
    'us-gaap:RefiningAndMarketingRevenue',
    'us-gaap:ContractsRevenue',
    'us-gaap:MarineServicesRevenue',
    'us-gaap:ElectricalGenerationRevenue',
  ],
  /** Utilities have these beside the ones above. */
  otherUtilityRevenue: [
    'us-gaap:UnregulatedOperatingRevenue',
    'us-gaap:GasDomesticRegulatedRevenue',
    'us-gaap:RegulatedOperatingRevenueGas',
    'us-gaap:RegulatedOperatingRevenueOther',
    'us-gaap:GasGatheringTransportationMarketingAndProcessingRevenue',
  ],
  otherRevenue: ['us-gaap:RevenueNotFromContractWithCustomer'],
  /** Revenue under ASC 606: all of it for most, a part for banks, insurers, lessors, utilities. */
  contractRevenue: [
    'us-gaap:RevenueFromContractWithCustomerExcludingAssessedTax',
    'us-gaap:RevenueFromContractWithCustomerIncludingAssessedTax',
    'ifrs-full:RevenueFromContractsWithCustomers',
  ],
  goodsRevenue: ['us-gaap:SalesRevenueGoodsNet'],
  servicesRevenue: ['us-gaap:SalesRevenueServicesNet'],
  leaseRevenue: [
    'us-gaap:OperatingLeaseLeaseIncome',
    'us-gaap:OperatingLeasesIncomeStatementLeaseRevenue',
  ],
  premiums: ['us-gaap:PremiumsEarnedNet'],
  investmentIncome: ['us-gaap:NetInvestmentIncome'],
  investmentGains: [
    'us-gaap:GainLossOnInvestments',
    'us-gaap:RealizedInvestmentGainsLosses',
    'us-gaap:MarketableSecuritiesRealizedGainLoss',
  ],
  insuranceFees: ['us-gaap:InsuranceCommissionsAndFees'],
  netInterestIncome: ['us-gaap:InterestIncomeExpenseNet'],
  interestIncome: ['us-gaap:InterestAndDividendIncomeOperating'],
  interestExpense: ['us-gaap:InterestExpense'],
  otherBankIncome: ['us-gaap:NoninterestIncome'],
} as const;

/** Lines of the cost of revenue. */
export const COST_CONCEPTS = {
  costOfRevenue: ['us-gaap:CostOfRevenue', 'ifrs-full:CostOfSales'],
  goodsAndServicesCost: [
    'us-gaap:CostOfGoodsAndServicesSold',
    'us-gaap:CostOfGoodsAndServiceExcludingDepreciationDepletionAndAmortization',
  ],
  goodsCost: [
    'us-gaap:CostOfGoodsSold',
    'us-gaap:CostOfGoodsSoldExcludingDepreciationDepletionAndAmortization',
  ],
  servicesCost: [
    'us-gaap:CostOfServices',
    'us-gaap:CostOfServicesExcludingDepreciationDepletionAndAmortization',
  ],
  /** Medical costs of a health plan, which are a cost of revenue if goods are sold too. */
  benefits: ['us-gaap:PolicyholderBenefitsAndClaimsIncurredNet'],
} as const;

/** Lines of net income, with and without the part of minorities. */
export const PROFIT_CONCEPTS = {
  netIncome: ['us-gaap:NetIncomeLoss', 'ifrs-full:ProfitLossAttributableToOwnersOfParent'],
  wholeProfit: ['us-gaap:ProfitLoss', 'ifrs-full:ProfitLoss'],
  minorityIncome: [
    'us-gaap:NetIncomeLossAttributableToNoncontrollingInterest',
    'ifrs-full:ProfitLossAttributableToNoncontrollingInterests',
  ],
  /** Parts of minorities that make up the line above. */
  redeemableMinorityIncome: ['us-gaap:NetIncomeLossAttributableToRedeemableNoncontrollingInterest'],
  otherMinorityIncome: ['us-gaap:NetIncomeLossAttributableToNonredeemableNoncontrollingInterest'],
  /** Parts of some minorities, beside which there may be others. */
  someMinorityIncome: [
    'us-gaap:MinorityInterestInNetIncomeLossOfConsolidatedEntities',
    'us-gaap:MinorityInterestInNetIncomeLossOperatingPartnerships',
    'us-gaap:MinorityInterestInNetIncomeLossLimitedPartnerships',
    'us-gaap:MinorityInterestInNetIncomeLossJointVenturePartners',
    'us-gaap:MinorityInterestInNetIncomeLossPreferredUnitHolders',
    'us-gaap:MinorityInterestInNetIncomeLossOtherMinorityInterests',
  ],
  discontinuedIncome: [
    'us-gaap:IncomeLossFromDiscontinuedOperationsNetOfTax',
    'us-gaap:IncomeLossFromDiscontinuedOperationsNetOfTaxAttributableToReportingEntity',
  ],
  affiliateIncome: ['us-gaap:IncomeLossFromEquityMethodInvestments'],
} as const;

/** Expenses that, with the result behind them, add up to revenue. */
export const PROOF_CONCEPTS = {
  costs: [
    'us-gaap:CostsAndExpenses',
    'us-gaap:BenefitsLossesAndExpenses',
    'us-gaap:OperatingExpenses',
  ],
} as const;

/** Other figures of an income statement that add up over time. */
export const FLOW_CONCEPTS = {
  grossProfit: ['us-gaap:GrossProfit', 'ifrs-full:GrossProfit'],
  operatingIncome: ['us-gaap:OperatingIncomeLoss', 'ifrs-full:ProfitLossFromOperatingActivities'],
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
} as const;

/** Figures of an income statement that do not add up. */
export const MEAN_CONCEPTS = {
  eps: [
    'us-gaap:EarningsPerShareBasic',
    'us-gaap:EarningsPerShareBasicAndDiluted',
    'us-gaap:NetIncomeLossPerOutstandingLimitedPartnershipUnitBasicNetOfTax',
    'us-gaap:NetIncomeLossPerOutstandingLimitedPartnershipUnit',
    'ifrs-full:BasicEarningsLossPerShare',
  ],
  epsDiluted: [
    'us-gaap:EarningsPerShareDiluted',
    'us-gaap:EarningsPerShareBasicAndDiluted',
    'us-gaap:NetIncomeLossPerOutstandingLimitedPartnershipUnitDiluted',
    'us-gaap:NetIncomeLossPerOutstandingLimitedPartnershipUnit',
    'ifrs-full:DilutedEarningsLossPerShare',
  ],
  sharesBasic: [
    'us-gaap:WeightedAverageNumberOfSharesOutstandingBasic',
    'us-gaap:WeightedAverageNumberOfShareOutstandingBasicAndDiluted',
    'us-gaap:WeightedAverageLimitedPartnershipUnitsOutstanding',
    'ifrs-full:WeightedAverageShares',
  ],
  sharesDiluted: [
    'us-gaap:WeightedAverageNumberOfDilutedSharesOutstanding',
    'us-gaap:WeightedAverageNumberOfShareOutstandingBasicAndDiluted',
    'us-gaap:WeightedAverageLimitedPartnershipUnitsOutstandingDiluted',
    'us-gaap:WeightedAverageLimitedPartnershipUnitsOutstanding',
    'ifrs-full:AdjustedWeightedAverageShares',
  ],
} as const;

export const BALANCE_CONCEPTS = {
  totalAssets: ['us-gaap:Assets', 'us-gaap:LiabilitiesAndStockholdersEquity', 'ifrs-full:Assets'],
  liabilities: ['us-gaap:Liabilities', 'ifrs-full:Liabilities'],
  /** Equity of all owners, minorities included: assets less liabilities. */
  wholeEquity: [
    'us-gaap:StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest',
    'us-gaap:PartnersCapitalIncludingPortionAttributableToNoncontrollingInterest',
    'us-gaap:LimitedLiabilityCompanyLlcMembersEquityIncludingPortionAttributableToNoncontrollingInterest',
    'ifrs-full:Equity',
  ],
  parentEquity: [
    'us-gaap:StockholdersEquity',
    'us-gaap:PartnersCapital',
    'us-gaap:MembersEquity',
    'ifrs-full:EquityAttributableToOwnersOfParent',
  ],
  minorityInterest: [
    'us-gaap:MinorityInterest',
    'us-gaap:PartnersCapitalAttributableToNoncontrollingInterest',
    'us-gaap:MembersEquityAttributableToNoncontrollingInterest',
    'ifrs-full:NoncontrollingInterests',
  ],
  /** Stands between liabilities and equity. */
  temporaryEquity: [
    'us-gaap:TemporaryEquityCarryingAmountIncludingPortionAttributableToNoncontrollingInterests',
    'us-gaap:TemporaryEquityCarryingAmount',
  ],
  /** Its parts: redeemable shares, and redeemable minorities or what they consist of. */
  redeemableShares: [
    'us-gaap:TemporaryEquityCarryingAmountAttributableToParent',
    'us-gaap:TemporaryEquityRedemptionValue',
  ],
  redeemableMinorities: ['us-gaap:RedeemableNoncontrollingInterestEquityCarryingAmount'],
  redeemableUnits: ['us-gaap:RedeemableNoncontrollingInterestEquityCommonCarryingAmount'],
  redeemablePreferred: ['us-gaap:RedeemableNoncontrollingInterestEquityPreferredCarryingAmount'],
  redeemableOthers: ['us-gaap:RedeemableNoncontrollingInterestEquityOtherCarryingAmount'],
  cash: [
    'us-gaap:CashAndCashEquivalentsAtCarryingValue',
    'us-gaap:Cash',
    'us-gaap:CashAndDueFromBanks',
    'ifrs-full:CashAndCashEquivalents',
  ],
  /** Cash with restricted cash, which is the line of cash if none is restricted. */
  allCash: ['us-gaap:CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalents'],
  restrictedCash: [
    'us-gaap:RestrictedCash',
    'us-gaap:RestrictedCashCurrent',
    'us-gaap:RestrictedCashNoncurrent',
    'us-gaap:RestrictedCashAndCashEquivalents',
    'us-gaap:RestrictedCashAndCashEquivalentsAtCarryingValue',
    'us-gaap:RestrictedCashAndCashEquivalentsNoncurrent',
  ],
} as const;

/** Counts of shares, by the kind of row that they fill. */
export const SHARE_CONCEPTS = {
  cover: ['dei:EntityCommonStockSharesOutstanding'],
  balance: ['us-gaap:CommonStockSharesOutstanding', 'ifrs-full:NumberOfSharesOutstanding'],
  weighted: MEAN_CONCEPTS.sharesDiluted,
} as const;

const TABLES = [
  REVENUE_CONCEPTS,
  COST_CONCEPTS,
  PROFIT_CONCEPTS,
  PROOF_CONCEPTS,
  FLOW_CONCEPTS,
  MEAN_CONCEPTS,
  BALANCE_CONCEPTS,
  DEBT_CONCEPTS,
  DOUBT_CONCEPTS,
  LIABILITY_CONCEPTS,
  SHARE_CONCEPTS,
  { cash: CASH_CONCEPTS, lines: LINE_CONCEPTS },
];

/** All concepts above. Others are not read. */
export const CONCEPTS: ReadonlySet<string> = new Set(
  TABLES.flatMap((table) => Object.values<readonly string[]>(table).flat()),
);

/** Concepts of amounts of one share, which filers may give by class of stock. */
export const PER_SHARE_CONCEPTS: ReadonlySet<string> = new Set([
  ...MEAN_CONCEPTS.eps,
  ...MEAN_CONCEPTS.epsDiluted,
  ...FLOW_CONCEPTS.dividendsPerShare,
]);
