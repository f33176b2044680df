/** Segments that lie as Parquet files, as a vendor's answers do. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { FetchedSegment } from '../../../../src/ingest/contract/fetch-context.ts';
import { stagedCandles } from '../../../../src/ingest/segments/staged-segment.ts';
import { type SegmentOptions, segmentOf, type TestFile } from './segments.ts';

/** One for all: opening one takes longer than the rows. */
const MEMORY = DuckDBInstance.create(':memory:');

/**
 * @param folder Where the file is put, named by the segment's id.
 * @param files Together they are one file; each symbol once.
 */
export async function landedOf(
  folder: string,
  files: TestFile[],
  options: SegmentOptions = {},
): Promise<FetchedSegment> {
  const { groups, id, source, interval, hours, basis, asOfUs, origin, actions } = segmentOf(files, {
    source: 'tiingo',
    basis: 'raw',
    asOf: '2026-06-30',
    ...options,
  });
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${id}.parquet`);
  const connection = await (await MEMORY).connect();
  try {
    await connection.run(`COPY (${groups[0].selectSql}) TO '${path}' (FORMAT parquet)`);
  } finally {
    connection.closeSync();
  }
  const series = files.map(({ symbol, bars }) => [symbol, bars.length] as const);
  const head = { id, source, interval, hours, basis, asOfUs, origin };
  return { ...stagedCandles(head, series, path), ...(actions && { actions }) };
}
