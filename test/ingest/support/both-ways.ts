/** Compares the typed ways of reading files with the line reader. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { dayFromDate } from '../../../src/base/time/dates.ts';
import type { FetchContext, FetchedSegment } from '../../../src/ingest/contract/fetch-context.ts';
import { type Fetched, fetchAll } from './segment-rows.ts';

/**
 * Expects the same of files that are read as usual and line by line.
 *
 * @returns the segments of the usual way.
 */
export async function bothWays(
  fetch: (more: { toDay?: number }) => AsyncIterable<FetchedSegment>,
  { paths }: FetchContext,
): Promise<Fetched[]> {
  const usual = await fetchAll(fetch({}));
  // With a range of days, every file is read line by line.
  const exact = await fetchAll(fetch({ toDay: dayFromDate('9999-12-31') }));
  expect(factsOf(usual, paths.quarantine)).toEqual(factsOf(exact, paths.quarantine));
  return usual;
}

/** Counts the symbols of files that were read in the typed way, or in others. */
export function countOfGroups(fetched: readonly Fetched[], isTyped: boolean): number {
  return fetched
    .flatMap(({ segment }) => segment.groups)
    .filter(({ selectSql }) => selectSql.includes('typed-') === isTyped)
    .reduce((sum, { fileIndexes }) => sum + fileIndexes.length, 0);
}

/** The facts of all segments that a user sees, whatever their order. */
function factsOf(fetched: readonly Fetched[], quarantine: string) {
  return fetched.map(({ segment, accepted, rejected, reasons, rows }) => ({
    ...{ interval: segment.interval, basis: segment.basis },
    skipped: segment.skipped,
    notes: segment.notes,
    readings: segment.readings,
    files: segment.files.map(({ modifiedUs, ...one }) => JSON.stringify(one)).sort(),
    ...{ accepted, rejected, reasons },
    rows: rows.map((row) => JSON.stringify(row)).sort(),
    refused: refusedLines(join(quarantine, `${segment.id}.csv`)),
  }));
}

function refusedLines(path: string): string[] {
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').sort() : [];
}
