/**
 * An open layer of figures. Reads throw a CorruptDataError if the bytes do not match their checksum.
 */

import { MICROS_PER_MILLI } from '../../../base/bars.ts';
import {
  type CompanyFigures,
  FIGURE_NAMES,
  type FigureName,
} from '../../../base/companies/figures.ts';
import type { KnownFigures } from '../../../compute/companies/company-history.ts';
import type { FigureLayer } from '../format/manifest-types.ts';
import { type BatchPlace, ServingFile } from '../format/serving-file.ts';
import { readTable, type TableData } from '../format/table-file.ts';
import { FIGURE_BATCH_TABLE, FIGURE_COLUMNS, FIGURE_INDEX_TABLE } from '../format/tables.ts';

/** Rows of a batch, by name of the figure. */
export interface FigureBatch {
  /** Microseconds. */
  known: BigInt64Array;
  figures: Partial<Record<FigureName, Float64Array>>;
}

export class OpenFigureLayer extends ServingFile {
  readonly layer: FigureLayer;
  readonly index: TableData<typeof FIGURE_INDEX_TABLE>;
  readonly #batches: TableData<typeof FIGURE_BATCH_TABLE>;

  constructor(folder: string, layer: FigureLayer) {
    super(folder, layer.rows, FIGURE_COLUMNS, false);
    this.layer = layer;
    this.index = readTable(folder, layer.index, FIGURE_INDEX_TABLE);
    this.#batches = readTable(folder, layer.batches, FIGURE_BATCH_TABLE);
  }

  #place(batch: number): BatchPlace {
    const { rows, offset, crc32 } = this.#batches;
    const place = { batch, rowCount: rows[batch], offset: Number(offset[batch]) };
    return { ...place, crc32: crc32[batch], packedBytes: 0 };
  }

  /** Reads some figures of a batch's rows, by default of all. */
  readBatch(
    batch: number,
    names: readonly FigureName[],
    row = 0,
    count = this.#batches.rows[batch] - row,
  ): FigureBatch {
    const outputs = Array.from({ length: names.length + 1 }, () => new Float64Array(count));
    // The first column is the moment; figures follow in the order of their names.
    const columns = [0, ...names.map((name) => FIGURE_NAMES.indexOf(name) + 1)];
    this.copyRows(this.#place(batch), columns, { row, count }, outputs, 0);
    const [known, ...values] = outputs;
    return {
      known: new BigInt64Array(known.buffer),
      figures: Object.fromEntries(names.map((name, i) => [name, values[i]])),
    };
  }

  /** Returns all rows of a symbol, by its row of the index. */
  history(place: number): KnownFigures[] {
    const { batch, row, rows } = this.index;
    if (rows[place] === 0) return [];
    const { known, figures } = this.readBatch(batch[place], FIGURE_NAMES, row[place], rows[place]);
    return Array.from(known, (us, i) => ({
      knownMs: Number(us) / MICROS_PER_MILLI,
      figures: Object.fromEntries(
        FIGURE_NAMES.map((name) => [name, figures[name]![i]]),
      ) as CompanyFigures,
    }));
  }
}
