/** An answer as the golden corpus keeps it: its shape, and what of it is the same in every run. */

import { tableFromIPC } from 'apache-arrow';
import type { Reply } from '../api/support/test-server.ts';
import { parquetFooter, parquetRows } from '../support/parquet-rows.ts';
import type { Json } from './json.ts';
import { shapeOf } from './shape.ts';

export type GoldenEntry = {
  /** Method and target, and the body as JSON where there is one. */
  request: string;
  status: number;
  /** Names, in lower case and in order of the alphabet, blanks between. */
  headers: string;
  /** Shape of a JSON body of which rows are left out: fields in order with their types. */
  shape?: Json;
  /** The answer itself; of lists and texts only the beginning. */
  body?: Json;
};

const ROWS_KEPT = 2;

/** Rows of tables; those of JSON, of which they are another form, stand before them. */
const TABLE_ROWS_KEPT = 1;

/** Texts that differ from run to run. */
const MASKS: readonly [RegExp, string][] = [
  [/http:\/\/127\.0\.0\.1:\d+/g, 'http://server'],
  [/svc_(test|live)_[0-9A-Za-z]{33}/g, 'svc_$1_(random)'],
  [/^svc_(test|live)_[0-9A-Za-z]{3}$/g, 'svc_$1_(ra)'],
  [/\b(key|acct|wh|evt|scr|bf)_[0-9A-Za-z]{16,}/g, '$1_(random)'],
  [/\breq_[0-9a-z]+/g, 'req_(random)'],
  [/whsec_[\w+/=-]+/g, 'whsec_(random)'],
  [/[\w-]{40,}/g, '(cursor)'],
];

export function masked(text: string): string {
  return MASKS.reduce((rest, [pattern, mask]) => rest.replace(pattern, mask), text);
}

/** The beginning of every list, its texts masked. */
function beginning(value: Json): Json {
  if (typeof value === 'string') return masked(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const isRows = value.some((item) => typeof item === 'object');
    return (isRows ? value.slice(0, ROWS_KEPT) : value).map(beginning);
  }
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, beginning(part)]));
}

/** True if `beginning` leaves rows of a list out. */
function isCut(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (!Array.isArray(value)) return Object.values(value).some(isCut);
  const isRows = value.some((item) => typeof item === 'object');
  return (isRows && value.length > ROWS_KEPT) || value.some(isCut);
}

/** An Arrow stream: its columns as `name: type`, `?` behind those that may be null, and first row. */
function arrowBeginning(bytes: Uint8Array): Json {
  const table = tableFromIPC(bytes);
  const columns = table.schema.fields.map(
    ({ name, type, nullable }) => `${name}: ${type}${nullable ? '?' : ''}`,
  );
  const rows = Array.from({ length: Math.min(TABLE_ROWS_KEPT, table.numRows) }, (_, row) =>
    table.schema.fields.map(({ name }) => masked(String(table.getChild(name)?.get(row)))),
  );
  return { columns: columns.join(', '), rows };
}

/** A Parquet file: its columns, written as those of Arrow are, and first row. */
async function parquetBeginning(bytes: Uint8Array): Promise<Json> {
  const [, ...fields] = parquetFooter(bytes).schema;
  const columns = fields.map(({ name, type, converted_type, repetition_type }) => {
    const isNullable = repetition_type === 'OPTIONAL';
    return `${name}: ${converted_type ?? type}${isNullable ? '?' : ''}`;
  });
  const rows = (await parquetRows(bytes)).slice(0, TABLE_ROWS_KEPT).map((row) =>
    Object.values(row).map((value) => {
      return masked(value instanceof Date ? value.toISOString() : String(value));
    }),
  );
  return { columns: columns.join(', '), rows };
}

/** Headers that belong to a connection, not to an answer. */
const TRANSPORT = new Set(['connection', 'date', 'keep-alive', 'transfer-encoding']);

/** @param request Method and target, and the body where there is one. */
export async function goldenEntry(
  request: string,
  { status, headers, text, bytes }: Reply,
): Promise<GoldenEntry> {
  const names = [...headers.keys()].filter((name) => !TRANSPORT.has(name)).sort();
  const entry: GoldenEntry = { request: masked(request), status, headers: names.join(' ') };
  const type = headers.get('Content-Type') ?? '';
  if (type === 'application/json') {
    const json: Json = JSON.parse(text);
    const shape = isCut(json) ? { shape: shapeOf([json]) } : {};
    return { ...entry, ...shape, body: beginning(json) };
  }
  if (type.startsWith('text/csv')) {
    return {
      ...entry,
      body: text
        .split('\r\n')
        .slice(0, 1 + TABLE_ROWS_KEPT)
        .map(masked),
    };
  }
  if (type.includes('parquet')) return { ...entry, body: await parquetBeginning(bytes) };
  return bytes.length === 0 ? entry : { ...entry, body: arrowBeginning(bytes) };
}
