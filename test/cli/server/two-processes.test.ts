/** Several loads into one data folder. */

import { once } from 'node:events';
import { join } from 'node:path';
import { expect } from 'vitest';
import { modePaths } from '../../../src/base/config/data-dir.ts';
import { acquireWriterLock } from '../../../src/store/duckdb/connection/writer-lock.ts';
import { long } from '../../support/store-runs.ts';
import { writeCandleFile } from '../support/candle-file.ts';
import { useCliFolder } from '../support/run-cli.ts';

const folder = useCliFolder();

long(
  'wait for as long as another has the store, name it, and lose nothing when they go on at once',
  async () => {
    const lock = await acquireWriterLock(modePaths(folder.dataDir, 'live'), {
      verb: 'the first writer',
    });
    const loads = ['AA', 'BB'].map((symbol, i) => {
      const path = join(folder.dataDir, `${symbol}.csv`);
      writeCandleFile(path, '2024-01-02', '2024-12-31', 20 + i);
      const process = folder.spawn('backfill', 'files', 'candles', path);
      const load = { process, ended: once(process, 'close'), stderr: '' };
      process.stderr?.on('data', (chunk) => {
        load.stderr += chunk;
      });
      return load;
    });
    for (const load of loads) {
      const waiting = `waiting for the first writer (process ${process.pid}`;
      await expect.poll(() => load.stderr).toContain(waiting);
      expect(load.process.exitCode).toBe(null);
    }
    lock.release();
    for (const { ended } of loads) expect(await ended).toEqual([0, null]);
    const rows = await folder.json(
      ...['sql', 'SELECT symbol, count(*) AS n FROM candles GROUP BY 1 ORDER BY 1'],
    );
    expect(rows).toEqual(['AA', 'BB'].map((symbol) => ({ symbol, n: 252 })));
  },
);
