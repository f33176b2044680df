/** Checks of users' files alone: units of prices and volumes, dates of single bars, repeated bars. */

import type { DuckDBConnection } from '@duckdb/node-api';
import type { PublishedQuotes } from '../../../base/published-quotes.ts';
import { storedSymbols } from './beside-bars.ts';
import { holdForLoneBars } from './lone-bars.ts';
import { findRepeats } from './repeated-bars.ts';
import type { NewRows } from './replaced-bars.ts';
import { type SeriesHold, symbolsOf } from './series-hold.ts';
import { findUnitJumps } from './unit-jumps.ts';
import { findVolumeSteps, type VolumeSteps } from './volume-steps.ts';
import { holdForVolumeUnit } from './volume-units.ts';

interface LoadedFiles {
  rows: NewRows;
  files: Parameters<typeof holdForLoneBars>[1]['files'];
  symbols: readonly string[];
  /** Prices before the load; undefined: nothing is published. */
  published: PublishedQuotes | undefined;
}

/** Kinds of lines in a load's report; each line is about one series. */
type LineKind =
  /** Other price levels within a series that no known split explains. */
  | 'levels'
  /** One or two bars far from those beside them. */
  | 'spikes'
  /** Bars with all values of a bar of the days before. */
  | 'repeats'
  /** One or two days whose volumes are in another unit than those before. */
  | 'volumeSteps'
  /** Seams without a common day that may hide a small split. */
  | 'jumps'
  /** Actions that counted, and that a new list of their symbols lacks. */
  | 'withdrawn'
  /** Tickers that were parted by their prices, with both readings. */
  | 'reused';

export type LoadLines = Partial<Record<LineKind, readonly string[]>>;

/** @param earlier Holds of other checks. */
export async function checkFiles(
  connection: DuckDBConnection,
  { rows, files, symbols, published }: LoadedFiles,
  earlier: readonly SeriesHold[],
): Promise<{ holds: SeriesHold[]; lines: LoadLines }> {
  const { hold: unit, levels, spikes } = await findUnitJumps(connection, { ...rows, published });
  const stored = await storedSymbols(connection, rows, symbols);
  const volumeUnit = await holdForVolumeUnit(connection, rows, stored);
  const steps: VolumeSteps = volumeUnit
    ? { named: [] }
    : await findVolumeSteps(connection, rows, stored);
  const repeated = await findRepeats(connection, rows, stored);
  const holds = [unit, volumeUnit, steps.hold, repeated.hold].filter((hold) => hold !== undefined);
  if (rows.interval === '1d' && published) {
    const held = new Set([...earlier, ...holds].flatMap(symbolsOf));
    for (const hold of await holdForLoneBars(connection, { files, symbols }, published)) {
      const found = hold.found.filter(({ symbol }) => !held.has(symbol));
      if (found.length > 0) holds.push({ ...hold, found });
    }
  }
  return {
    holds,
    lines: { levels, spikes, volumeSteps: steps.named, repeats: repeated.named },
  };
}
