/** A study's answer in the format of a request. */

import { dateFromDay } from '../../base/time/dates.ts';
import type { ScreenMemory } from '../../screens/run/screen-memory.ts';
import { NULL_INT } from '../../store/arrow/format/batch-layout.ts';
import type { Snapshot } from '../../store/arrow/snapshot/snapshot.ts';
import { arrowFromTable } from '../responses/arrow-stream.ts';
import { parquetFromTable } from '../responses/parquet.ts';
import type { Table, TableColumn } from '../responses/table.ts';
import { csvFromTable } from '../responses/table-response.ts';
import { answeredStudy } from './answer.ts';
import type { StudyRequest } from './request.ts';
import {
  type DaysPlace,
  type DaysRequest,
  jsonOfDays,
  pageOfDays,
  type ScreenedDays,
  screenedDays,
  tableOfDays,
} from './screened-days.ts';

export interface StudyResult {
  /** The JSON response, or bytes in other formats. Of a screen over days, JSON rows with commas. */
  body: string | Uint8Array<ArrayBuffer>;
  /** Rows of the answer; of a screen over days, those of all pages. */
  rowCount: number;
  /** Facts about the page of a screen over days. */
  page?: { next: DaysPlace | undefined; isChanged: boolean } & Pick<
    ScreenedDays,
    'notFound' | 'nulls'
  >;
}

/** @throws {ParameterError} A parameter breaks a rule, or the study is too large. */
export function* studySteps(
  snapshot: Snapshot,
  memory: ScreenMemory,
  request: StudyRequest | DaysRequest,
): Generator<undefined, StudyResult> {
  if (request.rows === 'matches') return yield* daysSteps(snapshot, memory, request);
  const { table, definition, warnings } = yield* answeredStudy(snapshot, memory, request);
  const rowCount = table[0].values.length;
  const { format } = request;
  if (format === 'json') {
    return { body: JSON.stringify({ data: studyRows(table), definition, warnings }), rowCount };
  }
  return { body: written(table, format), rowCount };
}

function* daysSteps(
  snapshot: Snapshot,
  memory: ScreenMemory,
  request: DaysRequest,
): Generator<undefined, StudyResult> {
  const screened = yield* screenedDays(snapshot, memory, request);
  const { start, end } = pageOfDays(screened, request);
  const { symbols, days, notFound, nulls } = screened;
  const { format, place } = request;
  const hasMore = end < days.length;
  return {
    body:
      format === 'json'
        ? jsonOfDays(screened, start, end)
        : written(tableOfDays(screened, start, end), format),
    rowCount: days.length,
    page: {
      next: hasMore ? [snapshot.id, days[end - 1], symbols[end - 1]] : undefined,
      isChanged: place !== undefined && place[0] !== snapshot.id,
      notFound,
      nulls,
    },
  };
}

const WRITERS = { csv: csvFromTable, arrow: arrowFromTable, parquet: parquetFromTable };

function written(table: Table, format: keyof typeof WRITERS): Uint8Array<ArrayBuffer> {
  // Memory of its own, which a message can take along.
  return new Uint8Array(WRITERS[format](table));
}

type JsonValue = number | string | boolean | null;

/** Returns the rows of a table as objects; NaN is null. */
export function studyRows(table: Table): Record<string, JsonValue>[] {
  const columns = table.map((column) => ({ name: column.name, read: valueReader(column) }));
  return Array.from({ length: table[0].values.length }, (_, row) =>
    Object.fromEntries(columns.map(({ name, read }) => [name, read(row)])),
  );
}

function valueReader(column: TableColumn): (row: number) => JsonValue {
  switch (column.type) {
    case 'date':
      return (row) => dateFromDay(column.values[row]);
    case 'optionalDate':
      return (row) => (column.values[row] === NULL_INT ? null : dateFromDay(column.values[row]));
    case 'flag':
      return (row) => (Number.isNaN(column.values[row]) ? null : column.values[row] === 1);
    case 'text':
    case 'optionalText':
      return (row) => column.values[row];
    case 'timestamp':
    case 'optionalTimestamp':
      throw new Error('Assertion failed: a study has no timestamps');
    default:
      return (row) => (Number.isFinite(column.values[row]) ? column.values[row] : null);
  }
}
