/** Schema version 3: bars of 1 and 5 minutes, in tables of their own, and views over both kinds. */

const BAR_COLUMNS = `series_id INTEGER, file_id INTEGER, ts TIMESTAMP,
  open DOUBLE, high DOUBLE, low DOUBLE, close DOUBLE, volume DOUBLE`;

/** Served bars of one table, of the intervals that winners spell as in `intervalsSql`. */
function servedSql(bars: string, intervalSql: string, intervalsSql: string): string {
  return `SELECT w.symbol, ${intervalSql} AS interval, b.ts, b.open * w.factor AS open,
      b.high * w.factor AS high, b.low * w.factor AS low, b.close * w.factor AS close,
      b.volume / w.factor AS volume, s.source, s.basis
    FROM ${bars} b
    JOIN winners w ON b.series_id = w.series_id AND b.ts BETWEEN w.from_ts AND w.to_ts
    JOIN series s ON s.series_id = w.series_id
    WHERE w.interval IN (${intervalsSql})`;
}

export const schemaV3: readonly string[] = [
  // Bars of regular and of extended hours; their series tell them apart: series, winners and
  // changes spell the interval of the latter 1m-extended and 5m-extended.
  `CREATE TABLE intraday_bars (${BAR_COLUMNS})`,
  `CREATE TABLE intraday_rival_bars (${BAR_COLUMNS})`,
  `CREATE OR REPLACE VIEW candles AS
    ${servedSql('bars', 'w.interval', "'1d'")}
    UNION ALL
    ${servedSql('intraday_bars', 'w.interval', "'1m', '5m'")}`,
  `CREATE VIEW extended_candles AS
    ${servedSql('intraday_bars', "replace(w.interval, '-extended', '')", "'1m-extended', '5m-extended'")}`,
];
