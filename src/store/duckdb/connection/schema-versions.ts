/**
 * Statements of the versions of the schema that can be read. A released version is never edited: a
 * new column or dataset has the next version as its `since`.
 *
 * No table has a primary key or an index: DuckDB's upserts and WAL replay over indexes have open
 * corruption bugs, and the one writer keeps what is unique.
 */

import { rowDatasets } from '../../../base/datasets/datasets.ts';
import { datasetStatements, datasetVersions, FIRST_VERSION } from './dataset-columns.ts';

export const BAR_COLUMNS = `series_id INTEGER, file_id INTEGER, ts TIMESTAMP,
  open DOUBLE, high DOUBLE, low DOUBLE, close DOUBLE, volume DOUBLE`;

/**
 * Served bars of one table, of the intervals that winners spell as in `intervalsSql`.
 * @param volumeFactorSql Divisor of volumes.
 */
function servedSql(
  bars: string,
  intervalSql: string,
  intervalsSql: string,
  volumeFactorSql = 'w.factor',
): string {
  return `SELECT w.symbol, ${intervalSql} AS interval, b.ts, b.open * w.factor AS open,
      b.high * w.factor AS high, b.low * w.factor AS low, b.close * w.factor AS close,
      b.volume / ${volumeFactorSql} AS volume, s.source, s.basis
    FROM ${bars} b
    JOIN winners w ON b.series_id = w.series_id AND b.ts BETWEEN w.from_ts AND w.to_ts
    JOIN series s ON s.series_id = w.series_id
    WHERE w.interval IN (${intervalsSql})`;
}

/** SQL of the divisor of volumes of winners `w`. */
const VOLUME_FACTOR = 'coalesce(w.split_factor, w.factor)';

const TABLES: readonly string[] = [
  `CREATE TABLE segments (seq INTEGER, segment VARCHAR, dataset VARCHAR, source VARCHAR,
    interval VARCHAR, basis VARCHAR, as_of TIMESTAMP, origin VARCHAR, kind VARCHAR,
    lines BIGINT, accepted BIGINT, rejected BIGINT, loaded_at TIMESTAMP)`,
  // Where rows come from: one row per file of a segment. Conflicts between rows are settled by
  // (as_of, modified, sha256) of their files, which do not depend on how files were grouped.
  // `modified` is the time of the file, 1970 if unknown. `newest` is the newest bar of a file
  // without a stated as-of; null where it was stated.
  `CREATE TABLE segment_files (file_id INTEGER, segment_seq INTEGER, path VARCHAR,
    sha256 VARCHAR, as_of TIMESTAMP, lines BIGINT, accepted BIGINT, rejected BIGINT,
    modified TIMESTAMP, newest TIMESTAMP)`,
  // Not raw: one series per file, immutable, sha256 set. Raw: one per (symbol, interval, source),
  // rows of many files merged, as_of and modified those of its newest files and sha256 empty. `ticker`
  // is what an input states: whose it is follows from this, the days of the input's rows and the
  // tables of securities, so a rename can be corrected.
  `CREATE TABLE series (series_id INTEGER, symbol VARCHAR, interval VARCHAR, source VARCHAR,
    basis VARCHAR, as_of TIMESTAMP, sha256 VARCHAR, first_ts TIMESTAMP, last_ts TIMESTAMP,
    row_count BIGINT, ticker VARCHAR, modified TIMESTAMP DEFAULT TIMESTAMP '1970-01-01')`,
  `CREATE TABLE bars (${BAR_COLUMNS})`,
  // Raw rows that lost: per (series_id, ts) each distinct set of values but the one in bars.
  `CREATE TABLE rival_bars (${BAR_COLUMNS})`,
  // Bars of regular and of extended hours; their series tell them apart: series, winners and
  // changes spell the interval of the latter 1m-extended and 5m-extended.
  `CREATE TABLE intraday_bars (${BAR_COLUMNS})`,
  `CREATE TABLE intraday_rival_bars (${BAR_COLUMNS})`,
  // Ids that are in bars but not in series: rows to be swept.
  'CREATE TABLE dead_series (series_id INTEGER)',
  // The pieces that make up each (symbol, interval): served price = price * factor, volume =
  // volume / factor, between from_ts and to_ts inclusive.
  `CREATE TABLE winners (symbol VARCHAR, interval VARCHAR, series_id INTEGER,
    from_ts TIMESTAMP, to_ts TIMESTAMP, factor DOUBLE)`,
  'CREATE TABLE source_priority (source VARCHAR, priority INTEGER)',
  // A statement: all that one input said of a symbol's actions between two days, inclusive.
  `CREATE TABLE action_coverage (statement_id INTEGER, symbol VARCHAR, source VARCHAR,
    from_date DATE, to_date DATE, segment_seq INTEGER, ticker VARCHAR)`,
  // `factor` of a dividend is that for earlier prices, if the vendor states one.
  `CREATE TABLE stated_actions (statement_id INTEGER, symbol VARCHAR, type VARCHAR, ex_date DATE,
    numerator BIGINT, denominator BIGINT, amount DOUBLE, factor DOUBLE)`,
  // `exchange` is the screener's name for the group, `venue` the market itself. `as_of` is when the
  // facts of its source were true: an older file that is loaded later replaces nothing.
  `CREATE TABLE symbols (symbol VARCHAR, company_name VARCHAR, exchange VARCHAR, type VARCHAR,
    source VARCHAR, first_seen TIMESTAMP, venue VARCHAR, cik BIGINT, country VARCHAR,
    sector VARCHAR, industry VARCHAR, as_of TIMESTAMP)`,
  // `symbol` is what every other table carries: the current ticker, or that of the last trading
  // day with the year and month of it where another security has the ticker by now.
  'CREATE TABLE securities (security_id INTEGER, symbol VARCHAR, delisted_on DATE)',
  // Days are inclusive, null is open. A row without any day is a ticker without known dates.
  `CREATE TABLE security_tickers (security_id INTEGER, ticker VARCHAR, from_date DATE,
    to_date DATE)`,
  // Changes to publish; seq is that of the segment whose load caused them.
  'CREATE TABLE changes (seq BIGINT, symbol VARCHAR, interval VARCHAR, kind VARCHAR, from_ts TIMESTAMP)',
  `CREATE TABLE outbox (seq BIGINT, event_id VARCHAR, type VARCHAR, payload JSON,
    created_at TIMESTAMP)`,
  // Changes to publish: the newest load that changed rows of a symbol, or an article of news.
  'CREATE TABLE row_changes (seq BIGINT, dataset VARCHAR, list_key VARCHAR)',
];

/**
 * @param more Columns after the first ones.
 * @param betterSql Condition for a better statement `o` to count for the row `a`.
 * @param ranked Query that gives the statements by rank, if it is not the view.
 */
function corporateActionsSql(more: string, betterSql = 'true', ranked?: string): string {
  // The best statement that covers a day counts as a whole for it: a source that puts a split
  // one day off must not double it, and a newer vintage may take one back.
  const [start, table] = ranked
    ? [` WITH ranked AS MATERIALIZED (${ranked})`, 'ranked']
    : ['', 'ranked_coverage'];
  return `CREATE OR REPLACE VIEW corporate_actions AS${start}
    SELECT a.symbol, a.type, a.ex_date, a.numerator, a.denominator, a.amount, m.source,
      m.segment_seq, a.factor${more}
    FROM stated_actions a JOIN ${table} m ON m.statement_id = a.statement_id
      AND a.ex_date BETWEEN m.from_date AND m.to_date
    WHERE NOT EXISTS (SELECT 1 FROM ${table} o WHERE o.symbol = m.symbol
      AND o.rank < m.rank AND a.ex_date BETWEEN o.from_date AND o.to_date AND ${betterSql})`;
}

const COVERS_TYPE = "(o.covers IS NULL OR (o.covers = 'split') = (a.type = 'split'))";

/** One input states a security by several tickers: these lists are one, in which a day counts once. */
const ONE_INPUT = {
  ranked: `SELECT *, count(DISTINCT ticker) OVER (PARTITION BY symbol, segment_seq) > 1 AS is_shared
      FROM ranked_coverage`,
  better: `${COVERS_TYPE} AND (o.segment_seq <> m.segment_seq OR o.ticker = m.ticker
        OR (o.is_shared AND EXISTS (SELECT 1 FROM stated_actions b WHERE b.statement_id = o.statement_id
          AND b.type = a.type AND b.ex_date = a.ex_date)))`,
  symbols: `SELECT symbol FROM action_coverage GROUP BY symbol, segment_seq
    HAVING count(DISTINCT ticker) > 1`,
};

/**
 * Publishes series again.
 *
 * @param seriesSql Condition on rows of `winners`.
 * @param more      Values of the columns that `segments` has got since version 14.
 */
function publishAgain(name: string, seriesSql: string, more = ''): string[] {
  return [
    `INSERT INTO segments
        SELECT (SELECT coalesce(max(seq), 0) + 1 FROM segments), sha256('${name}'),
          'renewal', NULL, NULL, NULL, current_timestamp::TIMESTAMP, '${name}',
          'command', 0, 0, 0, current_timestamp::TIMESTAMP${more}
        WHERE EXISTS (FROM winners WHERE ${seriesSql})`,
    `INSERT INTO changes
        SELECT (SELECT max(seq) FROM segments), symbol, interval, 'rewrite', min(from_ts)
        FROM winners WHERE ${seriesSql} GROUP BY symbol, interval`,
  ];
}

function candleViews(volumeFactorSql?: string): string[] {
  const served = (bars: string, intervalSql: string, intervalsSql: string) =>
    servedSql(bars, intervalSql, intervalsSql, volumeFactorSql);
  return [
    `VIEW candles AS
    ${served('bars', 'w.interval', "'1d'")}
    UNION ALL
    ${served('intraday_bars', 'w.interval', "'1m', '5m'")}`,
    `VIEW extended_candles AS
    ${served('intraday_bars', "replace(w.interval, '-extended', '')", "'1m-extended', '5m-extended'")}`,
  ];
}

const RANKED_COVERAGE = `VIEW ranked_coverage AS
  SELECT c.*, row_number() OVER (PARTITION BY c.symbol ORDER BY p.priority,
    g.as_of DESC NULLS LAST, g.segment DESC, c.statement_id DESC) AS rank
  FROM action_coverage c JOIN segments g ON g.seq = c.segment_seq
  JOIN source_priority p ON p.source = c.source`;

const VIEWS: readonly string[] = [
  ...candleViews().map((view) => `CREATE ${view}`),
  `CREATE ${RANKED_COVERAGE}`,
  corporateActionsSql(''),
];

/** Renames and delistings as facts, out of the dated tickers that the commands left. */
const FACTS_OF_SPANS: readonly string[] = [
  `INSERT INTO ticker_facts
   SELECT 'rename', a.ticker, b.from_date, NULL, b.ticker, NULL, 'stated', current_timestamp::TIMESTAMP, false
   FROM security_tickers a JOIN security_tickers b USING (security_id)
   WHERE a.to_date + 1 = b.from_date AND a.ticker <> b.ticker`,
  `INSERT INTO ticker_facts
   SELECT 'delist', ticker, to_date, NULL, NULL, NULL, 'stated', current_timestamp::TIMESTAMP, false
   FROM security_tickers JOIN securities USING (security_id) WHERE to_date = delisted_on`,
];

/** Statements by version; those of datasets' tables follow from the datasets. */
const WRITTEN_VERSIONS: ReadonlyMap<number, readonly string[]> = new Map([
  [FIRST_VERSION, [...TABLES, ...VIEWS]],
  // `sql --json` gave the texts 'true' and 'false'.
  [9, ['ALTER TABLE insider ALTER COLUMN is_derivative SET DATA TYPE BOOLEAN']],
  [
    10,
    [
      // How each file was read: answers with their facts, as JSON.
      'ALTER TABLE segment_files ADD COLUMN reading VARCHAR',
      // A dividend in another currency than the prices; null is theirs.
      'ALTER TABLE stated_actions ADD COLUMN currency VARCHAR',
      // The type of actions that a statement knows, 'split' or 'dividend'. Null: both.
      'ALTER TABLE action_coverage ADD COLUMN covers VARCHAR',
      `CREATE OR REPLACE ${RANKED_COVERAGE}`,
      corporateActionsSql(', a.currency', COVERS_TYPE),
      // Volumes were divided by the factor of dividends too. Null: by `factor`.
      'ALTER TABLE winners ADD COLUMN split_factor DOUBLE',
      // True if volumes of a series are divided by dividends too, as Stooq's.
      'ALTER TABLE series ADD COLUMN scales_volume BOOLEAN',
      "UPDATE series SET scales_volume = true WHERE source = 'stooq' AND basis = 'all'",
      // A dividend as its input states it, from which `amount` is made again when other inputs
      // show which splits it was adjusted for. Null: `amount`.
      'ALTER TABLE stated_actions ADD COLUMN own_amount DOUBLE',
      ...candleViews(VOLUME_FACTOR).map((view) => `CREATE OR REPLACE ${view}`),
    ],
  ],
  [
    12,
    [
      // Dated facts about tickers, as they were stated; `is_settled` is false until rows follow.
      `CREATE TABLE ticker_facts (kind VARCHAR, ticker VARCHAR, on_date DATE, end_date DATE,
        other VARCHAR, other_date DATE, source VARCHAR, stated_at TIMESTAMP, is_settled BOOLEAN)`,
      // What the facts and rows give: all days of each ticker, and whose they are. Days are
      // inclusive, null is open.
      `CREATE TABLE ticker_places (ticker VARCHAR, from_date DATE, to_date DATE,
        security_id INTEGER, role VARCHAR)`,
      ...FACTS_OF_SPANS,
      // A ticker without dates that others have left is of who took it after them.
      `INSERT INTO ticker_places
        SELECT ticker, coalesce(t.from_date, CASE WHEN t.to_date IS NULL THEN l.last + 1 END),
          to_date, security_id,
          CASE WHEN from_date IS NULL AND to_date IS NULL THEN 'open' ELSE 'held' END
        FROM security_tickers t LEFT JOIN (
          SELECT ticker, max(to_date) AS last FROM security_tickers GROUP BY ticker) l
          USING (ticker)`,
      'DROP TABLE security_tickers',
      `CREATE VIEW security_tickers AS SELECT security_id, ticker, from_date, to_date
        FROM ticker_places WHERE security_id IS NOT NULL AND role IN ('held', 'open', 'free')`,
      // The first day of the place of its ticker; null: open. Rows of a raw series are of one place.
      'ALTER TABLE series ADD COLUMN from_date DATE',
    ],
  ],
  // Bars outside of regular hours were stored and not published.
  [14, publishAgain('publish other hours', "interval LIKE '%-extended'")],
  // Rows of datasets that lose against one of another ticker of their security, as JSON.
  [15, ['CREATE TABLE shadowed_rows (table_name VARCHAR, ticker VARCHAR, "row" JSON)']],
  // Snapshots of directories, and each listing from the first to the last snapshot that has it.
  [
    18,
    [
      'CREATE TABLE listing_snapshots (list VARCHAR, taken_at TIMESTAMP)',
      `CREATE TABLE listing_spans (list VARCHAR, ticker VARCHAR, company_name VARCHAR,
        exchange VARCHAR, venue VARCHAR, cik BIGINT, first_at TIMESTAMP, last_at TIMESTAMP)`,
    ],
  ],
  // Notices of filings and vendors' lists that a class left its exchange, and why.
  [
    19,
    [
      'ALTER TABLE ticker_facts ADD COLUMN reason VARCHAR',
      `CREATE TABLE removals (id VARCHAR, form VARCHAR, cik BIGINT, ticker VARCHAR, on_date DATE,
        kind VARCHAR, title VARCHAR, reason VARCHAR, source VARCHAR)`,
    ],
  ],
  // Number of the rules that made a segment's rows of filings; null for others, and for older ones.
  [20, ['ALTER TABLE segments ADD COLUMN rules INTEGER']],
  // Where one input stated a security by two tickers, the actions of one ticker were lost.
  [
    21,
    [
      corporateActionsSql(', a.currency', ONE_INPUT.better, ONE_INPUT.ranked),
      ...publishAgain(
        'publish actions of two tickers',
        `symbol IN (${ONE_INPUT.symbols})`,
        ', NULL',
      ),
    ],
  ],
]);

const versions = new Set([...WRITTEN_VERSIONS.keys(), ...datasetVersions(rowDatasets)]);

/** Statements by version. Those of the first make a new store, later ones change the one before. */
export const SCHEMA_VERSIONS: ReadonlyMap<number, readonly string[]> = new Map(
  [...versions]
    .sort((a, b) => a - b)
    .map((version) => {
      const ofDatasets = datasetStatements(rowDatasets, version);
      return [version, [...ofDatasets, ...(WRITTEN_VERSIONS.get(version) ?? [])]] as const;
    }),
);
