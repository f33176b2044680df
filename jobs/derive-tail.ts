/**
 * What is published of a series that only has newer bars, without deriving its past again: the
 * published weeks and months serve as history. Gives the bits that deriving everything gives.
 */

import { type BarColumns, type Basis, barRows, joinedBars } from '../src/bars.ts';
import { adjustBars } from '../src/compute/adjust.ts';
import { resampleDaily } from '../src/compute/resample-daily.ts';
import type { DailyInterval } from '../src/intervals.ts';
import type { PublishedVersion } from '../src/store/serving/published-version.ts';
import type { SymbolFacts } from '../src/store/serving/symbol-directory.ts';
import type { SeriesRows } from '../src/store/serving/volume-writer.ts';
import { type DerivedSeries, IndicatorScratch } from './derive-series.ts';

/** A month or week that a bar is in begins less than this before it. */
const LONGEST_BUCKET_US = 31n * 86_400_000_000n;
const NONE = new Float64Array(0);

/** A series' newer bars; all before `firstRow` stays as published, on either basis. */
export interface Tail {
  facts: SymbolFacts;
  /** The default adjustment. */
  basis: Basis;
  /** In the stored basis. */
  bars: BarColumns;
  firstRow: number;
}

/**
 * Makes a function that derives the new rows of every interval: the new days, and the weeks and
 * months from the one on that the first of them is in. Each result lasts until the next call.
 */
export function createTailDeriver(published: PublishedVersion): (tail: Tail) => DerivedSeries {
  const indicators = new IndicatorScratch();
  /** History and new closes of one series at a time. */
  let closes = new Float64Array(8192);

  /** Rows from `firstRow` on, whose indicators follow from the published closes before. */
  function rowsAfter(
    symbol: string,
    interval: DailyInterval,
    firstRow: number,
    bars: BarColumns,
    adjust: (closes: Float64Array) => Float64Array,
  ): SeriesRows {
    const rowCount = firstRow + bars.close.length;
    if (closes.length < rowCount) closes = new Float64Array(2 * rowCount);
    const close = closes.subarray(0, rowCount);
    published.copyCandleColumn(symbol, interval, 'close', close.subarray(0, firstRow));
    close.set(bars.close, firstRow);
    const columns = indicators.columns(interval, adjust(close));
    return { firstRow, bars, indicators: columns.map((column) => column.subarray(firstRow)) };
  }

  return ({ facts, basis, bars, firstRow }) => {
    const { symbol } = facts;
    const windowStart = published.rowAt(symbol, '1d', bars.timestampUs[0] - LONGEST_BUCKET_US);
    const window = published.bars(symbol, '1d', { start: windowStart, end: firstRow });
    const adjusted = adjustBars(joinedBars(window, bars), facts, basis);
    const longer = (interval: '1w' | '1M') => {
      const buckets = resampleDaily(adjusted, interval);
      let first = buckets.timestampUs.length - 1;
      while (buckets.timestampUs[first] > bars.timestampUs[0]) first--;
      const row = published.rowAt(symbol, interval, buckets.timestampUs[first]);
      return rowsAfter(symbol, interval, row, barRows(buckets, first), (close) => close);
    };
    return {
      '1d': rowsAfter(symbol, '1d', firstRow, bars, (close) => {
        if (facts.basis === basis || facts.splits.length === 0) return close;
        const timestampUs = new BigInt64Array(close.length);
        const history = new Float64Array(timestampUs.buffer, 0, firstRow);
        published.copyCandleColumn(symbol, '1d', 'ts', history);
        timestampUs.set(bars.timestampUs, firstRow);
        const closesOnly = { timestampUs, open: NONE, high: NONE, low: NONE, close, volume: NONE };
        return adjustBars(closesOnly, facts, basis).close;
      }),
      '1w': longer('1w'),
      '1M': longer('1M'),
    };
  };
}
