/** The named screens of the bench, each with its query for DuckDB. */

export interface NamedScreen {
  name: string;
  where: string;
  /**
   * SQL that gives the numbers of the symbols, as of a bar; undefined where SQL can't express it.
   */
  sql: ((last: number) => string) | undefined;
}

/** A query over the newest rows alone. */
const overNewest = (last: number, count: number, select: string, where: string) => `
  WITH newest AS (
    SELECT symbol, bar, close, high, volume FROM candles
    WHERE bar > ${last - count} AND bar <= ${last}
  ), figures AS (${select})
  SELECT DISTINCT symbol FROM figures WHERE ${where} ORDER BY symbol`;

const over = (rows: number) =>
  `OVER (PARTITION BY symbol ORDER BY bar ROWS BETWEEN ${rows - 1} PRECEDING AND CURRENT ROW)`;

export const namedScreens: readonly NamedScreen[] = [
  {
    name: 'oversold',
    where: 'rsi(14) < 30 and close > sma(200)',
    // A list is the only way to carry a value from row to row.
    sql: (last) => `
      WITH moves AS (
        SELECT symbol, bar, close,
          close - lag(close) OVER (PARTITION BY symbol ORDER BY bar) AS move
        FROM candles WHERE bar <= ${last}
      ), lists AS (
        SELECT symbol, last(close ORDER BY bar) AS close,
          avg(close) FILTER (bar > ${last - 200}) AS average,
          list(move ORDER BY bar) FILTER (move IS NOT NULL) AS moves
        FROM moves GROUP BY symbol
      ), sums AS (
        SELECT symbol, close, average,
          list_reduce(list_prepend(list_sum(moves[1:14]), moves[15:]),
            lambda total, move: total * 13 / 14 + move) AS net,
          list_reduce(list_prepend(list_sum(list_transform(moves[1:14], lambda move: abs(move))),
            list_transform(moves[15:], lambda move: abs(move))),
            lambda total, move: total * 13 / 14 + move) AS gross
        FROM lists
      )
      SELECT symbol FROM sums
      WHERE 50 + 50 * net / gross < 30 AND close > average ORDER BY symbol`,
  },
  {
    name: 'golden cross',
    where: 'sma(50) crosses above sma(200) within 5',
    sql: (last) =>
      overNewest(
        last,
        205,
        `SELECT symbol, bar, short > long AS above,
         lag(short > long) OVER (PARTITION BY symbol ORDER BY bar) AS before
       FROM (SELECT symbol, bar, avg(close) ${over(50)} AS short, avg(close) ${over(200)} AS long
         FROM newest)`,
        `bar > ${last - 5} AND above AND NOT before`,
      ),
  },
  {
    name: 'breakout',
    where: 'close >= highest(high, 252) and volume > 2 * avg(volume, 50)',
    sql: (last) =>
      overNewest(
        last,
        252,
        `SELECT symbol, last(close ORDER BY bar) AS close, max(high) AS top,
         last(volume ORDER BY bar) AS volume,
         avg(volume) FILTER (bar > ${last - 50}) AS usual
       FROM newest GROUP BY symbol`,
        'close >= top AND volume > 2 * usual',
      ),
  },
  {
    name: 'back in band',
    where: 'close[1] < bollinger(20, 2).lower and close > bollinger(20, 2).lower',
    sql: (last) =>
      overNewest(
        last,
        20,
        `SELECT symbol, last(close ORDER BY bar) AS close, avg(close) - 2 * stddev_pop(close) AS lower,
         first(close ORDER BY bar) FILTER (bar = ${last - 1}) AS before
       FROM newest GROUP BY symbol`,
        'before < lower AND close > lower',
      ),
  },
  {
    name: 'momentum',
    where: 'macd(12, 26, 9).histogram > 0 for 3 and weekly(rsi(14)) > 50',
    // An average of averages needs every row of the first, which no list of one number can carry.
    sql: undefined,
  },
];
