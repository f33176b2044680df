/** Columns of times beside one of dates. Without them, the last minute of a day was its daily bar. */

import { expect, it } from 'vitest';
import { fetchFiles } from '../../../src/ingest/files/source.ts';
import { eachTest } from '../support/each-test.ts';
import { clockOf, madeSessions } from '../support/made-sessions.ts';
import { fetchAll } from '../support/segment-rows.ts';

const at = eachTest('2026-11-20T22:00:00Z');
const bars = madeSessions({ from: '2024-07-08', to: '2024-07-09' });

/** @param timeOf Text of the time `09:30:00`. */
const fileOf = (names: string, timeOf: (time: string) => string) => {
  const lines = bars.map(({ startMs, volume }, i) => {
    const [date, time] = clockOf(startMs, 'America/New_York').split(' ');
    const open = (50 + (i % 97) / 100).toFixed(2);
    return `${date},${timeOf(time)},${open},51,49,50.1,${volume}`;
  });
  return [`${names},open,high,low,close,volume`, ...lines, ''].join('\n');
};
const minuteOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5)) - 569;
const digits = (time: string) => String(Number(time.replaceAll(':', '').slice(0, 4)));

it('are read by their names, with colons or without', async () => {
  await at.write({
    'AAA.csv': fileOf('date,hhmm', digits),
    'BBB.csv': fileOf('date,time', digits),
    'CCC.csv': fileOf('TradeDate,TradeTime', (time) => time),
    'DDD.csv': fileOf('day,bar_time', (time) => time.slice(0, 5)),
    'EEE.csv': fileOf('date,minute', (time) => time.slice(0, 5)),
    'FFF.csv': fileOf('date,hour,minute', (time) => time.slice(0, 5).replace(':', ',')),
  });
  const fetched = await fetchAll(fetchFiles({ path: at.folder }, at.context));
  const rows = fetched.flatMap((one) => one.rows);
  const starts = bars.map(({ startMs }) => new Date(startMs).toISOString().replace('.000', ''));
  for (const symbol of ['AAA', 'BBB', 'CCC', 'DDD', 'EEE', 'FFF']) {
    const own = rows.filter((row) => row.symbol === symbol).map(({ date }) => date);
    expect([symbol, own.toSorted()]).toEqual([symbol, starts]);
  }
});

it('that are not read refuse the file', async () => {
  await at.write({
    'AAA.csv': fileOf('date,bar', (time) => String(minuteOf(time))),
  });
  const [{ rows, reasons }] = await fetchAll(fetchFiles({ path: at.folder }, at.context));
  expect(rows).toEqual([]);
  const reason = 'it has some 390 bars a day, and no column of times that is read';
  expect(reasons).toEqual({ [`${reason}: name it time, with values like 09:30`]: bars.length });
});

it('are not missed in versions of a running day', async () => {
  const lines = [1, 2, 3, 4].map((i) => `2024-07-08,50,${50 + i},49,${49 + i},${i}00`);
  await at.write({ 'AAA.csv': ['date,open,high,low,close,volume', ...lines, ''].join('\n') });
  const [{ rows }] = await fetchAll(fetchFiles({ path: at.folder }, at.context));
  expect(rows.map(({ close, volume }) => [close, volume])).toEqual([[53, 400]]);
});
