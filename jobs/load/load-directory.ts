/** Loads a directory of symbols: one load for each source, then one publish. */

import type { ModePaths } from '../../src/base/config/data-dir.ts';
import { HeldLoadError } from '../../src/base/errors.ts';
import type { ListedSecurity } from '../../src/ingest/directory/listed-security.ts';
import type { DirectoryFile, SymbolDirectory } from '../../src/ingest/vendors/symbols/source.ts';
import { openMarketForWriting } from '../../src/store/duckdb/connection/open.ts';
import { requireFewRejected, requireWholeDirectory } from '../../src/store/duckdb/holds/load.ts';
import { extentOfSymbols } from '../../src/store/duckdb/holds/load-extent.ts';
import { loadSymbols } from '../../src/store/duckdb/securities/symbols.ts';
import {
  type BackfillReport,
  type LoadedDataset,
  noLoads,
  type RunDeps,
} from '../contract/reports.ts';
import { publish } from '../publish/publish.ts';
import { Holds } from './holds.ts';
import { LoadedRows } from './loaded-rows.ts';
import { SegmentRecords } from './segment-records.ts';

/** Loads and publishes. In the report, segments are sources and rows are lines of the files. */
export async function loadDirectory(
  paths: ModePaths,
  directory: SymbolDirectory,
  deps: RunDeps,
): Promise<BackfillReport> {
  const bySource = Map.groupBy(directory.securities, ({ source }) => source);
  const { alreadyLoaded, loaded } = await loadSources(paths, directory, bySource, deps).catch(
    async (error) => {
      if (error instanceof HeldLoadError) await publish(paths, deps);
      throw error;
    },
  );
  const { version } = await publish(paths, deps);
  const rejectedByReason = reasonsOf(directory.files);
  return {
    ...noLoads(),
    segments: bySource.size,
    alreadyLoaded,
    accepted: directory.files.reduce((sum, { accepted }) => sum + accepted, 0),
    rejected: Object.values(rejectedByReason).reduce((sum, count) => sum + count, 0),
    rejectedByReason,
    skipped: directory.skipped,
    loaded,
    publishedVersion: version,
  };
}

/** Loads each source. @returns the number of sources without news, and the rows of the others. */
async function loadSources(
  paths: ModePaths,
  { files, asOfUs }: SymbolDirectory,
  bySource: ReadonlyMap<ListedSecurity['source'], readonly ListedSecurity[]>,
  deps: RunDeps,
): Promise<{ alreadyLoaded: number; loaded: LoadedDataset[] }> {
  let alreadyLoaded = 0;
  let count = 0;
  const loaded = new LoadedRows();
  const holds = new Holds(paths, deps);
  const records = new SegmentRecords(paths);
  // The SEC's file has no creation date.
  const madeAtUs = (source: ListedSecurity['source']) => (source === 'sec' ? undefined : asOfUs);
  const market = await openMarketForWriting(paths, deps);
  try {
    for (const [source, securities] of bySource) {
      const own = files.filter((file) => file.source === source);
      const origin = own.map((file) => file.origin).join(', ');
      const refused = own.reduce((sum, file) => sum + file.refused.length, 0);
      const accepted = securities.length;
      const facts = {
        source,
        origin,
        asOfUs: madeAtUs(source),
        ...recordedFacts(securities, own),
      };
      const load = async () => {
        const guard = holds.guard(new Map());
        if (guard) {
          requireFewRejected(origin, { accepted, rejected: refused }, guard);
          await requireWholeDirectory(market, { source, origin, accepted }, guard);
        }
        const isNew = await loadSymbols(market, securities, {
          ...{ source, origin, nowMs: deps.nowMs },
          asOfUs: madeAtUs(source),
          rejected: own.reduce((sum, file) => sum + file.testIssues, refused),
        });
        await records.add([facts], { loadedMs: deps.nowMs, firstOrder: count });
        if (isNew) loaded.add(facts, extentOfSymbols(securities));
        else alreadyLoaded++;
        count++;
      };
      await holds.collect(load, (reason) =>
        records.hold(facts, { heldMs: deps.nowMs, reason, run: deps.run }),
      );
    }
  } finally {
    market.close();
  }
  holds.throwHeld(count);
  return { alreadyLoaded, loaded: loaded.list() };
}

function recordedFacts(securities: readonly ListedSecurity[], files: readonly DirectoryFile[]) {
  return {
    facts: securities.map(({ source: _, ...facts }) => facts),
    skipped: [],
    rejectedByReason: new Map(Object.entries(reasonsOf(files))),
  };
}

function reasonsOf(files: readonly DirectoryFile[]): Record<string, number> {
  const reasons: Record<string, number> = {};
  for (const { testIssues, refused } of files) {
    if (testIssues > 0) reasons['test issue'] = (reasons['test issue'] ?? 0) + testIssues;
    for (const { reason } of refused) reasons[reason] = (reasons[reason] ?? 0) + 1;
  }
  return reasons;
}
