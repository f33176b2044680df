/** Explanations of ratios: the figures that each follows from, or why it is null. */

import {
  BALANCE_FIGURES,
  BALANCE_LINE_FIGURES,
  type CompanyFigures,
} from '../../base/companies/figures.ts';
import { RATIOS, type Ratio, type RatioInput } from '../../base/companies/ratios.ts';
import { dateFromDay } from '../../base/time/dates.ts';

/** Reasons of inputs that are no figures of a statement. */
const REASONS: Partial<Record<RatioInput, string>> = {
  piotroski: 'one of its nine tests can not be made',
  revenueBefore: 'no comparable twelve months a year before',
  epsDilutedBefore: 'no comparable twelve months a year before',
  sharesDilutedBefore: 'no comparable twelve months a year before',
  revenueBefore3y: 'no comparable twelve months three years before',
  epsDilutedBefore3y: 'no comparable twelve months three years before',
  revenueBefore5y: 'no comparable twelve months five years before',
  epsDilutedBefore5y: 'no comparable twelve months five years before',
};

interface Known {
  figures: CompanyFigures;
  /** False for a security whose price is not that of a share. */
  isPriced: boolean;
  filedAt: string;
}

/** @param input Inputs of the ratios; NaN is unknown. */
export function explainedRatios(
  values: Readonly<Record<string, number>>,
  input: (name: RatioInput) => number,
  { figures, isPriced, filedAt }: Known,
) {
  const isOfClass = figures.adsRatio !== 0;
  const price = isPriced ? 'no price in the seven days to the day' : NOT_OF_A_SHARE;
  const filed = dated('the filing', figures.filedDay);
  const old = isOfClass ? `the price and ${filed} are more than a year apart` : NOT_OF_CLASS;
  const isReceipt = Number.isNaN(figures.shares) && !Number.isNaN(figures.sharesDay);
  const none = isReceipt ? NOT_OF_A_SHARE : 'the shares outstanding are unknown';
  const shares = Number.isNaN(figures.shares) ? none : old;
  const isOpen = (name: string) => !Number.isFinite(values[name]);
  const reasons = { ...unknownReasons(figures), ...REASONS };
  if (isReceipt) reasons.epsDiluted = NOT_OF_A_SHARE;
  if (isOpen('price')) reasons.price = price;
  else reasons.price = figures.isInDollars === 1 ? old : NOT_IN_DOLLARS;
  reasons.marketCap = isOpen('price') ? price : isOpen('marketCap') ? shares : reasons.price;
  const stated = { verdict: 'stated', reason: null, accession: null, lines: [] };
  const named = RATIOS.map((ratio) => [ratio.name, explained(ratio, input, reasons)] as const);
  const entries = (['priceDate', 'price', 'marketCap'] as const).map((name) => {
    const source = name === 'marketCap' ? name : 'price';
    const open = { ...stated, verdict: null, reason: reasons[source] };
    return [name, isOpen(source) ? open : stated] as const;
  });
  const empty = { form: null, accession: null, currency: null };
  const head = { filedAt, ...empty, fiscalYear: null, fiscalQuarter: null };
  return { ...head, figures: Object.fromEntries([...entries, ...named]) };
}

const dated = (noun: string, day: number) =>
  Number.isNaN(day) ? noun : `${noun} of ${dateFromDay(day)}`;

const OF_BALANCE: ReadonlySet<string> = new Set([...BALANCE_FIGURES, ...BALANCE_LINE_FIGURES]);

/** Returns the reason of each figure that is unknown, with the day of its statement. */
function unknownReasons(figures: CompanyFigures): Partial<Record<RatioInput, string>> {
  const balance = dated('the balance sheet', figures.balanceDay);
  const months = dated('the twelve months', figures.periodDay).replace(' of ', ' to ');
  const names = Object.keys(figures) as (keyof CompanyFigures)[];
  return Object.fromEntries(
    names.map((name) => {
      return [name, `${name} is unknown in ${OF_BALANCE.has(name) ? balance : months}`];
    }),
  );
}

const NOT_OF_A_SHARE =
  'its price is not that of a share, or of a number of shares that the own column ads_ratio states';
const NOT_OF_CLASS =
  'it is not proved that the shares and earnings per share of the filings are of this class of stock; ' +
  'the own column ads_ratio states for how many of these shares one stands';
const NOT_IN_DOLLARS = 'the company reports in another currency than the dollar';

function explained(
  { inputs, formula }: Ratio,
  input: (name: RatioInput) => number,
  reasons: Partial<Record<RatioInput, string>>,
) {
  const lines = inputs.map((concept) => {
    const value = input(concept);
    return { concept, label: null, value: Number.isFinite(value) ? value : null };
  });
  const isKnown = Number.isFinite(formula(input));
  const [unknown] = lines.filter(({ value }) => value === null);
  const open = unknown ? reasons[unknown.concept]! : notAboveZero(inputs, formula, input);
  const [verdict, reason] = isKnown ? ['proved', null] : [null, open];
  return { verdict, reason, accession: null, lines };
}

/** Names the input that makes a ratio undefined: with another amount of it there is one. */
function notAboveZero(
  inputs: readonly RatioInput[],
  formula: Ratio['formula'],
  input: (name: RatioInput) => number,
): string {
  const cause = inputs.find((one) =>
    Number.isFinite(formula((name) => (name === one ? 1 : input(name)))),
  );
  // It divides nothing: its share of the pretax income is the tax rate.
  if (cause === 'incomeTax')
    return `incomeTax is ${input(cause) < 0 ? 'below zero' : 'above pretaxIncome'}`;
  return cause ? `${cause} is not above zero` : 'a divisor is not above zero';
}
