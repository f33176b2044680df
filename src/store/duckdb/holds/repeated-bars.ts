/**
 * Finds daily bars that repeat one of the days before, with all prices and the volume. A block that
 * was pasted a row too low leaves one at its top, a feed that stands still some, and a file of the
 * day before under a new date nothing else.
 */

import type { DuckDBConnection } from '@duckdb/node-api';
import { BAR_FIELDS } from '../../../base/bars.ts';
import { limits } from '../../../base/limits.ts';
import { dateFromDay, dayFromMicros } from '../../../base/time/dates.ts';
import { barTable } from '../connection/bar-table.ts';
import { selectRows } from '../connection/sql-rows.ts';
import { besideSql, readSampled } from './beside-bars.ts';
import type { NewRows } from './replaced-bars.ts';
import type { SeriesHold } from './series-hold.ts';

const BARS_BACK = limits.quality.repeatedBarsBack;
/** Days before a bar in which stored ones are compared with it: five sessions and a holiday. */
const DAYS_BACK = 8;
const SHARES_MIN = limits.quality.repeatedSharesMin;
/** Symbols, and share of them, from which their file is a repeated one. */
const [SYMBOLS_MIN, SHARE_MIN] = [5, 0.9];

interface Repeat {
  symbol: string;
  us: number;
  /** Bar that has the same values; null: none has. */
  beforeUs: number | null;
  /** False if the volume is another one. */
  hasVolume?: boolean;
  /** True for four different prices of some range. */
  isWide?: boolean;
}

export interface Repeats {
  /** Symbols whose first new bars repeat stored ones, by no chance. */
  hold?: SeriesHold;
  named: string[];
}

/** Four different prices of some range are no chance from one bar to the next, whatever the volume. */
const IS_WIDE = `high - low >= ${limits.quality.repeatedRangeMin}
  AND open <> close AND high > greatest(open, close) AND low < least(open, close)`;

const IS_TOLD = (bar: string) => `${bar}.volume >= ${SHARES_MIN} AND ${bar}.high > ${bar}.low`;

/** @param stored Symbols of the load with bars before it. */
export async function findRepeats(
  connection: DuckDBConnection,
  rows: NewRows,
  stored: readonly string[],
): Promise<Repeats> {
  if (rows.interval !== '1d') return { named: [] };
  const seams = await readSeams(connection, rows, stored);
  const stale = seams.filter(({ beforeUs }) => beforeUs !== null);
  const isStale = stale.length >= SYMBOLS_MIN && stale.length >= SHARE_MIN * seams.length;
  const held = stale.filter(({ isWide }) => isStale || isWide);
  const inside = await readInside(connection, rows);
  const others = stale.filter((one) => !held.includes(one));
  const named = [...inside, ...others].map((one) => `${one.symbol} ${textOf(one)}`);
  if (held.length === 0) return { named };
  const hold = {
    check: 'repeated bars',
    verbs: ['has', 'have'],
    text: 'the bars of a stored day again (give the file the date of its bars)',
    found: held.map((one) => ({ symbol: one.symbol, detail: textOf(one) })),
  } as const;
  return { hold, named };
}

function textOf({ us, beforeUs, hasVolume = true }: Repeat): string {
  const [day, before] = [us, beforeUs!].map((one) => dateFromDay(dayFromMicros(one)));
  return `${day} has all ${hasVolume ? 'values' : 'prices'} of ${before}`;
}

/** Reads repeats among the bars of the load, which are in order of their series and time. */
function readInside(
  connection: DuckDBConnection,
  { interval, firstFileId }: NewRows,
): Promise<Repeat[]> {
  const { bars } = barTable(interval);
  const places = Array.from({ length: BARS_BACK }, (_, i) => i + 1);
  const lags = places.map((place) => `lag(mark, ${place}) OVER () AS mark${place}`);
  const isRepeat = `mark IN (${places.map((place) => `mark${place}`)})`;
  const prices = ['series_id', ...BAR_FIELDS.filter((name) => name !== 'volume')].join(', ');
  const values = `${prices}, volume`;
  return selectRows(
    connection,
    `WITH marks AS (
       SELECT ${values}, ts, hash(${values}) AS mark, hash(${prices}) AS price_mark
       FROM ${bars} WHERE file_id >= ${firstFileId}),
     repeats AS (
       FROM (SELECT *, lag(price_mark) OVER () AS price_mark1, ${lags} FROM marks) r
       WHERE (${isRepeat} AND ${IS_TOLD('r')}) OR (price_mark = price_mark1 AND ${IS_WIDE}))
     SELECT s.symbol, epoch_us(r.ts)::DOUBLE AS us, epoch_us(max(b.ts))::DOUBLE AS "beforeUs",
       bool_or(b.volume = r.volume) AS "hasVolume"
     FROM repeats r JOIN ${bars} b USING (${prices}) JOIN series s USING (series_id)
     WHERE b.ts < r.ts AND b.ts >= r.ts - INTERVAL ${2 * DAYS_BACK} DAY
       AND (b.volume = r.volume OR price_mark = price_mark1)
     GROUP BY s.symbol, r.ts ORDER BY s.symbol, r.ts`,
  );
}

/** Reads the first new bar of each symbol that goes on after stored ones. */
function readSeams(
  connection: DuckDBConnection,
  rows: NewRows,
  stored: readonly string[],
): Promise<Repeat[]> {
  const columns = BAR_FIELDS.map((name) => `b.${name}`).join(', ');
  const isSame = BAR_FIELDS.map((name) => `o.${name} = n.${name}`).join(' AND ');
  return readSampled<Repeat>(
    connection,
    `WITH ${besideSql(rows, `b.ts, ${columns}`)},
     firsts AS (
       SELECT n.*, ${IS_WIDE} AS is_wide FROM newer n JOIN (SELECT symbol, min(ts) AS ts FROM newer GROUP BY symbol)
         USING (symbol, ts)
       WHERE ${IS_TOLD('n')})
     SELECT n.symbol, epoch_us(n.ts)::DOUBLE AS us,
       epoch_us(max(o.ts) FILTER (${isSame}))::DOUBLE AS "beforeUs",
       any_value(is_wide) AS "isWide"
     FROM firsts n JOIN older o USING (symbol)
     WHERE o.ts < n.ts AND o.ts >= n.ts - INTERVAL ${DAYS_BACK} DAY
     GROUP BY n.symbol, n.ts ORDER BY n.symbol`,
    stored,
    (found) => found.some(({ beforeUs }) => beforeUs !== null),
  );
}
