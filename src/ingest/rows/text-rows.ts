import type { Dataset, DatasetColumn, DatasetRow } from '../../base/datasets/dataset.ts';
import { adviceOfColumns, areOfOther, wholeOther } from '../../base/datasets/of-columns.ts';
import { MalformedInputError } from '../../base/errors.ts';
import { csvRecords } from '../inputs/csv-records.ts';
import { isTooLong, lineBatches, TOO_LONG } from '../inputs/file-lines.ts';
import type { FileForm } from '../inputs/input-file.ts';
import { isObject, type JsonObject, objectFromLine } from '../inputs/json-line.ts';
import {
  numberTypeFault,
  type ParquetColumn,
  parquetColumns,
  symbolTypeFault,
} from '../segments/parquet-columns.ts';
import type { Scratch } from '../segments/scratch.ts';
import { readParquetThrough, sqlFile } from '../segments/sql-text.ts';
import { unreadNotes } from './unread-columns.ts';
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
export interface Spelling {
  /** Returns the columns that a file with these names has. */
  names(keys: readonly string[]): string[];
  /** Returns true for columns that the records are made of, also those of no column of theirs. */
  isRead(key: string): boolean;
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
  const items = itemsOfResponse(object, known);
  if (items === undefined) return [jsonRow(line, text, object, known)];
  return items.map((item, at) => jsonRow(line + at, JSON.stringify(item), item, known));
}

/** Rows of a response of an API: `{"results":[{…},{…}],"status":"OK"}`; undefined for a row. */
function itemsOfResponse(object: JsonObject, known: KnownColumns): JsonObject[] | undefined {
  const isRow = Object.keys(object).some((name) => known.get(columnKey(name))?.isRequired);
  const lists = Object.values(object).filter(
    (value): value is JsonObject[] =>
      Array.isArray(value) && value.length > 0 && value.every(isObject),
  );
  return isRow || lists.length !== 1 ? undefined : lists[0];
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

/** Columns of a dataset by the spelling that `columnKey` gives. */
type KnownColumns = ReadonlyMap<string, DatasetColumn>;

function isSymbolKind(column: DatasetColumn | undefined): boolean {
  return column?.kind === 'symbol' || column?.kind === 'symbols';
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

/**
 * @param written Columns as the file names them.
 * @throws {MalformedInputError} a required column is missing, one is there twice, or all are of
 *   another dataset.
 */
function refuseColumns(
  dataset: Dataset,
  keys: readonly string[],
  written: readonly string[],
): void {
  const { name, columns } = dataset;
  const known = new Map(columns.map((column) => [columnKey(column.name), column]));
  const twice = firstTwice(keys, known);
  if (twice !== undefined) throw new MalformedInputError(`two columns are named "${twice}"`);
  const advice = adviceOfColumns(written, name);
  if (areOfOther(written, dataset)) throw new MalformedInputError(advice);
  const other = wholeOther(written, dataset);
  if (other !== undefined) {
    const own = columns.find((column) => !column.isRequired && column.name !== 'companyName');
    throw new MalformedInputError(
      `its columns are those of ${other}, all of them: load it with backfill files ${other}, or add a column of ${name}, such as "${own?.name}"`,
    );
  }
  const missing = columns.find(
    ({ isRequired, isNamed, name: own }) =>
      (isRequired || isNamed) && !keys.includes(columnKey(own)),
  );
  if (!missing) return;
  const reason = `it has no column "${missing.name}", which ${name} need`;
  throw new MalformedInputError(
    advice === '' ? `${reason} (see: tapeworks template ${name})` : `${reason}; ${advice}`,
  );
}

function firstTwice(keys: readonly string[], known: KnownColumns): string | undefined {
  return keys.find((key, at) => known.has(key) && keys.indexOf(key) !== at);
}

/** @throws {MalformedInputError} a column's values are of a type that it cannot have. */
function refuseTypes(
  { columns }: Dataset,
  found: readonly ParquetColumn[],
  spelling: Spelling,
): void {
  const known = new Map(columns.map((column) => [columnKey(column.name), column]));
  for (const { name, type } of found) {
    const key = columnKey(name);
    const column = known.get(spelling.names([key])[0]);
    if (!column && !spelling.isRead(key)) continue;
    const fault =
      column && isSymbolKind(column)
        ? symbolTypeFault(name, type, column.kind === 'symbols')
        : numberTypeFault(name, type);
    if (fault !== undefined) throw new MalformedInputError(fault);
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

/** Normalizes a column name: `exDate`, `ex_date` and `Ex Date` are one column. */
function columnKey(name: string): string {
  return name.toLowerCase().replace(/[\s_-]/g, '');
}

/**
 * Lists the columns of a file that are not read, and look like one that the file lacks.
 *
 * @param keys Columns of the file as `columnKey` gives them.
 */
function columnNotes({ columns }: Dataset, keys: Iterable<string>): string[] {
  const present = new Set(keys);
  const [known, lacking] = [new Set<string>(), new Map<string, string>()];
  for (const column of columns) {
    const key = columnKey(column.name);
    known.add(key);
    if (!present.has(key)) lacking.set(key, column.name);
  }
  return unreadNotes(present, known, lacking);
}
