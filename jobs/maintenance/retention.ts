/** Removes data that is out of date, in both modes. `docs/operations.md` has the periods. */

import { basename, dirname, join } from 'node:path';
import type { Settings } from '../../src/base/config/config.ts';
import {
  type AccountsPlace,
  accountsPlace,
  jobsPaths,
  MODES,
  type ModePaths,
  workPaths,
} from '../../src/base/config/data-dir.ts';
import { scratchOwner } from '../../src/base/config/scratch-names.ts';
import { limits } from '../../src/base/limits.ts';
import { pause } from '../../src/base/time/pause.ts';
import { wallMs } from '../../src/base/world/clock.ts';
import { readdir, rm, stat } from '../../src/base/world/file-promises.ts';
import { existsSync } from '../../src/base/world/files.ts';
import { withAccounts } from '../../src/store/accounts/open.ts';
import { REPLACED_ENDING } from '../../src/store/duckdb/upkeep/replace-store.ts';
import { REWRITTEN_ENDING } from '../../src/store/duckdb/upkeep/rewrite-store.ts';
import { sharedSegments } from '../../src/store/shared/shared-segments.ts';
import { type StageSettings, withStage } from '../contract/stage.ts';
import { oldRuns, removeAll } from '../contract/staged-files.ts';
import { JobLedger } from '../ledger/ledger.ts';
import { REBUILT_ENDING } from '../rebuild/rebuild.ts';

/** Number of removals by kind. A type, as tasks report records of numbers. */
export type Removed = Record<'events' | 'plans' | 'landings' | 'files', number>;

export async function removeOld(
  settings: Pick<Settings, 'dataDir' | 'segmentsDir'> & StageSettings,
  nowMs: number,
): Promise<Removed> {
  const removed: Removed = { events: 0, plans: 0, landings: 0, files: 0 };
  removed.events = await removeOldEvents(accountsPlace(settings.dataDir), nowMs);
  removed.plans = removeOldRuns(jobsPaths(settings.dataDir).ledger, nowMs);
  for (const mode of MODES) {
    const paths = workPaths(settings, mode);
    removed.landings += await removeOldStaged(paths, {}, nowMs);
    removed.files += await removeOldFiles(paths, nowMs);
  }
  // Object storage comes last, as it may be away.
  for (const mode of sharedSegments(settings) ? MODES : []) {
    removed.landings += await removeOldStaged(workPaths(settings, mode), settings, nowMs);
  }
  return removed;
}

/**
 * Removes, an hour after its start and then daily, what killed processes left on a machine without a
 * store, on which no maintenance runs. Ends when the signal aborts.
 */
export async function keepClean(
  settings: Pick<Settings, 'dataDir' | 'segmentsDir'>,
  note: (text: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const { cleanFirstMs, cleanEveryMs } = limits.retention;
  let waitMs: number = cleanFirstMs;
  for (;;) {
    await pause(waitMs, signal);
    if (signal.aborted) return;
    waitMs = cleanEveryMs;
    for (const mode of MODES) {
      const paths = workPaths(settings, mode);
      await removeOldFiles(paths, wallMs()).catch((error) => note(`old files: ${error.message}`));
    }
  }
}

async function removeOldEvents(place: AccountsPlace, nowMs: number): Promise<number> {
  if (place.url === undefined && !existsSync(place.path)) return 0;
  return await withAccounts(
    place,
    (accounts) => accounts.removeOld(),
    () => nowMs,
  );
}

/** Needed without Redis where no process runs schedules; Redis removes its jobs itself. */
function removeOldRuns(path: string, nowMs: number): number {
  if (!existsSync(path)) return 0;
  using ledger = new JobLedger(path);
  return ledger.sweep(nowMs - limits.jobs.keptMs).length;
}

/** Names of the store's id and the webhooks' key in the hands of a process that offers its own. */
const DRAFT = /^(?:store\.json\.[0-9a-f-]{36}(?:\.tmp)?|webhook\.key\.[0-9a-f]{16})$/;

/**
 * Removes old quarantine files, replaced stores and leftovers of killed processes. Segments and
 * their records stay, as a rebuild needs them.
 *
 * @returns the number of removals.
 */
async function removeOldFiles(paths: ModePaths, nowMs: number): Promise<number> {
  const { quarantineMs, replacedMs, unfinishedMs, scratchMs, partMs } = limits.retention;
  const store = (ending: string) => (name: string) =>
    name === basename(paths.market) + ending || name === `${basename(paths.market)}${ending}.wal`;
  const folder = dirname(paths.market);
  const old: [string, (name: string) => boolean, number][] = [
    [paths.quarantine, (name) => /\.(?:csv|json)$/.test(name), quarantineMs],
    // A rebuild renames the log too, which gets the same ending.
    [folder, (name) => name.endsWith(REPLACED_ENDING), replacedMs],
    [folder, store(REBUILT_ENDING), unfinishedMs],
    [folder, store(REWRITTEN_ENDING), unfinishedMs],
    [dirname(paths.root), (name) => DRAFT.test(name), unfinishedMs],
    [paths.scratch, isLeftFolder, scratchMs],
    [paths.scratch, (name) => name.endsWith('.part'), partMs],
  ];
  let removed = 0;
  for (const [where, isMeant, keptMs] of old) {
    for (const name of await namesIn(where)) {
      const path = join(where, name);
      if (!isMeant(name) || (await ageMs(path, nowMs)) < keptMs) continue;
      await rm(path, { recursive: true, force: true });
      removed++;
    }
  }
  return removed;
}

/** Removes staged results of forgotten runs. */
function removeOldStaged(
  paths: ModePaths,
  settings: StageSettings,
  nowMs: number,
): Promise<number> {
  return withStage(paths, settings, async (stage) => {
    const old = await oldRuns(stage, nowMs - limits.jobs.keptMs);
    for (const runId of old) await removeAll(stage, runId);
    return old.length;
  });
}

/** Returns true if the folder is of a process that has died, or of another machine. */
function isLeftFolder(name: string): boolean {
  return ['gone', 'elsewhere'].includes(scratchOwner(name) ?? '');
}

function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

async function ageMs(path: string, nowMs: number): Promise<number> {
  const written = await stat(path).catch(() => undefined);
  return written ? nowMs - written.mtimeMs : 0;
}
