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

/** Lines of a load's report, each about one series. */
export interface FileNotes {
  /** Other price levels within a series that no known split explains. */
  levels?: readonly string[];
  /** One or two bars far from those beside them. */
  spikes?: readonly string[];
  /** Bars with all values of a bar of the days before. */
  repeats?: readonly string[];
  /** One or two days whose volumes are in another unit than those before. */
  volumeSteps?: readonly string[];
}

/** @param earlier Holds of other checks. */
export async function checkFiles(
  connection: DuckDBConnection,
  { rows, files, symbols, published }: LoadedFiles,
  earlier: readonly SeriesHold[],
): Promise<{ holds: SeriesHold[]; notes: FileNotes }> {
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
    notes: {
      ...(levels.length > 0 && { levels }),
      ...(spikes.length > 0 && { spikes }),
      ...(steps.named.length > 0 && { volumeSteps: steps.named }),
      ...(repeated.named.length > 0 && { repeats: repeated.named }),
    },
  };
}
