/** Loads a directory of symbols: one load for each source and for the ratios of each file, then one publish. */

import type { ModePaths } from '../../src/base/config/data-dir.ts';
import { ADS_RATIO, values } from '../../src/base/datasets/universes.ts';
import { newYorkDay } from '../../src/base/time/calendar.ts';
import type { FetchedRows, StageContext } from '../../src/ingest/contract/fetch-context.ts';
import { stageDatasetRows } from '../../src/ingest/rows/segment.ts';
import type { UncheckedRow } from '../../src/ingest/rows/stage-rows.ts';
import type { DirectoryFile, SymbolDirectory } from '../../src/ingest/vendors/symbols/source.ts';
import type { BackfillReport, RunDeps } from '../contract/reports.ts';
import { backfill } from './backfill.ts';
import type { DirectoryFacts } from './load-fetched.ts';

/**
 * Loads and publishes. In the report, segments are sources and rows are lines of the files.
 *
 * @throws as `backfill`.
 */
export async function loadDirectory(
  paths: ModePaths,
  directory: SymbolDirectory,
  deps: RunDeps,
): Promise<BackfillReport> {
  const { files, removals, skipped } = directory;
  const report = await backfill(paths, partsOf(directory, { ...deps, paths }), deps);
  const notices = removals.map((file) => {
    return { ...file, accepted: file.notices.length, testIssues: 0 };
  });
  const rejectedByReason = reasonsOf([...files, ...notices]);
  return {
    ...report,
    accepted: [...files, ...notices].reduce((sum, { accepted }) => sum + accepted, 0),
    rejected: Object.values(rejectedByReason).reduce((sum, count) => sum + count, 0),
    rejectedByReason,
    skipped,
  };
}

async function* partsOf(
  directory: SymbolDirectory,
  context: StageContext,
): AsyncGenerator<DirectoryFacts | FetchedRows> {
  yield* factsOf(directory);
  yield* removalsOf(directory);
  for (const { source, origin, snapshot, ratios } of directory.files) {
    if (!snapshot || ratios.length === 0) continue;
    const asOfUs = BigInt(snapshot.takenMs) * 1000n;
    const head = { dataset: values.name, source, asOfUs, origin };
    yield await stageDatasetRows(head, ratioRows(ratios, newYorkDay(snapshot.takenMs)), context);
  }
}

/**
 * Returns what a directory says of receipts. Every directory counts, also if it says what another one
 * says: a third one between them may say something else.
 */
function ratioRows(ratios: DirectoryFile['ratios'], date: number): UncheckedRow[] {
  return ratios.map(({ symbol, adsRatio: value }) => ({
    row: { symbol, name: ADS_RATIO, date, value: value ?? null },
  }));
}

async function* factsOf({
  securities,
  files,
  asOfUs,
}: SymbolDirectory): AsyncGenerator<DirectoryFacts> {
  for (const [source, listed] of Map.groupBy(securities, ({ source }) => source)) {
    const own = files.filter((file) => file.source === source);
    yield {
      source,
      origin: own.map(({ origin }) => origin).join(', '),
      // The SEC's file has no creation date.
      asOfUs: source === 'sec' ? undefined : asOfUs,
      facts: listed.map(({ source: _, adsRatio: __, ...facts }) => facts),
      skipped: [],
      rejectedByReason: new Map(Object.entries(reasonsOf(own))),
      // Test issues are no faults, so the sanity check leaves them out.
      refusedFileLines: own.reduce((sum, { testIssues }) => sum + testIssues, 0),
      isDirectory: true,
      snapshots: own.flatMap(({ snapshot }) => snapshot ?? []),
    };
  }
}

function* removalsOf({ removals }: SymbolDirectory): Generator<DirectoryFacts> {
  for (const { origin, source, notices, refused } of removals) {
    yield {
      source,
      origin,
      facts: [],
      removals: notices,
      skipped: [],
      rejectedByReason: new Map(Object.entries(reasonsOf([{ testIssues: 0, refused }]))),
    };
  }
}

function reasonsOf(
  files: readonly Pick<DirectoryFile, 'testIssues' | 'refused'>[],
): Record<string, number> {
  const reasons: Record<string, number> = {};
  for (const { testIssues, refused } of files) {
    if (testIssues > 0) reasons['test issue'] = (reasons['test issue'] ?? 0) + testIssues;
    for (const { reason } of refused) reasons[reason] = (reasons[reason] ?? 0) + 1;
  }
  return reasons;
}
