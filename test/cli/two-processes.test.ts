/** Several processes on one data folder: they queue, read beside one another, and resume. */

import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { modePaths } from '../../src/data-dir.ts';
import { acquireWriterLock } from '../../src/store/market/writer-lock.ts';
import { writeCandleFile } from './candle-file.ts';
import { createCliFolder } from './run-cli.ts';

const folder = createCliFolder();
afterAll(() => folder.remove());

function candleFile(name: string, price: number): string {
  const path = join(folder.dataDir, name);
  writeCandleFile(path, '2024-01-02', '2024-12-31', price);
  return path;
}

describe('a second writer', () => {
  it('waits for as long as the first holds the store, and names it', async () => {
    const paths = modePaths(folder.dataDir, 'live');
    const lock = await acquireWriterLock(paths, { verb: 'the first writer' });
    const second = folder.spawn('backfill', 'files', 'candles', candleFile('wait.csv', 10));
    let stderr = '';
    second.stderr?.on('data', (chunk) => {
      stderr += chunk;
    });
    const ended = once(second, 'close');
    const waiting = `waiting for the first writer (process ${process.pid}`;
    await expect.poll(() => stderr).toContain(waiting);
    expect(second.exitCode).toBe(null);
    lock.release();
    expect(await ended).toEqual([0, null]);
  });

  it('loses nothing when several load at once', async () => {
    const names = ['aa.csv', 'bb.csv', 'cc.csv', 'dd.csv'];
    const files = names.map((name, i) => candleFile(name, 20 + i));
    const reports = await Promise.all(
      files.map((file) => folder.json('backfill', 'files', 'candles', file)),
    );
    expect(reports.map(({ accepted }) => accepted)).toEqual([252, 252, 252, 252]);
    const rows = await folder.json(
      ...['sql', 'SELECT symbol, count(*) AS n FROM candles GROUP BY 1 ORDER BY 1'],
    );
    expect(rows).toEqual(['AA', 'BB', 'CC', 'DD', 'WAIT'].map((symbol) => ({ symbol, n: 252 })));
  });
});

describe('an interrupted backfill', () => {
  it('is continued by the next one, wherever it was killed', async () => {
    const undisturbed = createCliFolder();
    const file = candleFile('killed.csv', 50);
    await undisturbed.json('backfill', 'files', 'candles', file);
    const content = ['sql', "SELECT * FROM candles WHERE symbol = 'KILLED' ORDER BY ts"] as const;
    const expected = await undisturbed.json(...content);
    for (const afterMs of [300, 500, 700, 900]) {
      const other = createCliFolder();
      const run = other.spawn('backfill', 'files', 'candles', file);
      await delayed(undefined, afterMs);
      run.kill('SIGKILL');
      await other.json('backfill', 'files', 'candles', file);
      expect(await other.json(...content)).toEqual(expected);
      const { modes } = await other.json('status');
      expect(modes[0].published.datasets.candles.rows['1d']).toBe(252);
      await other.remove();
    }
    await undisturbed.remove();
  });
});

function delayed<T>(value: T, ms: number): Promise<T> {
  return new Promise((resolve) => setTimeout(resolve, ms, value));
}
