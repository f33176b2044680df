/** Writes candles and the indicators of the same rows, batch by batch. */

import type { BarColumns } from '../../../base/bars.ts';
import { allEnded } from '../../../base/durable-file.ts';
import { diskNameFromInterval } from '../../../base/time/intervals.ts';
import { ArrowFileWriter } from '../format/arrow-file-writer.ts';
import type { Volume } from '../format/manifest-types.ts';
import { packBars } from '../format/packed-bars.ts';
import {
  CANDLE_COLUMNS,
  combinedFileColumns,
  indicatorFileColumns,
  PACKED_COLUMNS,
} from '../format/tables.ts';
import type { BatchRow } from '../read/layer.ts';

/** Rows of one series, or of many in a slice: candles and indicators of equal length. */
export interface SeriesRows {
  firstRow: number;
  bars: BarColumns;
  /** In the order of the manifest's `indicatorColumns`; NaN where undefined. */
  indicators: readonly Float64Array[];
}

/** Content of a volume, after which its files are named. */
export type VolumeKind = Pick<Volume, 'role' | 'interval' | 'month'>;

export class VolumeWriter {
  readonly kind: VolumeKind;
  readonly batches: BatchRow[] = [];
  readonly #candles: ArrowFileWriter;
  /** Undefined if one file holds both. */
  readonly #indicators: ArrowFileWriter | undefined;
  /** True for months, most of all bars: 6 to 10 bytes a bar for 48. */
  readonly #isPacked: boolean = false;

  /** Names files after their content, `tag` and, for slices and patches, `prefix`. */
  constructor(
    folder: string,
    kind: VolumeKind,
    tag: string,
    indicatorNames: readonly string[],
    prefix: string,
  ) {
    this.kind = kind;
    const { role, interval, month } = kind;
    if (!interval) {
      const columns = combinedFileColumns(indicatorNames);
      this.#candles = new ArrowFileWriter(folder, `${prefix}${role}-${tag}.arrow`, columns);
      return;
    }
    const ending = `${diskNameFromInterval(interval)}-${month ?? role}-${tag}.arrow`;
    this.#isPacked = role === 'months';
    const columns = this.#isPacked ? PACKED_COLUMNS : CANDLE_COLUMNS;
    this.#candles = new ArrowFileWriter(folder, `candles-${ending}`, columns);
    if (indicatorNames.length === 0) return;
    const names = indicatorFileColumns(indicatorNames);
    this.#indicators = new ArrowFileWriter(folder, `indicators-${ending}`, names);
  }

  /** Appends rows [start, end) as one batch, and returns its number in the volume's files. */
  writeBatch({ bars, indicators }: SeriesRows, start: number, end: number): number {
    const { timestampUs, open, high, low, close, volume } = bars;
    const candleColumns = [timestampUs, open, high, low, close, volume];
    if (this.#indicators === undefined) candleColumns.push(...indicators);
    const candles = this.#isPacked
      ? this.#candles.writeBatch([packBars(bars, start, end)])
      : this.#candles.writeBatch(candleColumns, start, end);
    const indicatorBatch =
      this.#indicators?.writeBatch([timestampUs, ...indicators], start, end) ?? candles;
    const [first_ts, last_ts] = timestampExtremes(timestampUs, start, end);
    return (
      this.batches.push({
        rows: end - start,
        first_ts,
        last_ts,
        candles_offset: BigInt(candles.offset),
        candles_crc32: candles.crc32,
        indicators_offset: BigInt(indicatorBatch.offset),
        indicators_crc32: indicatorBatch.crc32,
        packed_bytes: this.#isPacked ? candles.bodyBytes : 0,
      }) - 1
    );
  }

  async finish(): Promise<Volume> {
    await allEnded([this.#candles.finish(), this.#indicators?.finish()]);
    const candles = { name: this.#candles.name, bytes: this.#candles.bytes };
    const indicators = this.#indicators
      ? { name: this.#indicators.name, bytes: this.#indicators.bytes }
      : candles;
    return { ...this.kind, candles, indicators };
  }

  async abandon(): Promise<void> {
    await allEnded([this.#candles.abandon(), this.#indicators?.abandon()]);
  }

  async settle(): Promise<void> {
    await this.#candles.settle();
    await this.#indicators?.settle();
  }
}

/** Returns the oldest and newest of rows [start, end), which a slice has in no order. */
function timestampExtremes(ts: BigInt64Array, start: number, end: number): [bigint, bigint] {
  let [oldest, newest] = [ts[start], ts[start]];
  for (let i = start + 1; i < end; i++) {
    if (ts[i] < oldest) oldest = ts[i];
    if (ts[i] > newest) newest = ts[i];
  }
  return [oldest, newest];
}
