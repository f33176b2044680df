/** Writes candles of many symbols as Parquet, a row group at a time. */

import { type BarColumns, type Basis, barRows, blankBars } from '../../../base/bars.ts';
import { limits } from '../../../base/limits.ts';
import { parquetPieces } from '../../responses/parquet.ts';
import { type BarLabels, labelColumns } from '../../responses/sessions.ts';
import type { Table, TableColumn } from '../../responses/table.ts';

import type { CandleSeries } from './series.ts';

/** Symbol and timestamp. */
const SORTED_BY = [0, 1];

/**
 * Writes a file with the columns of bulk responses, sorted by symbol and time if `series` is.
 *
 * @param labels Columns after `timestamp`.
 * @param indicators Names of the columns of indicators in `series`; NaN becomes null.
 * @returns Pieces of about `limits.bulk.tickBudgetMs` each; a piece is valid until the next one.
 */
export function candlesParquetPieces(
  series: Iterable<CandleSeries>,
  labels: BarLabels,
  indicators: readonly string[] = [],
): Generator<Uint8Array> {
  return parquetPieces(rowGroups(series, labels, indicators), SORTED_BY);
}

/** Yields row groups; the next one overwrites the columns of the one before. */
function* rowGroups(
  series: Iterable<CandleSeries>,
  labels: BarLabels,
  indicators: readonly string[],
): Generator<Table> {
  const group = new RowGroup(labels, indicators);
  let hasTable = false;
  for (const one of series) {
    // A symbol lies in one row group if it fits, so that a filter reads no more than one.
    if (one.rowCount <= group.rowsMax && one.rowCount > group.rowsLeft) {
      yield group.table();
      hasTable = true;
    }
    for (let start = 0; start < one.rowCount; ) {
      if (group.rowsLeft === 0) {
        yield group.table();
        hasTable = true;
      }
      const end = Math.min(one.rowCount, start + group.rowsLeft);
      group.add(one, start, end);
      start = end;
    }
    one.release?.();
  }
  if (!hasTable || group.rowsLeft < group.rowsMax) yield group.table();
}

class RowGroup {
  readonly rowsMax = limits.parquet.groupRows;
  readonly #labels: BarLabels;
  readonly #names: readonly string[];
  readonly #bars: BarColumns;
  readonly #indicators: readonly Float64Array[];
  #symbols: string[] = [];
  #adjustments: Basis[] = [];

  constructor(labels: BarLabels, indicators: readonly string[]) {
    this.#labels = labels;
    this.#names = indicators;
    this.#bars = blankBars(this.rowsMax);
    this.#indicators = indicators.map(() => new Float64Array(this.rowsMax));
  }

  get rowsLeft(): number {
    return this.rowsMax - this.#symbols.length;
  }

  add(series: CandleSeries, start: number, end: number): void {
    const row = this.#symbols.length;
    series.copyRows(start, end, barRows(this.#bars, row, row + end - start));
    for (const [i, values] of series.indicators.entries()) {
      this.#indicators[i].set(values.subarray(start, end), row);
    }
    for (let i = start; i < end; i++) {
      this.#symbols.push(series.symbol);
      this.#adjustments.push(series.adjustment);
    }
  }

  /** Returns the added rows, and begins the next group. */
  table(): Table {
    const rowCount = this.#symbols.length;
    const { timestampUs, open, high, low, close, volume } = barRows(this.#bars, 0, rowCount);
    const price = (name: string, values: Float64Array): TableColumn => {
      return { name, type: 'number', values, isKnown: true };
    };
    const table: TableColumn[] = [
      { name: 'symbol', type: 'text', values: this.#symbols },
      { name: 'timestamp', type: 'timestamp', values: timestampUs },
      ...labelColumns(timestampUs, this.#labels),
      price('open', open),
      price('high', high),
      price('low', low),
      price('close', close),
      price('volume', volume),
      { name: 'adjustment', type: 'text', values: this.#adjustments },
      ...this.#indicators.map((values, i): TableColumn => {
        return { name: this.#names[i], type: 'number', values: values.subarray(0, rowCount) };
      }),
    ];
    this.#symbols = [];
    this.#adjustments = [];
    return table;
  }
}
