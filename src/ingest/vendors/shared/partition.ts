import { ParameterError } from '../../../base/errors.ts';
import { sessionsBetween } from '../../../base/time/calendar.ts';
import { dayFromDate } from '../../../base/time/dates.ts';
import type { SourceOptions } from '../../contract/source-options.ts';
import type { VendorInterval } from './vendor-bars.ts';
import type { DayRange } from './vendor-days.ts';

export function chunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, chunk) =>
    items.slice(chunk * size, (chunk + 1) * size),
  );
}

/** Returns the symbols of a run. @throws {ParameterError} there are none, and the source needs some. */
export function requiredSymbols(
  { symbols = [] }: SourceOptions,
  source: string,
): readonly string[] {
  if (symbols.length > 0) return symbols;
  throw new ParameterError('symbols', `${source} needs --symbols`);
}

/** Cuts a run by symbols; one without symbols stays whole, and its fetch reports the lack. */
export function bySymbols(
  options: SourceOptions,
  symbols: readonly string[] | undefined,
  size: number,
): SourceOptions[] {
  if (symbols === undefined) return [options];
  return chunks(symbols, size).map((some) => ({ ...options, symbols: some }));
}

export function withDays(options: SourceOptions, fromDay: number, toDay: number): SourceOptions {
  return { ...options, fromDay, toDay };
}

/** Symbols that trade on a day, for dry runs of the whole market. */
export const MARKET_SYMBOLS = 11_000;
export const MINUTES_PER_SESSION = 390;

/** Counts the bars that a symbol may have in a range. */
export function barCount({ fromDay, toDay }: DayRange, interval: VendorInterval): number {
  // Before the calendar starts there are few bars.
  const first = Math.max(fromDay, dayFromDate('1962-01-01'));
  return sessionsBetween(first, toDay).length * (interval === '1d' ? 1 : MINUTES_PER_SESSION);
}

export const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);
