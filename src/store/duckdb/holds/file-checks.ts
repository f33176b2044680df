/** Checks of users' files alone: units of prices and volumes, dates of single bars, repeated bars. */

import type { DuckDBConnection } from '@duckdb/node-api';
import type { PublishedQuotes } from '../../../base/published-quotes.ts';
import { barTable } from '../connection/bar-table.ts';
import { selectRows } from '../connection/sql-rows.ts';
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

/** Rows of a load from which one in 16 is looked at, in blocks that show steps over night. */
const [SAMPLED_ROWS, SAMPLE_SQL] = [50_000, 'rowid // 64 % 16 = 0'];
/** Bars of a series that tell, the part of a step that counts, and the mean of nights that tell. */
const [TELLING_BARS, STEP_MAX, NIGHT_MIN] = [40, 0.1, 0.0005];

/**
 * Holds series of which closes are nearer to the opens before them than opens to the closes before
 * them: a night is shorter than two sessions with the night between.
 */
async function holdForExchanged(
  connection: DuckDBConnection,
  { interval, firstFileId }: NewRows,
  files: LoadedFiles['files'],
): Promise<SeriesHold | undefined> {
  const { bars } = barTable(interval);
  const newRows = `FROM ${bars} WHERE file_id >= ${firstFileId}`;
  const count = files.reduce((sum, { accepted }) => sum + accepted, 0);
  if (count <= TELLING_BARS) return undefined;
  const sumSql = (price: string, before: string) =>
    `sum(least(abs(${price} / ${before} - 1), ${STEP_MAX}))`;
  const read = (andSql: string) =>
    selectRows<{ symbol: string; nights: number; days: number }>(
      connection,
      `SELECT s.symbol, ${sumSql('open', 'closed')} / count(*) AS nights,
         ${sumSql('close', 'opened')} / count(*) AS days
       FROM (SELECT series_id, open, close, lag(series_id) OVER () AS previous,
               lag(open) OVER () AS opened, lag(close) OVER () AS closed ${newRows} ${andSql})
       JOIN series s USING (series_id) WHERE previous = series_id GROUP BY s.symbol
       HAVING count(*) >= ${TELLING_BARS} AND nights > ${NIGHT_MIN}
         AND days < nights * (1 - 2 / sqrt(count(*)))
       ORDER BY s.symbol`,
    );
  if (count > SAMPLED_ROWS && (await read(`AND ${SAMPLE_SQL}`)).length === 0) return undefined;
  const rows = await read('');
  if (rows.length === 0) return undefined;
  const percent = (share: number) => `${(share * 100).toFixed(2)} %`;
  const found = rows.map(({ symbol, nights, days }) => {
    const detail = `closes ${percent(days)} from the open before and opens ${percent(nights)} from the close before`;
    return { symbol, detail };
  });
  const text =
    'to have open and close exchanged (correct the names of the columns, and load the file again)';
  return { check: 'open and close exchanged', verbs: ['seems', 'seem'], text, found };
}

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
  const exchanged = await holdForExchanged(connection, rows, files);
  const found = [unit, volumeUnit, steps.hold, steps.lost, repeated.hold, exchanged];
  const holds = found.filter((hold) => hold !== undefined);
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
