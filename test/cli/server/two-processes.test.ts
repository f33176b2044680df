/** Several processes on one data folder. */

import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { modePaths } from '../../../src/base/config/data-dir.ts';
import { runningAddress } from '../../../src/cli/start-note.ts';
import { acquireWriterLock } from '../../../src/store/duckdb/connection/writer-lock.ts';
import { writeCandleFile } from '../support/candle-file.ts';
import { putSandbox } from '../support/full-sandbox.ts';
import { useCliFolder } from '../support/run-cli.ts';

const folder = useCliFolder();

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

describe('one folder', () => {
  const served = useCliFolder();

  it('is served by one of two starts, and the other says which has it', async () => {
    await putSandbox(served);
    const starts = [served.spawn('start', '--json'), served.spawn('start', '--json')];
    const said = ['', ''];
    starts.forEach((start, i) => {
      for (const stream of [start.stdout, start.stderr]) {
        stream?.on('data', (chunk) => {
          said[i] += chunk;
        });
      }
    });
    const loser = await Promise.race(
      starts.map(async (start, i) => {
        const [code] = await once(start, 'close');
        expect(code).toBe(1);
        return i;
      }),
    );
    expect(said[loser]).toMatch(
      /^tapeworks: another start( \(process \d+, since .*\))? uses ".*": stop it first, .* run serve/,
    );
    expect(said[loser].trim().split('\n')).toHaveLength(1);
    const winner = starts[1 - loser];
    await expect.poll(() => said[1 - loser]).toContain('"address"');
    const address = /"address": ?"([^"]+)"/.exec(said[1 - loser])?.[1];
    expect(runningAddress(served.dataDir)).toBe(address);
    const ended = once(winner, 'close');
    winner.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    expect(said[1 - loser]).not.toContain('ended (');
  });
});
