/**
 * The reader of Rust opens every Parquet file that the API writes or has: datafusion, daft,
 * deltalake and parquet-wasm have it too. It could not open most of them.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { ROUTES, routeName } from '../../src/api/routes/routes.ts';
import { modePaths } from '../../src/base/config/data-dir.ts';
import { readFileSets, requestedName } from '../../src/store/parquet/file-sets.ts';
import { type RustTable, rustTables } from '../support/rust-reader.ts';
import { rustPython } from '../support/tools.ts';
import { FUND, STOCK, useContractMarket } from './contract-market.ts';
import { GOLDEN_READS } from './golden-requests.ts';

const market = useContractMarket();
let screenRows: string;

beforeAll(async () => {
  const { json } = await market.server.request('/v1/svc/screens', {
    method: 'POST',
    headers: { 'X-API-Key': market.operatorKey, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Parquet', query: 'where=close > sma(20)&columns=rsi(14)' }),
  });
  screenRows = `/svc/screens/${(json as { id: string }).id}/rows?format=parquet`;
});

/** Targets whose responses are Parquet, by the operation that gives them. */
const TARGETS: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    Object.entries(GOLDEN_READS)
      .map(([name, all]) => [name, all.filter((target) => target.includes('format=parquet'))])
      .filter(([, targets]) => targets.length > 0),
  ),
  'GET /svc/candles': [`/svc/candles?symbols=${STOCK}&from=2026-11-16&format=parquet`],
  'GET /svc/technical': [
    `/svc/technical?symbols=${STOCK}&indicators=sma:5&from=2026-11-16&format=parquet`,
  ],
  'GET /svc/developer/usage/daily': ['/svc/developer/usage/daily?format=parquet'],
  'GET /svc/accounts/usage/daily': ['/svc/accounts/usage/daily?format=parquet'],
};

/** Targets whose responses have no rows. */
const EMPTY = [
  `/svc/candles?symbols=${STOCK}&from=2026-11-14&to=2026-11-15&format=parquet`,
  '/svc/screener?where=close<0&format=parquet',
  '/svc/screener?sector=nothing&format=parquet',
  '/svc/news?from=2020-01-01&to=2020-01-02&format=parquet',
];

async function answered(targets: readonly string[]): Promise<Record<string, Uint8Array>> {
  const files: Record<string, Uint8Array> = {};
  for (const target of targets) {
    const reply = await market.server.request(`/v1${target}`, {
      headers: { 'X-API-Key': market.operatorKey },
    });
    expect([target, reply.status]).toEqual([target, 200]);
    files[target] = reply.bytes;
  }
  return files;
}

describe.skipIf(!rustPython)('the reader of Rust', () => {
  it('opens the responses of every operation', async () => {
    const targets = { ...TARGETS, 'GET /svc/screens/{id}/rows': [screenRows] };
    const writing = ROUTES.filter(
      ({ contract, access }) => contract.formats?.includes('parquet') && !access.isFile,
    ).map(routeName);
    expect(writing.filter((operation) => !Object.hasOwn(targets, operation))).toEqual([]);
    const tables = await rustTables(await answered(Object.values(targets).flat()));
    expect(Object.values(tables).filter((table) => typeof table === 'string')).toEqual([]);
  });

  it('opens responses without rows', async () => {
    const tables = await rustTables(await answered(EMPTY));
    expect(Object.entries(tables)).toEqual(
      EMPTY.map((target) => [target, { rows: 0, columns: expect.anything() }]),
    );
  });

  it('opens what every operation has of a fund without filings', async () => {
    const all = Object.values(TARGETS).flat();
    const targets = all
      .filter((target) => target.includes(STOCK))
      .map((target) => target.replaceAll(STOCK, FUND));
    const tables = await rustTables(await answered(targets));
    expect(Object.values(tables).filter((table) => typeof table === 'string')).toEqual([]);
    const empty = Object.values(tables).filter((table) => (table as RustTable).rows === 0);
    expect(empty.length).toBeGreaterThan(5);
  });

  it('opens every published file', async () => {
    const { files: folder } = modePaths(market.dataDir, 'sandbox');
    const [{ files }] = readFileSets(folder);
    const read = files.map((file) => [requestedName(file), readFileSync(join(folder, file.name))]);
    const tables = await rustTables(Object.fromEntries(read));
    expect(Object.entries(tables).filter(([, table]) => typeof table === 'string')).toEqual([]);
    expect(new Set(files.map(({ dataset }) => dataset)).size).toBe(12);
  });

  it('reads years, months and bytes of the list as whole numbers', async () => {
    const target = '/svc/files?format=parquet';
    const { [target]: list } = await rustTables(await answered([target]));
    expect(list).toMatchObject({
      columns: expect.arrayContaining(['year: Int64', 'month: Int64', 'bytes: Int64']),
    });
  });
});
