/** Assigns stored bars to the places of their tickers. */

import type { DuckDBConnection } from '@duckdb/node-api';
import type { StoredInterval } from '../../../base/time/intervals.ts';
import { mergeIncoming } from '../candles/merge-raw.ts';
import { BAR_TABLES, barTable } from '../connection/bar-table.ts';
import { jsonTable, runOne, selectRows, selectValue, sqlDay } from '../connection/sql-rows.ts';
import type { Place } from './facts/ticker-facts.ts';

/** Rows of one file in one series on the days of one place. */
export interface FilePart {
  seriesId: number;
  fileId: number;
  segment: number;
  place: number;
  ticker: string;
  interval: StoredInterval;
  source: string;
  basis: string;
  sha256: string;
  firstDay: number;
  lastDay: number;
}

const PLACE_DAYS = { place: 'INTEGER', ticker: 'VARCHAR', fromDay: 'INTEGER', toDay: 'INTEGER' };

/** SQL of the day of a bar; evenings of New York are on the next day of UTC. */
export const BAR_DAY = sqlDay(
  "(CASE WHEN s.interval = '1d' THEN b.ts ELSE b.ts - INTERVAL 5 HOUR END)::DATE",
);

/** Creates `places` with the days of places and their indexes. */
export async function namePlaces(
  connection: DuckDBConnection,
  places: readonly Place[],
): Promise<void> {
  await runOne(
    connection,
    `CREATE OR REPLACE TEMP TABLE places AS
     SELECT place, ticker, coalesce("fromDay", -2147483648) AS from_day,
       coalesce("toDay", 2147483647) AS to_day
     FROM ${jsonTable(PLACE_DAYS)}`,
    [JSON.stringify(places.map((one, place) => ({ ...one, place })))],
  );
}

/** Reads where all bars of the tickers of `places` stand. */
export async function readParts(connection: DuckDBConnection): Promise<FilePart[]> {
  const bars = BAR_TABLES.flatMap(({ bars, superseded }) => [`FROM ${bars}`, `FROM ${superseded}`]);
  return selectRows<FilePart>(
    connection,
    `SELECT s.series_id AS "seriesId", b.file_id AS "fileId", f.segment_seq AS segment, p.place,
       s.ticker, s.interval, s.source, s.basis, s.sha256,
       min(${BAR_DAY}) AS "firstDay", max(${BAR_DAY}) AS "lastDay"
     FROM (${bars.join(' UNION ALL ')}) b
     JOIN (FROM series WHERE ticker IN (SELECT ticker FROM places)) s USING (series_id)
     JOIN segment_files f ON f.file_id = b.file_id
     JOIN places p ON p.ticker = s.ticker AND ${BAR_DAY} BETWEEN p.from_day AND p.to_day
     GROUP BY ALL ORDER BY "lastDay", "seriesId", "fileId", place`,
  );
}

/** Part of a feed on the days of a place, with the security that it means. */
export interface PlacedPart extends FilePart {
  symbol: string;
  /** First day of the place. */
  fromDay: number | null;
}

/** Gives the series of the parts their symbols; makes those anew that are of several places. */
export async function storeParts(
  connection: DuckDBConnection,
  parts: readonly PlacedPart[],
): Promise<void> {
  const whole: { seriesId: number; newSymbol: string; fromDay: number | null }[] = [];
  const feeds = Map.groupBy(parts, ({ ticker, interval, source, basis, sha256 }) =>
    JSON.stringify([ticker, interval, source, basis, sha256]),
  );
  const split: PlacedPart[][] = [];
  for (const feed of feeds.values()) {
    if (!isOneToOne(feed)) {
      split.push(feed);
      continue;
    }
    for (const { seriesId, symbol: newSymbol, fromDay } of feed) {
      whole.push({ seriesId, newSymbol, fromDay });
    }
  }
  for (const ofTable of Map.groupBy(split, ([{ interval }]) => barTable(interval)).values()) {
    await rebuild(connection, ofTable);
  }
  await runOne(
    connection,
    `UPDATE series SET symbol = p."newSymbol", from_date = DATE '1970-01-01' + p."fromDay"
     FROM (SELECT DISTINCT "seriesId", "newSymbol", "fromDay"
           FROM ${jsonTable({ seriesId: 'INTEGER', newSymbol: 'VARCHAR', fromDay: 'INTEGER' })}) p
     WHERE series.series_id = p."seriesId"`,
    [JSON.stringify(whole)],
  );
}

function keyOf({ symbol, fromDay }: PlacedPart): string {
  return `${symbol} ${fromDay}`;
}

/** Returns true if each series of a feed has one key, and no key has two of them. */
function isOneToOne(feed: readonly PlacedPart[]): boolean {
  const pairs = new Set(feed.map((part) => `${part.seriesId} ${keyOf(part)}`));
  const keys = new Set(feed.map(keyOf));
  const series = new Set(feed.map(({ seriesId }) => seriesId));
  return pairs.size === keys.size && pairs.size === series.size;
}

const PLACED_COLUMNS = {
  seriesId: 'INTEGER',
  fileId: 'INTEGER',
  place: 'INTEGER',
  oldId: 'INTEGER',
  newId: 'INTEGER',
  newSymbol: 'VARCHAR',
  fromDay: 'INTEGER',
};

/**
 * Merges all rows of feeds of one table again, each into the series of its place and security. All
 * at once: each statement reads the whole table.
 */
async function rebuild(
  connection: DuckDBConnection,
  feeds: readonly (readonly PlacedPart[])[],
): Promise<void> {
  const table = barTable(feeds[0][0].interval);
  let freeId = await selectValue<number>(
    connection,
    'SELECT (max(series_id) + 1)::INTEGER FROM series',
  );
  const placed = feeds.flatMap((feed) => {
    const keys = [...new Set(feed.map(keyOf))];
    const firstId = freeId;
    freeId += keys.length;
    return feed.map(({ symbol: newSymbol, ...part }) => {
      const newId = firstId + keys.indexOf(keyOf({ ...part, symbol: newSymbol }));
      return { ...part, newSymbol, newId, oldId: feed[0].seriesId };
    });
  });
  await connection.run(`CREATE OR REPLACE TEMP TABLE placed AS FROM ${jsonTable(PLACED_COLUMNS)}`, [
    JSON.stringify(placed),
  ]);
  await connection.run(`
    CREATE OR REPLACE TEMP TABLE incoming AS
    SELECT b.* REPLACE (p."newId" AS series_id)
    FROM (FROM ${table.bars} UNION ALL FROM ${table.superseded}) b
    JOIN series s USING (series_id)
    JOIN placed p ON p."seriesId" = b.series_id AND p."fileId" = b.file_id
    JOIN places d ON d.place = p.place AND ${BAR_DAY} BETWEEN d.from_day AND d.to_day`);
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE old_series AS
     FROM series WHERE series_id IN (SELECT "oldId" FROM placed)`,
  );
  for (const name of [table.bars, table.superseded, 'series']) {
    await connection.run(`DELETE FROM ${name} WHERE series_id IN (SELECT "seriesId" FROM placed)`);
  }
  await connection.run(`
    INSERT INTO series
    SELECT p."newId", p."newSymbol", o.interval, o.source, o.basis,
      max(CASE WHEN o.basis = 'raw' THEN coalesce(f.newest, f.as_of) ELSE f.as_of END), o.sha256,
      NULL, NULL, 0, o.ticker, max(f.modified), o.scales_volume, DATE '1970-01-01' + p."fromDay"
    FROM placed p JOIN segment_files f ON f.file_id = p."fileId"
    JOIN old_series o ON o.series_id = p."oldId"
    GROUP BY ALL`);
  await mergeIncoming(connection, table);
}
