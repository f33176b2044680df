/**
 * qlib's folder of a provider: a calendar, a list of instruments, and a file of float32 for each
 * field of a symbol, which begins with the place of its first value in the calendar. Prices are
 * adjusted, and `factor` is the adjusted price over the traded one.
 */

import { join } from 'node:path';
import { sessionsBetween } from '../../base/time/calendar.ts';
import { dateFromDay } from '../../base/time/dates.ts';
import { mkdir, writeFile } from '../../base/world/file-promises.ts';
import { type Layout, rowsOfSessions } from './layout.ts';

/** Names that its list of instruments reads as nulls, as pandas does. It has their files by name. */
const NULLS = /^(NA|NAN|NULL|NONE|N\.A)$/;

/** Names that Windows has for devices, which qlib's reader looks for under a prefix. */
const DEVICES = /^(con|prn|aux|nul|com\d|lpt\d)$/;

interface Instrument {
  symbol: string;
  firstDay: number;
  lastDay: number;
}

/** @param firstDay First day of all symbols, from which places are counted. */
export function qlibLayout(firstDay: number): Layout {
  const instruments: Instrument[] = [];
  let newestDay = firstDay;
  return {
    async write(folder, { symbol, days, bars, adjusted }) {
      const { sessions, rows } = rowsOfSessions(days);
      const isUnlisted = NULLS.test(symbol);
      const lastDay = days[days.length - 1];
      newestDay = Math.max(newestDay, lastDay);
      if (!isUnlisted) instruments.push({ symbol, firstDay: days[0], lastDay });
      const name = symbol.toLowerCase();
      const features = join(folder, 'features', DEVICES.test(name) ? `_qlib_${name}` : name);
      await mkdir(features, { recursive: true });
      const factor = bars.close.map((close, row) => adjusted.close[row] / close);
      const fields = {
        ...{ open: adjusted.open, high: adjusted.high, low: adjusted.low, close: adjusted.close },
        volume: bars.volume.map((volume, row) => volume / factor[row]),
        factor,
        change: adjusted.close.map((close, row, all) => close / all[row - 1] - 1),
      };
      const place = sessionsBetween(firstDay, days[0]).length - 1;
      for (const [field, column] of Object.entries(fields)) {
        const values = Array.from(rows, (row) => (row < 0 ? Number.NaN : column[row]));
        await writeFile(join(features, `${field}.day.bin`), Float32Array.of(place, ...values));
      }
      return { filled: sessions.length - days.length, isUnlisted };
    },
    async finish(folder) {
      const dates = Array.from(sessionsBetween(firstDay, newestDay), dateFromDay);
      const rows = instruments.map((one) =>
        [one.symbol, dateFromDay(one.firstDay), dateFromDay(one.lastDay)].join('\t'),
      );
      await writeLines(join(folder, 'calendars'), 'day.txt', dates);
      await writeLines(join(folder, 'instruments'), 'all.txt', rows);
    },
  };
}

async function writeLines(folder: string, name: string, lines: readonly string[]): Promise<void> {
  await mkdir(folder);
  await writeFile(join(folder, name), lines.map((line) => `${line}\n`).join(''));
}
