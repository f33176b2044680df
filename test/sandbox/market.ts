/** The sandbox of these tests: its securities, and the records of a dataset. */

import assert from 'node:assert/strict';
import type { Dataset, DatasetRow, RowOf } from '../../src/base/datasets/dataset.ts';
import { dayFromDate } from '../../src/base/time/dates.ts';
import { rowFault } from '../../src/ingest/rows/check-row.ts';
import { SANDBOX_DATASETS, sandboxRows } from '../../src/sandbox/rows.ts';
import { sandboxUniverse } from '../../src/sandbox/universe.ts';

export const FROM_DAY = dayFromDate('2021-01-04');
export const TO_DAY = dayFromDate('2026-11-20');

/** Whole history up to a day, unless only what became known after a moment is wanted. */
export function recordsOf<D extends Dataset>(
  dataset: D,
  {
    toDay = TO_DAY,
    afterMs,
    stocks = 200,
  }: { toDay?: number; afterMs?: number; stocks?: number } = {},
): RowOf<D>[] {
  const one = SANDBOX_DATASETS.find((entry) => entry.dataset === dataset)!;
  const market = sandboxUniverse({ fromDay: FROM_DAY, toDay, stocks });
  const period = { historyFromDay: FROM_DAY, toDay, storedThroughMs: afterMs };
  const rows: DatasetRow[] = [];
  for (const row of sandboxRows(one, market, period)) {
    // Completes the row, as loading does.
    assert.equal(rowFault(dataset, row), undefined);
    rows.push(row);
  }
  return rows as RowOf<D>[];
}
