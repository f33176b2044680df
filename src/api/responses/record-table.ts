/** Converts records, which are stored as JSON, to a table for CSV and Arrow. */

import { z } from 'zod';
import { dayFromDate } from '../../base/time/dates.ts';
import { NULL_INT } from '../../store/arrow/format/batch-layout.ts';
import type { Table, TableColumn } from './table.ts';

type Row = Record<string, string | number | string[] | null>;

/**
 * @param texts Records as JSON.
 * @param record Their schema; each of its fields becomes a column.
 */
export function tableFromRecords(texts: readonly string[], record: z.ZodObject): Table {
  const rows = texts.map((text) => JSON.parse(text) as Row);
  return Object.entries(record.shape).map(([name, field]) => column(name, field, rows));
}

function column(name: string, field: z.core.$ZodType, rows: readonly Row[]): TableColumn {
  const values = rows.map((row) => row[name]);
  const isNullable = field instanceof z.ZodNullable;
  const type = isNullable ? field.unwrap() : field;
  if (type instanceof z.ZodNumber) {
    const numbers = Float64Array.from(values, (value) => Number(value ?? Number.NaN));
    return { name, type: 'number', values: numbers };
  }
  if (type instanceof z.ZodISODate) {
    const days = values.map((value) => (value === null ? NULL_INT : dayFromDate(String(value))));
    return { name, type: 'optionalDate', values: Int32Array.from(days) };
  }
  if (type instanceof z.ZodISODateTime) {
    const microseconds = values.map((value) => BigInt(Date.parse(String(value))) * 1000n);
    return { name, type: 'timestamp', values: BigInt64Array.from(microseconds) };
  }
  // A list becomes one text with spaces between.
  const texts = values.map((value) => (Array.isArray(value) ? value.join(' ') : value));
  if (!isNullable) return { name, type: 'text', values: texts.map(String) };
  return { name, type: 'optionalText', values: texts.map((t) => (t === null ? null : String(t))) };
}
