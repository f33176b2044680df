/** Counts the served bars and symbols, with their first and last day. */

import { CorruptDataError } from '../../../base/errors.ts';
import { newYorkDay } from '../../../base/time/calendar.ts';
import { dateFromDay, dayFromMillis } from '../../../base/time/dates.ts';
import { STORED_INTRADAY } from '../../../base/time/intervals.ts';
import type { SymbolInfo } from '../snapshot/snapshot.ts';
import type { PublishedVersion } from './published-version.ts';
import { openPublished } from './reader.ts';

export interface ServedBars {
  interval: '1d' | '1m' | '5m';
  bars: number;
  symbols: number;
  firstDay: string;
  lastDay: string;
}

/** Counts the bars that a folder serves, by interval; null if they can't be read. */
export function readServedBars(folder: string): ServedBars[] | null {
  let version: PublishedVersion | undefined;
  try {
    version = openPublished(folder)?.requireWhole();
    return version ? countBars(version) : [];
  } catch (error) {
    // Replaced meanwhile, or damaged: its publisher and its readers handle that.
    const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (isGone || error instanceof CorruptDataError) return null;
    throw error;
  } finally {
    version?.close();
  }
}

function countBars(version: PublishedVersion): ServedBars[] {
  const daily = version.symbols.map((symbol) => ({
    bars: version.rowCount(symbol, '1d'),
    info: version.symbol(symbol),
  }));
  const counts = [countOf('1d', daily, (us) => dayFromMillis(Number(us) / 1000))];
  for (const interval of STORED_INTRADAY) {
    const names = [...(version.intradayPart?.symbols(interval).keys() ?? [])];
    const series = names.map((symbol) => ({
      bars: version.rowCount(symbol, interval),
      info: version.intraday(symbol, interval),
    }));
    counts.push(countOf(interval, series, (us) => newYorkDay(Number(us) / 1000)));
  }
  return counts.flatMap((count) => count ?? []);
}

function countOf(
  interval: ServedBars['interval'],
  series: readonly { bars: number; info: SymbolInfo | undefined }[],
  dayOf: (us: bigint) => number,
): ServedBars | undefined {
  const ranges = series.flatMap(({ info }) => info ?? []);
  if (ranges.length === 0) return undefined;
  const firstDay = ranges.reduce(
    (day, { firstBarUs }) => Math.min(day, dayOf(firstBarUs)),
    Infinity,
  );
  const lastDay = ranges.reduce((day, { lastBarUs }) => Math.max(day, dayOf(lastBarUs)), -Infinity);
  return {
    interval,
    bars: series.reduce((sum, { bars }) => sum + bars, 0),
    symbols: ranges.length,
    firstDay: dateFromDay(firstDay),
    lastDay: dateFromDay(lastDay),
  };
}
