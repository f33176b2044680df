/** Segments of rows, landed as a connector would, and loaded. */

import { join } from 'node:path';
import { inject } from 'vitest';
import type { DatasetRow } from '../../../../src/base/datasets/dataset.ts';
import type { FetchedRows } from '../../../../src/ingest/contract/fetch-context.ts';
import { type RowsHead, stageDatasetRows } from '../../../../src/ingest/rows/segment.ts';
import type { MarketDb } from '../../../../src/store/duckdb/connection/open.ts';
import { loadRowBatch, type RowLoadResult } from '../../../../src/store/duckdb/load/load-rows.ts';
import { testContext } from '../../../ingest/support/segment-rows.ts';
import { NOW_MS } from './fixtures.ts';

/** Removed after the run, since every file that loads rows shares it. */
const root = join(inject('runFolder'), `rows-${process.pid}`);

/** @param asOf A date; undefined = as new as the newest row. */
export function land(
  dataset: string,
  rows: readonly DatasetRow[],
  source = 'files',
  asOf?: string,
  read?: RowsHead['read'],
): Promise<FetchedRows> {
  const asOfUs = asOf === undefined ? undefined : BigInt(Date.parse(asOf)) * 1000n;
  return stageDatasetRows(
    { dataset, source, asOfUs, origin: 'test', read },
    rows.map((row) => ({ row: { ...row } })),
    testContext(root, new Date(NOW_MS).toISOString()),
  );
}

export async function loadSegment(db: MarketDb, segment: FetchedRows): Promise<RowLoadResult> {
  return (await loadRowBatch(db, [{ segment }], NOW_MS))[0];
}

export function target(values: DatasetRow = {}): DatasetRow {
  const publishedAt = Date.parse('2026-06-30T10:00:00Z');
  return { symbol: 'AAPL', firm: 'A & B', target: 300, publishedAt, ...values };
}

export function article(number: number, values: DatasetRow = {}): DatasetRow {
  return {
    title: `Title ${number}`,
    source: 'Wire',
    url: `https://example.com/${number}`,
    publishedAt: Date.parse('2026-06-30T10:00:00Z') + number,
    symbols: ['AAPL'],
    ...values,
  };
}
