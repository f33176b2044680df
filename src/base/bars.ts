/** Bars as columns, their price basis, splits and dividends. */

/** One series' bars as columns of equal length, oldest first, timestamps strictly rising. */
export interface BarColumns {
  /** Bar start in microseconds since the epoch, UTC; a daily bar's is its date at 00:00Z. */
  timestampUs: BigInt64Array;
  open: Float64Array;
  high: Float64Array;
  low: Float64Array;
  close: Float64Array;
  /** Shares; float64 because adjusted and modern volumes are fractional. */
  volume: Float64Array;
}

/** Prices and volume of a bar, in the usual order. */
export const BAR_FIELDS = ['open', 'high', 'low', 'close', 'volume'] as const;

export type BarValues = Record<(typeof BAR_FIELDS)[number], number>;

/** `raw` as traded; `split` adjusted for splits; `all` for splits and dividends. */
export const BASES = ['raw', 'split', 'all'] as const;

export type Basis = (typeof BASES)[number];

/** `numerator` new shares for `denominator` old ones, from the session `exDay` on. */
export interface Split {
  /** Days since the epoch of the first session on the new basis. */
  exDay: number;
  numerator: number;
  denominator: number;
}

/** Cash per share as of its ex-date, in the split basis of that day (as declared). */
export interface Dividend {
  exDay: number;
  amount: number;
  /** ISO 4217, where it is not that of the prices: such an amount is listed and never used. */
  currency?: string;
  /** True for a spin-off: the value of other shares, which lowers the price and is no yield. */
  isSpinOff?: boolean;
  /** True where the price does not show it (`compute/quality`): then it is in no yield. */
  isUnlikely?: boolean;
  /** Factor that the vendor applies to earlier prices; default 1 − amount ÷ the close before. */
  factor?: number;
}

/** Returns the name of an entry of a list of dividends, as tables and the API have it. */
export function paidType({ isSpinOff }: Pick<Dividend, 'isSpinOff'>): 'dividend' | 'spin-off' {
  return isSpinOff ? 'spin-off' : 'dividend';
}

/** Returns false for an amount in another currency without a factor: its effect is unknown. */
export function isUsable({ currency, factor }: Dividend): boolean {
  return currency === undefined || factor !== undefined;
}

export const MICROS_PER_MILLI = 1000;
export const MILLIS_PER_DAY = 86_400_000;
export const MICROS_PER_DAY = 86_400_000_000n;

/** Converts microseconds to milliseconds without a BigInt per row; exact up to 53 bits. */
export function millisFromMicros(timestampUs: BigInt64Array): Float64Array {
  const halves = new Int32Array(timestampUs.buffer, timestampUs.byteOffset, timestampUs.length * 2);
  const out = new Float64Array(timestampUs.length);
  for (let i = 0; i < out.length; i++) out[i] = millisOfHalves(halves, i);
  return out;
}

/** Returns a timestamp in milliseconds, from the 32-bit halves of microseconds. */
export function millisOfHalves(halves: Int32Array, row: number): number {
  return microsOfHalves(halves, row) / MICROS_PER_MILLI;
}

/** Returns a timestamp in microseconds from its 32-bit halves; exact up to 53 bits. */
export function microsOfHalves(halves: Int32Array, row: number): number {
  return halves[2 * row + 1] * 4294967296 + (halves[2 * row] >>> 0);
}

/** Reverses `millisFromMicros`; input must be whole milliseconds. */
export function microsFromMillis(timestampMs: ArrayLike<number>): BigInt64Array {
  const out = new BigInt64Array(timestampMs.length);
  const halves = new Int32Array(out.buffer);
  for (let i = 0; i < timestampMs.length; i++) {
    const us = timestampMs[i] * MICROS_PER_MILLI;
    const high = Math.floor(us / 4294967296);
    halves[2 * i] = us - high * 4294967296;
    halves[2 * i + 1] = high;
  }
  return out;
}

/** Makes columns of `rowCount` rows of zeros. */
export function blankBars(rowCount: number): BarColumns {
  const column = () => new Float64Array(rowCount);
  return {
    timestampUs: new BigInt64Array(rowCount),
    open: column(),
    high: column(),
    low: column(),
    close: column(),
    volume: column(),
  };
}

/** Returns the rows [start, end) as views; `end` defaults to the row count. */
export function barRows(bars: BarColumns, start: number, end = bars.close.length): BarColumns {
  return {
    timestampUs: bars.timestampUs.subarray(start, end),
    open: bars.open.subarray(start, end),
    high: bars.high.subarray(start, end),
    low: bars.low.subarray(start, end),
    close: bars.close.subarray(start, end),
    volume: bars.volume.subarray(start, end),
  };
}

/** Copies rows by number; returns `bars` itself if these are all its rows. */
export function gatheredBars(bars: BarColumns, rows: Int32Array): BarColumns {
  if (rows.length === bars.close.length && rows.every((row, i) => row === i)) return bars;
  const gathered = blankBars(rows.length);
  const { timestampUs, open, high, low, close, volume } = gathered;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i];
    timestampUs[i] = bars.timestampUs[row];
    open[i] = bars.open[row];
    high[i] = bars.high[row];
    low[i] = bars.low[row];
    close[i] = bars.close[row];
    volume[i] = bars.volume[row];
  }
  return gathered;
}

/** Copies all rows of `source` into `target`, from its row `at` on. */
export function setBars(target: BarColumns, source: BarColumns, at: number): void {
  target.timestampUs.set(source.timestampUs, at);
  target.open.set(source.open, at);
  target.high.set(source.high, at);
  target.low.set(source.low, at);
  target.close.set(source.close, at);
  target.volume.set(source.volume, at);
}

/** Copies both, the second after the first. */
export function joinedBars(a: BarColumns, b: BarColumns): BarColumns {
  const joined = blankBars(a.close.length + b.close.length);
  setBars(joined, a, 0);
  setBars(joined, b, a.close.length);
  return joined;
}
