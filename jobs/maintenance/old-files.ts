/**
 * Files that nobody reads any more. What a rebuild, an explanation or a question about the past
 * could need is none of these: segments, their records and the store stay.
 */

import { readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { ModePaths } from '../../src/base/config/data-dir.ts';
import { isRunning } from '../../src/base/is-running.ts';
import { limits } from '../../src/base/limits/limits.ts';
import { REPLACED_ENDING } from '../../src/store/duckdb/schema/replace-store.ts';
import { REWRITTEN_ENDING } from '../../src/store/duckdb/schema/rewrite-store.ts';
import { REBUILT_ENDING } from '../rebuild/rebuild.ts';
import { plansFolder, removeLandings } from '../runner/landings.ts';

/** @returns how many files and folders were removed. */
export async function removeOldFiles(paths: ModePaths, nowMs: number): Promise<number> {
  const { quarantineMs, replacedMs, unfinishedMs, scratchMs, partMs } = limits.retention;
  const store = (ending: string) => (name: string) =>
    name === basename(paths.market) + ending || name === `${basename(paths.market)}${ending}.wal`;
  const folder = dirname(paths.market);
  const old: [string, (name: string) => boolean, number][] = [
    [paths.quarantine, (name) => name.endsWith('.csv'), quarantineMs],
    // A rebuild renames the log as well, which has its ending then.
    [folder, (name) => name.endsWith(REPLACED_ENDING), replacedMs],
    [folder, store(REBUILT_ENDING), unfinishedMs],
    [folder, store(REWRITTEN_ENDING), unfinishedMs],
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

/** Removes what jobs landed for plans that nobody knows any more. @returns of how many plans. */
export async function removeOldLandings(paths: ModePaths, nowMs: number): Promise<number> {
  let removed = 0;
  for (const plan of await namesIn(plansFolder(paths))) {
    const age = await ageMs(join(plansFolder(paths), plan), nowMs);
    if (age < limits.jobs.keptMs) continue;
    await removeLandings(paths, plan);
    removed++;
  }
  return removed;
}

/** Of a run, a backup or DuckDB, named by a process. */
function isLeftFolder(name: string): boolean {
  const pid = Number(/^(?:segment|duckdb|backup)-(\d+)/.exec(name)?.[1]);
  return pid > 0 && !isRunning(pid);
}

function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

/** Since it was written last; none of what is gone. */
async function ageMs(path: string, nowMs: number): Promise<number> {
  const written = await stat(path).catch(() => undefined);
  return written ? nowMs - written.mtimeMs : 0;
}
