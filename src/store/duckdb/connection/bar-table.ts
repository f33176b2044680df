/**
 * Intervals in the store, and the tables of their bars. Days and minutes have separate tables, so
 * that a load of one costs nothing for the size of the other.
 */

import { assert } from '../../../base/errors.ts';
import {
  BASE_INTERVALS,
  type Hours,
  type Interval,
  type StoredInterval,
} from '../../../base/time/intervals.ts';

export interface BarTable {
  bars: 'bars' | 'intraday_bars';
  superseded: 'rival_bars' | 'intraday_rival_bars';
}

const DAILY: BarTable = { bars: 'bars', superseded: 'rival_bars' };
const INTRADAY: BarTable = { bars: 'intraday_bars', superseded: 'intraday_rival_bars' };

export const BAR_TABLES: readonly BarTable[] = [DAILY, INTRADAY];

export function barTable(interval: StoredInterval | Interval): BarTable {
  return interval === '1d' ? DAILY : INTRADAY;
}

/** Returns the interval of a segment's bars in the store. Days have no extended hours. */
export function storedInterval({
  interval,
  hours = 'regular',
}: {
  interval: Interval;
  hours?: Hours;
}): StoredInterval {
  const base = BASE_INTERVALS.find((stored) => stored === interval);
  assert(base, `bars of ${interval} are stored`);
  if (hours === 'regular') return base;
  assert(base !== '1d', 'bars of extended hours are intraday');
  return `${base}-extended`;
}
