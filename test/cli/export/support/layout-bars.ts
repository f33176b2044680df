/** Made bars for layouts: a hole, a split with a dividend, a class, names that engines mistake. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sessionsBetween } from '../../../../src/base/time/calendar.ts';
import { dateFromDay, dayFromDate } from '../../../../src/base/time/dates.ts';
import type { CliFolder } from '../../support/run-cli.ts';

export const SESSIONS = Array.from(
  sessionsBetween(dayFromDate('2024-01-02'), dayFromDate('2024-05-31')),
  dateFromDay,
);

/** Sessions without a bar of HOLE. */
const isHole = (row: number) => row >= 10 && row < 15;

/** Volume of LARGE's last bar, more than 32 bits hold. */
export const LARGE_VOLUME = 5_000_000_000;

function rowsOf(symbol: string): string[] {
  return SESSIONS.flatMap((date, row) => {
    if ((symbol === 'HOLE' && isHole(row)) || (symbol === 'LARGE' && row < 20)) return [];
    const base = symbol === 'SPLT' && row >= 50 ? 50 : 100;
    const isLast = row === SESSIONS.length - 1;
    const volume = symbol === 'LARGE' && isLast ? LARGE_VOLUME : 1000 + row;
    return [
      [symbol, date, base, base + base / 100, base - base / 100, base + base / 200, volume].join(),
    ];
  });
}

export async function loadLayoutBars(folder: CliFolder): Promise<void> {
  const [bars, actions] = ['bars.csv', 'actions.csv'].map((name) => join(folder.dataDir, name));
  const rows = ['NA', 'CON', 'BRK.B', 'HOLE', 'SPLT', 'LARGE'].flatMap(rowsOf);
  writeFileSync(bars, ['symbol,date,open,high,low,close,volume', ...rows].join('\n'));
  writeFileSync(
    actions,
    [
      'symbol,type,exDate,numerator,denominator,amount',
      `SPLT,split,${SESSIONS[50]},2,1,`,
      `SPLT,dividend,${SESSIONS[50]},,,0.25`,
      `SPLT,dividend,${SESSIONS[60]},,,0.5`,
    ].join('\n'),
  );
  await folder.json('backfill', 'files', 'candles', bars);
  await folder.json('backfill', 'files', 'corporate-actions', actions, '--complete-for', '*');
}
