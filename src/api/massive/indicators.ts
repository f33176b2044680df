/** `/v1/indicators/{name}/{ticker}`: indicators as Massive has them, with the values of the API. */

import { ParameterError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import type { CallRoute } from '../contract/adapter.ts';
import type { AdmittedContext } from '../http/request-context.ts';
import type { ApiResponse } from '../http/response.ts';
import {
  barMillis,
  basisFrom,
  checkNames,
  chosen,
  flag,
  integer,
  intervalFrom,
  limitFrom,
  momentText,
  nextUrl,
  type Parameters,
  spanFrom,
  success,
  technical,
} from './protocol.ts';

/** Parameters of each indicator in the API's order, with Massive's defaults. */
const INDICATORS = {
  sma: { window: 50 },
  ema: { window: 50 },
  rsi: { window: 14 },
  macd: { short_window: 12, long_window: 26, signal_window: 9 },
} as const;

export type IndicatorName = keyof typeof INDICATORS;

export const INDICATOR_NAMES = Object.keys(INDICATORS) as IndicatorName[];

/** Values of a response: by default, and at most. */
const VALUES_DEFAULT = 10;
const VALUES_MAX = 5000;

interface Point {
  timestamp: string;
  value: number;
  signal?: number | null;
  histogram?: number | null;
}

/** Parameters of the time. Each tells whether a moment is inside, from the span that it names. */
const TIMES: Readonly<
  Record<string, (ms: number, [first, last]: readonly [number, number]) => boolean>
> = {
  timestamp: (ms, [first, last]) => ms >= first && ms <= last,
  'timestamp.gte': (ms, [first]) => ms >= first,
  'timestamp.gt': (ms, [, last]) => ms > last,
  'timestamp.lte': (ms, [, last]) => ms <= last,
  'timestamp.lt': (ms, [first]) => ms < first,
};

export async function indicator(
  name: IndicatorName,
  context: AdmittedContext,
  parameters: Parameters,
  call: CallRoute,
): Promise<ApiResponse> {
  const windows = Object.entries(INDICATORS[name]);
  const others = ['timespan', 'adjusted', 'series_type', 'expand_underlying', 'order', 'limit'];
  checkNames(parameters, [...windows.map(([window]) => window), ...Object.keys(TIMES), ...others]);
  chosen(parameters, 'series_type', ['close'], 'close');
  if (flag(parameters, 'expand_underlying', false)) {
    throw new ParameterError('expand_underlying', 'expand_underlying must be false: read the bars');
  }
  const ticker = context.params.ticker;
  const timespan = parameters.timespan ?? 'day';
  const interval = intervalFrom('1', timespan);
  const order = chosen(parameters, 'order', ['asc', 'desc'], 'desc');
  const limit = limitFrom(parameters, VALUES_DEFAULT, VALUES_MAX);
  const { periodMin, periodMax } = limits.indicator;
  const periods = windows.map(([window, preset]) =>
    integer(parameters, window, preset, [periodMin, periodMax]),
  );
  const asked = [name, ...periods].join(':');
  const bounds = Object.entries(TIMES).flatMap(([field, holds]) => {
    const text = parameters[field];
    return text === undefined ? [] : [{ field, holds, span: spanFrom(text, field) }];
  });
  const ends = (suffix: 'g' | 'l') =>
    bounds.filter(({ field }) => field === 'timestamp' || field.startsWith(`timestamp.${suffix}`));
  const [from, to] = [ends('g'), ends('l')].map((list, at) =>
    list.length === 0 ? undefined : momentText(list[0].span[at], interval),
  );

  const basis = basisFrom(parameters);
  const isAscending = order === 'asc';
  const { indicators, other } = await technical(call, basis, {
    symbol: ticker,
    indicators: asked,
    interval,
    from: isAscending ? from : undefined,
    to,
    // The bar at an excluded bound is dropped below.
    limit: isAscending ? limits.technical.rowsJsonMax : limit + 2,
  });
  const found = (indicators[asked] as Point[])
    .map((point) => ({ ...point, timestamp: barMillis(point.timestamp, interval) }))
    .filter(({ timestamp }) => bounds.every(({ holds, span }) => holds(timestamp, span)));
  const shown = (isAscending ? found : found.reverse()).slice(0, limit);
  const last = shown.at(-1);
  const { timestamp: _exact, ...rest } = parameters;
  const passed = isAscending ? 'timestamp.g' : 'timestamp.l';
  const kept = Object.entries(rest).filter(([field]) => !field.startsWith(passed));
  const path = `/v1/indicators/${name}/${encodeURIComponent(ticker)}`;
  const next =
    last && found.length > limit && parameters.timestamp === undefined
      ? nextUrl(context, path, {
          ...Object.fromEntries(kept),
          [`${passed}t`]: String(last.timestamp),
        })
      : undefined;
  const bars = `/v2/aggs/ticker/${encodeURIComponent(ticker)}/range/1/${timespan}`;
  const underlying = {
    url: nextUrl(context, `${bars}/${from ?? '1962-01-02'}/${to ?? '2100-01-01'}`, {
      adjusted: String(basis.adjusted),
    }),
  };
  const values = shown.map(({ signal, histogram, ...point }) => ({
    ...point,
    ...(name === 'macd' ? { signal: signal ?? undefined, histogram: histogram ?? undefined } : {}),
  }));
  return success(context, {
    ...other,
    results: { values, underlying },
    ...(next ? { next_url: next } : {}),
  });
}
