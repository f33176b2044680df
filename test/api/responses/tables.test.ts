import { tableFromIPC } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { arrowFromTable } from '../../../src/api/responses/arrow-stream.ts';
import type { Table } from '../../../src/api/responses/table.ts';
import { csvFromTable } from '../../../src/api/responses/table-response.ts';

const table: Table = [
  { name: 'timestamp', type: 'timestamp', values: BigInt64Array.of(0n, 1_767_623_400_000_000n) },
  { name: 'date', type: 'date', values: Int32Array.of(0, -1) },
  { name: 'close', type: 'number', values: Float64Array.of(0.1 + 0.2, Number.NaN) },
  { name: 'volume', type: 'count', values: Float64Array.of(1234.5, 2 ** 53) },
  { name: 'symbol', type: 'text', values: ['SPY', 'Ä,"x"\n'] },
  { name: 'isHigh', type: 'flag', values: Float64Array.of(1, Number.NaN) },
];
const empty = table.map((column) => ({ ...column, values: column.values.slice(0, 0) })) as Table;

describe('csvFromTable', () => {
  it('writes shortest numbers, whole counts, nulls as nothing and quotes where needed', () => {
    expect(csvFromTable(table).toString()).toBe(
      'timestamp,date,close,volume,symbol,isHigh\r\n' +
        '1970-01-01T00:00:00.000Z,1970-01-01,0.30000000000000004,1235,SPY,true\r\n' +
        '2026-01-05T14:30:00.000Z,1969-12-31,,9007199254740992,"Ä,""x""\n",\r\n',
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
    expect(csvFromTable(empty).toString()).toBe('timestamp,date,close,volume,symbol,isHigh\r\n');
  });
});

describe('arrowFromTable', () => {
  it('is a stream that apache-arrow reads back', () => {
    const read = tableFromIPC(arrowFromTable(table));
    expect(read.schema.fields.map((field) => `${field.name}: ${field.type}`)).toEqual([
      'timestamp: Timestamp<MICROSECOND, UTC>',
      'date: Date32<DAY>',
      'close: Float64',
      'volume: Float64',
      'symbol: Utf8',
      'isHigh: Bool',
    ]);
    expect(read.toArray().map((row) => row.toJSON())).toEqual([
      { timestamp: 0, date: 0, close: 0.1 + 0.2, volume: 1234.5, symbol: 'SPY', isHigh: true },
      {
        timestamp: 1_767_623_400_000,
        date: -86_400_000,
        close: null,
        volume: 2 ** 53,
        symbol: 'Ä,"x"\n',
        isHigh: null,
      },
    ]);
  });

  it('packs flags of many rows into bits', () => {
    const values = Float64Array.from({ length: 19 }, (_, row) => [1, 0, Number.NaN][row % 3]);
    const read = tableFromIPC(arrowFromTable([{ name: 'flag', type: 'flag', values }]));
    const expected = Array.from(values, (value) => (Number.isNaN(value) ? null : value === 1));
    expect(read.toArray().map(({ flag }) => flag)).toEqual(expected);
  });

  it('has no rows where the table has none', () => {
    const read = tableFromIPC(arrowFromTable(empty));
    expect([read.numRows, read.numCols]).toEqual([0, 6]);
  });
});
