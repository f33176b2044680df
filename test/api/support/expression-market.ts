/** A published market of series whose indicators are known without computing them. */

import type { BarColumns } from '../../../src/base/bars.ts';
import { MICROS_PER_MILLI, MILLIS_PER_DAY } from '../../../src/base/bars.ts';
import { type FixtureSymbol, LAST_DAY, NOW_MS, publishMarket } from './market-fixture.ts';

const MICROS_PER_DAY = BigInt(MILLIS_PER_DAY * MICROS_PER_MILLI);

/** Number of bars of the long series, which end on `LAST_DAY`. */
export const BAR_COUNT = 40;

const isWeekday = (day: number) => (day + 3) % 7 < 5;

/** Last `count` weekdays up to `LAST_DAY`, ascending. */
export function weekdays(count: number): number[] {
  const days: number[] = [];
  for (let day = LAST_DAY; days.length < count; day--) if (isWeekday(day)) days.push(day);
  return days.reverse();
}

/** Returns bars with these closes, the newest on `LAST_DAY`; volumes are 100, 200 and so on. */
export function barsOfCloses(closes: readonly number[]): BarColumns {
  const close = Float64Array.from(closes);
  const days = weekdays(closes.length);
  return {
    timestampUs: BigInt64Array.from(days, (day) => BigInt(day) * MICROS_PER_DAY),
    open: close,
    high: close,
    low: close,
    close,
    volume: close.map((_, row) => 100 * (row + 1)),
  };
}

export function symbolOfCloses(
  symbol: string,
  closes: readonly number[],
  more: Partial<FixtureSymbol> = {},
): FixtureSymbol {
  const bars = barsOfCloses(closes);
  return { symbol, basis: 'raw', bars, splits: [], dividends: [], isCovered: true, ...more };
}

const each = (close: (row: number) => number) =>
  Array.from({ length: BAR_COUNT }, (_, i) => close(i));

/**
 * `UP` closes at 1, 2 and so on to 40 and `DOWN` at 40 to 1; `FLAT` always closes at 10; `JUMP`
 * closes at 10 and in the end at 20; `NEW` has three bars, 5, 6 and 7.
 */
export function expressionSymbols(): FixtureSymbol[] {
  return [
    symbolOfCloses(
      'DOWN',
      each((row) => BAR_COUNT - row),
    ),
    symbolOfCloses(
      'FLAT',
      each(() => 10),
    ),
    symbolOfCloses(
      'JUMP',
      each((row) => (row === BAR_COUNT - 1 ? 20 : 10)),
    ),
    symbolOfCloses('NEW', [5, 6, 7]),
    symbolOfCloses(
      'UP',
      each((row) => row + 1),
    ),
  ];
}

export function publishExpressionMarket(
  folder: string,
  symbols = expressionSymbols(),
  createdMs = NOW_MS,
): Promise<void> {
  return publishMarket(folder, symbols, createdMs);
}
