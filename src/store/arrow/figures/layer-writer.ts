import { MICROS_PER_MILLI } from '../../../base/bars.ts';
import { FIGURE_NAMES } from '../../../base/companies/figures.ts';
import { allEnded } from '../../../base/durable-file.ts';
import { assert } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import type { KnownFigures } from '../../../compute/companies/company-history.ts';
import { ArrowFileWriter } from '../format/arrow-file-writer.ts';
import type { FigureLayer } from '../format/manifest-types.ts';
import type { TableRow } from '../format/table-file.ts';
import { FIGURE_BATCH_TABLE, FIGURE_COLUMNS, FIGURE_INDEX_TABLE } from '../format/tables.ts';
import { writeTable } from '../format/write-table.ts';

/** Writes a layer of figures, symbol by symbol, with memory for one batch only. */
export class FigureLayerWriter {
  readonly #folder: string;
  readonly #tag: string;
  readonly #file: ArrowFileWriter;
  readonly #index: TableRow<typeof FIGURE_INDEX_TABLE>[] = [];
  readonly #batches: TableRow<typeof FIGURE_BATCH_TABLE>[] = [];
  #rows: KnownFigures[] = [];
  #rowCount = 0;

  constructor(folder: string, tag: string) {
    this.#folder = folder;
    this.#tag = tag;
    this.#file = new ArrowFileWriter(folder, `figures-rows-${tag}.arrow`, FIGURE_COLUMNS);
  }

  get isEmpty(): boolean {
    return this.#index.length === 0;
  }

  /** Adds a symbol, after those before it; one without rows is gone from older layers. */
  add(symbol: string, history: readonly KnownFigures[]): void {
    const last = this.#index.at(-1);
    assert(!last || last.symbol < symbol, 'symbols come in ascending order');
    const [batch, row] = [this.#batches.length, this.#rows.length];
    this.#index.push({ symbol, batch, row, rows: history.length });
    for (const one of history) this.#rows.push(one);
    if (this.#rows.length >= limits.serving.figureBatchRows) this.#flush();
  }

  #flush(): void {
    const rows = this.#rows;
    if (rows.length === 0) return;
    const known = BigInt64Array.from(rows, ({ knownMs }) => BigInt(knownMs * MICROS_PER_MILLI));
    const columns = FIGURE_NAMES.map((name) =>
      Float64Array.from(rows, ({ figures }) => figures[name]),
    );
    const { offset, rowCount, crc32 } = this.#file.writeBatch([known, ...columns]);
    this.#batches.push({ rows: rowCount, offset: BigInt(offset), crc32 });
    this.#rowCount += rowCount;
    this.#rows = [];
  }

  async settle(): Promise<void> {
    await this.#file.settle();
  }

  async finish(): Promise<FigureLayer> {
    this.#flush();
    const name = (part: string) => `figures-${part}-${this.#tag}.arrow`;
    const [, index, batches] = await allEnded([
      this.#file.finish(),
      writeTable(this.#folder, name('index'), FIGURE_INDEX_TABLE, this.#index),
      writeTable(this.#folder, name('batches'), FIGURE_BATCH_TABLE, this.#batches),
    ]);
    const rows = { name: this.#file.name, bytes: this.#file.bytes };
    const columnCount = FIGURE_COLUMNS.length;
    return { columnCount, rows, rowCount: this.#rowCount, index, batches };
  }

  async abandon(): Promise<void> {
    await this.#file.abandon();
  }
}
