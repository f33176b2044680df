/** A directory of symbols to the end: one load per source, then one publish that shows it. */

import type { ModePaths } from '../src/data-dir.ts';
import type { ListedSecurity } from '../src/ingest/listed-security.ts';
import type { DirectoryFile, SymbolDirectory } from '../src/ingest/sources/symbols.ts';
import { openMarketForWriting } from '../src/store/market/open.ts';
import { loadSymbols } from '../src/store/market/symbols.ts';
import type { BackfillReport, RunDeps } from './backfill.ts';
import { publish } from './publish.ts';

/** Of the counts, segments are sources and rows are lines of the files. */
export async function loadDirectory(
  paths: ModePaths,
  directory: SymbolDirectory,
  deps: RunDeps,
): Promise<BackfillReport> {
  const bySource = Map.groupBy(directory.securities, ({ source }) => source);
  const alreadyLoaded = await loadSources(paths, directory, bySource, deps);
  const { version } = await publish(paths, deps);
  const rejectedByReason = reasonsOf(directory.files);
  return {
    segments: bySource.size,
    alreadyLoaded,
    accepted: directory.files.reduce((sum, { accepted }) => sum + accepted, 0),
    rejected: Object.values(rejectedByReason).reduce((sum, count) => sum + count, 0),
    rejectedByReason,
    skipped: directory.skipped,
    seriesChanged: 0,
    rowsChanged: 0,
    publishedVersion: version,
  };
}

/** @returns how many of the sources had said the same before. */
async function loadSources(
  paths: ModePaths,
  { files, asOfUs }: SymbolDirectory,
  bySource: ReadonlyMap<ListedSecurity['source'], readonly ListedSecurity[]>,
  deps: RunDeps,
): Promise<number> {
  let alreadyLoaded = 0;
  const market = await openMarketForWriting(paths, deps);
  try {
    for (const [source, securities] of bySource) {
      const own = files.filter((file) => file.source === source);
      const isNew = await loadSymbols(market, securities, {
        source,
        nowMs: deps.nowMs,
        origin: own.map(({ origin }) => origin).join(', '),
        // The SEC's file does not say when it was made.
        asOfUs: source === 'sec' ? undefined : asOfUs,
        rejected: own.reduce((sum, file) => sum + file.testIssues + file.refused.length, 0),
      });
      if (!isNew) alreadyLoaded++;
    }
  } finally {
    market.close();
  }
  return alreadyLoaded;
}

function reasonsOf(files: readonly DirectoryFile[]): Record<string, number> {
  const reasons: Record<string, number> = {};
  for (const { testIssues, refused } of files) {
    if (testIssues > 0) reasons['test issue'] = (reasons['test issue'] ?? 0) + testIssues;
    for (const { reason } of refused) reasons[reason] = (reasons[reason] ?? 0) + 1;
  }
  return reasons;
}
