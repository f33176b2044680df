/** Derives everything that is published of a symbol from its stored daily bars. */

import type { BarColumns } from '../../base/bars.ts';
import { DAILY_INTERVALS, type DailyInterval } from '../../base/time/intervals.ts';
import {
  type AdjustmentSource,
  adjustBars,
  type DerivableSource,
  defaultBasis,
} from '../bars/adjust.ts';
import { resampleDaily } from '../bars/resample-daily.ts';
import { defaultColumns } from './catalogue.ts';
import { CHECKPOINT_FIELDS, Checkpoints } from './checkpoints.ts';

/** Facts that the published bases follow from. */
export type SeriesFacts = AdjustmentSource &
  Pick<DerivableSource, 'actionCoverage'> & { asOfUs: bigint | undefined };

/** Bars of a whole series, and the published indicators of the same rows. */
export interface DerivedRows {
  firstRow: 0;
  bars: BarColumns;
  indicators: readonly Float64Array[];
}

export interface DerivedSeries extends Record<DailyInterval, DerivedRows> {
  /** Running state from which later publishes continue. */
  checkpoint: Float64Array;
}

/** Names of the published indicator columns, in the order of the files. */
export const publishedColumns: readonly string[] = defaultColumns.map(({ name }) => name);

/**
 * Derives the published series of one symbol after another. Output columns are used again, as
 * touching new memory costs more than the computation.
 */
export class SeriesDeriver {
  readonly #columns = new Map<DailyInterval, Float64Array[]>();
  readonly #checkpoint = new Checkpoints(new Float64Array(CHECKPOINT_FIELDS));

  /**
   * Derives 1w, 1M and all indicators on the default adjustment; 1d stays as stored.
   *
   * @param bars Whole daily bars, at least one.
   * @returns rows that last until the next call.
   */
  derive(bars: BarColumns, facts: SeriesFacts): DerivedSeries {
    const { timestampUs } = bars;
    const [firstBarUs, lastBarUs] = [timestampUs[0], timestampUs[timestampUs.length - 1]];
    const adjusted = adjustBars(bars, facts, defaultBasis({ ...facts, firstBarUs, lastBarUs }));
    const series = {
      '1d': adjusted,
      '1w': resampleDaily(adjusted, '1w'),
      '1M': resampleDaily(adjusted, '1M'),
    };
    const columns = byInterval((interval) => this.#columnsOf(interval, series[interval]));
    this.#checkpoint.derive(0, series, columns);
    const shown = { ...series, '1d': bars };
    return {
      checkpoint: this.#checkpoint.row(0),
      ...byInterval((interval) => ({
        firstRow: 0,
        bars: shown[interval],
        indicators: columns[interval],
      })),
    };
  }

  #columnsOf(interval: DailyInterval, { close }: BarColumns): Float64Array[] {
    let columns = this.#columns.get(interval);
    if (!columns || columns[0].length < close.length) {
      columns = defaultColumns.map(() => new Float64Array(2 * close.length));
      this.#columns.set(interval, columns);
    }
    return columns.map((column) => column.subarray(0, close.length));
  }
}

function byInterval<T>(make: (interval: DailyInterval) => T): Record<DailyInterval, T> {
  const [day, week, month] = DAILY_INTERVALS.map(make);
  return { '1d': day, '1w': week, '1M': month };
}
