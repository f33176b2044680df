/**
 * Compaction of daily bars: slices and patches go back into the base, so that a series has few
 * parts. Rows do not change, only their places.
 */

import { limits } from '../../../base/limits.ts';
import { DAILY_INTERVALS, type DailyInterval } from '../../../base/time/intervals.ts';
import type { Manifest, VolumeRole } from '../format/manifest-types.ts';
import type { SavedStates } from '../format/state-file.ts';
import type { OpenLayer } from '../read/layer.ts';
import type { PublishedVersion } from '../read/published-version.ts';
import { rowOfParts } from '../read/series-parts.ts';
import type { RowRange } from '../snapshot/snapshot.ts';
import type { LayerWriter } from './layer-writer.ts';
import type { PublicationOptions } from './publication.ts';
import type { SeriesRows } from './volume-writer.ts';

/**
 * Returns the compaction that is due: `newest` rewrites the current year and the patches, `all`
 * everything.
 *
 * @returns Undefined while the version has few slices and few rows in patches.
 */
export function neededCompaction(
  { layers, manifest }: PublishedVersion,
  currentYear: number,
): 'newest' | 'all' | undefined {
  const patched = rowsIn(layers, ['patches']);
  if (patched > limits.serving.overrideShareMax * rowsIn(layers, ['closed', 'current']))
    return 'all';
  if (layers.length <= limits.serving.deltasMax + 1) return undefined;
  return currentYear === manifest.currentYear ? 'newest' : 'all';
}

function rowsIn(layers: readonly OpenLayer[], roles: readonly VolumeRole[]): number {
  let rowCount = 0;
  for (const { batches, volumes } of layers) {
    batches.volume.forEach((volume, at) => {
      if (roles.includes(volumes[volume].role)) rowCount += batches.rows[at];
    });
  }
  return rowCount;
}

export interface CompactOptions extends Omit<PublicationOptions, 'indicatorColumns'> {
  createdMs: number;
  /** Year whose bars go to the `current` files; only used when everything is compacted. */
  currentYear: number;
  /** Saved states, rows of equal length by symbol number; undefined saves none. */
  states?: Float64Array;
}

/** Publishes the same rows as a new version with one layer. */
export async function compact(
  path: string,
  version: PublishedVersion,
  kind: 'newest' | 'all',
  options: CompactOptions,
): Promise<Manifest> {
  const { createdMs } = options;
  const { indicatorColumns, seq, storeMark } = version.manifest;
  // Few publishes compact, so the writing code is loaded only by those.
  const { Publication } = await import('./publication.ts');
  const publication = new Publication(path, { ...options, indicatorColumns, open: version });
  const shared = { seq, storeMark, createdMs, replacesLayers: true, isCompaction: true } as const;
  try {
    if (kind === 'newest') {
      await compactNewest(publication.layer, version);
      const { currentYear } = version.manifest;
      const states = statesOf(version, version.directory.names, options.states);
      return await publication.commit({ ...shared, currentYear, states });
    }
    const names = version.directory.sortedNames;
    await compactAll(publication.layer, version, options.currentYear);
    return await publication.commit({
      ...shared,
      currentYear: options.currentYear,
      symbols: names.map((name) => version.directory.facts(name)),
      quotes: names.map((name) => version.quote(name)),
      states: statesOf(version, names, options.states),
    });
  } finally {
    await publication.abandon();
  }
}

function statesOf(
  { directory }: PublishedVersion,
  names: readonly string[],
  rows: Float64Array | undefined,
): SavedStates | undefined {
  if (!rows) return undefined;
  const rowLength = rows.length / directory.names.length;
  const states = {
    symbols: Uint32Array.from(names.keys()),
    rows: new Float64Array(names.length * rowLength),
  };
  names.forEach((name, number) => {
    const from = directory.number(name);
    if (from === undefined) return;
    states.rows.set(rows.subarray(from * rowLength, (from + 1) * rowLength), number * rowLength);
  });
  return states;
}

/** Writes symbols ascending, so that equal rows give equal files. */
async function compactAll(
  layer: LayerWriter,
  version: PublishedVersion,
  currentYear: number,
): Promise<void> {
  for (const [number, name] of version.directory.sortedNames.entries()) {
    for (const interval of DAILY_INTERVALS) {
      addToBase(layer, number, interval, seriesRows(version, name, interval), currentYear);
    }
    await layer.settle();
  }
}

async function compactNewest(layer: LayerWriter, version: PublishedVersion): Promise<void> {
  const keptVolumes = keepClosedVolumes(layer, version);
  const currentUs = yearStartUs(version.manifest.currentYear);
  for (const [number, name] of version.directory.names.entries()) {
    if (name === '') continue;
    for (const interval of DAILY_INTERVALS) {
      const parts = version.parts(number, interval);
      const split = rowOfParts(parts, currentUs);
      let done = 0;
      for (const { layer: source, part, start, end } of parts) {
        const volume = source.volumes[source.parts.volume[part]];
        const isOld = volume.role === 'closed' || volume.role === 'patches';
        // Rows of last year that a slice replaced go to the current year, where slices end.
        if (!isOld || start >= split) break;
        done = Math.min(end, split);
        if (volume.role === 'closed') {
          layer.keepPart(source, part, keptVolumes.get(volume) as number, done - start);
        } else {
          const rows = seriesRows(version, name, interval, { start, end: done });
          layer.addBatch(number, interval, 'patches', rows);
        }
      }
      const range = { start: done, end: version.rowCount(name, interval) };
      layer.addBatch(number, interval, 'current', seriesRows(version, name, interval, range));
    }
    await layer.settle();
  }
}

function keepClosedVolumes(layer: LayerWriter, { layers }: PublishedVersion) {
  const kept = new Map<object, number>();
  for (const source of layers) {
    source.volumes.forEach((volume, number) => {
      if (volume.role === 'closed') kept.set(volume, layer.keepVolume(source, number));
    });
  }
  return kept;
}

function yearStartUs(year: number): bigint {
  return BigInt(Date.UTC(year, 0, 1)) * 1000n;
}

/**
 * Adds a series to the base: closed years in one file, the current year in another, so that the
 * next compaction rewrites only one year.
 */
export function addToBase(
  layer: LayerWriter,
  symbol: number,
  interval: DailyInterval,
  rows: SeriesRows,
  currentYear: number,
): void {
  const startUs = yearStartUs(currentYear);
  let split = rows.bars.timestampUs.length;
  while (split > 0 && rows.bars.timestampUs[split - 1] >= startUs) split--;
  layer.addBatch(symbol, interval, 'closed', rows, 0, split);
  layer.addBatch(symbol, interval, 'current', rows, split);
}

export function seriesRows(
  version: PublishedVersion,
  symbol: string,
  interval: DailyInterval,
  range?: RowRange,
): SeriesRows {
  return {
    firstRow: range?.start ?? 0,
    bars: version.bars(symbol, interval, range),
    indicators: version.indicators(symbol, interval, version.manifest.indicatorColumns, range),
  };
}
