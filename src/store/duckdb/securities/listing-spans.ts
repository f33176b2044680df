/**
 * Snapshots of directories, kept with their times: each listing once for as long as no snapshot
 * between differs. The spans follow from the set of snapshots, in whatever order they came.
 */

import type { DuckDBConnection } from '@duckdb/node-api';
import type { ListedFacts } from '../../../base/directory-row.ts';
import { marked } from '../../../base/quoted.ts';
import { newYorkDay } from '../../../base/time/calendar.ts';
import { dateFromDay } from '../../../base/time/dates.ts';
import {
  exists,
  jsonTable,
  NAMED,
  runOne,
  selectColumn,
  selectRows,
  sqlDay,
  sqlTimestamp,
} from '../connection/sql-rows.ts';
import { keepRemovals, type Removal, readRemovals } from './removals.ts';
import { directoryDay } from './stored-facts.ts';

/** One directory file of a moment. */
export interface DirectorySnapshot {
  /** Name of the list, whose files follow one another: `nasdaqlisted`, `otherlisted`, `sec`. */
  list: string;
  takenMs: number;
  listings: readonly SnapshotListing[];
}

type SnapshotListing = Pick<ListedFacts, 'symbol' | 'companyName' | 'exchange' | 'venue' | 'cik'>;

const COLUMNS = {
  symbol: 'VARCHAR',
  companyName: 'VARCHAR',
  exchange: 'VARCHAR',
  venue: 'VARCHAR',
  cik: 'BIGINT',
};

const SAME = ['ticker', 'company_name', 'exchange', 'venue', 'cik']
  .map((column) => `a.${column} IS NOT DISTINCT FROM b.${column}`)
  .join(' AND ');

/** Adds snapshots; one of a list and time that is there already changes nothing. */
export async function keepSnapshots(
  connection: DuckDBConnection,
  snapshots: readonly DirectorySnapshot[],
): Promise<void> {
  for (const snapshot of snapshots) await keepSnapshot(connection, snapshot);
}

async function keepSnapshot(
  connection: DuckDBConnection,
  { list, takenMs, listings }: DirectorySnapshot,
): Promise<void> {
  const at = sqlTimestamp(takenMs * 1000);
  const isKept = await exists(
    connection,
    `FROM listing_snapshots WHERE list = $1 AND taken_at = ${at}`,
    [list],
  );
  if (isKept) return;
  await runOne(
    connection,
    `CREATE OR REPLACE TEMP TABLE listed AS
     SELECT symbol AS ticker, "companyName" AS company_name, exchange, venue, cik
     FROM ${jsonTable(COLUMNS)}`,
    [JSON.stringify(listings, (_, one) => (typeof one === 'string' ? marked(one) : one))],
  );
  // Spans that the snapshot cuts or continues come out, and go back as what they are now.
  await runOne(
    connection,
    `CREATE OR REPLACE TEMP TABLE near_spans AS
     WITH near AS (
       SELECT max(taken_at) FILTER (taken_at < ${at}) AS before,
         min(taken_at) FILTER (taken_at > ${at}) AS after
       FROM listing_snapshots WHERE list = $1)
     SELECT s.rowid AS old_row, s.*, n.before, n.after FROM listing_spans s, near n
     WHERE s.list = $1
       AND (s.last_at = n.before OR s.first_at = n.after OR (s.first_at < ${at} AND s.last_at > ${at}))`,
    [list],
  );
  await connection.run('DELETE FROM listing_spans WHERE rowid IN (SELECT old_row FROM near_spans)');
  const columns = 'ticker, company_name, exchange, venue, cik';
  await runOne(
    connection,
    `INSERT INTO listing_spans
     SELECT $1, ${columns}, min(first_at), max(last_at) FROM (
       SELECT a.*, b.first_at, b.last_at FROM near_spans b JOIN listed a ON ${SAME}
       UNION ALL SELECT *, ${at}, ${at} FROM listed)
     GROUP BY ALL
     UNION ALL
     SELECT $1, ${columns}, first_at, CASE WHEN last_at > ${at} THEN before ELSE last_at END
     FROM near_spans b ANTI JOIN listed a ON ${SAME} WHERE first_at < ${at}
     UNION ALL
     SELECT $1, ${columns}, CASE WHEN first_at < ${at} THEN after ELSE first_at END, last_at
     FROM near_spans b ANTI JOIN listed a ON ${SAME} WHERE last_at > ${at}`,
    [list],
  );
  await connection.run(`INSERT INTO listing_snapshots VALUES ($1, ${at})`, [list]);
}

/**
 * SQL of the snapshots with at least half of the listings of the largest one of their list. The
 * others may be cut short: nothing follows from what they lack.
 */
export const WHOLE_SNAPSHOTS = `(
  SELECT list, taken_at FROM (
    SELECT list, taken_at, coalesce(sum(b.count) OVER until_now, 0)
      - coalesce(sum(e.count) OVER (until_now ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)
      AS size
    FROM listing_snapshots
    LEFT JOIN (SELECT list, first_at AS taken_at, count(*) AS count FROM listing_spans GROUP BY ALL) b
      USING (list, taken_at)
    LEFT JOIN (SELECT list, last_at AS taken_at, count(*) AS count FROM listing_spans GROUP BY ALL) e
      USING (list, taken_at)
    WINDOW until_now AS (PARTITION BY list ORDER BY taken_at))
  QUALIFY 2 * size >= max(size) OVER (PARTITION BY list))`;

/** Names those of a load's snapshots that are not whole. */
export async function shortSnapshots(
  connection: DuckDBConnection,
  snapshots: readonly DirectorySnapshot[],
): Promise<string[]> {
  const short = await selectRows<{ list: string; us: number }>(
    connection,
    `SELECT list, epoch_us(taken_at)::DOUBLE AS us
     FROM listing_snapshots ANTI JOIN ${WHOLE_SNAPSHOTS} USING (list, taken_at)`,
  );
  return snapshots
    .filter(({ list, takenMs }) =>
      short.some((one) => one.list === list && one.us === takenMs * 1000),
    )
    .map(({ list, takenMs, listings: { length } }) => {
      return `${list} of ${dateFromDay(newYorkDay(takenMs))}: ${length} listings`;
    });
}

/** Snapshots, spans and notices of a store, for another one. */
export interface KeptDirectories {
  listing_snapshots: readonly object[];
  listing_spans: readonly object[];
  removals: readonly Removal[];
}

export async function readDirectories(connection: DuckDBConnection): Promise<KeptDirectories> {
  const us = (column: string) => `epoch_us(${column})::DOUBLE AS ${column}`;
  return {
    listing_snapshots: await selectRows(
      connection,
      `SELECT list, ${us('taken_at')} FROM listing_snapshots`,
    ),
    listing_spans: await selectRows(
      connection,
      `SELECT * REPLACE (cik::DOUBLE AS cik, ${us('first_at')}, ${us('last_at')}) FROM listing_spans`,
    ),
    removals: await readRemovals(connection),
  };
}

/** Replaces the directories of a store by those of one that had them all. */
export async function restoreDirectories(
  connection: DuckDBConnection,
  { listing_snapshots: snapshots, listing_spans: spans, removals }: KeptDirectories,
): Promise<void> {
  await keepRemovals(connection, removals);
  const texts = { list: 'VARCHAR', ticker: 'VARCHAR', company_name: 'VARCHAR' };
  const facts = { exchange: 'VARCHAR', venue: 'VARCHAR', cik: 'BIGINT' };
  await connection.run('DELETE FROM listing_snapshots');
  await connection.run('DELETE FROM listing_spans');
  await runOne(
    connection,
    `INSERT INTO listing_snapshots
     SELECT list, make_timestamp(taken_at) FROM ${jsonTable({ list: 'VARCHAR', taken_at: 'BIGINT' })}`,
    [JSON.stringify(snapshots)],
  );
  await runOne(
    connection,
    `INSERT INTO listing_spans
     SELECT * REPLACE (make_timestamp(first_at) AS first_at, make_timestamp(last_at) AS last_at)
     FROM ${jsonTable({ ...texts, ...facts, first_at: 'BIGINT', last_at: 'BIGINT' })}`,
    [JSON.stringify(spans)],
  );
}

/**
 * Returns the places of the temporary table `places` on whose days an exchange lists their ticker.
 * The SEC's list keeps tickers that were left, so it makes no security.
 */
export async function listedPlaces(connection: DuckDBConnection): Promise<number[]> {
  if (!(await exists(connection, 'FROM listing_spans'))) return [];
  const dayOf = (moment: string) => sqlDay(directoryDay(moment));
  return selectColumn(
    connection,
    `WITH near AS (
       SELECT place, list, greatest(from_day, ${dayOf('first_at')}) AS since,
         least(to_day, ${dayOf('last_at')}) AS until
       FROM places JOIN listing_spans USING (ticker) WHERE list <> 'sec')
     SELECT DISTINCT place FROM near
     ASOF JOIN (SELECT list, ${dayOf('taken_at')} AS day FROM listing_snapshots) n
       ON n.list = near.list AND n.day <= near.until
     WHERE n.day >= near.since`,
  );
}

/** Names symbols of which nothing else is known by the newest directory that has the security. */
export async function nameByDirectories(
  connection: DuckDBConnection,
  symbols: readonly string[],
  nowMs: number,
): Promise<void> {
  if (!(await exists(connection, 'FROM listing_spans'))) return;
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE named AS
     SELECT symbol, s.* FROM listing_spans s JOIN ticker_places USING (ticker)
     JOIN securities USING (security_id)
     WHERE symbol IN ${NAMED} AND symbol NOT IN (FROM symbols SELECT symbol WHERE source IS NOT NULL)
       AND ${directoryDay('first_at')} <= coalesce(to_date, 'infinity')
       AND ${directoryDay('last_at')} >= coalesce(from_date, '-infinity')
     QUALIFY row_number() OVER (PARTITION BY symbol ORDER BY list = 'sec', last_at DESC) = 1`,
    [JSON.stringify(symbols)],
  );
  await connection.run(
    `INSERT INTO symbols (symbol, first_seen)
     SELECT symbol, ${sqlTimestamp(nowMs * 1000)} FROM named ANTI JOIN symbols USING (symbol)`,
  );
  await connection.run(
    `UPDATE symbols SET company_name = n.company_name, exchange = n.exchange, venue = n.venue,
       cik = n.cik, as_of = n.last_at,
       source = CASE WHEN n.list = 'sec' THEN 'sec' ELSE 'nasdaqtrader' END
     FROM named n WHERE symbols.symbol = n.symbol`,
  );
}

/**
 * SQL of the names and markets that each security had before, from the lists of the exchanges, else
 * from the SEC's: `security_id` and `former`, a JSON list of name, exchange, market and last day.
 */
export const FORMER_NAMES = `
  WITH placed AS (
    SELECT security_id, list = 'sec' AS is_sec, company_name, exchange, venue,
      greatest(${directoryDay('first_at')}, from_date) AS since, last_at
    FROM listing_spans JOIN ticker_places USING (ticker)
    WHERE security_id IS NOT NULL
      AND ${directoryDay('first_at')} <= coalesce(to_date, 'infinity')
      AND ${directoryDay('last_at')} >= coalesce(from_date, '-infinity')),
  changes AS (
    SELECT *, lag([company_name, exchange, venue]) OVER (PARTITION BY security_id
        ORDER BY since, last_at) IS DISTINCT FROM [company_name, exchange, venue] AS is_new
    FROM (FROM placed
      QUALIFY NOT is_sec OR bool_and(is_sec) OVER (PARTITION BY security_id))),
  spans AS (
    SELECT *, lead(since) OVER (PARTITION BY security_id ORDER BY since, last_at) AS until
    FROM changes WHERE is_new)
  SELECT security_id, to_json(list([company_name, exchange, venue, (until - 1)::VARCHAR]
    ORDER BY since))::VARCHAR AS former
  FROM spans WHERE until > since GROUP BY security_id`;

/** A difference between two snapshots that follow one another. */
export interface ListingChange {
  kind: 'listed' | 'renamed' | 'moved' | 'gone';
  ticker: string;
  list: string;
  /** Day of the first snapshot that shows it. */
  day: number;
  /** Name or market before and after; null without one. */
  before: string | null;
  after: string | null;
}

interface SpanRow {
  ticker: string;
  list: string;
  name: string | null;
  venue: string | null;
  firstDay: number;
  /** True if the list has an earlier snapshot. */
  isFollower: boolean;
  /** Day of the next snapshot of the list after the span; null if it is in the newest. */
  goneDay: number | null;
}

/** Reads how the listings of some tickers changed, in order of time. */
export async function readListingChanges(
  connection: DuckDBConnection,
  tickers: readonly string[],
): Promise<ListingChange[]> {
  const rows = await selectRows<SpanRow>(
    connection,
    `SELECT ticker, s.list, company_name AS name, coalesce(venue, exchange) AS venue,
       ${sqlDay(directoryDay('first_at'))} AS "firstDay",
       bool_or(n.taken_at < first_at) AS "isFollower",
       ${sqlDay(directoryDay('min(n.taken_at) FILTER (n.taken_at > last_at)'))} AS "goneDay"
     FROM listing_spans s JOIN ${WHOLE_SNAPSHOTS} n ON n.list = s.list
     WHERE ticker IN ${NAMED}
     GROUP BY ticker, s.list, company_name, venue, exchange, first_at, last_at
     ORDER BY first_at, last_at, s.list`,
    [JSON.stringify(tickers)],
  );
  const families = Map.groupBy(rows, ({ ticker, list }) => `${ticker} ${list === 'sec'}`);
  return [...families.values()].flatMap(changesOf).sort((a, b) => a.day - b.day);
}

/** @param spans Those of one ticker in the lists of the exchanges, or in the SEC's. */
function changesOf(spans: readonly SpanRow[]): ListingChange[] {
  return spans.flatMap((span, i): ListingChange[] => {
    const { ticker, list, name, venue, firstDay: day, goneDay } = span;
    const before = spans[i - 1];
    const changes: ListingChange[] = [];
    const add = (kind: ListingChange['kind'], at: number, texts: [string | null, string | null]) =>
      changes.push({ kind, ticker, list, day: at, before: texts[0], after: texts[1] });
    if (!before && span.isFollower) add('listed', day, [null, venue]);
    if (before && before.name !== name) add('renamed', day, [before.name, name]);
    if (before && before.venue !== venue) add('moved', day, [before.venue, venue]);
    if (i === spans.length - 1 && goneDay !== null) add('gone', goneDay, [venue, null]);
    return changes;
  });
}
