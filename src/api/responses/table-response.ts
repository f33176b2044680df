/** Tables as responses in CSV, Arrow and Parquet. */

import { millisFromMicros } from '../../base/bars.ts';
import { volumeNumber } from '../../base/prices/decimals.ts';
import { dateFromDay } from '../../base/time/dates.ts';
import { NULL_INT, NULL_MICROS } from '../../store/arrow/format/batch-layout.ts';
import { CONTENT_TYPES, type Format } from '../http/format.ts';
import { type ApiResponse, createResponse, type HeaderLines } from '../http/response.ts';
import type { Table, TableColumn } from './table.ts';
import { dateTimeText } from './time-text.ts';

export function tableResponse(
  table: Table,
  format: Exclude<Format, 'json'>,
  headers: HeaderLines = [],
): ApiResponse | Promise<ApiResponse> {
  if (format === 'csv') return createResponse(200, CONTENT_TYPES.csv, csvFromTable(table), headers);
  return format === 'arrow' ? arrowResponse(table, headers) : parquetResponse(table, headers);
}

async function parquetResponse(table: Table, headers: HeaderLines): Promise<ApiResponse> {
  const { parquetFromTable } = await import('./parquet.ts');
  return createResponse(200, CONTENT_TYPES.parquet, parquetFromTable(table), headers);
}

async function arrowResponse(table: Table, headers: HeaderLines): Promise<ApiResponse> {
  const { arrowFromTable } = await import('./arrow-stream.ts');
  return createResponse(200, CONTENT_TYPES.arrow, arrowFromTable(table), headers);
}

const NEEDS_QUOTES = /[",\r\n]/;

function quoted(text: string): string {
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** First characters by which spreadsheets take a text for a formula, some of them full-width. */
const FORMULA = /^[=+\-@＝＋－＠\t\r\n]/;

/** Marks a text that spreadsheets would run as a formula: names and titles come from others. */
function harmless(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

const FLAG_TEXTS = new Map([
  [0, 'false'],
  [1, 'true'],
]);

/** Returns a function that writes the field of a row. */
function fieldWriter(column: TableColumn): (row: number) => string | number {
  switch (column.type) {
    case 'timestamp': {
      const ms = millisFromMicros(column.values);
      return (row) => dateTimeText(ms[row]);
    }
    case 'optionalTimestamp': {
      const ms = millisFromMicros(column.values);
      return (row) => (column.values[row] === NULL_MICROS ? '' : dateTimeText(ms[row]));
    }
    case 'date':
      return (row) => dateFromDay(column.values[row]);
    case 'optionalDate':
      return (row) => (column.values[row] === NULL_INT ? '' : dateFromDay(column.values[row]));
    case 'number':
    case 'integer':
      return (row) => (Number.isFinite(column.values[row]) ? column.values[row] : '');
    case 'volume':
      return (row) => (Number.isFinite(column.values[row]) ? volumeNumber(column.values[row]) : '');
    case 'flag':
      return (row) => FLAG_TEXTS.get(column.values[row]) ?? '';
    case 'text':
      return (row) => quoted(harmless(column.values[row]));
    case 'optionalText':
      return (row) => quoted(harmless(column.values[row] ?? ''));
  }
}

/** Writes RFC 4180: a header row, `\r\n` after every row, null as an empty field. */
export function csvFromTable(table: Table, hasHeader = true): Buffer {
  const fields = table.map(fieldWriter);
  const rowCount = table[0].values.length;
  let text = hasHeader ? `${table.map(({ name }) => quoted(name)).join(',')}\r\n` : '';
  for (let row = 0; row < rowCount; row++) {
    text += fields[0](row);
    for (let column = 1; column < fields.length; column++) text += `,${fields[column](row)}`;
    text += '\r\n';
  }
  return Buffer.from(text);
}
