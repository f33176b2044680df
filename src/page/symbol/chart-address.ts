/** The chart that the address names: symbol, interval, range, adjustment, hours, indicators and marks. */

import {
  INTERVALS,
  type Interval,
  SESSION_CHOICES,
  type SessionChoice,
} from '../../base/time/intervals.ts';

export const RANGES = ['1d', '5d', '1m', '6m', 'ytd', '1y', '5y', 'max'] as const;

export type Range = (typeof RANGES)[number];

export const ADJUSTMENTS = ['split', 'all', 'raw'] as const;

export type Adjustment = (typeof ADJUSTMENTS)[number];

export interface ChartAddress {
  symbol: string;
  interval: Interval;
  range: Range;
  /** Undefined: the default of the bars. */
  adjustment: Adjustment | undefined;
  /** Hours of bars below a day. */
  session: SessionChoice;
  /** Texts of requests: `sma:50`. */
  indicators: readonly string[];
  /** Kinds of events, as the address has them; undefined: the usual ones. */
  events: string | undefined;
  /** True to show the bars as a table. */
  isTable: boolean;
}

const INDICATORS_MAX = 20;
const INDICATOR = /^[a-z0-9_]+(:-?[0-9.]+)*$/;

/** Narrow screens start with fewer bars, so that each stays visible. */
const NARROW_PX = 700;

function oneOf<T extends string>(values: readonly T[], text: string | null): T | undefined {
  return values.find((value) => value === text);
}

/** Reads the address; values that no chart has are ignored. */
export function chartFromAddress(query: string, widthPx: number): ChartAddress | undefined {
  const params = new URLSearchParams(query);
  const symbol = params.get('symbol')?.trim().toUpperCase();
  if (!symbol) return undefined;
  const listed = (params.get('indicators') ?? '').split(',');
  const indicators = [...new Set(listed)].filter((text) => INDICATOR.test(text));
  return {
    symbol,
    interval: oneOf(INTERVALS, params.get('interval')) ?? '1d',
    range: oneOf(RANGES, params.get('range')) ?? (widthPx < NARROW_PX ? '6m' : '1y'),
    adjustment: oneOf(ADJUSTMENTS, params.get('adjustment')),
    session: oneOf(SESSION_CHOICES, params.get('session')) ?? 'regular',
    indicators: indicators.slice(0, INDICATORS_MAX),
    events: params.get('events') ?? undefined,
    isTable: params.get('show') === 'table',
  };
}
