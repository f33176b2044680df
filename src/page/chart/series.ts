/** Bars with indicators as columns, read from the CSV of `/svc/technical/{symbol}`. */

import { newYorkWallMs } from '../parts/times.ts';

export interface Series {
  /** Start of each bar, milliseconds since the epoch, ascending. */
  timeMs: Float64Array;
  /** Seconds on the chart's axis: bars below a day stand at New York's wall time. */
  axisS: Float64Array;
  open: Float64Array;
  high: Float64Array;
  low: Float64Array;
  close: Float64Array;
  volume: Float64Array;
  /** Columns of indicators by their name in the CSV; NaN where there is no value. */
  indicators: ReadonlyMap<string, Float64Array>;
}

const BAR_COLUMNS = ['open', 'high', 'low', 'close', 'volume'] as const;

const NOT_INDICATORS = new Set<string>([
  'timestamp',
  'date',
  'tradeDate',
  'session',
  ...BAR_COLUMNS,
]);

/** @param isDaily True for bars of whole days, which have no time of day. */
export function seriesFromCsv(text: string, isDaily: boolean): Series {
  const headEnd = text.indexOf('\r\n');
  const names = text.slice(0, headEnd).split(',');
  // Each row has an end of line; counting them first saves a copy of every column.
  let count = 0;
  for (let at = text.indexOf('\n', headEnd + 2); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  const columns = names.map(() => new Float64Array(count));
  const timeAt = names.indexOf('timestamp');
  let at = headEnd + 2;
  for (let row = 0; row < count; row++) {
    for (let i = 0; i < names.length; i++) {
      const end = text.indexOf(i === names.length - 1 ? '\r' : ',', at);
      const cell = text.slice(at, end);
      columns[i][row] = i === timeAt ? Date.parse(cell) : cell === '' ? Number.NaN : Number(cell);
      at = end + 1;
    }
    at++;
  }
  const column = (name: string) => columns[names.indexOf(name)];
  const timeMs = column('timestamp');
  return {
    timeMs,
    axisS: timeMs.map((ms) => (isDaily ? ms : newYorkWallMs(ms)) / 1000),
    open: column('open'),
    high: column('high'),
    low: column('low'),
    close: column('close'),
    volume: column('volume'),
    indicators: new Map(
      names.flatMap((name, i) => (NOT_INDICATORS.has(name) ? [] : [[name, columns[i]] as const])),
    ),
  };
}

function joined(a: Float64Array, b: Float64Array): Float64Array {
  const both = new Float64Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

/** Puts older bars before a series; both have the same indicators. */
export function withOlder(older: Series, series: Series): Series {
  return {
    timeMs: joined(older.timeMs, series.timeMs),
    axisS: joined(older.axisS, series.axisS),
    open: joined(older.open, series.open),
    high: joined(older.high, series.high),
    low: joined(older.low, series.low),
    close: joined(older.close, series.close),
    volume: joined(older.volume, series.volume),
    indicators: new Map(
      [...series.indicators].map(([name, values]) => [
        name,
        joined(older.indicators.get(name) ?? new Float64Array(older.timeMs.length), values),
      ]),
    ),
  };
}

/** Replaces the rows of a series from one on; both have the same indicators. */
export function withNewer(series: Series, row: number, newer: Series): Series {
  const kept = (values: Float64Array) => values.subarray(0, row);
  const { timeMs, axisS, open, high, low, close, volume, indicators } = series;
  const older: Series = {
    timeMs: kept(timeMs),
    axisS: kept(axisS),
    open: kept(open),
    high: kept(high),
    low: kept(low),
    close: kept(close),
    volume: kept(volume),
    indicators: new Map([...indicators].map(([name, values]) => [name, kept(values)])),
  };
  return withOlder(older, newer);
}

/** Returns the last row at or before a moment; −1 if all rows are later. */
export function rowAtOrBefore(times: Float64Array, moment: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] <= moment) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
