/** A day on which a fund pays out a capital gain. Null means unknown. */
export interface GainDay {
  dividend: number;
  gain: number;
  closeBefore: number | null;
  close: number | null;
  /** Adjusted close ÷ close of the day before, divided by the same ratio of the day itself. */
  factor: number | null;
}

export interface GainDecision {
  isContained: boolean;
  note: string;
}

/** An adjusted close decides for a reading whose effect is this near, as a share of the gain. */
const NEAR_SHARE = 0.1;

/** Allowance for rounding: a gain may seem slightly greater than the dividend that contains it. */
const ROUNDING = 1e-4;

/**
 * Decides for all days of a symbol together, because a vendor writes them in one way. In this
 * order count: a gain above its dividend, the adjusted close, the falls of the price.
 * @returns undefined if no gain is paid.
 */
export function capitalGainDecision(
  symbol: string,
  all: readonly GainDay[],
): GainDecision | undefined {
  const days = all.filter(({ gain }) => gain > 0);
  if (days.length === 0) return undefined;
  const told = (isContained: boolean, why: string) => ({
    isContained,
    note: isContained
      ? `${symbol}: its dividends contain the capital gains stated beside them (${why})`
      : `${symbol}: its capital gains are paid beside its dividends (${why})`,
  });
  if (days.some(({ dividend, gain }) => gain > dividend * (1 + ROUNDING))) {
    return told(false, 'a gain is greater than the dividend of its day');
  }
  if (days.every(isAdjustedForDividend)) return told(true, 'the adjusted close shows it');
  const priced = days.filter(({ closeBefore, close }) => closeBefore !== null && close !== null);
  if (priced.length === 0) return told(false, 'no price shows which');
  const falls = priced.map(({ closeBefore, close }) => closeBefore! - close!);
  const error = (paid: (day: GainDay) => number) =>
    priced.reduce((sum, day, i) => sum + Math.abs(falls[i] - paid(day)), 0);
  const isContained =
    error(({ dividend }) => dividend) < error(({ dividend, gain }) => dividend + gain);
  const total = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + value, 0).toFixed(2);
  const dividends = total(priced.map(({ dividend }) => dividend));
  const gains = total(priced.map(({ gain }) => gain));
  const dayCount = priced.length === 1 ? 'one day' : `${priced.length} days`;
  return told(
    isContained,
    `on ${dayCount} the price fell by ${total(falls)}, with ${dividends} of dividends and ${gains} of gains`,
  );
}

function isAdjustedForDividend({ dividend, gain, closeBefore, factor }: GainDay): boolean {
  if (closeBefore === null || factor === null) return false;
  return Math.abs((1 - factor) * closeBefore - dividend) <= NEAR_SHARE * gain;
}
