/** Processes on one data folder that are killed or begin together. */

import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { writeCandleFile } from '../support/candle-file.ts';
import { createCliFolder, useCliFolder } from '../support/run-cli.ts';

describe('an interrupted backfill', () => {
  it('is continued by the next one, wherever it was killed', async () => {
    const undisturbed = createCliFolder();
    const file = join(undisturbed.dataDir, 'killed.csv');
    writeCandleFile(file, '2024-01-02', '2024-12-31', 50);
    await undisturbed.json('backfill', 'files', 'candles', file);
    const content = ['sql', "SELECT * FROM candles WHERE symbol = 'KILLED' ORDER BY ts"] as const;
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
});
