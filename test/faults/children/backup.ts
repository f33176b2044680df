/**
 * Takes a backup in a process of its own: `backup-child.ts DATA_DIR TARGET`. Somebody writes the
 * store until the backup waits; prints `waiting` when it does, and `done`.
 */

import { backup } from '../../../jobs/backup/backup.ts';
import { modePaths } from '../../../src/base/config/data-dir.ts';
import { acquireWriterLock } from '../../../src/store/duckdb/connection/writer-lock.ts';
import { DEPS } from '../support/flow.ts';

const [dataDir, target] = process.argv.slice(2);
const lock = await acquireWriterLock(modePaths(dataDir, 'live'), { verb: 'write' });
const onWaiting = () => {
  console.log('waiting');
  lock.release();
};
await backup({ dataDir, target }, { ...DEPS, onWaiting });
console.log('done');
lock.release();
