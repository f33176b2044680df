/**
 * How intervals and hours are spelled in the store, and which tables hold their bars. Daily and
 * intraday bars have tables of their own: a minute's load must not cost what years of days cost,
 * nor the other way round.
 */

import { assert } from '../../../base/errors.ts';
import {
  type Hours,
  type Interval,
  STORED_INTRADAY,
  type StoredIntraday,
} from '../../../base/time/intervals.ts';

/** Intervals that the store keeps as rows; all others are made from them. */
export const BASE_INTERVALS = ['1d', ...STORED_INTRADAY] as const satisfies readonly Interval[];

export type BaseInterval = (typeof BASE_INTERVALS)[number];

/** What `series` and `winners` carry: bars of extended hours are apart, and never served. */
export type StoredInterval = BaseInterval | `${StoredIntraday}-extended`;

export interface BarTable {
  /** Rows of all series. */
  bars: 'bars' | 'intraday_bars';
  /** Raw rows that lost, of the same shape. */
  rivals: 'rival_bars' | 'intraday_rival_bars';
}

const DAILY: BarTable = { bars: 'bars', rivals: 'rival_bars' };
const INTRADAY: BarTable = { bars: 'intraday_bars', rivals: 'intraday_rival_bars' };

export const BAR_TABLES: readonly BarTable[] = [DAILY, INTRADAY];

export function barTable(interval: StoredInterval | Interval): BarTable {
  return interval === '1d' ? DAILY : INTRADAY;
}

/** How the store spells the interval of a segment's bars. Days have no extended hours. */
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
