/** Writes cash flows of invented filers. */

import { type Filer, negated, own } from './filer.ts';

export function writeFlows(f: Filer): void {
  const ifrs = f.taxonomy === 'ifrs';
  const tagged = ifrs
    ? [
        'CashFlowsFromUsedInOperatingActivities',
        'CashFlowsFromUsedInInvestingActivities',
        'CashFlowsFromUsedInFinancingActivities',
      ]
    : [
        'NetCashProvidedByUsedInOperatingActivities',
        'NetCashProvidedByUsedInInvestingActivities',
        'NetCashProvidedByUsedInFinancingActivities',
      ];
  const income = f.profit[2];
  const depreciation = f.depreciation?.[2] ?? f.amount(50, 300);
  const working = f.amount(5, 80) * f.pick([-1, 1]);
  const operating = income + depreciation + working;
  f.add('CF', f.profit);
  f.add(
    'CF',
    f.depreciation ?? [
      ifrs
        ? 'AdjustmentsForDepreciationAndAmortisationExpense'
        : f.pick(['DepreciationDepletionAndAmortization', 'DepreciationAndAmortization']),
      'Depreciation and amortization',
      depreciation,
    ],
  );
  f.add('CF', ['ChangesInWorkingCapital', 'Changes in working capital', working, own]);
  f.add('CF', [tagged[0], 'Net cash provided by operating activities', operating]);
  f.truth.operatingCashFlow = operating;
  f.truth.depreciationAmortization = depreciation;
  const capex = f.amount(40, 300);
  const isTurned = f.trait('payments tagged negative', 0.2);
  const capexTag = ifrs
    ? 'PurchaseOfPropertyPlantAndEquipmentClassifiedAsInvestingActivities'
    : 'PaymentsToAcquirePropertyPlantAndEquipment';
  const isOwn = f.trait('two lines of capital expenditure', 0.15);
  const more = isOwn ? f.amount(10, 60) : 0;
  f.add('CF', [
    capexTag,
    f.pick([
      'Capital expenditures',
      'Purchases of property, plant and equipment',
      'Additions to property and equipment',
    ]),
    isTurned ? -capex : capex,
    isTurned ? {} : negated,
  ]);
  if (isOwn)
    f.add('CF', [
      'AdditionsToRentalEquipmentAndPlant',
      'Additions to plant under construction',
      more,
      { ...own, ...negated },
    ]);
  f.truth.capitalExpenditure = capex + more;
  const bought = f.amount(10, 80);
  f.add('CF', [
    'PurchasesOfInvestmentsAndOther',
    'Purchases of investments and other',
    -bought,
    own,
  ]);
  const investing = -capex - more - bought;
  f.add('CF', [tagged[1], 'Net cash used in investing activities', investing]);
  f.truth.investingCashFlow = investing;
  const dividends = f.amount(10, 90);
  const borrowed = f.amount(10, 150);
  f.add('CF', [
    ifrs
      ? 'ProceedsFromBorrowingsClassifiedAsFinancingActivities'
      : 'ProceedsFromIssuanceOfLongTermDebt',
    'Proceeds from long-term debt',
    borrowed,
  ]);
  f.add('CF', [
    ifrs
      ? 'DividendsPaidClassifiedAsFinancingActivities'
      : f.pick(['PaymentsOfDividends', 'PaymentsOfDividendsCommonStock']),
    'Dividends paid',
    isTurned ? -dividends : dividends,
    isTurned ? {} : negated,
  ]);
  f.truth.dividendsPaid = dividends;
  const financing = borrowed - dividends;
  f.add('CF', [tagged[2], 'Net cash used in financing activities', financing]);
  f.truth.financingCashFlow = financing;
  const exchange = f.chance(0.5) ? f.amount(1, 20) * f.pick([-1, 1]) : 0;
  if (exchange)
    f.add('CF', [
      ifrs
        ? 'EffectOfExchangeRateChangesOnCashAndCashEquivalents'
        : f.pick([
            'EffectOfExchangeRateOnCashAndCashEquivalents',
            'EffectOfExchangeRateOnCashCashEquivalentsRestrictedCashAndRestrictedCashEquivalents',
          ]),
      'Effect of exchange rates on cash',
      exchange,
    ]);
  const change = operating + investing + financing + exchange;
  f.add('CF', [
    ifrs
      ? 'IncreaseDecreaseInCashAndCashEquivalents'
      : f.pick([
          'CashAndCashEquivalentsPeriodIncreaseDecrease',
          'CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalentsPeriodIncreaseDecreaseIncludingExchangeRateEffect',
        ]),
    'Net increase (decrease) in cash',
    change,
  ]);
  f.truth.changeInCash = change;
}
