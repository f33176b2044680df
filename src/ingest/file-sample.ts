/** Header and a few rows of a file as text, whatever its form: what a dialect is told by. */

import type { DuckDBConnection } from '@duckdb/node-api';
import { csvFields } from './csv-line.ts';
import type { FileForm } from './input-file.ts';
import type { FileScan } from './scan-input.ts';
import { sqlFile } from './sql-text.ts';

export interface FileSample {
  form: FileForm;
  /** Between CSV fields; empty for other forms. */
  delimiter: string;
  /** Names in file order: the CSV header, the keys of the first JSON line, Parquet columns. */
  header: string[];
  /** The first rows, fields in the order of `header`; a missing value is an empty text. */
  rows: string[][];
  /** The last row. */
  last: string[];
}

const DELIMITERS = [',', ';', '\t', '|'];
/** Six weeks of daily bars: days above 12 are among them. */
const SAMPLE_ROWS_MAX = 30;

/** @returns undefined when the first line is no CSV header or JSON object. */
export function sampleFromText(form: 'csv' | 'jsonl', scan: FileScan): FileSample | undefined {
  // A cut line at the end of the head is no row; a short file's head is the whole file.
  const headLines = textLines(scan.head);
  if (scan.bytes > Buffer.byteLength(scan.head) && headLines.length > 1) headLines.pop();
  const lines = headLines.slice(0, SAMPLE_ROWS_MAX);
  const lastLine = textLines(scan.tail).at(-1);
  if (lines.length === 0 || lastLine === undefined) return undefined;
  return form === 'csv' ? sampleFromCsv(lines, lastLine) : sampleFromJson(lines, lastLine);
}

function textLines(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    const bare = line.replace(/\r$/, '');
    return bare === '' ? [] : [bare];
  });
}

function sampleFromCsv(lines: string[], lastLine: string): FileSample {
  const widths = DELIMITERS.map((delimiter) => csvFields(lines[0], delimiter).length);
  const delimiter = DELIMITERS[widths.indexOf(Math.max(...widths))];
  const [header, ...rows] = lines.map((line) => csvFields(line, delimiter));
  return { form: 'csv', delimiter, header, rows, last: csvFields(lastLine, delimiter) };
}

function sampleFromJson(lines: string[], lastLine: string): FileSample | undefined {
  const first = objectFromLine(lines[0]);
  if (!first) return undefined;
  const header = Object.keys(first);
  const rowOf = (line: string) => {
    const object = objectFromLine(line) ?? {};
    return header.map((name) => String(object[name] ?? ''));
  };
  return { form: 'jsonl', delimiter: '', header, rows: lines.map(rowOf), last: rowOf(lastLine) };
}

function objectFromLine(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Sample and number of rows of a Parquet file.
 *
 * @throws as DuckDB does when the file is not Parquet.
 */
export async function sampleFromParquet(
  connection: DuckDBConnection,
  path: string,
): Promise<{ sample: FileSample; rowCount: number }> {
  const file = `read_parquet(${sqlFile(path)}, hive_partitioning = false)`;
  const rowsOf = async (sql: string) => {
    const reader = await connection.runAndReadAll(sql);
    const rows = reader.getRowsJS().map((row) => row.map((value) => String(value ?? '')));
    return { header: reader.columnNames(), rows };
  };
  const texts = 'SELECT COLUMNS(*)::VARCHAR FROM';
  const { header, rows } = await rowsOf(`${texts} ${file} LIMIT ${SAMPLE_ROWS_MAX}`);
  const counted = await rowsOf(`SELECT count(*) FROM ${file}`);
  const rowCount = Number(counted.rows[0][0]);
  const last = await rowsOf(`${texts} ${file} OFFSET ${Math.max(rowCount - 1, 0)}`);
  const sample: FileSample = {
    form: 'parquet',
    delimiter: '',
    header,
    rows,
    last: last.rows[0] ?? [],
  };
  return { sample, rowCount };
}
