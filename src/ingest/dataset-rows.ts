/** Rows of a user's file of a dataset, one by one: none is lost, each unreadable one has a reason. */

import { createReadStream } from 'node:fs';
import { parse } from 'csv-parse';
import type { Dataset, DatasetRow } from '../datasets.ts';
import { MalformedInputError } from '../errors.ts';
import { limits } from '../limits.ts';
import { fileLines } from './file-lines.ts';
import { readParquetThrough } from './file-sample.ts';
import type { FileForm } from './input-file.ts';
import type { Scratch } from './scratch.ts';
import { sqlFile } from './sql-text.ts';
import { UnreadableError, valueFromText } from './value-from-text.ts';

/** A row of the file with its text as it was read: values of the right kinds, not checked yet. */
export type ReadRow = { line: number; text: string } & ({ row: DatasetRow } | { reason: string });

/** Fields by the spelling of their column that `columnKey` gives. */
interface RawRow {
  line: number;
  text: string;
  fields: ReadonlyMap<string, string>;
  /** Why the fields can't be told. */
  reason?: string;
}

/** `exDate`, `ex_date` and `Ex Date` are one column. */
function columnKey(name: string): string {
  return name.toLowerCase().replace(/[\s_-]/g, '');
}

/**
 * Reads a CSV with a header, JSON lines, a JSON array or Parquet, in the order of the file.
 *
 * @param scratch Reads Parquet.
 * @throws {MalformedInputError} the file as a whole can't be read, or lacks a required column.
 */
export async function* datasetRows(
  dataset: Dataset,
  path: string,
  form: FileForm,
  scratch: Pick<Scratch, 'connect'>,
): AsyncGenerator<ReadRow> {
  const raws = {
    csv: () => csvRows(path, dataset),
    jsonl: () => jsonRows(path),
    parquet: () => parquetRows(path, dataset, scratch),
  }[form]();
  for await (const raw of raws) yield readRow(dataset, raw);
}

async function* csvRows(path: string, dataset: Dataset): AsyncGenerator<RawRow> {
  const parser = parse({
    bom: true,
    delimiter: [',', ';', '\t', '|'],
    info: true,
    raw: true,
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
    max_record_size: limits.ingest.lineBytesMax,
  });
  const source = createReadStream(path);
  source.on('error', (error) => parser.destroy(error));
  source.pipe(parser);
  let keys: string[] | undefined;
  try {
    for await (const { record, info, raw } of parser as AsyncIterable<CsvRecord>) {
      if (!keys) {
        keys = record.map(columnKey);
        refuseMissingColumns(dataset, keys);
        continue;
      }
      const fields = new Map(record.map((field, i) => [keys![i] ?? '', field]));
      const isWhole = record.length === keys.length;
      const reason = isWhole ? {} : { reason: widthReason(record.length, keys.length) };
      yield { line: info.lines, text: raw.trimEnd(), fields, ...reason };
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('CSV_')) {
      throw new MalformedInputError(error.message, { cause: error });
    }
    throw error;
  } finally {
    source.destroy();
  }
}

interface CsvRecord {
  record: string[];
  info: { lines: number };
  raw: string;
}

function widthReason(found: number, wanted: number): string {
  return `line has ${found} fields and the header ${wanted}`;
}

async function* jsonRows(path: string): AsyncGenerator<RawRow> {
  let line = 0;
  for await (const text of fileLines(path)) {
    line++;
    yield jsonRow(line, text, valueFromJson(text));
  }
}

function valueFromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function jsonRow(line: number, text: string, value: unknown): RawRow {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { line, text, fields: new Map(), reason: 'line is not a JSON object' };
  }
  const fields = Object.entries(value).map(
    ([name, field]) => [columnKey(name), field === null ? '' : String(field)] as const,
  );
  return { line, text, fields: new Map(fields) };
}

async function* parquetRows(
  path: string,
  dataset: Dataset,
  scratch: Pick<Scratch, 'connect'>,
): AsyncGenerator<RawRow> {
  const connection = await scratch.connect();
  const damaged = (error: Error): never => {
    const [reason] = error.message.split('\n');
    throw new MalformedInputError(`it cannot be read as Parquet: ${reason}`, { cause: error });
  };
  await readParquetThrough(connection, path).catch(damaged);
  const result = await connection
    .stream(`SELECT COLUMNS(*)::VARCHAR FROM read_parquet(${sqlFile(path)})`)
    .catch(damaged);
  const keys = result.columnNames().map(columnKey);
  refuseMissingColumns(dataset, keys);
  let line = 0;
  for await (const rows of result.yieldRowsJs()) {
    for (const row of rows) {
      line++;
      const texts = row.map((value) => String(value ?? ''));
      const fields = new Map(keys.map((key, i) => [key, texts[i]]));
      yield { line, text: texts.join(','), fields };
    }
  }
}

function refuseMissingColumns({ name, columns }: Dataset, keys: readonly string[]): void {
  const missing = columns.find(
    (column) => column.isRequired && !keys.includes(columnKey(column.name)),
  );
  if (!missing) return;
  throw new MalformedInputError(
    `it has no column "${missing.name}", which ${name} need (see: tapeworks template ${name})`,
  );
}

function readRow({ columns }: Dataset, { line, text, fields, reason }: RawRow): ReadRow {
  if (reason !== undefined) return { line, text, reason };
  if (text.includes('\ufffd')) return { line, text, reason: 'line is not UTF-8 text' };
  const row: DatasetRow = {};
  try {
    for (const column of columns) {
      row[column.name] = valueFromText(column, fields.get(columnKey(column.name))?.trim() ?? '');
    }
  } catch (error) {
    if (error instanceof UnreadableError) return { line, text, reason: error.message };
    throw error;
  }
  return { line, text, row };
}
