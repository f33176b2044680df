/**
 * An open layer: its files, and an index from each series to its parts. Layers never change, so
 * snapshots share the memory and descriptors of common ones, unless a file was repaired.
 */

import { isDeepStrictEqual } from 'node:util';
import { dayFromMicros } from '../../../base/time/dates.ts';
import type { ColumnSpec } from '../format/batch-layout.ts';
import type { Layer, Volume, VolumeFile } from '../format/manifest-types.ts';
import { type BatchPlace, ServingFile } from '../format/serving-file.ts';
import { readTable, type TableData, type TableRow } from '../format/table-file.ts';
import {
  BATCH_TABLE,
  CANDLE_COLUMNS,
  combinedFileColumns,
  INDEX_TABLE,
  indicatorFileColumns,
} from '../format/tables.ts';

export type BatchRow = Omit<TableRow<typeof BATCH_TABLE>, 'volume' | 'batch'>;

/** Candles and indicators of the same rows; one file may be both. */
export interface OpenVolume {
  role: Volume['role'];
  candles: ServingFile;
  indicators: ServingFile;
  /** Number of the first indicator column in the indicator file. */
  firstIndicator: number;
}

export class OpenLayer {
  readonly layer: Layer;
  readonly volumes: readonly OpenVolume[];
  readonly parts: TableData<typeof INDEX_TABLE>;
  readonly batches: TableData<typeof BATCH_TABLE>;
  readonly #symbolCount: number;
  readonly #firstInterval: number;
  /**
   * Entry i × symbolCount + s: first part of symbol s in interval firstInterval + i. The last entry
   * ends the parts.
   */
  readonly #firstPart: Uint32Array;
  /** Row of each volume's first batch in `batches`. */
  readonly #firstBatch: number[];
  #batchDays: { first: Int32Array; last: Int32Array } | undefined;
  /** By row of `batches`, places that were read: a scan reads each many times. */
  readonly #places: Record<'candles' | 'indicators', (BatchPlace | undefined)[]>;

  constructor(folder: string, layer: Layer, indicators: readonly string[], openFile: FileOpener) {
    this.layer = layer;
    this.volumes = layer.volumes.map((volume) => openVolume(volume, indicators, openFile));
    this.parts = readTable(folder, layer.index, INDEX_TABLE);
    this.batches = readTable(folder, layer.batches, BATCH_TABLE);
    this.#symbolCount = this.parts.symbol.reduce((most, symbol) => Math.max(most, symbol + 1), 0);
    this.#firstInterval = this.parts.interval[0] ?? 0;
    this.#firstPart = this.#countParts();
    this.#firstBatch = layer.volumes.map((_, volume) => this.batches.volume.indexOf(volume));
    const batchCount = this.batches.batch.length;
    this.#places = { candles: Array(batchCount), indicators: Array(batchCount) };
  }

  #countParts(): Uint32Array {
    const { interval, symbol } = this.parts;
    const intervalCount = (interval.at(-1) ?? 0) - this.#firstInterval + 1;
    const first = new Uint32Array(intervalCount * this.#symbolCount + 1);
    for (let part = 0; part < symbol.length; part++) {
      const key = (interval[part] - this.#firstInterval) * this.#symbolCount + symbol[part];
      first[key + 1]++;
    }
    for (let key = 1; key < first.length; key++) first[key] += first[key - 1];
    return first;
  }

  /** Returns parts [first, end) of a series, as rows of `parts`; none if it is unknown. */
  partRange(interval: number, symbol: number): [first: number, end: number] {
    const key = (interval - this.#firstInterval) * this.#symbolCount + symbol;
    const isKnown = symbol < this.#symbolCount && key >= 0 && key + 1 < this.#firstPart.length;
    return isKnown ? [this.#firstPart[key], this.#firstPart[key + 1]] : [0, 0];
  }

  hasParts(interval: number, symbol: number): boolean {
    const [first, end] = this.partRange(interval, symbol);
    return end > first;
  }

  /** Returns the row in `batches` of the batch that holds a part. */
  batchOfPart(part: number): number {
    return this.#firstBatch[this.parts.volume[part]] + this.parts.batch[part];
  }

  /** Days of the first and the last row of each batch, by row of `batches`. */
  get batchDays(): { readonly first: Int32Array; readonly last: Int32Array } {
    const { first_ts, last_ts } = this.batches;
    this.#batchDays ??= { first: daysOf(first_ts), last: daysOf(last_ts) };
    return this.#batchDays;
  }

  batchRows(volume: number): BatchRow[] {
    const { batches } = this;
    const first = this.#firstBatch[volume];
    const rows: BatchRow[] = [];
    for (let at = first; batches.volume[at] === volume; at++) {
      rows.push({
        rows: batches.rows[at],
        first_ts: batches.first_ts[at],
        last_ts: batches.last_ts[at],
        candles_offset: batches.candles_offset[at],
        candles_crc32: batches.candles_crc32[at],
        indicators_offset: batches.indicators_offset[at],
        indicators_crc32: batches.indicators_crc32[at],
        packed_bytes: batches.packed_bytes[at] ?? 0,
      });
    }
    return rows;
  }

  place(part: number, kind: 'candles' | 'indicators'): BatchPlace {
    const at = this.batchOfPart(part);
    const places = this.#places[kind];
    let place = places[at];
    if (!place) {
      const { batches } = this;
      place = {
        batch: batches.batch[at],
        rowCount: batches.rows[at],
        offset: Number(batches[`${kind}_offset`][at]),
        crc32: batches[`${kind}_crc32`][at],
        packedBytes: batches.packed_bytes[at] ?? 0,
      };
      places[at] = place;
    }
    return place;
  }
}

/** Returns the days of timestamps from their halves: a bigint for each would take ten times as long. */
function daysOf(timestampUs: BigInt64Array): Int32Array {
  const { buffer, byteOffset, length } = timestampUs;
  const halves = new Int32Array(buffer, byteOffset, 2 * length);
  const days = new Int32Array(length);
  for (let at = 0; at < length; at++) {
    days[at] = dayFromMicros(halves[2 * at + 1] * 2 ** 32 + (halves[2 * at] >>> 0));
  }
  return days;
}

/** Opens a file, or returns the one that an older snapshot has open. */
export type FileOpener = (
  file: VolumeFile,
  columns: readonly ColumnSpec[],
  keepBodies: boolean,
) => ServingFile;

function openVolume(volume: Volume, names: readonly string[], openFile: FileOpener): OpenVolume {
  const { role } = volume;
  if (volume.candles.name === volume.indicators.name) {
    const file = openFile(volume.candles, combinedFileColumns(names), role === 'slices');
    return { role, candles: file, indicators: file, firstIndicator: CANDLE_COLUMNS.length };
  }
  const candles = openFile(volume.candles, CANDLE_COLUMNS, false);
  const indicators = openFile(volume.indicators, indicatorFileColumns(names), false);
  return { role, candles, indicators, firstIndicator: 1 };
}

/**
 * Opens layers; common layers and files are shared with `previous`, those of an older version.
 *
 * @throws {CorruptDataError} A file does not match the manifest. ENOENT if one is missing.
 */
export function openLayers(
  folder: string,
  layers: readonly Layer[],
  indicators: readonly string[],
  previous: readonly OpenLayer[],
): OpenLayer[] {
  const open = new Map(previous.map((layer) => [layer.layer.index.name, layer]));
  const files = new Map(filesOfLayers(previous).map((file) => [file.name, file]));
  const openFile = (file: VolumeFile, columns: readonly ColumnSpec[], keepBodies: boolean) => {
    const known = files.get(file.name);
    if (known?.isOfPath()) return known;
    return new ServingFile(folder, file, columns, keepBodies);
  };
  return layers.map((layer) => {
    const known = open.get(layer.index.name);
    const isKnown = known !== undefined && isDeepStrictEqual(known.layer, layer);
    const isShared = isKnown && !filesOfLayers([known]).some((file) => file.isReplaced());
    return isShared ? known : new OpenLayer(folder, layer, indicators, openFile);
  });
}

/** Returns every open file of bars. A file that also holds indicators comes twice. */
export function filesOfLayers(layers: readonly OpenLayer[]): ServingFile[] {
  return layers.flatMap(({ volumes }) => volumes.flatMap((v) => [v.candles, v.indicators]));
}
