import type { Dataset, DatasetRow } from '../../base/datasets/dataset.ts';
import { MalformedInputError } from '../../base/errors.ts';
import { csvRecords } from '../inputs/csv-records.ts';
import { isTooLong, lineBatches, TOO_LONG } from '../inputs/file-lines.ts';
import type { FileForm } from '../inputs/input-file.ts';
import { type JsonObject, objectFromLine } from '../inputs/json-line.ts';
import { type ParquetColumn, parquetColumns } from '../segments/parquet-columns.ts';
import type { Scratch } from '../segments/scratch.ts';
import { readParquetThrough, sqlFile } from '../segments/sql-text.ts';
import { itemsOfResponse } from './response-items.ts';
import {
  type ColumnSpelling,
  columnKey,
  columnNotes,
  firstTwice,
  isSymbolKind,
  type KnownColumns,
  refuseColumns,
  refuseTypes,
} from './row-columns.ts';
import { UnreadableError, valueFromText } from './value-from-text.ts';

/** A row with its text as read. The values have the right kinds but are not checked yet. */
export type ReadRow = { line: number; text: string } & (
  | { row: DatasetRow }
  /** `readable` has the values that could be read. */
  | { reason: string; readable: DatasetRow }
);

/** Texts by the column spelling that `columnKey` gives. */
export type Fields = ReadonlyMap<string, string>;

interface RawRow {
  line: number;
  text: string;
  fields: Fields;
  reason?: string;
}

/** A row under the names of the dataset's columns, or the reason to refuse it. */
export interface SpelledRow {
  fields: Fields;
  reason?: string;
}

/** Other names and spellings of a dataset's rows. */
export interface Spelling extends ColumnSpelling {
  /** Returns the records of a row. */
  rows(fields: Fields): SpelledRow[];
}

/**
 * Reads a CSV with a header, JSON lines, a JSON array or Parquet, in the order of the file.
 *
 * @param onNote Receives what is odd about its columns, which those of the first row show.
 * @throws {MalformedInputError} the whole file can't be read, or lacks a required column.
 */
export async function* datasetRows(
  dataset: Dataset,
  path: string,
  form: FileForm,
  scratch: Pick<Scratch, 'connect'>,
  onNote: (note: string) => void,
  spelling: Spelling = OWN_SPELLING,
): AsyncGenerator<ReadRow> {
  const check: CheckColumns = (keys, columns = []) => {
    refuseColumns(dataset, spelling.names(keys), keys);
    refuseTypes(dataset, columns, spelling);
  };
  let isFirst = true;
  for await (const raw of rawRows(dataset, path, form, scratch, check)) {
    if (isFirst) columnNotes(dataset, spelling.names([...raw.fields.keys()])).forEach(onNote);
    isFirst = false;
    const spelled = spelling.rows(raw.fields);
    // A row that cannot be read is one, whatever its fields say.
    const records = raw.reason === undefined ? spelled : [spelled[0] ?? { fields: raw.fields }];
    for (const { fields, reason = raw.reason } of records) {
      yield readRow(dataset, { ...raw, fields, ...(reason !== undefined && { reason }) });
    }
  }
}

const OWN_SPELLING: Spelling = {
  names: (keys) => [...keys],
  isRead: () => false,
  rows: (fields) => [{ fields }],
};

/** Reads the fields of all rows of a file, before anything is made of them. */
export async function* fieldsOfRows(
  dataset: Dataset,
  path: string,
  form: FileForm,
  scratch: Pick<Scratch, 'connect'>,
): AsyncGenerator<Fields> {
  for await (const { fields } of rawRows(dataset, path, form, scratch, () => {})) yield fields;
}

/** Takes the columns of a file that has a header, of Parquet with their types; may throw. */
type CheckColumns = (keys: readonly string[], columns?: readonly ParquetColumn[]) => void;

function rawRows(
  dataset: Dataset,
  path: string,
  form: FileForm,
  scratch: Pick<Scratch, 'connect'>,
  check: CheckColumns,
): AsyncGenerator<RawRow> {
  return {
    csv: () => csvRows(path, check),
    jsonl: () => jsonRows(path, dataset, check),
    parquet: () => parquetRows(path, scratch, check),
  }[form]();
}

async function* csvRows(path: string, check: CheckColumns): AsyncGenerator<RawRow> {
  let keys: string[] | undefined;
  for await (const record of csvRecords(path)) {
    const { line, text } = record;
    if ('reason' in record) {
      if (!keys) throw new MalformedInputError(`its header can't be read: ${record.reason}`);
      yield { line, text: shownText(text), fields: new Map(), reason: record.reason };
    } else if (!keys) {
      keys = record.fields.map(columnKey);
      check(keys);
    } else {
      const { length } = record.fields;
      const fields = new Map(record.fields.map((field, i) => [keys![i] ?? '', field]));
      const isWhole = length === keys.length;
      const reason = isWhole ? {} : { reason: widthReason(length, keys.length) };
      yield { line, text, fields, ...reason };
    }
  }
}

const SHOWN_CHARS = 200;

function shownText(text: string): string {
  return isTooLong(text) ? `${text.slice(0, SHOWN_CHARS)}…` : text;
}

function widthReason(found: number, wanted: number): string {
  return `line has ${found} fields and the header ${wanted}`;
}

async function* jsonRows(
  path: string,
  dataset: Dataset,
  check: CheckColumns,
): AsyncGenerator<RawRow> {
  const known = new Map(dataset.columns.map((column) => [columnKey(column.name), column]));
  let isFirst = true;
  for await (const lines of lineBatches(path)) {
    const rows = lines.flatMap(({ number, text }) => jsonLineRows(number, text, known));
    // Objects leave out what they do not know: many of them have the columns of the file.
    const keys = new Set(rows.flatMap(({ fields }) => [...fields.keys()]));
    if (isFirst && keys.size > 0) check([...keys]);
    isFirst = false;
    yield* rows;
  }
}

function jsonLineRows(line: number, text: string, known: KnownColumns): RawRow[] {
  if (isTooLong(text)) {
    return [{ line, text: shownText(text), fields: new Map(), reason: TOO_LONG }];
  }
  if (text === '') return [];
  const object = objectFromLine(text);
  if (!object) return [{ line, text, fields: new Map(), reason: 'line is not a JSON object' }];
  const isRequired = (name: string) => known.get(columnKey(name))?.isRequired === true;
  const items = itemsOfResponse(object, isRequired);
  if (items === undefined) return [jsonRow(line, text, object, known)];
  return items.map((item, at) => jsonRow(line + at, JSON.stringify(item), item, known));
}

function jsonRow(line: number, text: string, object: JsonObject, known: KnownColumns): RawRow {
  const entries = Object.entries(object).map(([name, field]) => [columnKey(name), field] as const);
  const fields = new Map(
    entries.map(([key, field]) => [key, field === null ? '' : String(field)] as const),
  );
  const twice =
    fields.size < entries.length
      ? firstTwice(
          entries.map(([key]) => key),
          known,
        )
      : undefined;
  const wrong = entries.find(([key, field]) => isSymbolKind(known.get(key)) && isNoTicker(field));
  if (twice !== undefined) return { line, text, fields, reason: `two names are "${twice}"` };
  if (wrong) return { line, text, fields, reason: `${wrong[0]} is not text, as tickers are` };
  return { line, text, fields };
}

/** `true` and `1` are no tickers, though their texts would be. */
function isNoTicker(value: unknown): boolean {
  return [value].flat().some((one) => typeof one === 'boolean' || typeof one === 'number');
}

async function* parquetRows(
  path: string,
  scratch: Pick<Scratch, 'connect'>,
  check: CheckColumns,
): AsyncGenerator<RawRow> {
  const connection = await scratch.connect();
  const damaged = (error: Error): never => {
    const [reason] = error.message.split('\n');
    throw new MalformedInputError(`it cannot be read as Parquet: ${reason}`, { cause: error });
  };
  await readParquetThrough(connection, path).catch(damaged);
  const columns = await parquetColumns(connection, path).catch(damaged);
  const result = await connection
    .stream(`SELECT COLUMNS(*)::VARCHAR FROM read_parquet(${sqlFile(path)})`)
    .catch(damaged);
  // Names as the file states them; DuckDB may add some, of the folders above the file.
  const keys = result.columnNames().map((name, at) => columnKey(columns[at]?.name ?? name));
  check(keys, columns);
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

function readRow({ columns }: Dataset, { line, text, fields, reason }: RawRow): ReadRow {
  const row: DatasetRow = {};
  let fault = reason ?? (text.includes('\ufffd') ? 'line is not UTF-8 text' : undefined);
  for (const column of columns) {
    try {
      row[column.name] = valueFromText(column, fields.get(columnKey(column.name))?.trim() ?? '');
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error;
      fault ??= error.message;
    }
  }
  return fault === undefined ? { line, text, row } : { line, text, reason: fault, readable: row };
}
