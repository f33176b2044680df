/**
 * Schema version 1: daily candles, their provenance, corporate actions, directory, ledger.
 *
 * No table has a primary key or an index: DuckDB's upserts and WAL replay over indexes have
 * open corruption bugs, and every uniqueness here is kept by the one writer.
 */

const BAR_COLUMNS = `series_id INTEGER, file_id INTEGER, ts TIMESTAMP,
  open DOUBLE, high DOUBLE, low DOUBLE, close DOUBLE, volume DOUBLE`;

export const schemaV1: readonly string[] = [
  // The ledger: one row per loaded segment.
  `CREATE TABLE segments (seq INTEGER, segment VARCHAR, dataset VARCHAR, source VARCHAR,
    interval VARCHAR, basis VARCHAR, as_of TIMESTAMP, origin VARCHAR, kind VARCHAR,
    lines BIGINT, accepted BIGINT, rejected BIGINT, loaded_at TIMESTAMP)`,
  // Where rows come from: one row per file of a segment. Conflicts between rows are settled by
  // (as_of, sha256) of their files, which do not depend on how files were grouped.
  `CREATE TABLE segment_files (file_id INTEGER, segment_seq INTEGER, path VARCHAR,
    sha256 VARCHAR, as_of TIMESTAMP, lines BIGINT, accepted BIGINT, rejected BIGINT)`,
  // Not raw: one series per file, immutable, sha256 set. Raw: one per (symbol, interval, source),
  // rows of many files merged, as_of that of its newest file and sha256 empty.
  `CREATE TABLE series (series_id INTEGER, symbol VARCHAR, interval VARCHAR, source VARCHAR,
    basis VARCHAR, as_of TIMESTAMP, sha256 VARCHAR, first_ts TIMESTAMP, last_ts TIMESTAMP,
    row_count BIGINT)`,
  `CREATE TABLE bars (${BAR_COLUMNS})`,
  // Raw rows that lost: per (series_id, ts) each distinct set of values but the one in bars.
  `CREATE TABLE rival_bars (${BAR_COLUMNS})`,
  // Ids that are in bars but not in series: rows to be swept.
  'CREATE TABLE dead_series (series_id INTEGER)',
  // The pieces that make up each (symbol, interval): served price = price * factor, volume =
  // volume / factor, between from_ts and to_ts inclusive.
  `CREATE TABLE winners (symbol VARCHAR, interval VARCHAR, series_id INTEGER,
    from_ts TIMESTAMP, to_ts TIMESTAMP, factor DOUBLE)`,
  'CREATE TABLE source_priority (source VARCHAR, priority INTEGER)',
  // A statement: all that one input said of a symbol's actions between two days, inclusive.
  `CREATE TABLE action_coverage (statement_id INTEGER, symbol VARCHAR, source VARCHAR,
    from_date DATE, to_date DATE, segment_seq INTEGER)`,
  `CREATE TABLE stated_actions (statement_id INTEGER, symbol VARCHAR, type VARCHAR, ex_date DATE,
    numerator BIGINT, denominator BIGINT, amount DOUBLE)`,
  `CREATE TABLE symbols (symbol VARCHAR, company_name VARCHAR, exchange VARCHAR, type VARCHAR,
    source VARCHAR, first_seen TIMESTAMP)`,
  // What publishing must do; seq is that of the segment whose load caused it.
  'CREATE TABLE changes (seq BIGINT, symbol VARCHAR, interval VARCHAR, kind VARCHAR, from_ts TIMESTAMP)',
  'CREATE TABLE outbox (event_id VARCHAR, type VARCHAR, payload JSON, created_at TIMESTAMP)',

  `CREATE VIEW candles AS
    SELECT w.symbol, w.interval, b.ts, b.open * w.factor AS open, b.high * w.factor AS high,
      b.low * w.factor AS low, b.close * w.factor AS close, b.volume / w.factor AS volume,
      s.source, s.basis
    FROM bars b
    JOIN winners w ON b.series_id = w.series_id AND b.ts BETWEEN w.from_ts AND w.to_ts
    JOIN series s ON s.series_id = w.series_id`,
  `CREATE VIEW ranked_coverage AS
    SELECT c.*, row_number() OVER (PARTITION BY c.symbol ORDER BY p.priority,
      g.as_of DESC NULLS LAST, g.segment DESC, c.statement_id DESC) AS rank
    FROM action_coverage c JOIN segments g ON g.seq = c.segment_seq
    JOIN source_priority p ON p.source = c.source`,
  // Of each day the best statement that covers it is believed whole: a source that puts a split
  // one day off must not double it, and a newer vintage may take one back.
  `CREATE VIEW corporate_actions AS
    SELECT a.symbol, a.type, a.ex_date, a.numerator, a.denominator, a.amount, m.source,
      m.segment_seq
    FROM stated_actions a JOIN ranked_coverage m ON m.statement_id = a.statement_id
      AND a.ex_date BETWEEN m.from_date AND m.to_date
    WHERE NOT EXISTS (SELECT 1 FROM ranked_coverage o WHERE o.symbol = m.symbol
      AND o.rank < m.rank AND a.ex_date BETWEEN o.from_date AND o.to_date)`,
];
