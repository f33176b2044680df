import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { ModePaths } from '../../../base/config/data-dir.ts';
import { syncFolder } from '../../../base/durable-file.ts';
import { step } from '../../../base/failpoints.ts';

/**
 * Ending of the file while it is written; the next run removes what an interrupted one has left.
 */
const CREATED_ENDING = '.created';

/**
 * Makes `market.duckdb` whole or not at all: DuckDB refuses for ever a file whose headers a kill or
 * a full disk left half written. The caller has the writer lock.
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
