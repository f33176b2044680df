/** Counts the rows of a bulk response before its head is sent. */

import { limits } from '../../../base/limits.ts';
import { isDailyInterval } from '../../../base/time/intervals.ts';
import { monotonicMs, nextTick } from '../../../base/world/clock.ts';
import type { BarsSnapshot } from '../../../store/arrow/snapshot/snapshot.ts';
import type { CandleWindow } from './series.ts';
import { rowsOfWindow } from './served-bars.ts';
import { subdaySeries } from './session-series.ts';

/** Rows of a part of a series, and the stored rows that were resampled for their number. */
interface PartCount {
  rows: number;
  readRows: number;
}

/**
 * Counts the rows that `candleSeries` gives, in short event-loop ticks.
 *
 * @param symbols Symbols of the snapshot.
 * @returns undefined if more stored bars would be resampled than `limits.bulk.countedRowsMax`.
 */
export async function rowCount(
  snapshot: BarsSnapshot,
  symbols: readonly string[],
  window: CandleWindow,
): Promise<number | undefined> {
  const { tickBudgetMs, countedRowsMax } = limits.bulk;
  let count = 0;
  let countedRows = 0;
  let tickEndMs = monotonicMs() + tickBudgetMs;
  for (const symbol of symbols) {
    for (const { rows, readRows } of partCounts(snapshot, symbol, window)) {
      count += rows;
      countedRows += readRows;
      if (countedRows > countedRowsMax) return undefined;
      if (monotonicMs() < tickEndMs) continue;
      await nextTick();
      tickEndMs = monotonicMs() + tickBudgetMs;
    }
  }
  return count;
}

function* partCounts(
  snapshot: BarsSnapshot,
  symbol: string,
  window: CandleWindow,
): Generator<PartCount> {
  const { interval, rowsMax = Number.POSITIVE_INFINITY } = window;
  if (isDailyInterval(interval)) {
    const { start, end } = rowsOfWindow(snapshot, symbol, interval, window);
    yield { rows: end - start, readRows: 0 };
    return;
  }
  const series = subdaySeries(snapshot, symbol, { ...window, interval });
  if (!series) return;
  let left = rowsMax;
  for (const { rows, readRows } of series.counts(window)) {
    yield { rows: Math.min(rows, left), readRows };
    left -= Math.min(rows, left);
  }
}
