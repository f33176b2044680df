import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { tableFromIPC } from 'apache-arrow';
import { beforeEach, describe, expect, it } from 'vitest';
import { ArrowFileWriter } from '../../../../src/store/arrow/format/arrow-file-writer.ts';
import { type ColumnSpec, NULL_INT } from '../../../../src/store/arrow/format/batch-layout.ts';
import { freshFolder } from '../../../support/folders.ts';
import { python } from '../../../support/tools.ts';

let dir: string;

beforeEach(() => {
  dir = freshFolder();
});

const COLUMNS: ColumnSpec[] = [
  { name: 'ts', type: 'timestamp', nullable: false },
  { name: 'value', type: 'float64', nullable: true },
  { name: 'symbol', type: 'utf8', nullable: false },
  { name: 'day', type: 'date', nullable: true },
  { name: 'small', type: 'uint16', nullable: false },
  { name: 'large', type: 'int64', nullable: false },
];

const DATA = [
  BigInt64Array.of(1_000_000n, -2_000_000n, 3_000_000n),
  Float64Array.of(Number.NaN, 1.5, -0),
  ['é', 'NAN', ''],
  Int32Array.of(1, NULL_INT, -1),
  Uint16Array.of(1, 2, 65_535),
  BigInt64Array.of(1n, 2n, 2n ** 60n),
];

async function writeExample(): Promise<string> {
  const writer = new ArrowFileWriter(dir, 'example.arrow', COLUMNS);
  writer.writeBatch(DATA);
  writer.writeBatch(DATA, 1, 3);
  writer.writeBatch(DATA, 0, 0);
  await writer.finish();
  return join(dir, 'example.arrow');
}

describe('ArrowFileWriter', () => {
  it('writes what apache-arrow reads', async () => {
    const table = tableFromIPC(readFileSync(await writeExample()));
    expect(table.schema.fields.map((field) => `${field.name}: ${field.type}`)).toEqual([
      'ts: Timestamp<MICROSECOND, UTC>',
      'value: Float64',
      'symbol: Utf8',
      'day: Date32<DAY>',
      'small: Uint16',
      'large: Int64',
    ]);
    expect(table.schema.fields.map((field) => field.nullable)).toEqual([
      false,
      true,
      false,
      true,
      false,
      false,
    ]);
    expect(table.batches.map((batch) => batch.numRows)).toEqual([3, 2, 0]);
    const column = (name: string) => [...table.getChild(name)!];
    expect(column('ts')).toEqual([1000, -2000, 3000, -2000, 3000]);
    expect(column('value')).toEqual([null, 1.5, -0, 1.5, -0]);
    expect(column('symbol')).toEqual(['é', 'NAN', '', 'NAN', '']);
    expect(column('day').map((day) => day?.valueOf())).toEqual([
      86_400_000,
      undefined,
      -86_400_000,
      undefined,
      -86_400_000,
    ]);
    expect(column('small')).toEqual([1, 2, 65_535, 2, 65_535]);
    expect(column('large')).toEqual([1n, 2n, 2n ** 60n, 2n, 2n ** 60n]);
  });

  it.skipIf(!python)('writes what pyarrow maps and finds valid', async () => {
    const script = `
import sys, pyarrow as pa, pyarrow.ipc as ipc
table = ipc.open_file(pa.memory_map(sys.argv[1])).read_all()
table.validate(full=True)
print(table.schema.to_string())
print(table.to_pydict())`;
    const output = execFileSync(python!, ['-c', script, await writeExample()], {
      encoding: 'utf8',
    });
    expect(output).toContain('ts: timestamp[us, tz=UTC] not null');
    expect(output).toContain('value: double\n');
    expect(output).toContain("'value': [None, 1.5, -0.0, 1.5, -0.0]");
    expect(output).toContain("'symbol': ['é', 'NAN', '', 'NAN', '']");
    expect(output).toContain('None, datetime.date(1969, 12, 31)');
  });

  it('starts every body at a multiple of 64 bytes and returns its checksum', async () => {
    const writer = new ArrowFileWriter(dir, 'example.arrow', COLUMNS);
    const batches = [writer.writeBatch(DATA), writer.writeBatch(DATA, 1, 3)];
    await writer.finish();
    const bytes = readFileSync(join(dir, 'example.arrow'));
    expect(bytes).toHaveLength(writer.bytes);
    for (const { offset, bodyBytes, crc32: stored } of batches) {
      expect(offset % 64).toBe(0);
      expect(crc32(bytes.subarray(offset, offset + bodyBytes))).toBe(stored);
    }
  });

  it('writes batches that are larger than its buffer', async () => {
    const columns: ColumnSpec[] = [{ name: 'value', type: 'float64', nullable: true }];
    const values = Float64Array.from({ length: 300_000 }, (_, i) => (i % 3 ? i : Number.NaN));
    const writer = new ArrowFileWriter(dir, 'large.arrow', columns);
    writer.writeBatch([values], 0, 10);
    writer.writeBatch([values]);
    writer.writeBatch([values], 299_990, 300_000);
    await writer.finish();
    const column = tableFromIPC(readFileSync(join(dir, 'large.arrow'))).getChild('value')!;
    expect(column.length).toBe(300_020);
    expect(column.nullCount).toBe(100_000 + 4 + 3);
    expect([column.get(9), column.get(10), column.get(300_009), column.get(300_012)]).toEqual([
      null,
      null,
      299_999,
      299_992,
    ]);
  });

  it('writes files of many staging buffers, the later ones past the page cache', async () => {
    const columns: ColumnSpec[] = [{ name: 'value', type: 'float64', nullable: false }];
    const values = Float64Array.from({ length: 300_001 }, (_, i) => i / 7);
    const writer = new ArrowFileWriter(dir, 'long.arrow', columns);
    const batches = [];
    for (let i = 0; i < 12; i++) {
      batches.push(writer.writeBatch([values], i, 300_001 - 1000 * i));
      await writer.settle();
    }
    await writer.finish();
    const bytes = readFileSync(join(dir, 'long.arrow'));
    expect(bytes).toHaveLength(writer.bytes);
    for (const { offset, bodyBytes, crc32: stored } of batches) {
      expect(crc32(bytes.subarray(offset, offset + bodyBytes))).toBe(stored);
    }
    const column = tableFromIPC(bytes).getChild('value')!;
    expect(column.length).toBe(batches.reduce((sum, { rowCount }) => sum + rowCount, 0));
    expect(column.get(column.length - 1)).toBe(289_000 / 7);
  });

  it('writes equal bytes for equal rows, whatever was written before', async () => {
    const write = async (name: string, first: number) => {
      const writer = new ArrowFileWriter(dir, name, COLUMNS);
      writer.writeBatch(DATA, first, 3);
      const { offset, bodyBytes } = writer.writeBatch(DATA, 1, 2);
      await writer.finish();
      return readFileSync(join(dir, name)).subarray(offset, offset + bodyBytes);
    };
    expect(await write('a.arrow', 0)).toEqual(await write('b.arrow', 2));
  });

  it('leaves no file when abandoned', async () => {
    const writer = new ArrowFileWriter(dir, 'example.arrow', COLUMNS);
    writer.writeBatch(DATA);
    await writer.abandon();
    await writer.abandon();
    expect(readdirSync(dir)).toEqual([]);
  });
});
