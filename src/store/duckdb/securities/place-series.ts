/**
 * Assigns series to securities again, after a command has changed which security had a ticker when.
 */

import type { DuckDBConnection } from '@duckdb/node-api';
import { mergeIncoming } from '../candles/merge-raw.ts';
import { BAR_TABLES, barTable, type StoredInterval } from '../connection/bar-table.ts';
import { jsonTable, selectRows, selectValue, sqlDay } from '../connection/sql-rows.ts';
import { type Histories, holderIn } from './securities.ts';
import type { StatedTicker } from './ticker-history.ts';

/** Rows of one file in one series; files of a raw series may be of different securities. */
interface FilePart {
  seriesId: number;
  fileId: number | null;
  ticker: string;
  interval: StoredInterval;
  source: string;
  basis: string;
  securityId: number;
}

type DatedPart = Omit<FilePart, 'securityId'> & StatedTicker;

/**
 * Finds the security of each input of some tickers; adds new securities to the histories as needed.
 */
export async function placeSeries(
  connection: DuckDBConnection,
  histories: Histories,
  tickers: readonly string[],
): Promise<FilePart[]> {
  const ofTickers = `ticker IN (SELECT unnest(from_json($1, '["VARCHAR"]')))`;
  const bars = BAR_TABLES.flatMap(({ bars, superseded }) => [`FROM ${bars}`, `FROM ${superseded}`]);
  const parts = await selectRows<DatedPart>(
    connection,
    `WITH named AS (FROM series WHERE ${ofTickers} AND row_count > 0)
     SELECT series_id AS "seriesId", NULL AS "fileId", ticker, interval, source, basis,
       ${sqlDay('first_ts::DATE')} AS "firstDay", ${sqlDay('last_ts::DATE')} AS "lastDay"
     FROM named WHERE basis <> 'raw'
     UNION ALL
     SELECT series_id, file_id, ticker, interval, source, basis, ${sqlDay('min(ts)::DATE')},
       ${sqlDay('max(ts)::DATE')}
     FROM (${bars.join(' UNION ALL ')}) JOIN named USING (series_id)
     WHERE basis = 'raw'
     GROUP BY ALL ORDER BY "lastDay", "seriesId", "fileId"`,
    [JSON.stringify(tickers)],
  );
  return parts.map((part) => ({ ...part, securityId: holderIn(histories, part) }));
}

/** @param symbols By security. */
export async function storePlaces(
  connection: DuckDBConnection,
  parts: readonly FilePart[],
  symbols: ReadonlyMap<number, string>,
): Promise<void> {
  const whole: { seriesId: number; newSymbol: string }[] = [];
  const feeds = Map.groupBy(parts, ({ ticker, interval, source, basis, seriesId }) =>
    JSON.stringify(basis === 'raw' ? [ticker, interval, source] : seriesId),
  );
  for (const feed of feeds.values()) {
    if (isOneToOne(feed)) {
      for (const { seriesId, securityId } of feed) {
        whole.push({ seriesId, newSymbol: symbols.get(securityId)! });
      }
    } else {
      await rebuildRaw(connection, feed, symbols);
    }
  }
  await connection.run(
    `UPDATE series SET symbol = p."newSymbol"
     FROM (SELECT DISTINCT "seriesId", "newSymbol"
           FROM ${jsonTable({ seriesId: 'INTEGER', newSymbol: 'VARCHAR' })}) p
     WHERE series.series_id = p."seriesId"`,
    [JSON.stringify(whole)],
  );
}

/** Returns true if each series of a feed is of one security, and no security has two of them. */
function isOneToOne(feed: readonly FilePart[]): boolean {
  const pairs = new Set(feed.map(({ seriesId, securityId }) => `${seriesId} ${securityId}`));
  const count = (key: 'seriesId' | 'securityId') => new Set(feed.map((part) => part[key])).size;
  return pairs.size === count('seriesId') && pairs.size === count('securityId');
}

const PLACED_COLUMNS = {
  seriesId: 'INTEGER',
  fileId: 'INTEGER',
  newId: 'INTEGER',
  newSymbol: 'VARCHAR',
};

/** Merges all raw rows of one ticker and source again, each into the series of its security. */
async function rebuildRaw(
  connection: DuckDBConnection,
  feed: readonly FilePart[],
  symbols: ReadonlyMap<number, string>,
): Promise<void> {
  const { ticker, interval, source } = feed[0];
  const table = barTable(interval);
  const freeId = await selectValue<number>(
    connection,
    'SELECT (max(series_id) + 1)::INTEGER FROM series',
  );
  const securities = [...new Set(feed.map(({ securityId }) => securityId))];
  const placed = feed.map(({ seriesId, fileId, securityId }) => {
    const newId = freeId + securities.indexOf(securityId);
    return { seriesId, fileId, newId, newSymbol: symbols.get(securityId) };
  });
  await connection.run(`CREATE OR REPLACE TEMP TABLE placed AS FROM ${jsonTable(PLACED_COLUMNS)}`, [
    JSON.stringify(placed),
  ]);
  await connection.run(`
    CREATE OR REPLACE TEMP TABLE incoming AS
    SELECT r.* REPLACE (p."newId" AS series_id)
    FROM (FROM ${table.bars} UNION ALL FROM ${table.superseded}) r
    JOIN placed p ON p."seriesId" = r.series_id AND p."fileId" = r.file_id`);
  for (const name of [table.bars, table.superseded, 'series']) {
    await connection.run(`DELETE FROM ${name} WHERE series_id IN (SELECT "seriesId" FROM placed)`);
  }
  await connection.run(
    `INSERT INTO series
     SELECT i.series_id, p."newSymbol", $1, $2, 'raw', max(coalesce(f.newest, f.as_of)), '', NULL,
       NULL, 0, $3, max(f.modified), NULL
     FROM (SELECT DISTINCT series_id, file_id FROM incoming) i
     JOIN placed p ON p."newId" = i.series_id AND p."fileId" = i.file_id
     JOIN segment_files f USING (file_id) GROUP BY ALL`,
    [interval, source, ticker],
  );
  await mergeIncoming(connection, table);
}
