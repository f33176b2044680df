/**
 * A missing store whose traces exist. No process may create an empty one in its place: the next
 * publish would remove everything that readers have.
 */

import { join } from 'node:path';
import { MANIFEST_NAME, type ModePaths } from '../../../base/config/data-dir.ts';
import { CorruptDataError, StoreMissingError } from '../../../base/errors.ts';
import { existsSync } from '../../../base/world/files.ts';

/** @throws {CorruptDataError} there is no store, and there was one. */
export function requireStoreNotLost(paths: ModePaths): void {
  const lost = lostStore(paths);
  if (lost) throw lost;
}

/** Returns the error for a store that can't be read because it is missing. */
export function missingStore(paths: ModePaths): StoreMissingError | CorruptDataError {
  const none = `No store at "${paths.market}" yet: run a backfill first`;
  return lostStore(paths) ?? new StoreMissingError(none);
}

function lostStore({ mode, root, market, serving }: ModePaths): CorruptDataError | undefined {
  if (existsSync(market)) return undefined;
  const trace = [join(serving, MANIFEST_NAME), `${market}.wal`].find((path) => existsSync(path));
  if (trace === undefined) return undefined;
  const remedy =
    mode === 'sandbox'
      ? `Move "${root}" away, and it is filled again`
      : 'rebuild makes it again from what was loaded into it, restore puts back a backup. ' +
        `To begin with nothing, move "${root}" away`;
  return new CorruptDataError(`"${market}" is missing, but "${trace}" is of it. ${remedy}`);
}
