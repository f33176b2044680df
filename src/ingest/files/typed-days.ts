/**
 * The fast way for daily files with a column of symbols: typed columns of whole files, staged as
 * Parquet. A symbol with a row that is not good is left to the exact way, which names the lines.
 */

import { join } from 'node:path';
import { type DayCounts, dayFlagsSql, needLook } from '../../store/duckdb/connection/day-counts.ts';
import { selectRows } from '../../store/duckdb/connection/sql-rows.ts';
import { dailyRowRules, keptSql } from '../segments/row-rules.ts';
import type { Scratch } from '../segments/scratch.ts';
import { sqlFile, sqlString } from '../segments/sql-text.ts';
import { type FaultsOfDays, findFalseDays } from '../timing/false-days.ts';
import { isOfBasisSql } from './basis.ts';
import { type CandleDialect, textGroupKey } from './dialect.ts';
import { closedSymbols, keyOf, type StagedSymbol } from './evidence/closed-symbols.ts';
import { stagedDaysReader } from './evidence/staged-days.ts';
import { sessionSql } from './exact-text.ts';
import { csvSql, isVolumeAsStated } from './fast-select.ts';
import type { CandleInput } from './prepare.ts';

/** Returns true if the typed reader keeps every row that the exact reader would keep. */
export function isTypedDays({ isPlain, dialect, stamps }: CandleInput): boolean {
  const { form, columns, hasTimes } = dialect;
  const hasActions = columns.dividend !== undefined || columns.split !== undefined;
  return (
    isPlain &&
    form === 'csv' &&
    columns.symbol !== undefined &&
    columns.message === undefined &&
    stamps === undefined &&
    !hasTimes &&
    !hasActions &&
    isVolumeAsStated(dialect)
  );
}

export interface TypedDaysRequest {
  /** All files of the segment. `file_index` is a position in this list. */
  inputs: readonly CandleInput[];
  /** Positions of the files to read: at least one, each accepted by `isTypedDays`. */
  indexes: readonly number[];
  /** Returns the symbol of a text, `left out` if it was not requested, or a reason for none. */
  nameOf(index: number, symbolText: string | null): Named;
  nowMs: number;
  faultsOfDays: FaultsOfDays;
  /** True if the user states that dates are right as written. */
  areDatesRight: boolean;
}

export type Named = { symbol: string } | { reason: string } | 'left out';

/** Good rows of files that one statement read, in the order of their symbols. */
export interface TypedDays {
  symbols: { index: number; symbol: string; rowCount: number }[];
  /** SELECT giving the rows; `file_index` is a position in `symbols`. */
  selectSql: string;
}

/** Symbols of a file that must be read exactly, and how many lines they have. */
export interface LeftSymbols {
  symbols: ReadonlySet<string>;
  dataLines: number;
}

export interface TypedDaysResult {
  groups: TypedDays[];
  /** By the index of a file that was read; missing: all of its rows are good. */
  left: Map<number, LeftSymbols | 'whole'>;
}

/** One symbol of a file. All rows count, also those that are not good. */
interface TypedSymbol extends DayCounts, StagedSymbol {
  /** Place among the staged rows, which are in the order of their symbols. */
  firstRow: number;
  /** False if its rows are apart, or their dates do not rise. */
  isInOrder: boolean;
  /** True if its first or last date is far from the others. */
  hasFarEnd: boolean;
  /** True if its dates rise and fall, as those of files that were put together. */
  isMixed: boolean;
}

export async function readTypedDays(
  scratch: Scratch,
  { indexes, ...request }: TypedDaysRequest,
): Promise<TypedDaysResult> {
  const groups = Map.groupBy(indexes, (index) => textGroupKey(request.inputs[index]));
  const result: TypedDaysResult = { groups: [], left: new Map() };
  for (const [number, group] of [...groups.values()].entries()) {
    const path = join(scratch.folder, `typed-${number}.parquet`);
    await readGroup(scratch, { ...request, indexes: group }, path, result);
  }
  return result;
}

async function readGroup(
  scratch: Scratch,
  request: TypedDaysRequest,
  path: string,
  { groups, left }: TypedDaysResult,
): Promise<void> {
  const staged = await stageTyped(scratch, request, path);
  const closed = request.areDatesRight ? new Set() : await closedSymbols(scratch, path, staged);
  // Rows of days without a session, and dates years off, are judged one by one.
  const isOpen = (symbol: TypedSymbol) => !symbol.hasFarEnd && !closed.has(keyOf(symbol));
  const found = staged.map((symbol) => ({
    ...symbol,
    isGood: symbol.isGood && (request.areDatesRight || isOpen(symbol)),
  }));
  const unproven = await unprovenFiles(scratch, request, path, found);
  const byFile = Map.groupBy(found, ({ file }) => file);
  const good: { key: string; file: number; symbol: string; rowCount: number }[] = [];
  for (const index of request.indexes) {
    const rows = byFile.get(index) ?? [];
    const total = rows.reduce((sum, { rowCount }) => sum + rowCount, 0);
    // Lines with other numbers of fields have no row, nor a symbol that could be left.
    if (total !== request.inputs[index].dataLines || unproven.has(index)) {
      left.set(index, 'whole');
      continue;
    }
    const named = namedSymbols(rows, request);
    good.push(...named.good);
    if (named.left.length === 0) continue;
    const dataLines = named.left.reduce((sum, { rowCount }) => sum + rowCount, 0);
    left.set(index, { symbols: new Set(named.left.map(({ key }) => key)), dataLines });
  }
  if (good.length === 0) return;
  groups.push({
    symbols: good.map(({ file, symbol, rowCount }) => ({ index: file, symbol, rowCount })),
    selectSql: rowsSql(path, good, request.indexes.length === 1),
  });
}

/** Separates good symbols from those that the exact way must read. */
function namedSymbols(rows: readonly TypedSymbol[], { nameOf }: TypedDaysRequest) {
  const named = rows.flatMap((row) => {
    const name = nameOf(row.file, row.key === '' ? null : row.key);
    return name === 'left out' ? [] : [{ ...row, symbol: 'symbol' in name ? name.symbol : '' }];
  });
  // Rows of a symbol that has two spellings are one series.
  const spellings = Map.groupBy(named, ({ symbol }) => symbol);
  const isWhole = ({ symbol, isGood }: (typeof named)[number]) =>
    isGood && symbol !== '' && spellings.get(symbol)!.length === 1;
  return { good: named.filter(isWhole), left: named.filter((row) => !isWhole(row)) };
}

/** Stages all rows, each symbol's together and in order. Sorts only if the files do not. */
async function stageTyped(
  scratch: Scratch,
  request: TypedDaysRequest,
  path: string,
): Promise<TypedSymbol[]> {
  const { inputs, indexes, nowMs } = request;
  const connection = await scratch.connect();
  const stage = async (order: string) => {
    await connection.run(`
      COPY (${typedSql(inputs, indexes, nowMs)} ${order}) TO ${sqlString(path)}
      (FORMAT parquet, COMPRESSION uncompressed, DICTIONARY_SIZE_LIMIT 1, ROW_GROUP_SIZE 40_960)`);
    return selectRows<TypedSymbol>(connection, symbolsSql(path));
  };
  const found = await stage('');
  if (found.every(({ isInOrder }) => isInOrder)) return found;
  const mixed = new Set(found.filter(({ isMixed }) => isMixed).map(keyOf));
  const sorted = await stage('ORDER BY file_index, symbol_text, ts');
  return sorted.map((symbol) => ({
    ...symbol,
    isGood: symbol.isGood && !mixed.has(keyOf(symbol)),
  }));
}

/** Characters for which the exact way refuses a line, wherever they stand. */
const CONTROL = '[\\x01-\\x08\\x0b-\\x1f\\x7f]';

/** Bytes of a file that a thread reads at once. Some of them stay in memory for rows that must wait. */
const BUFFER_BYTES = 4_000_000;

/** SELECT giving file_index, symbol_text, ts, prices, volume and is_good: all rows of the files. */
function typedSql(
  inputs: readonly CandleInput[],
  indexes: readonly number[],
  nowMs: number,
): string {
  const { dialect } = inputs[indexes[0]];
  const { columns, period } = dialect;
  const paths = indexes.map((index) => inputs[index].diskPath);
  const number = (at: number | undefined, name: string) =>
    `${at === undefined ? '0::DOUBLE' : `TRY_CAST(c${at} AS DOUBLE) + 0`} AS ${name}`;
  const { open, high, low, close, volume } = columns;
  const read = new Set(Object.values(columns));
  const unread = dialect.header.flatMap((_, at) => (read.has(at) ? [] : [`c${at}`]));
  const own = [
    ...(unread.length === 0
      ? []
      : [`NOT regexp_matches(concat_ws(' ', ${unread.join(', ')}), '${CONTROL}')`]),
    ...(period === undefined ? [] : [`trim(c${columns.period}) = ${sqlString(period)}`]),
    ...(columns.adjustment === undefined ? [] : [isOfBasisSql(dialect, `c${columns.adjustment}`)]),
  ];
  const identity = dialect.identity.map((at) => `trim(c${at})`);
  return `
    SELECT * EXCLUDE is_own,
      coalesce(is_own AND ${keptSql(dailyRowRules(nowMs))}, false) AS is_good
    FROM (SELECT ${identity.length === 0 ? '0::UBIGINT' : `hash(${identity.join(', ')})`} AS identity, ([${indexes}])[file_index::BIGINT + 1]::INTEGER AS file_index, symbol_text,
      ${sessionOfRowSql(dialect)}::TIMESTAMP AS ts,
      ${number(open, 'open')}, ${number(high, 'high')}, ${number(low, 'low')},
      ${number(close, 'close')}, ${number(volume, 'volume')},
      ${own.join(' AND ') || 'true'} AS is_own
    FROM (SELECT *, ${plainDateSql(dialect)} AS plain_date FROM (
      SELECT *, file_index, trim(c${columns.date}) AS date_text,
        trim(coalesce(c${columns.ticker ?? columns.symbol}, '')) AS symbol_text
      FROM ${csvSql(dialect, paths, () => 'VARCHAR', `, buffer_size = ${BUFFER_BYTES}`)})))`;
}

/** Formats of dates that a cast reads, which costs a tenth of the pattern that all others need. */
const CAST_FORMATS: readonly (string | undefined)[] = ['%Y-%m-%d', '%Y%m%d'];

function plainDateSql({ strptime }: CandleDialect): string {
  if (strptime === '%Y-%m-%d') return 'TRY_CAST(date_text AS DATE)';
  return strptime === '%Y%m%d' ? `try_strptime(date_text, '%Y%m%d')::DATE` : 'NULL::DATE';
}

/** The session of a row. A cast date counts only if it is written as the cast would write it. */
function sessionOfRowSql(dialect: CandleDialect): string {
  const { dateShift, strptime } = dialect;
  const session = sessionSql('date_text', dialect);
  if (dateShift !== 'written' || !CAST_FORMATS.includes(strptime)) return session;
  const written = `strftime(plain_date, '${strptime}')`;
  const text = strptime === '%Y-%m-%d' ? 'plain_date::VARCHAR' : written;
  return `CASE WHEN ${text} = date_text THEN plain_date ELSE ${session} END`;
}

/** SELECT giving a `TypedSymbol` for each symbol of the staged files. */
function symbolsSql(path: string): string {
  const isSame = (back: number) =>
    `(lag(file_index, ${back}) OVER () = file_index
      AND lag(symbol_text, ${back}) OVER () = symbol_text)`;
  const before = 'CASE WHEN is_next THEN before END';
  const earlier = 'CASE WHEN is_third THEN earlier END';
  return `
    SELECT file_index AS file, symbol_text AS key, count(*)::DOUBLE AS "rowCount",
      count(*)::DOUBLE AS days, min(row)::DOUBLE AS "firstRow",
      min(us)::DOUBLE AS "firstUs", max(us)::DOUBLE AS "lastUs",
      bool_and(is_good AND (NOT is_next OR us > before)) AND min(identity) = max(identity) AS "isGood",
      count(*) FILTER (NOT is_next) = 1 AND bool_and(NOT is_next OR us > before) AS "isInOrder",
      bool_or(is_next AND us > before) AND bool_or(is_next AND us < before) AS "isMixed",
      coalesce(max(us) FILTER (is_far) = max(us)
        OR min(row) FILTER (is_far) - min(row) <= 2, false) AS "hasFarEnd",
      count(*) FILTER (is_slow)::DOUBLE AS slow, count(*) FILTER (is_weekend)::DOUBLE AS weekends,
      count(*) FILTER (is_next_day)::DOUBLE AS "nextDays"
    FROM (SELECT *, ${dayFlagsSql('us', before, earlier)} FROM (
      SELECT file_index, symbol_text, file_row_number AS row, epoch_us(ts) AS us, is_good, identity,
        coalesce(${isSame(1)}, false) AS is_next, coalesce(${isSame(2)}, false) AS is_third,
        lag(epoch_us(ts)) OVER () AS before, lag(epoch_us(ts), 2) OVER () AS earlier
      FROM read_parquet(${sqlFile(path)}, file_row_number = true)))
    GROUP BY file_index, symbol_text ORDER BY min(row)`;
}

/** Dates of a symbol that show daily bars, more than the few that are judged by exact facts. */
const DAYS_MIN = 60;

/** Finds files whose dates may not be of daily bars. Symbols that are not good are looked at too. */
async function unprovenFiles(
  scratch: Scratch,
  { faultsOfDays }: TypedDaysRequest,
  path: string,
  found: readonly TypedSymbol[],
): Promise<Set<number>> {
  const toLook = found.filter((symbol) => !symbol.isGood || needLook(symbol));
  const days = stagedDaysReader(await scratch.connect(), path, found);
  const faults = await findFalseDays(days, toLook, faultsOfDays, filesOfDays(found));
  return new Set(faults.map(({ file }) => file));
}

/** Tells files of which a symbol has daily bars from the first date to the last, and none weekends. */
function filesOfDays(found: readonly TypedSymbol[]): (file: number) => boolean {
  const daily = [...Map.groupBy(found, ({ file }) => file)].flatMap(([file, symbols]) => {
    const dated = symbols.filter(({ firstUs }) => firstUs !== null);
    const firstUs = dated.reduce((us, one) => Math.min(us, one.firstUs!), Infinity);
    const lastUs = dated.reduce((us, one) => Math.max(us, one.lastUs!), -Infinity);
    const isWhole = (one: TypedSymbol) =>
      one.firstUs === firstUs &&
      one.lastUs === lastUs &&
      one.rowCount >= DAYS_MIN &&
      one.nextDays! * 2 > one.rowCount;
    return symbols.some(isWhole) && symbols.every(({ weekends }) => weekends === 0) ? [file] : [];
  });
  const files = new Set(daily);
  return (file) => files.has(file);
}

/**
 * SELECT giving the rows of some symbols, numbered by their place in the list.
 *
 * @param isOneFile True if all staged rows are of one file: their symbols are then looked up alone.
 */
function rowsSql(
  path: string,
  symbols: readonly { file: number; key: string }[],
  isOneFile: boolean,
): string {
  const keys = symbols.map(({ file, key }) => (isOneFile ? key : `${file} ${key}`));
  const key = isOneFile ? 'symbol_text' : "(file_index || ' ' || symbol_text)";
  // A list of texts as a type is a look-up that keeps the order of the rows.
  const places = `enum_code(TRY_CAST(${key} AS ENUM(${keys.map(sqlString).join(', ')})))`;
  return `SELECT place::INTEGER AS file_index, ts, open, high, low, close, volume
    FROM (SELECT *, ${places} AS place FROM read_parquet(${sqlFile(path)}))
    WHERE place IS NOT NULL`;
}
