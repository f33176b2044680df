/**
 * Check that users' files of daily bars keep the unit of volumes. The volume of one symbol may move a
 * hundredfold with news; those of nearly all symbols of a file do so only in another unit.
 */

import type { DuckDBConnection } from '@duckdb/node-api';
import { besideSql, readSampled } from './beside-bars.ts';
import type { NewRows } from './replaced-bars.ts';
import type { SeriesHold } from './series-hold.ts';

/** Symbols with volumes on both sides from which the check decides. */
const SYMBOLS_MIN = 5;
const SHARE_MIN = 0.9;
/** Days around the first new bar whose volumes are compared. */
const BESIDE_DAYS = 45;
/** Smallest unit is a lot of a hundred shares, largest one a million. */
const [EXPONENT_MIN, EXPONENT_MAX] = [2, 6];
/** Move of all volumes of a day against those of the weeks before: twofold, or half. */
const MARKET_MOVE_MAX = Math.log10(2);

interface Volumes {
  symbol: string;
  /** Median of the stored bars, and of the new ones. */
  before: number;
  after: number;
}

/** @param stored Symbols of the load with bars before it. */
export async function holdForVolumeUnit(
  connection: DuckDBConnection,
  rows: NewRows,
  stored: readonly string[],
): Promise<SeriesHold | undefined> {
  if (rows.interval !== '1d' || stored.length < SYMBOLS_MIN) return undefined;
  const isFound = (volumes: readonly Volumes[]) => unitOfVolumes(volumes) !== undefined;
  const volumes = await readSampled(connection, mediansSql(rows), stored, isFound);
  const unit = unitOfVolumes(volumes);
  if (unit === undefined) return undefined;
  return {
    check: 'another unit of volume',
    verbs: ['goes', 'go'],
    text: `on with volumes of another unit (× ${unit}), as nearly all symbols of the load do (state the unit in the header, as "Volume (000)", or correct the file)`,
    found: volumes.map(({ symbol, before, after }) => ({
      symbol,
      detail: `from ${before} to ${after}`,
    })),
  };
}

/** Returns the power of ten by which nearly all volumes have moved. */
function unitOfVolumes(volumes: readonly Volumes[]): number | undefined {
  if (volumes.length < SYMBOLS_MIN) return undefined;
  const moves = volumes.map(({ before, after }) => Math.log10(after / before));
  const middle = moves.toSorted((a, b) => a - b)[moves.length >> 1];
  const exponent = Math.round(middle);
  const size = Math.abs(exponent);
  if (size < EXPONENT_MIN || size > EXPONENT_MAX) return undefined;
  if (Math.abs(middle - exponent) > MARKET_MOVE_MAX) return undefined;
  const moved = moves.filter((move) => move / exponent > 0.5);
  return moved.length >= SHARE_MIN * moves.length ? 10 ** exponent : undefined;
}

/** Medians of the volumes of symbols with new and stored bars around the first new one. */
function mediansSql(rows: NewRows): string {
  return `WITH ${besideSql(rows, 'b.ts, b.volume')},
     firsts AS (SELECT symbol, min(ts) AS first FROM newer WHERE volume > 0 GROUP BY symbol),
     medians AS (
       SELECT symbol, side, median(volume) AS volume
       FROM (SELECT *, 'new' AS side FROM newer UNION ALL SELECT *, 'old' FROM older)
       JOIN firsts USING (symbol)
       WHERE volume > 0 AND abs(epoch(ts) - epoch(first)) <= ${BESIDE_DAYS * 86_400}
       GROUP BY symbol, side)
     SELECT symbol, o.volume AS before, n.volume AS after
     FROM (FROM medians WHERE side = 'old') o JOIN (FROM medians WHERE side = 'new') n
       USING (symbol) ORDER BY symbol`;
}
