/**
 * A missing store whose traces exist. No process may create an empty one in its place: the next
 * publish would remove everything that readers have.
 */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { MANIFEST_NAME, type ModePaths } from '../../../base/config/data-dir.ts';
import { CorruptDataError, StoreMissingError } from '../../../base/errors.ts';

/** @throws {CorruptDataError} there is no store, and there was one. */
export function requireStoreNotLost(paths: ModePaths): void {
  const { mode, root, market, serving } = paths;
  if (existsSync(market)) return;
  const trace = [join(serving, MANIFEST_NAME), `${market}.wal`].find((path) => existsSync(path));
  if (trace === undefined) return;
  const remedy =
    mode === 'sandbox'
      ? `Move "${root}" away, and it is filled again`
      : 'rebuild makes it again from what was loaded into it, restore puts back a backup. ' +
        `To begin with nothing, move "${root}" away`;
  throw new CorruptDataError(`"${market}" is missing, but "${trace}" is of it. ${remedy}`);
}

/** Returns the error for a store that can't be read because it is missing. */
export function missingStore(paths: ModePaths): StoreMissingError | CorruptDataError {
  try {
    requireStoreNotLost(paths);
  } catch (error) {
    if (error instanceof CorruptDataError) return error;
    throw error;
  }
  return new StoreMissingError(`No store at "${paths.market}" yet: run a backfill first`);
}
