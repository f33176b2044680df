/** Writes rows of a dataset to the scratch database as JSON lines, so that memory stays flat. */

import { hash } from 'node:crypto';
import { join } from 'node:path';
import type { ColumnKind, Dataset, DatasetRow } from '../../base/datasets/dataset.ts';
import { limits } from '../../base/limits.ts';
import { open } from '../../base/world/file-promises.ts';
import { tableColumns } from '../../store/duckdb/connection/dataset-columns.ts';
import type { StageContext } from '../contract/fetch-context.ts';
import type { Scratch } from '../segments/scratch.ts';
import { sqlFile } from '../segments/sql-text.ts';
import { rowFault } from './check-row.ts';

/** Place of a row, for the quarantine: its file or request, its line and its text. */
interface RowPlace {
  name?: string;
  line?: number;
  text?: string;
}

/** A parsed row, or the reason why it could not be parsed. */
export type UncheckedRow =
  | ({ row: DatasetRow } & RowPlace)
  /** `readable` has the values of the row that could be read. */
  | ({ reason: string; readable?: DatasetRow } & RowPlace);

/** JSON type of each kind of column, and the SQL that converts it to the table's type. */
const STAGED: Record<ColumnKind, { type: string; sql: (value: string) => string }> = {
  symbol: { type: 'VARCHAR', sql: (value) => value },
  symbols: { type: 'VARCHAR[]', sql: (value) => value },
  text: { type: 'VARCHAR', sql: (value) => value },
  choice: { type: 'VARCHAR', sql: (value) => value },
  flag: { type: 'BOOLEAN', sql: (value) => value },
  date: { type: 'INTEGER', sql: (value) => `DATE '1970-01-01' + ${value}` },
  moment: { type: 'BIGINT', sql: (value) => `make_timestamp(${value} * 1000)` },
  number: { type: 'DOUBLE', sql: (value) => value },
  integer: { type: 'BIGINT', sql: (value) => value },
};

// The name is not `line`, because insider transactions have a column of that name.
const PLACE = { file_index: 'INTEGER', file_line: 'BIGINT', text: 'VARCHAR' };

/**
 * Checks rows and creates the scratch view `staged`: the dataset's columns of the good rows,
 * `ordinal`, `file_index`, `file_line`, `text`, and `content`, a SHA-256 of the values. Refused
 * rows go to the table `rejected`.
 * @returns names of the rows' files or requests, by `file_index`.
 */
export async function stageRows(
  scratch: Scratch,
  dataset: Dataset,
  rows: Iterable<UncheckedRow> | AsyncIterable<UncheckedRow>,
  { nowMs, signal, isTaken }: StageContext,
): Promise<string[]> {
  const good = await openLines(join(scratch.folder, 'rows.jsonl'));
  const refused = await openLines(join(scratch.folder, 'refused.jsonl'));
  const names = new Map<string, number>();
  let ordinal = 0;
  try {
    for await (const unchecked of rows) {
      signal?.throwIfAborted();
      const place = placeText(unchecked, names);
      const reason =
        'row' in unchecked ? faultOf(dataset, unchecked.row, { nowMs, isTaken }) : unchecked.reason;
      if (reason !== undefined) refused.add(`{${place},"reason":${JSON.stringify(reason)}}\n`);
      else if ('row' in unchecked) good.add(lineOf(dataset, unchecked.row, place, ordinal++));
      if (good.isFull() || refused.isFull()) await Promise.all([good.flush(), refused.flush()]);
    }
    await Promise.all([good.flush(), refused.flush()]);
  } finally {
    await Promise.all([good.close(), refused.close()]);
  }
  await makeTables(scratch, dataset, good.path, refused.path);
  return [...names.keys()];
}

/** Checks a row, and refuses one that becomes known in the future, or has a name of a field. */
function faultOf(
  dataset: Dataset,
  row: DatasetRow,
  { nowMs, isTaken }: Pick<StageContext, 'nowMs' | 'isTaken'>,
): string | undefined {
  const fault = rowFault(dataset, row);
  if (fault !== undefined) return fault;
  if (dataset.name === 'values' && isTaken?.(String(row.name))) {
    return `name ${row.name} already means something in screens`;
  }
  const isToCome = Number(row[dataset.time]) > nowMs + limits.ingest.futureMs;
  return isToCome ? `${dataset.time} ${STILL_TO_COME}` : undefined;
}

export const STILL_TO_COME = 'is still to come';

function placeText({ name = '', line, text }: RowPlace, names: Map<string, number>): string {
  const index = names.get(name) ?? names.size;
  names.set(name, index);
  const ofText = text === undefined ? '' : `,"text":${JSON.stringify(text)}`;
  return `"file_index":${index},"file_line":${line ?? null}${ofText}`;
}

function lineOf({ columns }: Dataset, row: DatasetRow, place: string, ordinal: number): string {
  const values = columns.map(({ name }) => JSON.stringify(row[name]));
  const content = hash('sha256', values.join(','));
  const fields = values.map((value, i) => `"c${i}":${value}`).join(',');
  return `{"ordinal":${ordinal},"content":"${content}",${place},${fields}}\n`;
}

async function openLines(path: string) {
  const file = await open(path, 'w');
  let text = '';
  return {
    path,
    add(line: string) {
      text += line;
    },
    isFull: () => text.length >= limits.ingest.stageChars,
    async flush() {
      const written = text;
      text = '';
      await file.appendFile(written);
    },
    close: () => file.close(),
  };
}

async function makeTables(
  scratch: Scratch,
  dataset: Dataset,
  goodPath: string,
  refusedPath: string,
): Promise<void> {
  const connection = await scratch.connect();
  const columns = tableColumns(dataset).map((column, i) => ({ ...column, name: `c${i}` }));
  const types = Object.fromEntries(columns.map(({ name, kind }) => [name, STAGED[kind].type]));
  const values = columns.map(({ column, kind, name }) => `${STAGED[kind].sql(name)} AS ${column}`);
  const own = { ordinal: 'BIGINT', content: 'VARCHAR', ...PLACE };
  await connection.run(`
    CREATE OR REPLACE TEMP VIEW staged AS
    SELECT ${[...Object.keys(own), ...values].join(', ')}
    FROM ${jsonLines(goodPath, { ...own, ...types })}`);
  await connection.run(`
    INSERT INTO rejected SELECT file_index, file_line, reason, text
    FROM ${jsonLines(refusedPath, { ...PLACE, reason: 'VARCHAR' })}`);
}

function jsonLines(path: string, columns: Record<string, string>): string {
  const types = Object.entries(columns).map(([name, type]) => `"${name}": '${type}'`);
  return `read_json(${sqlFile(path)}, format = 'newline_delimited', columns = {${types.join(', ')}})`;
}
