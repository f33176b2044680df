import type { DuckDBConnection } from '@duckdb/node-api';
import { MalformedInputError } from '../../base/errors.ts';
import { sqlFile, sqlName, sqlString } from '../segments/sql-text.ts';
import { severalVenues } from '../shapes/databento.ts';
import { isAdjustedClose, onePrice, PRICE_FIELDS } from '../shapes/fields.ts';
import { areDated } from '../shapes/folder-day.ts';
import type { WideCell } from '../shapes/unstacked.ts';
import {
  areWhole,
  dateColumn,
  nameOfDates,
  refuseCurrency,
  symbolsOfCloses,
  wideCells,
} from '../shapes/wide-names.ts';

/**
 * Writes a Parquet file of another shape as a table with a row for each symbol and day: names that
 * hold ticker and field, such as `('Close', 'AAPL')`, Databento's whole prices, and files that leave
 * their day to a folder.
 * @param name Name of the file, which may hold a ticker.
 * @param day The day that folders state.
 * @returns the path of the table, or `path` if the file is none of these.
 * @throws {MalformedInputError} the file is known, and holds no bars of one venue.
 */
export async function plainParquet(
  connection: DuckDBConnection,
  path: string,
  { to, name, day }: { to: string; name: string; day?: string },
): Promise<string> {
  const file = `read_parquet(${sqlFile(path)}, hive_partitioning = false)`;
  const found = await connection.runAndReadAll(`FROM ${file} LIMIT 0`);
  const header = found.columnNames();
  const copy = (select: string) =>
    connection.run(`COPY (${select}) TO ${sqlString(to)} (FORMAT parquet)`);
  const types = found.columnTypes();
  // A time of day is no date.
  if (day !== undefined && !areDated(header.filter((_, at) => `${types[at]}` !== 'TIME'))) {
    await copy(`SELECT DATE ${sqlString(day)} AS date, * FROM ${file}`);
    return to;
  }
  if (header.includes('ts_event') && header.includes('rtype')) {
    await refuseSeveralVenues(connection, file, header);
    const isWhole = `${types[header.indexOf('open')]}` === 'BIGINT';
    if (!isWhole) return path;
    await copy(`SELECT * REPLACE (${WHOLE_PRICES}) FROM ${file}`);
    return to;
  }
  const dateAt = dateColumn(header);
  const barAt = types.findIndex((type) => /^STRUCT\(.*\bopen"? \w.*\bclose"? \w/i.test(`${type}`));
  if (dateAt !== -1 && barAt !== -1) {
    const bar = sqlName(header[barAt]);
    await copy(`SELECT * EXCLUDE (${bar}), ${bar}.* FROM ${file}`);
    return to;
  }
  if (/^(?:INTEGER|BIGINT|SMALLINT)$/.test(`${types[dateAt]}`)) {
    const date = sqlName(header[dateAt]);
    if (!(await areDaysSince1970(connection, file, date))) return path;
    await copy(`SELECT * REPLACE (DATE '1970-01-01' + ${date}::INTEGER AS ${date}) FROM ${file}`);
    return to;
  }
  const cells = dateAt === -1 ? [] : wideCells(header, dateAt);
  const closes = cells.length === 0 ? symbolsOfCloses(header) : undefined;
  if (closes !== undefined) throw new MalformedInputError(onePrice(closes));
  if (cells.length === 0 || !areWhole(cells)) return path;
  refuseCurrency(cells, name);
  // In the order in which yfinance writes prices of one ticker, which tells their basis.
  if (await isAdjustedByYfinance(connection, path, cells)) {
    cells.sort((a, b) => (a.field < b.field ? -1 : 1));
  }
  const selects = [...Map.groupBy(cells, ({ symbol }) => symbol)].map(([symbol, own]) => {
    const values = own.map(({ at, field }) => `${sqlName(header[at])} AS ${sqlName(field)}`);
    const numbers = own.map(({ at }) => `TRY_CAST(${sqlName(header[at])} AS DOUBLE)`);
    // The lines are the days of all symbols; one that had none has no number.
    const isBar = numbers.map((number) => `NOT coalesce(isnan(${number}), true)`).join(' OR ');
    return `SELECT ${sqlName(header[dateAt])} AS ${nameOfDates(header[dateAt])},
      ${values.join(', ')}, ${sqlString(symbol)} AS symbol FROM ${file} WHERE ${isBar}`;
  });
  await copy(selects.join(' UNION ALL BY NAME '));
  return to;
}

/** True for days from 1980 on, as numbers below those of Excel's days since 1962, without a weekend. */
async function areDaysSince1970(
  connection: DuckDBConnection,
  file: string,
  date: string,
): Promise<boolean> {
  const day = `DATE '1970-01-01' + ${date}::INTEGER`;
  const found = await connection.runAndReadAll(`
    SELECT count(DISTINCT ${date}) >= 5 AND coalesce(bool_and(CASE
      WHEN ${date} BETWEEN 3652 AND 22645 THEN isodow(${day}) < 6 ELSE false END), false)
    FROM ${file} WHERE ${date} IS NOT NULL`);
  return found.getRowsJS()[0][0] === true;
}

/** Databento's prices count billionths; the largest number stands for none. */
const WHOLE_PRICES = PRICE_FIELDS.map(
  (name) => `nullif(${name}, 9223372036854775807) / 1e9 AS ${name}`,
).join(', ');

async function refuseSeveralVenues(
  connection: DuckDBConnection,
  file: string,
  header: readonly string[],
): Promise<void> {
  if (!header.includes('publisher_id')) return;
  const sql = `SELECT min(publisher_id)::VARCHAR AS one, max(publisher_id)::VARCHAR AS other FROM ${file}`;
  const [row] = (await connection.runAndReadAll(sql)).getRowObjectsJson();
  const { one, other } = row as { one: string; other: string };
  if (one !== other) throw severalVenues(one, other);
}

/** True for the levels of yfinance, by the metadata of pandas, without an adjusted close. */
async function isAdjustedByYfinance(
  connection: DuckDBConnection,
  path: string,
  cells: readonly WideCell[],
): Promise<boolean> {
  if (cells.some(({ field }) => isAdjustedClose(field))) return false;
  const sql = `SELECT decode(value)::JSON->>'$.column_indexes[*].name' AS names
    FROM parquet_kv_metadata(${sqlFile(path)}) WHERE decode(key) = 'pandas'`;
  const [row] = (await connection.runAndReadAll(sql)).getRowObjectsJson();
  const names = (row?.names ?? []) as string[];
  return names.includes('Price') && names.includes('Ticker');
}
