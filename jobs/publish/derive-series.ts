/** From a symbol's stored daily bars to everything that is published of it. */

import type { BarColumns } from '../../src/base/bars.ts';
import type { DailyInterval } from '../../src/base/time/intervals.ts';
import { adjustBars, defaultBasis } from '../../src/compute/bars/adjust.ts';
import { resampleDaily } from '../../src/compute/bars/resample-daily.ts';
import { defaultColumns } from '../../src/compute/indicators/catalogue.ts';
import { SeriesTails } from '../../src/compute/indicators/series-tails.ts';
import { TAIL_FIELDS } from '../../src/compute/indicators/tail-fields.ts';
import type { SymbolFacts } from '../../src/store/arrow/snapshot/symbol-directory.ts';
import type { SeriesRows } from '../../src/store/arrow/write/volume-writer.ts';

export interface DerivedSeries extends Record<DailyInterval, SeriesRows> {
  /** What later publishes go on from: `TAIL_FIELDS` numbers. */
  tail: Float64Array;
}

/** Names of the published indicator columns, in the order of the files. */
export const publishedColumns: readonly string[] = defaultColumns.map(({ name }) => name);

/** Places in `defaultColumns` of the columns of each indicator. */
const columnsBySpec = Map.groupBy(defaultColumns.keys(), (i) => defaultColumns[i].spec);

/** Output columns that are used again for the next symbol: first touch costs more than computing. */
export class IndicatorScratch {
  readonly #columns = new Map<DailyInterval, Float64Array[]>();
  /** Of the one symbol that is worked on. */
  readonly tails = new SeriesTails(new Float64Array(TAIL_FIELDS));

  /**
   * The published indicator columns of adjusted closes.
   *
   * @returns Columns that last until the next call for the same interval.
   */
  columns(interval: DailyInterval, close: Float64Array): Float64Array[] {
    let columns = this.#columns.get(interval);
    if (!columns || columns[0].length < close.length) {
      columns = defaultColumns.map(() => new Float64Array(2 * close.length));
      this.#columns.set(interval, columns);
    }
    const outputs = columns.map((column) => column.subarray(0, close.length));
    for (const [spec, places] of columnsBySpec) {
      const out = Object.fromEntries(places.map((i) => [defaultColumns[i].output, outputs[i]]));
      spec.compute({ close }, defaultColumns[places[0]].params, out);
    }
    return outputs;
  }
}

/**
 * Derives a symbol's published series from its whole daily bars: 1d as stored, 1w and 1M and all
 * indicator columns on the default adjustment.
 *
 * @returns Rows that last until the scratch is used again.
 */
export function deriveSeries(
  bars: BarColumns,
  facts: SymbolFacts,
  scratch: IndicatorScratch,
): DerivedSeries {
  const { timestampUs } = bars;
  const [firstBarUs, lastBarUs] = [timestampUs[0], timestampUs[timestampUs.length - 1]];
  const adjusted = adjustBars(bars, facts, defaultBasis({ ...facts, firstBarUs, lastBarUs }));
  const rows = (interval: DailyInterval, shown: BarColumns, close: Float64Array): SeriesRows => ({
    firstRow: 0,
    bars: shown,
    indicators: scratch.columns(interval, close),
  });
  const [weekly, monthly] = [resampleDaily(adjusted, '1w'), resampleDaily(adjusted, '1M')];
  scratch.tails.seed(0, { timestampUs, close: adjusted.close, weekly, monthly });
  return {
    tail: scratch.tails.row(0),
    '1d': rows('1d', bars, adjusted.close),
    '1w': rows('1w', weekly, weekly.close),
    '1M': rows('1M', monthly, monthly.close),
  };
}
