/** The first, empty store of a mode. */

import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { ModePaths } from '../../../base/config/data-dir.ts';
import { syncFolder } from '../../../base/durable-file.ts';
import { step } from '../../../base/failpoints.ts';

/** While it is written; what an interrupted run has left is thrown away by the next. */
const CREATED_ENDING = '.created';

/**
 * Makes `market.duckdb` whole or not at all: DuckDB writes its headers one after the other, and
 * refuses for ever what a kill or a full disk leaves between them. The caller has the writer lock.
 */
export async function createStore({ root, market }: ModePaths): Promise<void> {
  const unfinished = market + CREATED_ENDING;
  for (const path of [unfinished, `${unfinished}.wal`]) {
    step('remove file', basename(path));
    rmSync(path, { force: true });
  }
  step('write file', basename(unfinished));
  const instance = await DuckDBInstance.create(unfinished);
  instance.closeSync();
  const file = openSync(unfinished, 'r+');
  try {
    step('fsync file', basename(unfinished));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  step('rename file', basename(market));
  renameSync(unfinished, market);
  syncFolder(root);
}
