/** Header and a few rows of a file as text, in any form. The dialect is decided from them. */

import type { DuckDBConnection } from '@duckdb/node-api';
import { MalformedInputError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { readFile } from '../../base/world/file-promises.ts';
import { csvFields, delimiterOf } from '../inputs/csv-line.ts';
import { fileLines, lastLine } from '../inputs/file-lines.ts';
import type { FileForm } from '../inputs/input-file.ts';
import { type JsonObject, objectFromLine } from '../inputs/json-line.ts';
import type { FileScan } from '../inputs/scan-input.ts';
import { parquetColumns } from '../segments/parquet-columns.ts';
import { type ParquetZones, parquetZones, withZonedTexts } from '../segments/parquet-zones.ts';
import { sqlFile } from '../segments/sql-text.ts';
import { type DateFormat, dayFromText, possibleDateFormats } from '../timing/date-format.ts';
import { hasClock, hasTimeOfDay } from '../timing/stamp-format.ts';
import { BAR_MESSAGES, type CandleColumns, stampColumns } from './columns.ts';

export interface FileSample {
  form: FileForm;
  /** Delimiter between CSV fields; empty for other forms. */
  delimiter: string;
  /** Names in file order: the CSV header, the keys of all JSON lines, or Parquet columns. */
  header: string[];
  /** Names as the file states them, if the reader needs other ones. */
  statedNames?: string[];
  /** Types of the values by position: Parquet's, and those of JSON that are not text. */
  types?: (string | undefined)[];
  /** The first rows, with fields in the order of `header`. A missing value is an empty text. */
  rows: string[][];
  last: string[];
  /** Rows at even places of a file with adjusted closes. */
  spread?: string[][];
  /** Zones of Parquet columns whose texts are of their zone's clock. */
  zones?: ParquetZones;
}

/** Six weeks of daily bars, which contain days of the month above 12. */
export const SAMPLE_ROWS_FEW = 30;
/** Rows for files whose first rows do not decide: more than any symbol has. */
export const SAMPLE_ROWS_MANY = 100_000;

/** @returns undefined if the first bytes hold no line. */
export function sampleFromHead(scan: FileScan): FileSample | undefined {
  // A cut line at the end of the head is not a row. The head of a short file is the whole file.
  const headLines = textLines(scan.head, SAMPLE_ROWS_FEW + 1);
  const isCut = headLines.length <= SAMPLE_ROWS_FEW && scan.bytes > Buffer.byteLength(scan.head);
  if (isCut && headLines.length > 1) headLines.pop();
  const lines = headLines.slice(0, SAMPLE_ROWS_FEW);
  return lines.length > 0 ? sampleFromCsv(lines, scan) : undefined;
}

/** Does the same with many rows. Skips rows too long to be read. */
export async function sampleFromCsvFile(
  path: string,
  scan: FileScan,
): Promise<FileSample | undefined> {
  const lines: string[] = [];
  let chars = 0;
  for await (const line of fileLines(path)) {
    lines.push(line);
    chars += line.length;
    if (lines.length > SAMPLE_ROWS_MANY || chars > limits.ingest.sampleCharsMax) break;
  }
  return lines.length > 0 ? sampleFromCsv(lines, scan) : undefined;
}

/** Rows at even places, and bytes of the largest file that is read for them. */
const [SPREAD_ROWS, SPREAD_BYTES_MAX] = [64, 2 ** 23];

/** Returns rows from the whole file, which show what changes between the first and the last one. */
export async function spreadRows(
  path: string,
  { bytes }: FileScan,
  delimiter: string,
): Promise<string[][] | undefined> {
  if (bytes > SPREAD_BYTES_MAX) return undefined;
  const text = await readFile(path, 'utf8');
  return Array.from({ length: SPREAD_ROWS }, (_, place) => {
    const from = text.indexOf('\n', Math.floor((text.length * place) / SPREAD_ROWS)) + 1;
    const end = text.indexOf('\n', from);
    return csvFields(text.slice(from, end === -1 ? undefined : end), delimiter);
  });
}

/** Returns lines with text: the first ones, as many as are wanted. */
function textLines(text: string, linesMax: number): string[] {
  const lines: string[] = [];
  for (let from = 0; from < text.length && lines.length < linesMax; ) {
    const found = text.indexOf('\n', from);
    const end = found === -1 ? text.length : found;
    const line = text.slice(from, text[end - 1] === '\r' ? end - 1 : end);
    if (line !== '') lines.push(line);
    from = end + 1;
  }
  return lines;
}

function sampleFromCsv(lines: string[], { tail }: FileScan): FileSample {
  const delimiter = delimiterOf(lines[0]);
  const [header, ...rows] = lines.map((line) => csvFields(line, delimiter));
  const last = csvFields(lastLine(tail), delimiter);
  return { form: 'csv', delimiter, header, rows, last };
}

/**
 * Reads all lines, because any of them may have a key that others lack.
 * @throws {MalformedInputError} there are more keys than there may be columns.
 */
export async function sampleFromJsonLines(
  path: string,
  rowsMax: number,
): Promise<FileSample | undefined> {
  const keys = new Set<string>();
  const types = new Map<string, string>();
  const objects: JsonObject[] = [];
  let last: JsonObject | undefined;
  let chars = 0;
  for await (const line of fileLines(path)) {
    const object = objectFromLine(line);
    if (!object) continue;
    for (const key in object) {
      const type = JSON_TYPES[typeof object[key]];
      if (type !== undefined) types.set(key, type);
      keys.add(key);
    }
    if (keys.size > limits.ingest.columnsMax) {
      throw new MalformedInputError(`it has more than ${limits.ingest.columnsMax} columns`);
    }
    chars += line.length;
    if (objects.length < rowsMax && chars <= limits.ingest.sampleCharsMax) objects.push(object);
    last = object;
  }
  if (!last) return undefined;
  const header = [...keys];
  const rowOf = (object: JsonObject) => header.map((name) => textOf(object[name]));
  return {
    form: 'jsonl',
    delimiter: '',
    header,
    types: header.map((name) => types.get(name)),
    rows: objects.map(rowOf),
    last: rowOf(last),
  };
}

/** Text of a value as its rows are read: of dates that are floats without the point. */
const textOf = (value: unknown) => String(value ?? '').replace(/^(\d{8,19})\.0$/, '$1');

/** Types of JSON values that are no text, by their type in JavaScript. */
const JSON_TYPES: Record<string, string | undefined> = { boolean: 'BOOLEAN', number: 'DOUBLE' };

/** Samples a Parquet file and counts its rows. @throws DuckDB's error if it is not Parquet. */
export async function sampleFromParquet(
  connection: DuckDBConnection,
  path: string,
  rowsMax: number,
): Promise<{ sample: FileSample; rowCount: number }> {
  const columns = await parquetColumns(connection, path);
  const zones = await parquetZones(connection, path);
  const plain = `read_parquet(${sqlFile(path)}, hive_partitioning = false)`;
  const file = withZonedTexts(plain, zones);
  const rowsOf = async (sql: string) => {
    const reader = await connection.runAndReadAll(sql);
    const rows = reader.getRowsJS().map((row) => row.map(textOf));
    return { header: reader.columnNames(), rows };
  };
  const texts = 'SELECT COLUMNS(*)::VARCHAR FROM';
  const { header, rows } = await rowsOf(`${texts} ${file} LIMIT ${rowsMax}`);
  const counted = await rowsOf(`SELECT count(*) FROM ${file}`);
  const rowCount = Number(counted.rows[0][0]);
  const last = await rowsOf(`${texts} ${file} OFFSET ${Math.max(rowCount - 1, 0)}`);
  const sample: FileSample = {
    form: 'parquet',
    delimiter: '',
    header,
    statedNames: columns.map(({ name }) => name),
    types: columns.map(({ type }) => type),
    rows,
    last: last.rows[0] ?? [],
    zones,
  };
  return { sample, rowCount };
}

/**
 * Dates the bars by a column with a time of day, if the date column has none and its days are
 * those of the timestamps, give or take a zone. A time of download has other days.
 * @returns the column of days that was the date.
 */
export function takeStampColumn(
  { header, rows }: FileSample,
  columns: CandleColumns,
): { column: number; dateFormat: DateFormat } | undefined {
  const { date, message } = columns;
  if (date === undefined || message !== undefined) return undefined;
  const texts = (column: number) => rows.map((row) => row[column] ?? '');
  // A column `time` may have whole stamps.
  if (columns.time !== undefined && texts(columns.time).every(isWholeStamp)) delete columns.time;
  const others = stampColumns(header, columns).filter((column) => column !== date);
  if (others.length === 0) return undefined;
  const own = rows.map((row) => stampText(row, columns));
  const formats = possibleDateFormats(own, Number.POSITIVE_INFINITY);
  if (own.some((text) => formats.some((format) => hasTimeOfDay(text, format)))) return undefined;
  for (const column of others) {
    const stamps = texts(column);
    const [stampFormat] = possibleDateFormats(stamps, Number.POSITIVE_INFINITY);
    if (stampFormat === undefined) continue;
    const dateFormat = formats.find((format) =>
      texts(date).every((text, at) => {
        const days = [dayFromText(text, format), dayFromText(stamps[at], stampFormat)];
        return Math.abs((days[0] ?? Number.NaN) - (days[1] ?? Number.NaN)) <= 1;
      }),
    );
    if (dateFormat === undefined) continue;
    if (!stamps.some((text) => hasTimeOfDay(text, stampFormat))) continue;
    columns.date = column;
    if (columns.time !== undefined) delete columns.time;
    return { column: date, dateFormat };
  }
  return undefined;
}

function isWholeStamp(text: string): boolean {
  const formats = possibleDateFormats([text], Number.POSITIVE_INFINITY);
  return formats.some((format) => format !== 'epoch' && hasClock(text, format));
}

/** Date and time of day of a row; empty for messages that are no bars. */
export function stampText(row: readonly string[], { date, time, message }: CandleColumns): string {
  if (message !== undefined && !BAR_MESSAGES.includes(row[message])) return '';
  const text = row[date!] ?? '';
  return time === undefined || text === '' ? text : `${text} ${row[time] ?? ''}`.trimEnd();
}
