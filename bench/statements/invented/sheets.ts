/** Writes balance sheets of invented filers. */

import type { SetLine } from '../../../test/ingest/vendors/sec/support/set-text.ts';
import type { Debts } from './debts.ts';
import { type Filer, type Line, negated, own, split, sum } from './filer.ts';

/** Writes a balance sheet that adds up, with current and other parts or without. */
export function writeBalance(
  f: Filer,
  isClassified: boolean,
  assetLines: readonly Line[],
  owed: readonly Line[],
  debts: Debts,
): void {
  const ifrs = f.taxonomy === 'ifrs';
  const cash = f.amount(100, 900);
  f.truth.cash = cash;
  const cashTag = ifrs
    ? 'CashAndCashEquivalents'
    : f.pick([
        'CashAndCashEquivalentsAtCarryingValue',
        'CashAndCashEquivalentsAtCarryingValue',
        'Cash',
      ]);
  f.add('BS', [cashTag, f.pick(['Cash and cash equivalents', 'Cash and equivalents']), cash]);
  if (f.trait('restricted cash', 0.25))
    f.add('BS', [
      ifrs ? 'RestrictedCashAndCashEquivalents' : 'RestrictedCashCurrent',
      'Restricted cash',
      f.amount(5, 50),
    ]);
  for (const line of assetLines) f.add('BS', line);
  const ofAssets = f.lines.filter(({ stmt }) => stmt === 'BS');
  const amountOf = ({ values }: SetLine) => values[f.day];
  const current = sum(ofAssets.map(amountOf));
  if (isClassified)
    f.add('BS', [ifrs ? 'CurrentAssets' : 'AssetsCurrent', 'Total current assets', current]);
  const plant = f.amount(1500, 6000);
  f.add('BS', [
    ifrs ? 'PropertyPlantAndEquipment' : 'PropertyPlantAndEquipmentNet',
    'Property, plant and equipment, net',
    plant,
  ]);
  const goodwill = f.amount(50, 800);
  f.add('BS', ['Goodwill', 'Goodwill', goodwill]);
  const own1 = f.amount(20, 200);
  f.add('BS', ['DeferredChargesAndSundry', 'Deferred charges and other assets', own1, own]);
  const assets = current + plant + goodwill + own1;
  f.add('BS', ['Assets', f.pick(['Total assets', 'TOTAL ASSETS']), assets]);
  f.truth.totalAssets = assets;
  f.truth.goodwill = goodwill;
  if (isClassified) f.truth.currentAssets = current;
  const payables: Line[] = [
    [
      ifrs ? 'TradeAndOtherCurrentPayables' : 'AccountsPayableCurrent',
      'Accounts payable',
      f.amount(50, 400),
    ],
  ];
  const accrued: Line = [
    'AccruedLiabilitiesCurrent',
    'Accrued liabilities',
    f.amount(30, 200),
    ifrs ? own : {},
  ];
  const dueNow = [...payables, ...debts.current, accrued];
  if (f.chance(0.5)) dueNow.reverse();
  for (const line of dueNow) f.add('BS', line);
  const due = sum(dueNow.map(([, , value]) => value));
  if (isClassified)
    f.add('BS', [
      ifrs ? 'CurrentLiabilities' : 'LiabilitiesCurrent',
      'Total current liabilities',
      due,
    ]);
  const later: Line[] = [
    ...owed,
    ...debts.noncurrent,
    [
      'DeferredTaxLiabilitiesNoncurrent',
      'Deferred income taxes',
      f.amount(20, 200),
      ifrs ? own : {},
    ],
  ];
  if (f.chance(0.5))
    later.push([
      'OperatingLeaseLiabilityNoncurrent',
      'Operating lease liabilities',
      f.amount(30, 250),
      ifrs ? own : {},
    ]);
  for (const line of later) f.add('BS', line);
  const liabilities = due + sum(later.map(([, , value]) => value));
  const showsTotal = f.chance(0.7);
  if (!showsTotal) f.traits.push('no total of liabilities');
  if (showsTotal) f.add('BS', ['Liabilities', 'Total liabilities', liabilities]);
  f.truth.totalLiabilities = liabilities;
  if (isClassified) f.truth.currentLiabilities = due;
  if (f.unit > 1 && f.trait('rounding', 0.3)) round(f);
  if (f.trait('all cash in a note', 0.3)) {
    f.note(
      ifrs
        ? 'CashAndCashEquivalentsIfDifferentFromStatementOfFinancialPosition'
        : 'CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalents',
      cash + f.amount(3, 30),
    );
  }
  writeEquity(f, assets, liabilities);
}

/** Lets a part of each side differ by rounding from its total. */
function round(f: Filer): void {
  for (const tag of ['DeferredChargesAndSundry', 'AccruedLiabilitiesCurrent']) {
    const line = f.lines.find((one) => one.tag === tag)!;
    line.values[f.day] += f.pick([-1, 1]) * f.unit;
  }
}

export function writeEquity(f: Filer, assets: number, liabilities: number): void {
  const ifrs = f.taxonomy === 'ifrs';
  let left = assets - liabilities;
  f.truth.temporaryEquity = null;
  if (!ifrs && f.trait('temporary equity', 0.2)) {
    const temporary = f.amount(20, 120);
    const isOwn = f.trait('temporary equity in an own concept', 0.4);
    f.add(
      'BS',
      isOwn
        ? [
            'RedeemableConvertiblePreferredStockSeriesB',
            'Redeemable convertible preferred stock',
            temporary,
            own,
          ]
        : [
            f.pick([
              'RedeemableNoncontrollingInterestEquityCarryingAmount',
              'TemporaryEquityCarryingAmountAttributableToParent',
            ]),
            'Redeemable interests',
            temporary,
          ],
    );
    f.truth.temporaryEquity = temporary;
    left -= temporary;
  }
  f.truth.totalEquity = left;
  if (ifrs) {
    const capital = f.amount(100, 400);
    f.add('BS', ['IssuedCapital', 'Share capital', capital]);
    f.add('BS', ['RetainedEarnings', 'Retained earnings', left - capital]);
    f.add('BS', ['Equity', 'Total equity', left]);
    f.add('BS', ['EquityAndLiabilities', 'Total equity and liabilities', assets]);
    return;
  }
  const part = f.trait('minorities in equity', 0.3) ? f.amount(10, 90) : 0;
  const parent = left - part;
  const stock = f.amount(100, 400);
  const isUnits = f.sector === 'partnership';
  if (isUnits) {
    const [common, general] = split(f, parent, [0.95]);
    f.add('BS', ['LimitedPartnersCapitalAccount', 'Common unitholders', common]);
    f.add('BS', ['GeneralPartnersCapitalAccount', 'General partner', general]);
  } else {
    f.add('BS', ['CommonStockValue', 'Common stock', f.unit * 7]);
    f.add('BS', ['AdditionalPaidInCapital', 'Additional paid-in capital', stock - f.unit * 7]);
    const treasury = f.chance(0.5) ? f.amount(10, 90) : 0;
    f.add('BS', [
      'RetainedEarningsAccumulatedDeficit',
      'Retained earnings',
      parent - stock + treasury,
    ]);
    if (treasury) f.add('BS', ['TreasuryStockValue', 'Treasury stock, at cost', treasury, negated]);
  }
  const [parentTag, wholeTag] = isUnits
    ? ['PartnersCapital', 'PartnersCapitalIncludingPortionAttributableToNoncontrollingInterest']
    : [
        'StockholdersEquity',
        'StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest',
      ];
  f.add('BS', [
    parentTag,
    isUnits ? "Total partners' capital" : "Total shareholders' equity",
    parent,
  ]);
  if (part) {
    f.add('BS', ['MinorityInterest', 'Noncontrolling interests', part]);
    f.add('BS', [wholeTag, 'Total equity', left]);
  }
  f.add('BS', ['LiabilitiesAndStockholdersEquity', 'Total liabilities and equity', assets]);
}

export function tradeAssets(f: Filer): Line[] {
  const ifrs = f.taxonomy === 'ifrs';
  return [
    [
      ifrs ? 'TradeAndOtherCurrentReceivables' : 'AccountsReceivableNetCurrent',
      'Accounts receivable, net',
      f.amount(50, 500),
    ],
    [ifrs ? 'Inventories' : 'InventoryNet', 'Inventories', f.amount(60, 500)],
  ];
}
