/** Loads a directory of symbols: one load for each source and of new ratios, then one publish. */

import type { ModePaths } from '../../src/base/config/data-dir.ts';
import { ADS_RATIO, values } from '../../src/base/datasets/universes.ts';
import { dayFromMicros } from '../../src/base/time/dates.ts';
import type { FetchedRows, StageContext } from '../../src/ingest/contract/fetch-context.ts';
import { stageDatasetRows } from '../../src/ingest/rows/segment.ts';
import type { UncheckedRow } from '../../src/ingest/rows/stage-rows.ts';
import type { DirectoryFile, SymbolDirectory } from '../../src/ingest/vendors/symbols/source.ts';
import { columnKey } from '../../src/store/arrow/lists/specs.ts';
import type { PublishedVersion } from '../../src/store/arrow/read/published-version.ts';
import { openPublished } from '../../src/store/arrow/read/reader.ts';
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
  context: StageContext & { paths: ModePaths },
): AsyncGenerator<DirectoryFacts | FetchedRows> {
  yield* factsOf(directory);
  yield* removalsOf(directory);
  const rows = newRatios(directory, openPublished(context.paths.serving), context.nowMs);
  if (rows.length === 0) return;
  const { files, asOfUs } = directory;
  const origin = files.map((file) => file.origin).join(', ');
  const head = { dataset: values.name, source: 'nasdaqtrader', asOfUs, origin };
  yield await stageDatasetRows(head, rows, context);
}

/** Returns rows of the ratios of receipts that differ from those known last. */
function newRatios(
  { securities, asOfUs }: SymbolDirectory,
  published: PublishedVersion | undefined,
  nowMs: number,
): UncheckedRow[] {
  const date = dayFromMicros(Number(asOfUs ?? nowMs * 1000));
  return securities.flatMap(({ symbol, adsRatio }) => {
    const [newest] =
      published?.list('values', columnKey(ADS_RATIO, symbol)).page(undefined, 1) ?? [];
    if (adsRatio === undefined || newest?.json === String(adsRatio)) return [];
    return [{ row: { symbol, name: ADS_RATIO, date, value: adsRatio } }];
  });
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
