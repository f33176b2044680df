/** Replaces `market.duckdb` so that a kill leaves the old one or the new one. */

import { basename } from 'node:path';
import type { ModePaths } from '../../../base/config/data-dir.ts';
import { syncFolder } from '../../../base/durable-file.ts';
import { assert } from '../../../base/errors.ts';
import { failpoint } from '../../../base/failpoints.ts';
import { wallMs } from '../../../base/world/clock.ts';
import {
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  renameSync,
  rmSync,
  utimesSync,
} from '../../../base/world/files.ts';

/** Ending of the replaced store, which is kept for inspection. */
export const REPLACED_ENDING = '.replaced';

/**
 * Puts a store into its place and keeps the old one under another name. The caller holds the writer
 * lock and has closed both.
 *
 * DuckDB replays any log next to a store, even of another store. So an old store with a log is
 * moved first, and a kill before the new one arrives leaves no store, which `requireStoreNotLost`
 * reports.
 */
export function replaceStore({ root, market }: ModePaths, made: string): void {
  assert(!existsSync(`${made}.wal`), 'a store that takes its place has no log');
  const [replaced, log] = [market + REPLACED_ENDING, `${market}.wal`];
  for (const path of [replaced, log + REPLACED_ENDING]) {
    failpoint('remove file', basename(path));
    rmSync(path, { force: true });
  }
  if (existsSync(log)) {
    if (existsSync(market)) moveDurably(root, market, replaced);
    moveDurably(root, log, log + REPLACED_ENDING);
  } else if (existsSync(market)) linkOrCopy(market, replaced);
  moveDurably(root, made, market);
}

function moveDurably(root: string, from: string, to: string): void {
  failpoint('rename file', basename(to));
  renameSync(from, to);
  syncFolder(root);
}

/** Gives the old store a second name, which stays when the first one is replaced. */
function linkOrCopy(from: string, to: string): void {
  failpoint('link file', basename(to));
  try {
    linkSync(from, to);
  } catch {
    // Some file systems have no hard links.
    failpoint('write file', basename(to));
    copyFileSync(from, to, constants.COPYFILE_FICLONE);
  }
  // Retention counts from now on, however old its last load is.
  utimesSync(to, new Date(wallMs()), new Date(wallMs()));
}
