/**
 * `sql --json` gave the flags of insiders' transactions as texts. They are booleans in the store,
 * whichever program landed them.
 */

import { DuckDBInstance } from '@duckdb/node-api';
import { expect, onTestFinished, test } from 'vitest';
import { insider } from '../../../../src/base/datasets/filings.ts';
import type { InsiderRow } from '../../../../src/compute/companies/insider-summary.ts';
import type { FetchedRows } from '../../../../src/ingest/contract/fetch-context.ts';
import { loadRowBatch } from '../../../../src/store/duckdb/load/load-rows.ts';
import { streamRows } from '../../../../src/store/duckdb/rows/read-rows.ts';
import { freshStore, NOW_MS, query } from '../support/fixtures.ts';
import { land } from '../support/row-fixtures.ts';

function transactions(number: number): Promise<FetchedRows> {
  const flags = ['true', 'false', null];
  const rows = flags.map((isDerivative, line) => ({
    ...{ symbol: 'AAPL', insiderName: 'A', transactionType: 'sell', isDerivative },
    ...{ filedAt: NOW_MS - 1000, accession: `0000320193-26-00000${number}`, line },
  }));
  return land('insider', rows);
}

/** Writes the file of a segment as an earlier program did. */
async function landedAsText(segment: FetchedRows): Promise<FetchedRows> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  onTestFinished(() => {
    connection.disconnectSync();
    instance.closeSync();
  });
  const parquetPath = `${segment.parquetPath}.text`;
  await connection.run(`
    COPY (SELECT * REPLACE (is_derivative::VARCHAR AS is_derivative)
          FROM read_parquet('${segment.parquetPath}')) TO '${parquetPath}' (FORMAT parquet)`);
  return { ...segment, parquetPath };
}

test.each(['texts', 'booleans, then texts'])(
  'flags that were landed as %s are booleans in the store',
  async (kinds) => {
    const db = await freshStore();
    const segments = kinds.split(', then ').map(async (kind, i) => {
      const segment = await transactions(i);
      return { segment: kind === 'texts' ? await landedAsText(segment) : segment };
    });
    await loadRowBatch(db, await Promise.all(segments), NOW_MS);
    const flags = await query(db, 'SELECT is_derivative FROM insider ORDER BY accession, line');
    expect(flags).toEqual(segments.flatMap(() => [[true], [false], [null]]));
  },
);

test('a row that is read for publishing has its flags as it was given', async () => {
  const db = await freshStore();
  await loadRowBatch(db, [{ segment: await transactions(0) }], NOW_MS);
  const read: unknown[] = [];
  for await (const { rows } of streamRows(db, insider)) {
    read.push(...rows.toSorted((a, b) => Number(a.line) - Number(b.line)));
  }
  expect((read as InsiderRow[]).map((row) => row.isDerivative)).toEqual(['true', 'false', null]);
  const [payload] = (await query(db, 'SELECT payload FROM outbox ORDER BY payload')).flat();
  expect(String(payload)).toContain('"isDerivative":"false"');
});
