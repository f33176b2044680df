/** Collects what a publish adds (volumes, their batches, the index of parts) and writes it. */

import type { DailyInterval } from '../../intervals.ts';
import { DAILY_INTERVALS } from '../../intervals.ts';
import type { DurableFolder } from './durable-file.ts';
import type { OpenLayer } from './layer.ts';
import type { Layer, Volume, VolumeRole } from './manifest.ts';
import { SliceRows } from './slice-rows.ts';
import { type TableRow, writeTable } from './table-file.ts';
import { BATCH_TABLE, INDEX_TABLE } from './tables.ts';
import { type BatchRow, type SeriesRows, VolumeWriter } from './volume-writer.ts';

type PartRow = TableRow<typeof INDEX_TABLE>;

/** A volume being written, or one of an older layer that stays. */
type LayerVolume = VolumeWriter | { kept: Volume; batches: BatchRow[] };

export class LayerWriter {
  readonly #folder: DurableFolder;
  readonly #tag: string;
  readonly #indicatorNames: readonly string[];
  readonly #volumes: LayerVolume[] = [];
  readonly #parts: PartRow[] = [];
  readonly #slices = new Map<DailyInterval, SliceRows>();

  /** @param tag Part of the files' names; unique in the folder. */
  constructor(folder: DurableFolder, tag: string, indicatorNames: readonly string[]) {
    this.#folder = folder;
    this.#tag = tag;
    this.#indicatorNames = indicatorNames;
  }

  /**
   * Adds rows [start, end) of `rows` as a batch of their own; nothing when there are none.
   *
   * @param symbol Number in the symbols file.
   * @param role `patches` keeps all intervals in one file.
   */
  addBatch(
    symbol: number,
    interval: DailyInterval,
    role: Exclude<VolumeRole, 'slices'>,
    rows: SeriesRows,
    start = 0,
    end = rows.bars.timestampUs.length,
  ): void {
    if (start === end) return;
    const volume = this.#writerNumber(role, role === 'patches' ? undefined : interval);
    const batch = this.#writer(volume).writeBatch(rows, start, end);
    const row_start = rows.firstRow + start;
    this.#addPart(symbol, interval, { volume, batch, row: 0, rows: end - start, row_start });
  }

  /** Adds all of `rows` to the slice of their interval, whose batch is written at the end. */
  addToSlice(symbol: number, interval: DailyInterval, rows: SeriesRows): void {
    const slice = this.#slices.get(interval) ?? new SliceRows(this.#indicatorNames.length);
    this.#slices.set(interval, slice);
    const volume = this.#writerNumber('slices', undefined);
    const batch = [...this.#slices.keys()].indexOf(interval);
    const row = slice.append(rows);
    const rowCount = rows.bars.timestampUs.length;
    this.#addPart(symbol, interval, {
      volume,
      batch,
      row,
      rows: rowCount,
      row_start: rows.firstRow,
    });
  }

  /** Keeps a volume of an older layer. @returns its number here, for `keepPart`. */
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
    return this.#parts.length === 0;
  }

  /** Writes what is left and makes every file durable. */
  async finish(): Promise<Layer> {
    for (const slice of this.#slices.values()) {
      const volume = this.#writerNumber('slices', undefined);
      this.#writer(volume).writeBatch(slice.rows(), 0, slice.rowCount);
    }
    const volumes = await Promise.all(
      this.#volumes.map((v) => (v instanceof VolumeWriter ? v.finish() : v.kept)),
    );
    const batches = this.#volumes.flatMap((v, volume) =>
      v.batches.map((batch, number) => ({ volume, batch: number, ...batch })),
    );
    // Stable: the parts of a series stay in the order in which they were added.
    this.#parts.sort((a, b) => a.interval - b.interval || a.symbol - b.symbol);
    return {
      volumes,
      index: await writeTable(this.#folder, `index-${this.#tag}.arrow`, INDEX_TABLE, this.#parts),
      batches: await writeTable(this.#folder, `batches-${this.#tag}.arrow`, BATCH_TABLE, batches),
    };
  }

  /** Gives up files that are not finished. */
  async abandon(): Promise<void> {
    for (const volume of this.#volumes) if (volume instanceof VolumeWriter) await volume.abandon();
  }

  /** Waits while the disk is behind; to be called after each series, which keeps memory flat. */
  async settle(): Promise<void> {
    for (const volume of this.#volumes) if (volume instanceof VolumeWriter) await volume.settle();
  }

  #addPart(
    symbol: number,
    interval: DailyInterval,
    part: Omit<PartRow, 'symbol' | 'interval'>,
  ): void {
    this.#parts.push({ interval: DAILY_INTERVALS.indexOf(interval), symbol, ...part });
  }

  #writer(volume: number): VolumeWriter {
    return this.#volumes[volume] as VolumeWriter;
  }

  #writerNumber(role: VolumeRole, interval: DailyInterval | undefined): number {
    const number = this.#volumes.findIndex(
      (v) => v instanceof VolumeWriter && v.role === role && v.interval === interval,
    );
    if (number >= 0) return number;
    const writer = new VolumeWriter(this.#folder, role, interval, this.#tag, this.#indicatorNames);
    return this.#volumes.push(writer) - 1;
  }
}
