import { describe, expect, it } from 'vitest';
import { parquetFromTable, parquetPieces } from '../../../src/api/responses/parquet.ts';
import type { Table } from '../../../src/api/responses/table.ts';
import { NULL_INT } from '../../../src/store/arrow/format/batch-layout.ts';
import { parquetFooter, parquetRows } from '../../support/parquet-rows.ts';

const table: Table = [
  { name: 'timestamp', type: 'timestamp', values: BigInt64Array.of(0n, 1_767_623_400_000_000n) },
  { name: 'date', type: 'date', values: Int32Array.of(0, -1) },
  { name: 'until', type: 'optionalDate', values: Int32Array.of(NULL_INT, 1) },
  { name: 'close', type: 'number', values: Float64Array.of(0.1 + 0.2, Number.NaN) },
  { name: 'open', type: 'number', values: Float64Array.of(-0, 5e-324), isKnown: true },
  { name: 'volume', type: 'count', values: Float64Array.of(1234.5, 2 ** 53) },
  { name: 'symbol', type: 'text', values: ['SPY', 'Ä,"x"\n'] },
  { name: 'name', type: 'optionalText', values: [null, ''] },
  { name: 'isHigh', type: 'flag', values: Float64Array.of(1, Number.NaN) },
];
const empty = table.map((column) => ({ ...column, values: column.values.slice(0, 0) })) as Table;

const ROWS = [
  {
    timestamp: new Date(0),
    date: new Date(0),
    until: null,
    close: 0.1 + 0.2,
    open: -0,
    volume: 1234.5,
    symbol: 'SPY',
    name: null,
    isHigh: true,
  },
  {
    timestamp: new Date(1_767_623_400_000),
    date: new Date(-86_400_000),
    until: new Date(86_400_000),
    close: null,
    open: 5e-324,
    volume: 2 ** 53,
    symbol: 'Ä,"x"\n',
    name: '',
    isHigh: null,
  },
];

/** Copies pieces, as the writer reuses their memory. */
function fileOf(pieces: Iterable<Uint8Array>): Buffer {
  return Buffer.concat(Array.from(pieces, (piece) => Buffer.from(piece)));
}

describe('a Parquet file', () => {
  it('has the values of its table, with nulls where they are unknown', async () => {
    expect(await parquetRows(parquetFromTable(table))).toEqual(ROWS);
  });

  it('declares columns without nulls as required', () => {
    const [, ...fields] = parquetFooter(parquetFromTable(table)).schema;
    const required = fields.filter(({ repetition_type }) => repetition_type === 'REQUIRED');
    expect(required.map(({ name }) => name)).toEqual(['timestamp', 'date', 'open', 'symbol']);
  });

  it('has its columns without rows', async () => {
    const file = parquetFromTable(empty);
    expect(await parquetRows(file)).toEqual([]);
    expect(
      parquetFooter(file)
        .schema.slice(1)
        .map(({ name }) => name),
    ).toEqual(table.map(({ name }) => name));
  });

  it('has a row group with statistics for each table that has rows', async () => {
    const file = fileOf(parquetPieces([empty, table, table], [6, 0]));
    expect(await parquetRows(file)).toEqual([...ROWS, ...ROWS]);
    const { row_groups: groups } = parquetFooter(file);
    expect(groups).toHaveLength(2);
    const [{ columns, sorting_columns: sorted }] = groups;
    expect(sorted?.map(({ column_idx }) => column_idx)).toEqual([6, 0]);
    expect(columns.map(({ meta_data }) => meta_data?.codec)).toEqual(table.map(() => 'ZSTD'));
    const volume = columns[5].meta_data?.statistics;
    expect([volume?.min_value, volume?.max_value]).toEqual([1234.5, 2 ** 53]);
  });
});
