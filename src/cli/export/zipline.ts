/**
 * zipline's `csvdir`: a CSV a symbol with prices as traded, splits and dividends. Its ingest ends at
 * a session without a row, so holes repeat the last close, with no volume. It cuts names at their
 * first dot, so that classes have a hyphen. It keeps prices as thousandths and volumes as 32 bits.
 */

import { join } from 'node:path';
import { dateFromDay } from '../../base/time/dates.ts';
import { mkdir, writeFile } from '../../base/world/file-promises.ts';
import { countRounded, type Layout, rowsOfSessions } from './layout.ts';

const HEADER = 'date,open,high,low,close,volume,dividend,split\n';

const DECIMALS = 3;
const VOLUME_MAX = 2 ** 32 - 1;

export const ziplineLayout: Layout = {
  decimals: DECIMALS,
  async write(folder, { symbol, days, bars, actions }) {
    const { sessions, rows } = rowsOfSessions(days);
    const { open, high, low, close, volume } = bars;
    const actionsOf = new Map(actions.map((one) => [one.row, one]));
    let text = HEADER;
    let last = 0;
    let filled = 0;
    for (const [i, row] of rows.entries()) {
      const date = dateFromDay(sessions[i]);
      if (row < 0) {
        text += `${date},${last},${last},${last},${last},0,0,1\n`;
        filled++;
        continue;
      }
      const { dividend = 0, splitRatio = 1 } = actionsOf.get(row) ?? {};
      last = close[row];
      text += `${date},${open[row]},${high[row]},${low[row]},${last},${volume[row]},`;
      text += `${dividend},${splitRatio}\n`;
    }
    const daily = join(folder, 'daily');
    await mkdir(daily, { recursive: true });
    await writeFile(join(daily, `${symbol.replaceAll('.', '-')}.csv`), text);
    return {
      filled,
      rounded: countRounded(bars, DECIMALS),
      tooLarge: volume.filter((shares) => shares > VOLUME_MAX).length,
    };
  },
};
