/** A stored series, found once and then read column by column. */

import { assert } from '../../../base/errors.ts';
import type { ServingFile } from '../format/serving-file.ts';
import { CANDLE_COLUMNS } from '../format/tables.ts';
import type { RowRange, StoredColumn, StoredSeries } from '../snapshot/snapshot.ts';
import {
  checkedRange,
  copyCandles,
  copyColumn,
  rowCountOf,
  rowOfParts,
  type SeriesPart,
} from './series-parts.ts';

/** Numbers of the candle columns by name; 0 is the timestamp. */
const CANDLE_NUMBERS = new Map(CANDLE_COLUMNS.map(({ name }, number) => [name, number]));

const STORED = 'stored '.length;

/** A number for each open file of candles, never used again. */
const fileNumbers = new WeakMap<ServingFile, number>();
let filesNumbered = 0;

function fileNumber(file: ServingFile): number {
  let number = fileNumbers.get(file);
  if (number === undefined) {
    number = ++filesNumbered;
    fileNumbers.set(file, number);
  }
  return number;
}

export class StoredParts implements StoredSeries {
  readonly rowCount: number;
  readonly #parts: readonly SeriesPart[];
  readonly #indicatorNumber: (name: string) => number;

  constructor(parts: readonly SeriesPart[], indicatorNumber: (name: string) => number) {
    this.rowCount = rowCountOf(parts);
    this.#parts = parts;
    this.#indicatorNumber = indicatorNumber;
  }

  rowAt(timestampUs: bigint): number {
    return rowOfParts(this.#parts, timestampUs);
  }

  copyTimestamps(range: RowRange, out: BigInt64Array): void {
    const bytes = new Float64Array(out.buffer, out.byteOffset, out.length);
    copyCandles(this.#parts, checkedRange(this.#parts, range), [0], [bytes]);
  }

  copy(columns: readonly StoredColumn[], range: RowRange, out: readonly Float64Array[]): void {
    const { start, end } = range;
    const isWithin = 0 <= start && start <= end && end <= this.rowCount;
    assert(isWithin, 'rows lie within the series');
    for (const [i, name] of columns.entries()) {
      const candle = CANDLE_NUMBERS.get(name);
      if (candle !== undefined) copyColumn(this.#parts, 'candles', candle, range, out[i]);
      else {
        const number = this.#indicatorNumber(name.slice(STORED));
        copyColumn(this.#parts, 'indicators', number, range, out[i]);
      }
    }
  }

  placeOf(end: number): number {
    let [high, low] = [0, 0];
    const add = (value: number) => {
      high = Math.imul(high ^ value, 0x21f0aaad);
      high ^= high >>> 15;
      low = Math.imul(low + value + 0x9e3779b9, 0x735a2d97);
      low ^= low >>> 16;
    };
    for (const { layer, part, start } of this.#parts) {
      if (start >= end) break;
      add(fileNumber(layer.volumes[layer.parts.volume[part]].candles));
      add(layer.parts.batch[part]);
      add(layer.parts.row[part]);
      add(start);
    }
    add(end);
    return (high >>> 0) * 2 ** 21 + (low >>> 11);
  }
}
