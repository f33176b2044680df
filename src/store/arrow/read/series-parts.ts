/** A logical series as its parts: finds rows in them and copies columns out. */

import { type BarColumns, MICROS_PER_DAY } from '../../../base/bars.ts';
import { assert } from '../../../base/errors.ts';
import { rowOfTimestamp } from '../../../base/search-sorted.ts';
import { CANDLE_COLUMNS } from '../format/tables.ts';
import type { RowRange } from '../snapshot/snapshot.ts';
import type { OpenLayer } from './layer.ts';

const ALL_CANDLE_COLUMNS = [...CANDLE_COLUMNS.keys()];
const TIMESTAMP_COLUMN = 0;

/** Rows [start, end) of a series, found in one part of one layer. */
export interface SeriesPart {
  layer: OpenLayer;
  part: number;
  start: number;
  end: number;
}

/**
 * Returns the current parts of a series, in row order and without gaps. A part supersedes all rows
 * at or after its first row in earlier parts; one without rows ends the series there.
 *
 * @param layers Oldest first.
 */
export function seriesParts(
  layers: readonly OpenLayer[],
  interval: number,
  symbol: number,
): SeriesPart[] {
  const parts: SeriesPart[] = [];
  for (const layer of layers) {
    const [first, end] = layer.partRange(interval, symbol);
    for (let part = first; part < end; part++) {
      const start = layer.parts.row_start[part];
      while (parts.length > 0 && parts[parts.length - 1].start >= start) parts.pop();
      if (parts.length > 0) parts[parts.length - 1].end = start;
      const end = start + layer.parts.rows[part];
      if (end > start) parts.push({ layer, part, start, end });
    }
  }
  return parts;
}

/**
 * Returns the newest part of a series, whose end is the series' row count; undefined for an unknown
 * series. It has no rows if it only ends the series.
 */
export function newestPart(
  layers: readonly OpenLayer[],
  interval: number,
  symbol: number,
): SeriesPart | undefined {
  for (let i = layers.length - 1; i >= 0; i--) {
    const layer = layers[i];
    const [first, end] = layer.partRange(interval, symbol);
    if (end === first) continue;
    const start = layer.parts.row_start[end - 1];
    return { layer, part: end - 1, start, end: start + layer.parts.rows[end - 1] };
  }
  return undefined;
}

export function rowCountOf(parts: readonly SeriesPart[]): number {
  return parts.length === 0 ? 0 : parts[parts.length - 1].end;
}

let scratch = new BigInt64Array(8192);

/** Returns the timestamps of a part's rows, valid until the next call. */
export function timestampsOf(seriesPart: SeriesPart): BigInt64Array {
  const { start, end } = seriesPart;
  if (scratch.length < end - start) scratch = new BigInt64Array(2 * (end - start));
  const output = new Float64Array(scratch.buffer, 0, end - start);
  copyCandles([seriesPart], { start, end }, [TIMESTAMP_COLUMN], [output]);
  return scratch.subarray(0, end - start);
}

/** Returns the first row at or after a timestamp; the row count if there is none. */
export function rowOfParts(parts: readonly SeriesPart[], timestampUs: bigint): number {
  for (let i = parts.length - 1; i >= 0; i--) {
    const { layer, part, start, end } = parts[i];
    // The batch covers the part or more: its bounds often decide without a read.
    const batch = layer.batchOfPart(part);
    if (layer.batches.first_ts[batch] > timestampUs) continue;
    if (layer.batches.last_ts[batch] < timestampUs) return end;
    const ts = timestampsOf(parts[i]);
    if (ts[0] > timestampUs) continue;
    return start + rowOfTimestamp(ts, timestampUs);
  }
  return 0;
}

export function timestampRange(parts: readonly SeriesPart[]): [firstUs: bigint, lastUs: bigint] {
  return [firstTimestamp(parts[0]), lastTimestamp(parts[parts.length - 1])];
}

function firstTimestamp(seriesPart: SeriesPart): bigint {
  const at = batchThatStarts(seriesPart);
  return at < 0 ? timestampsOf(seriesPart)[0] : seriesPart.layer.batches.first_ts[at];
}

export function lastTimestamp(seriesPart: SeriesPart): bigint {
  const { layer, start, end } = seriesPart;
  const at = batchThatEnds(seriesPart);
  return at < 0 ? timestampsOf(seriesPart)[end - start - 1] : layer.batches.last_ts[at];
}

/** Returns the first and last day of parts, without a bigint where the index has them. */
export function daysOfParts(parts: readonly SeriesPart[]): [firstDay: number, lastDay: number] {
  return [firstDay(parts[0]), lastDay(parts[parts.length - 1])];
}

function firstDay(seriesPart: SeriesPart): number {
  const at = batchThatStarts(seriesPart);
  if (at < 0) return Number(firstTimestamp(seriesPart) / MICROS_PER_DAY);
  return seriesPart.layer.batchDays.first[at];
}

function lastDay(seriesPart: SeriesPart): number {
  const at = batchThatEnds(seriesPart);
  if (at < 0) return Number(lastTimestamp(seriesPart) / MICROS_PER_DAY);
  return seriesPart.layer.batchDays.last[at];
}

/** Returns the batch whose bounds say when a part starts; -1 if it holds other rows too. */
function batchThatStarts({ layer, part }: SeriesPart): number {
  const at = layer.batchOfPart(part);
  return layer.batches.rows[at] === layer.parts.rows[part] ? at : -1;
}

/** Returns the batch whose bounds say when a part ends; -1 if its rows have to be read. */
function batchThatEnds({ layer, part, start, end }: SeriesPart): number {
  const at = layer.batchOfPart(part);
  const { rows, first_ts, last_ts } = layer.batches;
  // Most slices are of one day or minute.
  return rows[at] === end - start || first_ts[at] === last_ts[at] ? at : -1;
}

/** Copies rows of candle columns; the timestamp is column 0, its output a float64 view. */
export function copyCandles(
  parts: readonly SeriesPart[],
  range: RowRange,
  columns: readonly number[],
  outputs: readonly Float64Array[],
): void {
  forEachPart(parts, range, ({ layer, part }, rows, at) => {
    const { candles } = layer.volumes[layer.parts.volume[part]];
    candles.copyRows(layer.place(part, 'candles'), columns, rows, outputs, at);
  });
}

export function copyBarColumns(
  parts: readonly SeriesPart[],
  range: RowRange,
  out: BarColumns,
): void {
  const { timestampUs, open, high, low, close, volume } = out;
  const ts = new Float64Array(timestampUs.buffer, timestampUs.byteOffset, timestampUs.length);
  copyCandles(parts, range, ALL_CANDLE_COLUMNS, [ts, open, high, low, close, volume]);
}

/** Copies rows of indicator columns, numbered from the first indicator. */
export function copyIndicators(
  parts: readonly SeriesPart[],
  range: RowRange,
  columns: readonly number[],
  outputs: readonly Float64Array[],
): void {
  forEachPart(parts, range, ({ layer, part }, rows, at) => {
    const { indicators, firstIndicator } = layer.volumes[layer.parts.volume[part]];
    const inFile = columns.map((column) => firstIndicator + column);
    indicators.copyRows(layer.place(part, 'indicators'), inFile, rows, outputs, at);
  });
}

/**
 * Copies rows of one column, without an object for each part.
 *
 * @param column Its number; indicators are numbered from the first one.
 */
export function copyColumn(
  parts: readonly SeriesPart[],
  kind: 'candles' | 'indicators',
  column: number,
  range: RowRange,
  output: Float64Array,
): void {
  for (const one of parts) {
    const start = Math.max(one.start, range.start);
    const end = Math.min(one.end, range.end);
    if (start >= end) continue;
    const { layer, part } = one;
    const volume = layer.volumes[layer.parts.volume[part]];
    const number = kind === 'candles' ? column : volume.firstIndicator + column;
    const row = layer.parts.row[part] + start - one.start;
    const place = layer.place(part, kind);
    volume[kind].copyColumn(place, number, row, end - start, output, start - range.start);
  }
}

/** Calls `visit` for each part with rows of the range, with their place in the batch and range. */
function forEachPart(
  parts: readonly SeriesPart[],
  range: RowRange,
  visit: (part: SeriesPart, rows: { row: number; count: number }, at: number) => void,
): void {
  for (const part of parts) {
    const start = Math.max(part.start, range.start);
    const end = Math.min(part.end, range.end);
    if (start >= end) continue;
    const row = part.layer.parts.row[part.part] + start - part.start;
    visit(part, { row, count: end - start }, start - range.start);
  }
}

/** Returns the requested rows, by default all. */
export function checkedRange(parts: readonly SeriesPart[], range: RowRange | undefined): RowRange {
  const rowCount = rowCountOf(parts);
  if (!range) return { start: 0, end: rowCount };
  const { start, end } = range;
  assert(0 <= start && start <= end && end <= rowCount, `rows ${start} to ${end} of ${rowCount}`);
  return range;
}
