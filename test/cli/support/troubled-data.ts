/** Synthetic live data of real loads with all that an operator has to look at. */

import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sessionsBetween } from '../../../src/base/time/calendar.ts';
import { dateFromDay, dayFromDate } from '../../../src/base/time/dates.ts';
import { startTiingo } from '../../jobs/runner/tiingo-server.ts';
import { madeOnce } from '../../support/made-once.ts';
import { type CliFolder, createCliFolder } from './run-cli.ts';

const SYMBOLS = Array.from({ length: 80 }, (_, i) => `S${10 + i}`);

/** Sessions of October that three symbols lack. */
const HOLE = ['2026-10-13', '2026-10-14', '2026-10-15'];
export const HOLED = ['S10', 'S11', 'S12'];

/** Name of the held file, which a page must not take for markup. */
export const HELD_FILE = 'held <b>bold.csv';

function writeBars(folder: CliFolder, name: string, from: string, to: string, bad: number): string {
  const days = [...sessionsBetween(dayFromDate(from), dayFromDate(to))].map(dateFromDay);
  const rows = SYMBOLS.flatMap((symbol) =>
    days
      .filter((day) => !(HOLED.includes(symbol) && HOLE.includes(day)))
      .map((day) => `${symbol},${day},100,100,100,100,1000`),
  );
  const refused = Array.from({ length: bad }, (_, i) => `S${10 + i},${days[0]},-1,-1,-1,-1,0`);
  const path = join(folder.dataDir, name);
  const lines = ['symbol,date,open,high,low,close,volume', ...rows, ...refused];
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

/** Loads a file that a sanity check holds. */
export async function loadHeld(folder: CliFolder): Promise<void> {
  const held = writeBars(folder, HELD_FILE, '2026-11-02', '2026-11-20', 30);
  await folder.run('backfill', 'files', 'candles', held);
}

/**
 * Fills an empty folder with a load with 5 refused rows and a hole, a held load, and a run with a
 * failed task of Tiingo. A run of the tests loads them once.
 */
export async function putTroubles({ dataDir }: CliFolder): Promise<void> {
  cpSync(await made(), dataDir, { recursive: true });
}

const made = () =>
  madeOnce('troubles', async (home) => {
    const vendor = await startTiingo();
    const maker = createCliFolder({ ...vendor.env, TAPEWORKS_DATA_DIR: home });
    // A retry reads the held file where it was.
    const folder = { ...maker, dataDir: home };
    try {
      const good = writeBars(folder, 'good.csv', '2026-10-01', '2026-10-30', 5);
      await folder.json('backfill', 'files', 'candles', good);
      await loadHeld(folder);
      vendor.fail('T15', [403]);
      await folder.run('backfill', 'tiingo', '--symbols', 'T05,T15');
    } finally {
      await maker.remove();
      await vendor.close();
    }
  });
