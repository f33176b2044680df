import { tableFromIPC } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { arrowFromTable } from '../../../src/api/responses/arrow-stream.ts';
import { parquetFromTable, parquetPieces } from '../../../src/api/responses/parquet.ts';
import { tableFromRows } from '../../../src/api/responses/record-pages.ts';
import type { Table } from '../../../src/api/responses/table.ts';
import { csvFromTable } from '../../../src/api/responses/table-response.ts';
import { NULL_INT, NULL_MICROS } from '../../../src/store/arrow/format/batch-layout.ts';
import { parquetFooter, parquetRows } from '../../support/parquet-rows.ts';
import { rustTables } from '../../support/rust-reader.ts';
import { rustPython } from '../../support/tools.ts';

const table: Table = [
  { name: 'timestamp', type: 'timestamp', values: BigInt64Array.of(0n, 1_767_623_400_000_000n) },
  { name: 'date', type: 'date', values: Int32Array.of(0, -1) },
  { name: 'until', type: 'optionalDate', values: Int32Array.of(NULL_INT, 1) },
  { name: 'close', type: 'number', values: Float64Array.of(0.1 + 0.2, Number.NaN) },
  { name: 'open', type: 'number', values: Float64Array.of(-0, 5e-324), isKnown: true },
  { name: 'volume', type: 'volume', values: Float64Array.of(1234.5, 2 ** 53) },
  { name: 'symbol', type: 'text', values: ['SPY', 'Ä,"x"\n'] },
  { name: 'name', type: 'optionalText', values: [null, ''] },
  { name: 'isHigh', type: 'flag', values: Float64Array.of(1, Number.NaN) },
  { name: 'known', type: 'optionalTimestamp', values: BigInt64Array.of(NULL_MICROS, 60_000_000n) },
];
const empty = table.map((column) => ({ ...column, values: column.values.slice(0, 0) })) as Table;

const HEADER = 'timestamp,date,until,close,open,volume,symbol,name,isHigh,known';

const ROWS = [
  {
    timestamp: new Date(0),
    date: new Date(0),
    until: null,
    known: null,
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
    known: new Date(60_000),
    close: null,
    open: 5e-324,
    volume: 2 ** 53,
    symbol: 'Ä,"x"\n',
    name: '',
    isHigh: null,
  },
];

describe('csvFromTable', () => {
  it('writes shortest numbers, volumes, nulls as nothing and quotes where needed', () => {
    expect(csvFromTable(table).toString()).toBe(
      `${HEADER}\r\n` +
        '1970-01-01T00:00:00.000Z,1970-01-01,,0.30000000000000004,0,1234.5,SPY,,true,\r\n' +
        '2026-01-05T14:30:00.000Z,1969-12-31,1970-01-02,,5e-324,9007199254740992,"Ä,""x""\n",,,1970-01-01T00:01:00.000Z\r\n',
    );
  });

  it('marks texts that spreadsheets would run, and no numbers', () => {
    const texts = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\n=1', '＝1', 'A-1', ' =1', ''];
    const hostile: Table = [
      { name: 'name', type: 'optionalText', values: texts },
      { name: 'price', type: 'number', values: Float64Array.from(texts, () => -1.5) },
    ];
    const lines = csvFromTable(hostile).toString().split('\r\n').slice(1, -1);
    const marked = [
      "'=1+1",
      "'+1",
      "'-1",
      "'@SUM(A1)",
      "'\t=1",
      '"\'\n=1"',
      "'＝1",
      'A-1',
      ' =1',
      '',
    ];
    expect(lines).toEqual(marked.map((text) => `${text},-1.5`));
  });

  it('writes the header alone for no rows', () => {
    expect(csvFromTable(empty).toString()).toBe(`${HEADER}\r\n`);
  });
});

describe('arrowFromTable', () => {
  it('is a stream that apache-arrow reads back', () => {
    const read = tableFromIPC(arrowFromTable(table));
    expect(read.schema.fields.map((field) => `${field.name}: ${field.type}`)).toEqual([
      ...['timestamp: Timestamp<MICROSECOND, UTC>', 'date: Date32<DAY>', 'until: Date32<DAY>'],
      ...['close: Float64', 'open: Float64', 'volume: Float64'],
      ...['symbol: Utf8', 'name: Utf8', 'isHigh: Bool'],
      'known: Timestamp<MICROSECOND, UTC>',
    ]);
    const ms = ({ timestamp, date, until, known, ...row }: (typeof ROWS)[number]) => ({
      ...{ timestamp: timestamp.getTime(), date: date.getTime() },
      ...{ until: until?.getTime() ?? null, known: known?.getTime() ?? null, ...row },
    });
    expect(read.toArray().map((row) => row.toJSON())).toEqual(ROWS.map(ms));
  });

  it('packs flags of many rows into bits', () => {
    const values = Float64Array.from({ length: 19 }, (_, row) => [1, 0, Number.NaN][row % 3]);
    const read = tableFromIPC(arrowFromTable([{ name: 'flag', type: 'flag', values }]));
    const expected = Array.from(values, (value) => (Number.isNaN(value) ? null : value === 1));
    expect(read.toArray().map(({ flag }) => flag)).toEqual(expected);
  });

  it('has no rows where the table has none', () => {
    const read = tableFromIPC(arrowFromTable(empty));
    expect([read.numRows, read.numCols]).toEqual([0, table.length]);
  });
});

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

  it('declares texts in the older and the newer form', () => {
    const [, ...fields] = parquetFooter(parquetFromTable(table)).schema;
    const texts = fields.filter(({ type }) => type === 'BYTE_ARRAY');
    expect(texts.map(({ name, converted_type }) => [name, converted_type])).toEqual([
      ['symbol', 'UTF8'],
      ['name', 'UTF8'],
    ]);
    expect(texts.map(({ logical_type }) => logical_type?.type)).toEqual(['STRING', 'STRING']);
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

describe('whole numbers', () => {
  const years: Table = [
    { name: 'year', type: 'integer', values: Float64Array.of(2024, Number.NaN, 2 ** 53 - 1) },
  ];

  it('are integers in Parquet', async () => {
    const rows = await parquetRows(parquetFromTable(years));
    expect(rows.map(({ year }) => year)).toEqual([2024n, null, 9007199254740991n]);
  });

  it('are float64 in Arrow, since JavaScript has no other number that is like them', () => {
    const read = tableFromIPC(arrowFromTable(years));
    expect(read.toArray().map(({ year }) => year)).toEqual([2024, null, 2 ** 53 - 1]);
  });

  it('are digits in CSV', () => {
    expect(csvFromTable(years).toString()).toBe('year\r\n2024\r\n\r\n9007199254740991\r\n');
  });
});

describe.skipIf(!rustPython)('a Parquet file in Rust', () => {
  it('has its rows with or without an order of them, and none of an empty table', async () => {
    const unknown: Table = [
      { name: 'name', type: 'optionalText', values: [null, null] },
      { name: 'close', type: 'number', values: Float64Array.of(Number.NaN, Number.NaN) },
    ];
    const columns = [
      ...['timestamp: Timestamp(µs, "UTC")', 'date: Date32', 'until: Date32'],
      ...['close: Float64', 'open: Float64', 'volume: Float64'],
      ...['symbol: Utf8', 'name: Utf8', 'isHigh: Boolean', 'known: Timestamp(µs, "UTC")'],
    ];
    expect(
      await rustTables({
        plain: parquetFromTable(table),
        sorted: fileOf(parquetPieces([empty, table, table], [6, 0])),
        empty: parquetFromTable(empty),
        'empty and sorted': fileOf(parquetPieces([empty, empty], [6, 0])),
        unknown: parquetFromTable(unknown),
      }),
    ).toEqual({
      plain: { rows: 2, columns },
      sorted: { rows: 4, columns },
      empty: { rows: 0, columns },
      'empty and sorted': { rows: 0, columns },
      unknown: { rows: 2, columns: ['name: Utf8', 'close: Float64'] },
    });
  });
});

/** Filings without the time of their acceptance were 500 in all formats but JSON. */
it.each([
  z.number(),
  z.int(),
  z.boolean(),
  z.iso.date(),
  z.iso.datetime(),
  z.string(),
  z.array(z.string()),
])('a field of records that is null is null in each format: $type $format', async (field) => {
  const record = z.object({ id: z.string(), field: field.nullable() });
  const rows = tableFromRows([{ id: 'a', field: null }], record);
  expect(csvFromTable(rows).toString()).toBe('id,field\r\na,\r\n');
  const expected = [{ id: 'a', field: null }];
  const arrow = tableFromIPC(arrowFromTable(rows));
  expect(arrow.toArray().map((row) => row.toJSON())).toEqual(expected);
  expect(await parquetRows(parquetFromTable(rows))).toEqual(expected);
});
