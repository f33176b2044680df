/** Collects and writes one layer: its volumes, their batches and the index of parts. */

import { allEnded } from '../../../base/durable-file.ts';
import { SERVED_INTERVALS, type ServedInterval } from '../../../base/time/intervals.ts';
import type { Layer, Volume, VolumeRole } from '../format/manifest-types.ts';
import { BATCH_TABLE, INDEX_TABLE } from '../format/tables.ts';
import { writeColumns, writeTable } from '../format/write-table.ts';
import type { BatchRow, OpenLayer } from '../read/layer.ts';
import { PartList, type PartRow, SliceRows } from './gathered-rows.ts';
import { monthOfTimestamp } from './month-rows.ts';
import { type SeriesRows, type VolumeKind, VolumeWriter } from './volume-writer.ts';

/** A volume being written, or one of an older layer that is kept. */
type LayerVolume = VolumeWriter | { kept: Volume; batches: BatchRow[] };

/** New rows of many series of one interval; rows of a series lie together. */
export interface SlicedSeries extends Omit<SeriesRows, 'firstRow'> {
  /** By series: number of its symbol, its first row here, and that row's place in the series. */
  symbols: ArrayLike<number>;
  starts: ArrayLike<number>;
  firstRows: ArrayLike<number>;
}

interface Gathered {
  volume: number;
  batch: number;
  rows: SliceRows;
}

export class LayerWriter {
  readonly #folder: string;
  readonly #tag: string;
  readonly #indicatorNames: readonly string[];
  readonly #prefix: string;
  readonly #volumes: LayerVolume[] = [];
  readonly #parts = new PartList();
  readonly #gathered = new Map<ServedInterval, Gathered>();

  /**
   * @param tag Part of the files' names; unique in the folder.
   * @param indicatorNames None for intraday bars.
   * @param prefix Distinguishes the files of several layers of one publish.
   */
  constructor(folder: string, tag: string, indicatorNames: readonly string[], prefix = '') {
    this.#folder = folder;
    this.#tag = tag;
    this.#indicatorNames = indicatorNames;
    this.#prefix = prefix;
  }

  /**
   * Adds rows [start, end) of `rows` as a batch of their own; nothing if there are none.
   *
   * @param symbol Number in the symbols file; for intraday bars, number in the series file.
   * @param role `patches` and `days` keep all intervals in one file; `months` has a file per month.
   */
  addBatch(
    symbol: number,
    interval: ServedInterval,
    role: Exclude<VolumeRole, 'slices' | 'runs'>,
    rows: SeriesRows,
    start = 0,
    end = rows.bars.timestampUs.length,
  ): void {
    if (start === end) return;
    const month = role === 'months' ? monthOfTimestamp(rows.bars.timestampUs[start]) : undefined;
    const isShared = role === 'patches' || role === 'days';
    const volume = this.#writerNumber({ role, interval: isShared ? undefined : interval, month });
    const batch = this.#writer(volume).writeBatch(rows, start, end);
    const row_start = rows.firstRow + start;
    this.#addPart(symbol, interval, { volume, batch, row: 0, rows: end - start, row_start });
  }

  /** Adds all of `rows` to the one batch of their interval; `role` is the same in all calls. */
  addToSlice(
    symbol: number,
    interval: ServedInterval,
    rows: SeriesRows,
    role: 'slices' | 'runs' = 'slices',
  ): void {
    const series = { ...rows, symbols: [symbol], starts: [0], firstRows: [rows.firstRow] };
    this.addSlices(interval, series, role);
  }

  /** Adds the rows of many series to the slice of their interval, without a call for each. */
  addSlices(
    interval: ServedInterval,
    { symbols, starts, firstRows, ...rows }: SlicedSeries,
    role: 'slices' | 'runs' = 'slices',
  ): void {
    const gathered = this.#gathered.get(interval) ?? this.#gather(interval, role);
    const { volume, batch } = gathered;
    const firstRow = gathered.rows.append(rows);
    for (let i = 0; i < symbols.length; i++) {
      this.#addPart(symbols[i], interval, {
        volume,
        batch,
        row: firstRow + starts[i],
        rows: (starts[i + 1] ?? rows.bars.close.length) - starts[i],
        row_start: firstRows[i],
      });
    }
  }

  #gather(interval: ServedInterval, role: 'slices' | 'runs'): Gathered {
    const volume = this.#writerNumber({ role });
    const rows = new SliceRows(this.#indicatorNames.length);
    const gathered = { volume, batch: this.#gathered.size, rows };
    this.#gathered.set(interval, gathered);
    return gathered;
  }

  /** Ends a series before a row: a part without rows supersedes everything from there on. */
  endSeries(symbol: number, interval: ServedInterval, row_start: number): void {
    this.#addPart(symbol, interval, { volume: 0, batch: 0, row: 0, rows: 0, row_start });
  }

  /** Keeps a volume of an older layer, and returns its number here, for `keepPart`. */
  keepVolume(layer: OpenLayer, volume: number): number {
    const batches = layer.batchRows(volume);
    return this.#volumes.push({ kept: layer.layer.volumes[volume], batches }) - 1;
  }

  /** Keeps the first `rows` rows of a part whose volume is kept. */
  keepPart(layer: OpenLayer, part: number, volume: number, rows: number): void {
    const { interval, symbol, batch, row, row_start } = layer.parts;
    this.#parts.push({
      interval: interval[part],
      symbol: symbol[part],
      volume,
      batch: batch[part],
      row: row[part],
      rows,
      row_start: row_start[part],
    });
  }

  get isEmpty(): boolean {
    return this.#parts.count === 0;
  }

  async finish(): Promise<Layer> {
    for (const { volume, rows } of this.#gathered.values()) {
      this.#writer(volume).writeBatch(rows.rows(), 0, rows.rowCount);
    }
    const batches = this.#volumes.flatMap((v, volume) =>
      v.batches.map((batch, number) => ({ volume, batch: number, ...batch })),
    );
    const [volumes, index, batchTable] = await allEnded([
      allEnded(this.#volumes.map((v) => (v instanceof VolumeWriter ? v.finish() : v.kept))),
      writeColumns(this.#folder, this.#tableName('index'), INDEX_TABLE, this.#parts.sorted()),
      writeTable(this.#folder, this.#tableName('batches'), BATCH_TABLE, batches),
    ]);
    return { volumes, index, batches: batchTable };
  }

  async abandon(): Promise<void> {
    for (const volume of this.#volumes) if (volume instanceof VolumeWriter) await volume.abandon();
  }

  /** Waits while the disk is behind. Called after each series, it keeps memory flat. */
  async settle(): Promise<void> {
    for (const volume of this.#volumes) if (volume instanceof VolumeWriter) await volume.settle();
  }

  #addPart(
    symbol: number,
    interval: ServedInterval,
    part: Omit<PartRow, 'symbol' | 'interval'>,
  ): void {
    this.#parts.push({ interval: SERVED_INTERVALS.indexOf(interval), symbol, ...part });
  }

  #tableName(table: string): string {
    return `${this.#prefix}${table}-${this.#tag}.arrow`;
  }

  #writer(volume: number): VolumeWriter {
    return this.#volumes[volume] as VolumeWriter;
  }

  #writerNumber(kind: VolumeKind): number {
    const number = this.#volumes.findIndex(
      (v) =>
        v instanceof VolumeWriter &&
        v.kind.role === kind.role &&
        v.kind.interval === kind.interval &&
        v.kind.month === kind.month,
    );
    if (number >= 0) return number;
    const names = this.#indicatorNames;
    const writer = new VolumeWriter(this.#folder, kind, this.#tag, names, this.#prefix);
    return this.#volumes.push(writer) - 1;
  }
}
