/** Converts records, which are stored as JSON, to a table for CSV and Arrow. */

import { dayFromDate } from '../../base/time/dates.ts';
import { NULL_INT } from '../../store/arrow/format/batch-layout.ts';
import type { Table, TableColumn } from './table.ts';

/** Type of a field; `texts` is a list that becomes one text with spaces between. */
export type RecordFieldType = 'text' | 'optionalText' | 'number' | 'date' | 'moment' | 'texts';

/** Fields of a record in order. */
export type RecordFields = Readonly<Record<string, RecordFieldType>>;

type Row = Record<string, string | number | string[] | null>;

/** @param texts Records as JSON, each with all the fields. */
export function tableFromRecords(texts: readonly string[], fields: RecordFields): Table {
  const rows = texts.map((text) => JSON.parse(text) as Row);
  return Object.entries(fields).map(([name, type]) => column(name, type, rows));
}

function column(name: string, type: RecordFieldType, rows: readonly Row[]): TableColumn {
  const values = rows.map((row) => row[name]);
  switch (type) {
    case 'number':
      return { name, type, values: Float64Array.from(values, (v) => Number(v ?? Number.NaN)) };
    case 'date':
      return {
        name,
        type: 'optionalDate',
        values: Int32Array.from(values, (v) => (v === null ? NULL_INT : dayFromDate(String(v)))),
      };
    case 'moment':
      return {
        name,
        type: 'timestamp',
        values: BigInt64Array.from(values, (v) => BigInt(Date.parse(String(v))) * 1000n),
      };
    case 'texts':
      return { name, type: 'text', values: values.map((v) => (v as string[]).join(' ')) };
    case 'text':
      return { name, type, values: values.map(String) };
    case 'optionalText':
      return { name, type, values: values.map((v) => (v === null ? null : String(v))) };
  }
}
