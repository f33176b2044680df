/** Processes on one data folder that are killed or begin together. */

import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { writeCandleFile } from '../support/candle-file.ts';
import { createCliFolder, useCliFolder } from '../support/run-cli.ts';

describe('an interrupted backfill', () => {
  it('is continued by the next one, wherever it was killed', async () => {
    const undisturbed = createCliFolder();
    const file = join(undisturbed.dataDir, 'KILL.csv');
    writeCandleFile(file, '2024-01-02', '2024-12-31', 50);
    await undisturbed.json('backfill', 'files', 'candles', file);
    const content = ['sql', "SELECT * FROM candles WHERE symbol = 'KILL' ORDER BY ts"] as const;
    const expected = await undisturbed.json(...content);
    for (const afterMs of [300, 500, 700, 900]) {
      const other = createCliFolder();
      const run = other.spawn('backfill', 'files', 'candles', file);
      await delay(afterMs);
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

describe('one empty folder', () => {
  const empty = useCliFolder();

  it('is filled by two that begin together, with what the first one settles', async () => {
    const fill = () => empty.json('backfill', 'sandbox', '--stocks', '250');
    const reports = await Promise.all([fill(), fill()]);
    expect(reports.map(({ rejected }) => rejected)).toEqual([0, 0]);
  });

  it('is free for the next start after a start was killed', async () => {
    const killed = empty.spawn('start', '--json');
    let said = '';
    killed.stdout?.on('data', (chunk) => {
      said += chunk;
    });
    await expect.poll(() => said).toContain('"address"');
    killed.kill('SIGKILL');
    const next = await empty.start('start');
    expect(await next.stop()).toBe(0);
  });

  it('is served by one of two starts that begin together, and the other says which has it', async () => {
    const starts = [empty.spawn('start', '--json'), empty.spawn('start', '--json')];
    const said = ['', ''];
    starts.forEach((start, i) => {
      for (const stream of [start.stdout, start.stderr]) {
        stream?.on('data', (chunk) => {
          said[i] += chunk;
        });
      }
    });
    const ends = starts.map(async (start, i) => [i, ...(await once(start, 'close'))]);
    const [loser, code] = await Promise.race(ends);
    expect(code).toBe(1);
    expect(said[loser]).toMatch(
      /^tapeworks: another start( \(process \d+, since .*\))? uses ".*": stop it first, .* run serve/,
    );
    expect(said[loser].trim().split('\n')).toHaveLength(1);
    const winner = 1 - loser;
    await expect.poll(() => said[winner]).toContain('"address"');
    starts[winner].kill('SIGTERM');
    expect((await ends[winner])[1]).toBe(0);
    expect(said[winner]).not.toContain('ended (');
  });
});
