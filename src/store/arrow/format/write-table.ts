import { ArrowFileWriter } from './arrow-file-writer.ts';
import { type ColumnData, type ColumnType, isText } from './batch-layout.ts';
import type { TableRef } from './manifest-types.ts';
import { columnsFromRows, type TableData } from './table-file.ts';
import { columnsOfTable, type TableSpec } from './tables.ts';

export function writeTable<T extends TableSpec>(
  folder: string,
  name: string,
  table: T,
  rows: Parameters<typeof columnsFromRows<T>>[1],
): Promise<TableRef> {
  return writeColumns(folder, name, table, columnsFromRows(table, rows));
}

export async function writeColumns<T extends TableSpec>(
  folder: string,
  name: string,
  table: T,
  values: TableData<T>,
): Promise<TableRef> {
  const specs = columnsOfTable(table);
  const data = specs.map((column) => asNarrowAsFits(values[column.name]));
  const columns = specs.map((spec, i) => ({ ...spec, type: storedType(spec.type, data[i]) }));
  const writer = new ArrowFileWriter(folder, name, columns);
  try {
    const { offset, bodyBytes, rowCount, crc32 } = writer.writeBatch(data);
    await writer.finish();
    const textBytes = data.filter(isText).map((texts) => Buffer.byteLength(texts.join('')));
    const { bytes } = writer;
    const types = columns.map(({ type }) => type);
    return { name, bytes, rowCount, bodyOffset: offset, bodyBytes, crc32, types, textBytes };
  } finally {
    await writer.abandon();
  }
}

/** Converts unsigned integers to the narrowest type that holds them; keeps other columns. */
function asNarrowAsFits(column: ColumnData): ColumnData {
  if (!(column instanceof Uint32Array || column instanceof Uint16Array)) return column;
  let highest = 0;
  for (let i = 0; i < column.length; i++) if (column[i] > highest) highest = column[i];
  if (highest < 2 ** 8) return Uint8Array.from(column);
  return highest < 2 ** 16 && column instanceof Uint32Array ? Uint16Array.from(column) : column;
}

function storedType(type: ColumnType, data: ColumnData): ColumnType {
  if (data instanceof Uint8Array) return 'uint8';
  return data instanceof Uint16Array ? 'uint16' : type;
}
