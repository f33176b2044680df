/**
 * Compaction of intraday bars: small layers become larger ones, so that a series has few parts and
 * a row is written at most once per size. Rows do not change.
 */

import { type BarColumns, barRows, blankBars } from '../../../base/bars.ts';
import { limits } from '../../../base/limits.ts';
import { type IntradaySeriesInterval, SERVED_INTERVALS } from '../../../base/time/intervals.ts';
import type { IntradayLayer, IntradayTier, Manifest } from '../format/manifest-types.ts';
import type { IntradayPart } from '../read/intraday-part.ts';
import type { OpenLayer, OpenVolume } from '../read/layer.ts';
import type { PublishedVersion } from '../read/published-version.ts';
import { copyBarColumns, rowCountOf, type SeriesPart, seriesParts } from '../read/series-parts.ts';
import type { RowRange } from '../snapshot/snapshot.ts';
import type { CompactOptions } from './compact.ts';
import type { LayerWriter } from './layer-writer.ts';
import { forEachMonth } from './month-rows.ts';
import { keptMonthVolumes } from './month-volumes.ts';
import type { SeriesRows } from './volume-writer.ts';

export interface IntradayCompaction {
  tier: Exclude<IntradayTier, 'slice'>;
  firstLayer: number;
}

/**
 * Returns the compaction that is due, in one step if several sizes are full. Months that lie over
 * other layers are merged with them.
 *
 * @param layers Oldest first.
 */
export function neededIntradayCompaction(
  layers: readonly IntradayLayer[],
): IntradayCompaction | undefined {
  const { intradayL0Max, intradayL1Max, intradayL2Max } = limits.serving;
  if (layers.some(({ tier }, i) => tier === 'month' && i > 0)) {
    return { tier: 'month', firstLayer: 0 };
  }
  let firstLayer = layers.length;
  /** Takes the newest layers of a size; true if they and the layer being made are enough. */
  const isFull = (tier: IntradayTier, countMax: number, made: number) => {
    const end = firstLayer;
    while (layers[firstLayer - 1]?.tier === tier) firstLayer--;
    return end - firstLayer + made >= countMax;
  };
  if (!isFull('slice', intradayL0Max, 0)) return undefined;
  const slices = { tier: 'run', firstLayer } as const;
  if (!isFull('run', intradayL1Max, 1)) return slices;
  const runs = { tier: 'day', firstLayer } as const;
  return isFull('day', intradayL2Max, 1) ? { tier: 'month', firstLayer: 0 } : runs;
}

/** Publishes the same rows as a new version. */
export async function compactIntraday(
  path: string,
  version: PublishedVersion,
  { tier, firstLayer }: IntradayCompaction,
  options: Omit<CompactOptions, 'currentYear'>,
): Promise<Manifest> {
  const { indicatorColumns, seq, storeMark, currentYear } = version.manifest;
  const { Publication } = await import('./publication.ts');
  const publication = new Publication(path, { ...options, indicatorColumns, open: version });
  const { intradayLayer } = publication;
  const part = version.intradayPart!;
  try {
    if (tier === 'month') await compactMonths(intradayLayer, part);
    else await compactNewest(intradayLayer, part, part.layers.slice(firstLayer), tier);
    return await publication.commit({
      seq,
      storeMark,
      createdMs: options.createdMs,
      currentYear,
      replacesLayers: false,
      isCompaction: true,
      intraday: { tier, layersKept: firstLayer },
    });
  } finally {
    await publication.abandon();
  }
}

/** Compacts layers without reading those below. */
async function compactNewest(
  writer: LayerWriter,
  part: IntradayPart,
  layers: readonly OpenLayer[],
  tier: 'run' | 'day',
): Promise<void> {
  const scratch = new ScratchBars();
  for (const { number, interval } of part.series()) {
    const firstRow = firstRowOf(layers, number, interval);
    if (firstRow === undefined) continue;
    const parts = seriesParts(layers, SERVED_INTERVALS.indexOf(interval), number);
    const end = rowCountOf(parts);
    // A series that these layers end must stay ended.
    if (parts.length === 0) writer.endSeries(number, interval, firstRow);
    else add(writer, number, interval, tier, rowsOf(parts, { start: firstRow, end }, scratch));
    await writer.settle();
  }
}

/** Returns the first row that any of the layers supersedes. */
function firstRowOf(
  layers: readonly OpenLayer[],
  number: number,
  interval: IntradaySeriesInterval,
): number | undefined {
  let first: number | undefined;
  for (const layer of layers) {
    const [start, end] = layer.partRange(SERVED_INTERVALS.indexOf(interval), number);
    for (let part = start; part < end; part++) {
      const row = layer.parts.row_start[part];
      if (first === undefined || row < first) first = row;
    }
  }
  return first;
}

function add(
  writer: LayerWriter,
  number: number,
  interval: IntradaySeriesInterval,
  tier: 'run' | 'day',
  rows: SeriesRows,
): void {
  if (tier === 'day') writer.addBatch(number, interval, 'days', rows);
  else if (rows.bars.close.length <= limits.serving.intradayBatchRowsMax) {
    writer.addToSlice(number, interval, rows, 'runs');
  } else writer.addBatch(number, interval, 'patches', rows);
}

/** Compacts everything into months. Months with few additions stay where they are. */
async function compactMonths(writer: LayerWriter, part: IntradayPart): Promise<void> {
  const scratch = new ScratchBars();
  const kept = keptMonthVolumes(part);
  const numbers = new Map<OpenVolume, number>();
  for (const [open, { layer, number }] of kept) {
    numbers.set(open, writer.keepVolume(layer, number));
  }
  for (const { number, interval } of part.series()) {
    const parts = part.parts(number, interval);
    let start = 0;
    const addRows = (end: number) => {
      if (start === end) return;
      addToMonths(writer, number, interval, rowsOf(parts, { start, end }, scratch));
    };
    for (const { layer, part, start: partStart, end } of parts) {
      const volume = numbers.get(layer.volumes[layer.parts.volume[part]]);
      if (volume === undefined) continue;
      addRows(partStart);
      writer.keepPart(layer, part, volume, end - partStart);
      start = end;
    }
    addRows(rowCountOf(parts));
    await writer.settle();
  }
}

export function addToMonths(
  writer: LayerWriter,
  number: number,
  interval: IntradaySeriesInterval,
  rows: SeriesRows,
): void {
  forEachMonth(rows.bars.timestampUs, (start, end) => {
    writer.addBatch(number, interval, 'months', rows, start, end);
  });
}

function rowsOf(parts: readonly SeriesPart[], range: RowRange, scratch: ScratchBars): SeriesRows {
  const bars = scratch.bars(range.end - range.start);
  copyBarColumns(parts, range, bars);
  return { firstRow: range.start, bars, indicators: [] };
}

/** Columns that are reused for the next series: fresh memory costs more than copying. */
class ScratchBars {
  #columns = blankBars(1024);

  bars(rowCount: number): BarColumns {
    if (this.#columns.close.length < rowCount) this.#columns = blankBars(2 * rowCount);
    return barRows(this.#columns, 0, rowCount);
  }
}
