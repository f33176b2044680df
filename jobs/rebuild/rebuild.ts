/**
 * Rebuilds the market store from staged segments, and from local files that still give the same
 * segments. Then publishes everything again.
 *
 * The new store is filled next to the old one while loads go on. Under the writer lock it gets the
 * newest loads, is compared with the old store and replaces it by one rename.
 */

import { basename, join } from 'node:path';
import type { ModePaths } from '../../src/base/config/data-dir.ts';
import { StoreMissingError, TapeworksError, UsageError } from '../../src/base/errors.ts';
import { failpoint } from '../../src/base/failpoints.ts';
import { rmSync } from '../../src/base/world/files.ts';
import type { MarketDb } from '../../src/store/duckdb/connection/open.ts';
import { acquireWriterLock } from '../../src/store/duckdb/connection/writer-lock.ts';
import { replaceStore } from '../../src/store/duckdb/upkeep/replace-store.ts';
import { putAside, readRecords } from '../load/segment-records.ts';
import { publish } from '../publish/publish.ts';
import { type Compared, findLosses } from './losses.ts';
import { type LostSegment, type RebuildDeps, RecordLoader } from './records.ts';

export interface RebuildReport {
  segments: number;
  lost: LostSegment[];
  /** Proof that nothing else is lost: the old store's ledger, or the published data. */
  compared: Compared;
  publishedVersion: number;
}

export interface RebuildOptions {
  /** Id of a segment to leave out. */
  without?: string;
  /** Called under the writer lock, right before the replacement. */
  beforeReplace?(made: MarketDb): Promise<void>;
  /** True to replace the old store even if something is lost. */
  isPartial: boolean;
}

export const REBUILT_ENDING = '.rebuilt';

const ROUNDS_MAX = 5;

/**
 * Rebuilds the store and publishes.
 *
 * @throws {StoreMissingError} there are no records of loads.
 * @throws {StoreVersionError} a newer version wrote the store.
 * @throws {TapeworksError} something is lost; the old store stays.
 */
export async function rebuild(
  paths: ModePaths,
  options: RebuildOptions,
  deps: RebuildDeps,
): Promise<RebuildReport> {
  if (paths.mode === 'sandbox') {
    throw new UsageError(
      `the sandbox is not rebuilt from records: move "${paths.root}" away and it is filled again`,
    );
  }
  const made = newStorePaths(paths);
  const own = await acquireWriterLock(made, deps);
  const loader = new RecordLoader(made, own, deps);
  let filled: Filled;
  try {
    discard(made.market);
    filled = await fillAndReplace(paths, made, loader, { ...deps, ...options });
  } finally {
    loader.close();
    discard(made.market);
    own.release();
  }
  const { version } = await publish(paths, { ...deps, isWhole: true });
  return { ...filled, publishedVersion: version };
}

function newStorePaths(paths: ModePaths): ModePaths {
  const market = paths.market + REBUILT_ENDING;
  const writerLock = join(paths.root, 'rebuild.lock');
  return { ...paths, market, writerLock, serving: `${market}.serving` };
}

function discard(market: string): void {
  for (const path of [market, `${market}.wal`]) {
    failpoint('remove file', basename(path));
    rmSync(path, { force: true });
  }
}

type Filled = Omit<RebuildReport, 'publishedVersion'>;

async function fillAndReplace(
  paths: ModePaths,
  made: ModePaths,
  loader: RecordLoader,
  { isPartial, without, beforeReplace, ...deps }: RebuildDeps & RebuildOptions,
): Promise<Filled> {
  const known = new Set<string>();
  const damaged: string[] = [];
  const loadNew = async () => {
    const read = readRecords(paths, known);
    damaged.push(...read.damaged);
    await loader.load(read.records.filter(({ id }) => id !== without));
    return read.records.length;
  };
  for (let round = 0; round < ROUNDS_MAX; round++) if ((await loadNew()) === 0) break;
  if (known.size === 0) {
    throw new StoreMissingError(`Nothing in "${paths.segments}" says what was loaded`);
  }
  requireNoLoss(loader.lost, { isPartial, without });
  // No process loads from here on.
  using lock = await acquireWriterLock(paths, deps);
  await loadNew();
  const { compared, lost } = await findLosses(paths, await loader.market(), { ...deps, lock });
  // A damaged record matters only if the old store cannot say what it held.
  const unknown = compared === 'ledger' ? [] : damaged.map(damagedRecord);
  const all = withoutRepeats([...loader.lost, ...unknown, ...lost]).filter(
    ({ id }) => id !== without,
  );
  requireNoLoss(all, { isPartial, without });
  await beforeReplace?.(await loader.market());
  await loader.finish();
  replaceStore(paths, made.market);
  damaged.forEach(putAside);
  return { segments: loader.loadedCount, lost: all, compared };
}

function damagedRecord(path: string): LostSegment {
  return { id: basename(path), origin: path, reason: 'this record of a load is damaged' };
}

function withoutRepeats(lost: readonly LostSegment[]): LostSegment[] {
  return [...new Map(lost.toReversed().map((one) => [one.id, one])).values()].toReversed();
}

const LISTED_MAX = 10;

function requireNoLoss(lost: readonly LostSegment[], { isPartial, without }: RebuildOptions): void {
  if (lost.length === 0 || isPartial) return;
  const lines = lost.slice(0, LISTED_MAX).map(({ origin, reason }) => `${origin}: ${reason}`);
  const more = lost.length > LISTED_MAX ? [`and ${lost.length - LISTED_MAX} more`] : [];
  throw new TapeworksError(
    [
      `${lost.length} ${lost.length === 1 ? 'part' : 'parts'} cannot be loaded again; ` +
        'the store was not changed. ' +
        (without === undefined
          ? 'Continue with --partial, and load them again afterwards with backfill:'
          : 'To drop a segment, the store is rebuilt without it, which needs all others:'),
      ...lines,
      ...more,
    ].join('\n'),
  );
}
