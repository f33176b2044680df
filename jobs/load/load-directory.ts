/** Loads a directory of symbols: one load for each source, then one publish. */

import type { ModePaths } from '../../src/base/config/data-dir.ts';
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
  const { files, skipped } = directory;
  const report = await backfill(paths, factsOf(directory), deps);
  const rejectedByReason = reasonsOf(files);
  return {
    ...report,
    accepted: files.reduce((sum, { accepted }) => sum + accepted, 0),
    rejected: Object.values(rejectedByReason).reduce((sum, count) => sum + count, 0),
    rejectedByReason,
    skipped,
  };
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
      facts: listed.map(({ source: _, ...facts }) => facts),
      skipped: [],
      rejectedByReason: new Map(Object.entries(reasonsOf(own))),
      // Test issues are no faults, so the sanity check leaves them out.
      refusedFileLines: own.reduce((sum, { testIssues }) => sum + testIssues, 0),
      isDirectory: true,
    };
  }
}

function reasonsOf(files: readonly DirectoryFile[]): Record<string, number> {
  const reasons: Record<string, number> = {};
  for (const { testIssues, refused } of files) {
    if (testIssues > 0) reasons['test issue'] = (reasons['test issue'] ?? 0) + testIssues;
    for (const { reason } of refused) reasons[reason] = (reasons[reason] ?? 0) + 1;
  }
  return reasons;
}
