/** Counts the served bars and symbols, with their first and last day. */

import { CorruptDataError } from '../../../base/errors.ts';
import { newYorkDay } from '../../../base/time/calendar.ts';
import { dateFromDay, dayFromMillis } from '../../../base/time/dates.ts';
import { STORED_INTERVALS, type StoredInterval } from '../../../base/time/intervals.ts';
import type { UnlikelyDividend } from '../snapshot/symbol-directory.ts';
import type { PublishedVersion } from './published-version.ts';
import { openPublished } from './reader.ts';

export interface ServedBars {
  interval: StoredInterval;
  bars: number;
  symbols: number;
  firstDay: string;
  lastDay: string;
}

export interface Served {
  /** Counts by interval. */
  bars: ServedBars[];
  /** Dividends that the prices contradict. */
  unlikely: UnlikelyDividend[];
}

/** Reads what a folder serves, in numbers; null if it can't be read. */
export function readServed(folder: string): Served | null {
  try {
    using version = openPublished(folder)?.requireWhole();
    if (!version) return { bars: [], unlikely: [] };
    return { bars: countBars(version), unlikely: version.directory.unlikelyDividends() };
  } catch (error) {
    // Replaced meanwhile, or damaged: its publisher and its readers handle that.
    const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (isGone || error instanceof CorruptDataError) return null;
    throw error;
  }
}

function countBars(version: PublishedVersion): ServedBars[] {
  return STORED_INTERVALS.flatMap((interval) => {
    const isDaily = interval === '1d';
    const names = isDaily ? version.symbols : version.intradayPart?.symbols(interval).keys();
    const series = [...(names ?? [])].flatMap((symbol) => {
      const info = isDaily ? version.symbol(symbol) : version.intraday(symbol, interval);
      return info ? { ...info, bars: version.rowCount(symbol, interval) } : [];
    });
    if (series.length === 0) return [];
    const dayOf = (us: bigint) => (isDaily ? dayFromMillis : newYorkDay)(Number(us) / 1000);
    const firstDays = series.map(({ firstBarUs }) => dayOf(firstBarUs));
    const lastDays = series.map(({ lastBarUs }) => dayOf(lastBarUs));
    return {
      interval,
      bars: series.reduce((sum, { bars }) => sum + bars, 0),
      symbols: series.length,
      firstDay: dateFromDay(firstDays.reduce((a, b) => Math.min(a, b))),
      lastDay: dateFromDay(lastDays.reduce((a, b) => Math.max(a, b))),
    };
  });
}
