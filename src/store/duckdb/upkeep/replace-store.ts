/** One `market.duckdb` in the place of another, so that a kill leaves the one or the other. */

import {
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  renameSync,
  rmSync,
  utimesSync,
} from 'node:fs';
import { basename } from 'node:path';
import type { ModePaths } from '../../../base/config/data-dir.ts';
import { syncFolder } from '../../../base/durable-file.ts';
import { assert } from '../../../base/errors.ts';
import { step } from '../../../base/failpoints.ts';

/** The store that was replaced, for whoever wants to look into it. */
export const REPLACED_ENDING = '.replaced';

/**
 * Puts a store into its place and keeps the one that was there under another name. The caller
 * holds the writer lock and has closed both.
 *
 * DuckDB replays any log that lies beside a store, one of another store too. Where the old one
 * could not be opened there may be one: then the old store goes first, and a kill before the new
 * one comes leaves none, which nobody takes for an empty one.
 *
 * @param made Durable, and without a log.
 */
export function replaceStore({ root, market }: ModePaths, made: string): void {
  assert(!existsSync(`${made}.wal`), 'a store that takes its place has no log');
  const [replaced, log] = [market + REPLACED_ENDING, `${market}.wal`];
  for (const path of [replaced, log + REPLACED_ENDING]) {
    step('remove file', basename(path));
    rmSync(path, { force: true });
  }
  if (existsSync(log)) {
    if (existsSync(market)) moveDurably(root, market, replaced);
    moveDurably(root, log, log + REPLACED_ENDING);
  } else if (existsSync(market)) linkOrCopy(market, replaced);
  moveDurably(root, made, market);
}

function moveDurably(root: string, from: string, to: string): void {
  step('rename file', basename(to));
  renameSync(from, to);
  syncFolder(root);
}

/** A second name, which stays when the first is another store's. */
function linkOrCopy(from: string, to: string): void {
  step('link file', basename(to));
  try {
    linkSync(from, to);
  } catch {
    // Some file systems have no second names.
    step('write file', basename(to));
    copyFileSync(from, to, constants.COPYFILE_FICLONE);
  }
  // It is kept for some time from now on, however old its last load is.
  utimesSync(to, new Date(), new Date());
}
