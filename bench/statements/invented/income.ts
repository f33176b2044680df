/** Writes income statements of invented filers. */

import { type Filer, type Line, negated, own } from './filer.ts';

/** Writes net income and what belongs to minorities; returns the part of the parent. */
export function writeProfit(f: Filer, whole: number): void {
  const hasMinorities = f.trait('minorities', 0.35);
  if (!hasMinorities) {
    const tag =
      f.taxonomy === 'ifrs'
        ? 'ProfitLoss'
        : f.pick(['NetIncomeLoss', 'NetIncomeLoss', 'ProfitLoss']);
    const label =
      f.taxonomy === 'ifrs'
        ? 'Profit for the year'
        : f.pick(['Net income', 'Net earnings', 'Net income (loss)', 'NET INCOME']);
    f.profit = [tag, 'Net income', whole];
    f.add('IS', [tag, label, whole]);
    f.truth.netIncome = whole;
    writePreferred(f, whole);
    return;
  }
  f.profit = ['ProfitLoss', 'Net income', whole];
  const part = f.amount(5, 90) * (f.chance(0.2) ? -1 : 1);
  const parent = whole - part;
  f.truth.netIncome = parent;
  if (f.taxonomy === 'ifrs') {
    f.add('IS', ['ProfitLoss', 'Profit for the year', whole]);
    f.add('IS', ['ProfitLossAttributableToOwnersOfParent', 'Owners of the parent', parent]);
    f.add('IS', [
      'ProfitLossAttributableToNoncontrollingInterests',
      'Non-controlling interests',
      part,
    ]);
    return;
  }
  const isTurned = f.trait('minorities tagged negative', 0.25);
  const isShownLess = f.chance(0.7);
  const tagged = isTurned ? -part : part;
  // The statement shows the part as a deduction.
  const more = isShownLess === !isTurned ? negated : {};
  const label = f.pick([
    'Less: Net income attributable to noncontrolling interests',
    'Net income attributable to noncontrolling interest',
    'Noncontrolling interests in consolidated entities',
  ]);
  f.add('IS', [
    'ProfitLoss',
    f.pick([
      'Net income',
      'Consolidated net income',
      'Net income including noncontrolling interests',
    ]),
    whole,
  ]);
  const minorityTag: Line = f.trait('minorities in an own concept', 0.15)
    ? ['IncomeOfOtherHolders', label, tagged, { ...own, ...more }]
    : ['NetIncomeLossAttributableToNoncontrollingInterest', label, tagged, more];
  f.add('IS', minorityTag);
  f.add('IS', [
    'NetIncomeLoss',
    f.pick([
      'Net income attributable to the Company',
      'Net income attributable to common shareholders',
      'Net earnings attributable to Acme Corp',
    ]),
    parent,
  ]);
  f.truth.minorityIncome = part;
  writePreferred(f, parent);
}

/** Writes what preferred shares take of the profit, and what they leave. */
function writePreferred(f: Filer, parent: number): void {
  if (f.taxonomy === 'ifrs' || !f.trait('preferred dividends', 0.2)) return;
  const paid = f.amount(2, 30);
  f.add('IS', [
    'PreferredStockDividendsIncomeStatementImpact',
    'Preferred stock dividends',
    paid,
    negated,
  ]);
  const label = f.pick([
    'Net income available to common shareholders',
    'Net income applicable to common stock',
  ]);
  f.add('IS', ['NetIncomeLossAvailableToCommonStockholdersBasic', label, parent - paid]);
}

/** Writes the end of an income statement, after a result before taxes. */
export function writeTaxes(f: Filer, pretax: number): number {
  const tax = Math.round((pretax / f.unit) * 0.21) * f.unit;
  const ifrs = f.taxonomy === 'ifrs';
  f.truth.pretaxIncome = pretax;
  f.truth.incomeTax = tax;
  f.add(
    'IS',
    ifrs
      ? ['ProfitLossBeforeTax', 'Profit before tax', pretax]
      : [
          'IncomeLossFromContinuingOperationsBeforeIncomeTaxesExtraordinaryItemsNoncontrollingInterest',
          f.pick([
            'Income before income taxes',
            'Earnings before taxes',
            'Income before provision for income taxes',
          ]),
          pretax,
        ],
  );
  f.add(
    'IS',
    ifrs
      ? ['IncomeTaxExpenseContinuingOperations', 'Income tax expense', tax]
      : [
          'IncomeTaxExpenseBenefit',
          f.pick(['Provision for income taxes', 'Income tax expense', 'Income taxes']),
          tax,
        ],
  );
  let after = pretax - tax;
  if (!ifrs && f.trait('affiliates after tax', 0.15)) {
    const share = f.amount(3, 40) * f.pick([-1, 1]);
    f.add('IS', [
      'IncomeLossFromEquityMethodInvestments',
      'Equity in earnings of affiliates',
      share,
    ]);
    after += share;
  }
  if (!ifrs && f.trait('discontinued operations', 0.15)) {
    const gone = f.amount(10, 80) * f.pick([-1, 1]);
    f.add('IS', ['IncomeLossFromContinuingOperations', 'Income from continuing operations', after]);
    f.add('IS', [
      'IncomeLossFromDiscontinuedOperationsNetOfTax',
      'Income (loss) from discontinued operations, net of tax',
      gone,
    ]);
    after += gone;
  }
  return after;
}
