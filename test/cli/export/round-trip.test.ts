/** An export of series of two bases that is loaded into an empty folder. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type CliFolder, useCliFolder } from '../support/run-cli.ts';

const DATES = ['2026-01-05', '2026-01-06', '2026-01-07', '2026-01-08'];
const COLUMNS = 'symbol, ts, open, high, low, close, volume, basis';

const backfill = (folder: CliFolder, ...args: string[]) =>
  folder.json('backfill', 'files', 'candles', ...args);

const barsOf = (folder: CliFolder, symbol: string) =>
  folder.json('sql', `SELECT ${COLUMNS} FROM candles WHERE symbol = '${symbol}' ORDER BY ts`);

describe.each(['csv', 'parquet'])('an export as %s', (format) => {
  const from = useCliFolder();
  const to = useCliFolder();

  // All bars came back with the basis of the first series.
  it('comes back with its first basis, and names the bars of the other one', async () => {
    for (const [at, basis] of ['all', 'raw', 'all'].entries()) {
      // Square roots need all bits of a price.
      const rows = DATES.map((date, i) => {
        const price = Math.sqrt(100 + 10 * at + i);
        return `${date},${price},${price + 1},${price - 1},${price},${1000 + i}`;
      });
      const path = join(from.dataDir, `S${at}.csv`);
      writeFileSync(path, ['date,open,high,low,close,volume', ...rows, ''].join('\n'));
      await backfill(from, path, '--basis', basis);
    }
    const path = join(from.dataDir, `export.${format}`);
    await from.json('export', 'candles', '--format', format, '--out', path);
    expect(await backfill(to, path)).toMatchObject({
      accepted: 8,
      rejectedByReason: { "adjustment is not the file's (all)": DATES.length },
    });
    for (const symbol of ['S0', 'S2']) {
      const bars = await barsOf(to, symbol);
      expect(bars).toEqual(await barsOf(from, symbol));
      expect(bars).toMatchObject(DATES.map(() => ({ basis: 'all' })));
    }
    expect(await barsOf(to, 'S1')).toEqual([]);
    await backfill(to, path, '--symbols', 'S1', '--basis', 'raw');
    expect(await barsOf(to, 'S1')).toEqual(await barsOf(from, 'S1'));
  });
});
