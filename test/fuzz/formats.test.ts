/**
 * Random requests of all routes give the same rows in each format, and five readers of Parquet have
 * them: hyparquet here, and pyarrow, polars, DuckDB and Rust's.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tableFromIPC } from 'apache-arrow';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, it } from 'vitest';
import { ROUTES, routeName } from '../../src/api/routes/routes.ts';
import { createRequests, type GeneratedRequest } from '../contract/arbitrary-requests.ts';
import { createValues } from '../contract/arbitrary-values.ts';
import { STOCK, useContractMarket } from '../contract/contract-market.ts';
import { type Document, operationsOfDocument } from '../contract/documented-operations.ts';
import { GOLDEN_READS } from '../contract/golden-requests.ts';
import { askSettled, knownValues } from '../contract/known-values.ts';
import { scaled } from '../faults/scale.ts';
import { sharedFolder } from '../support/folders.ts';
import { parquetRows } from '../support/parquet-rows.ts';
import { pythonJson } from '../support/python.ts';
import { duckdbPython, rustPython } from '../support/tools.ts';
import { fuzz } from './fuzz.ts';

type Row = Record<string, unknown>;

const market = useContractMarket();
const folder = sharedFolder();
let files = 0;
let document: Document;

beforeAll(async () => {
  document = (await market.server.request('/v1/openapi.json')).json as Document;
});

/** Whole studies and screens, since few random ones are good; their formats have other code. */
const MORE: Record<string, readonly string[]> = {
  'GET /svc/study': ['events', 'groups', 'days', 'summary'].map(
    (rows) => `/svc/study?where=rsi(14)<40&horizons=1,7&rows=${rows}`,
  ),
  'GET /svc/screener': [
    '/svc/screener?where=close<0',
    '/svc/screener?where=close>sma(20)&columns=rsi(14),volume>avg(volume,5),sector&limit=3',
    '/svc/screener?where=close>sma(20)&columns=macd&from=2026-10-01&to=2026-10-20&limit=200',
  ],
  'GET /svc/candles': [
    `/svc/candles?symbols=${STOCK}&from=2026-11-14&to=2026-11-15`,
    `/svc/candles?symbols=${STOCK}&interval=5m&from=2026-11-16`,
  ],
};

/** True if the text of a CSV cell is that value. */
function isSame(text: string, value: unknown): boolean {
  if (value === null || value === undefined || value === '') return text === '';
  if (typeof value === 'number' && /^\d{4}-/.test(text)) return Date.parse(text) === value;
  if (typeof value === 'number' || typeof value === 'bigint') return Number(text) === Number(value);
  if (value instanceof Date) return Date.parse(text) === value.getTime();
  if (typeof value === 'object') return true;
  return text === String(value);
}

/** Nested objects of a JSON row have columns of their own. */
const flat = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).flatMap(([name, value]): [string, unknown][] =>
      value && typeof value === 'object' && !Array.isArray(value)
        ? Object.entries(value)
        : [[name, value]],
    ),
  );

interface Technical {
  candles: (Row & { timestamp: string })[];
  indicators: Record<string, (Row & { timestamp: string })[]>;
}

/** Rows of a JSON response; candles and indicators of a symbol have a list each. */
function rowsOfJson(json: unknown): Row[] {
  const { data, indicators, candles } = json as { data?: Row[] } & Partial<Technical>;
  if (!indicators || !candles) return (data ?? [json as Row]).map(flat);
  const rows = new Map<string, Row>(candles.map((bar) => [bar.timestamp, { ...bar }]));
  for (const [name, points] of Object.entries(indicators)) {
    // Points before the first value are left out.
    for (const row of rows.values()) row[name] = null;
    for (const { timestamp, ...values } of points) {
      const row = rows.get(timestamp)!;
      for (const [key, value] of Object.entries(values)) {
        row[key === 'value' ? name : `${name}_${key}`] = value;
      }
    }
  }
  return [...rows.values()];
}

function rowsOfArrow(bytes: Uint8Array): Row[] {
  const table = tableFromIPC(bytes);
  const names = table.schema.fields.map(({ name }) => name);
  return [...table].map((row) => Object.fromEntries(names.map((name) => [name, row?.[name]])));
}

// Usage counts the very requests.
const WRITERS = ROUTES.filter(
  ({ contract, template }) => contract.formats?.includes('csv') && !template.includes('usage'),
);
const COUNTS = [1, 60] as const;

describe.each(WRITERS.map((route) => [routeName(route), route] as const))('%s', (name, route) => {
  it('has the same rows in each format', async () => {
    const operation = operationsOfDocument(document).find((one) => one.name === name)!;
    const values = createValues(document, await knownValues(market, operation));
    const golden = GOLDEN_READS[name] ?? [];
    const targets = [...(MORE[name] ?? []), ...scaled(golden.slice(0, 1), golden)];
    const random = createRequests(operation, values).map(({ target }: GeneratedRequest) => target);
    const ask = async (target: string, format: string) => {
      const [path, query] = target.split('?');
      const rest = (query ?? '').split('&').filter((part) => part && !part.startsWith('format='));
      const whole = `/v1${path.replace(/^\/v1/, '')}?${[...rest, `format=${format}`].join('&')}`;
      return await market.server.request(whole, { headers: { 'X-API-Key': market.operatorKey } });
    };
    const holds = async (target: string) => {
      const csv = await askSettled(market, target, (one) => ask(one, 'csv'));
      if (csv.status !== 200) return 'refused';
      const lines: string[][] = parse(csv.text, { relax_column_count: false });
      const [names = [], ...rows] = lines;
      for (const format of route.contract.formats!.filter((one) => one !== 'csv')) {
        const reply = await askSettled(market, target, (one) => ask(one, format));
        if (reply.status !== 200) continue;
        const found =
          format === 'arrow'
            ? rowsOfArrow(reply.bytes)
            : format === 'parquet'
              ? await parquetRows(reply.bytes)
              : rowsOfJson(reply.json);
        expect([format, found.length]).toEqual([format, rows.length]);
        for (const [i, row] of found.entries()) {
          for (const [at, column] of names.entries()) {
            if (!(column in row) && format === 'json') continue;
            const cell = [format, i, column, rows[i][at]];
            expect([...cell, isSame(rows[i][at], row[column]) || row[column]]).toEqual([
              ...cell,
              true,
            ]);
          }
        }
        if (format === 'parquet') {
          mkdirSync(folder, { recursive: true });
          writeFileSync(join(folder, `${files}.parquet`), reply.bytes);
          writeFileSync(join(folder, `${files}.csv`), csv.text);
          files++;
        }
      }
      return rows.length > 0 ? 'with rows' : 'without rows';
    };
    const before = files;
    for (const target of targets) await holds(target);
    await fuzz(`formats of ${name}`, random, holds, COUNTS);
    if (targets.length > 0) expect(files, 'it has written Parquet').toBeGreaterThan(before);
  });
});

/** Compares each reader's cells with those of CSV; prints the first difference of each file. */
const READERS = `
import csv, datetime, json, sys
import arro3.io, duckdb, polars, pyarrow, pyarrow.parquet
connection = duckdb.connect()
connection.execute("SET TimeZone = 'UTC'")
READERS = {
    'pyarrow': lambda path: pyarrow.parquet.read_table(path).to_pylist(),
    'polars': lambda path: polars.read_parquet(path).to_dicts(),
    'duckdb': lambda path: connection.sql(f"FROM '{path}'").to_arrow_table().to_pylist(),
    'Rust': lambda path: pyarrow.table(arro3.io.read_parquet(path).read_all()).to_pylist(),
}
def same(text, value):
    if value is None or value == '':
        return text == ''
    if isinstance(value, bool):
        return text == str(value).lower()
    if isinstance(value, (int, float)):
        return float(text) == value
    if isinstance(value, datetime.datetime):
        return datetime.datetime.fromisoformat(text) == value.replace(tzinfo=value.tzinfo or datetime.timezone.utc)
    if isinstance(value, datetime.date):
        return text == value.isoformat()
    return text == str(value)
def difference(path, read):
    try:
        rows = read(path)
    except BaseException as error:
        return str(error)
    with open(path.replace('.parquet', '.csv'), newline='', encoding='utf8') as file:
        names, *lines = csv.reader(file)
    if len(rows) != len(lines):
        return f'{len(rows)} rows for {len(lines)}'
    for line, row in zip(lines, rows):
        for name, text in zip(names, line):
            if not same(text, row[name]):
                return f'{name}: {text} is {row[name]!r}'
found = []
for number in range(int(sys.argv[2])):
    path = f'{sys.argv[1]}/{number}.parquet'
    for name, read in READERS.items():
        text = difference(path, read)
        if text:
            found.append([number, name, text])
print(json.dumps(found))
`;

it.skipIf(!rustPython || !duckdbPython)('each reader has the values of CSV', async () => {
  expect(await pythonJson(rustPython!, READERS, [folder, String(files)])).toEqual([]);
});
