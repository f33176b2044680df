/** Bars from the API's CSV as the columns of a chart. */

import { expect, it } from 'vitest';
import { rowAtOrBefore, seriesFromCsv, withOlder } from '../../../src/page/chart/series.ts';

const HEAD = 'timestamp,date,open,high,low,close,volume,sma:50,macd_signal';
const MINUTES = 'timestamp,open,high,low,close,volume';

it('reads columns, and empty cells of an indicator as no value', () => {
  const text = `${HEAD}\r\n2026-11-19T00:00:00.000Z,2026-11-19,1,4,0.5,2,100,,0.25\r\n2026-11-20T00:00:00.000Z,2026-11-20,2,5,1.5,3,200,1.5,\r\n`;
  const series = seriesFromCsv(text, true);
  expect([...series.timeMs]).toEqual([Date.UTC(2026, 10, 19), Date.UTC(2026, 10, 20)]);
  expect([...series.axisS]).toEqual([...series.timeMs].map((ms) => ms / 1000));
  expect([...series.close]).toEqual([2, 3]);
  expect([...series.volume]).toEqual([100, 200]);
  expect([...series.indicators.keys()]).toEqual(['sma:50', 'macd_signal']);
  expect([...(series.indicators.get('sma:50') ?? [])]).toEqual([Number.NaN, 1.5]);
  expect([...(series.indicators.get('macd_signal') ?? [])]).toEqual([0.25, Number.NaN]);
});

it('is empty without rows', () => {
  expect(seriesFromCsv(`${HEAD}\r\n`, true).timeMs).toHaveLength(0);
});

it("puts minutes at New York's wall time, which rises over a change of the clocks", () => {
  const text = `${MINUTES}\r\n2026-10-30T19:59:00.000Z,1,1,1,1,1\r\n2026-11-02T14:30:00.000Z,1,1,1,1,1\r\n`;
  const hours = [...seriesFromCsv(text, false).axisS].map((s) => new Date(s * 1000).toISOString());
  expect(hours).toEqual(['2026-10-30T15:59:00.000Z', '2026-11-02T09:30:00.000Z']);
});

it('shows minutes around the clock in ascending order, also when clocks repeat an hour', () => {
  const times = Array.from({ length: 240 }, (_, i) =>
    new Date(Date.UTC(2026, 10, 1, 4) + i * 60_000).toISOString(),
  );
  const rows = times.map((time) => `${time},1,1,1,1,1\r\n`).join('');
  const { axisS } = seriesFromCsv(`${MINUTES}\r\n${rows}`, false);
  expect([...axisS].filter((second, i) => i > 0 && second <= axisS[i - 1])).toEqual([]);
  expect([...axisS].every(Number.isInteger)).toBe(true);
  expect(new Date(axisS[239] * 1000).toISOString()).toBe('2026-11-01T02:59:00.000Z');
});

it('puts older bars before the others', () => {
  const older = seriesFromCsv(`${MINUTES}\r\n2026-11-18T14:30:00.000Z,1,1,1,1,7\r\n`, false);
  const newer = seriesFromCsv(`${MINUTES}\r\n2026-11-19T14:30:00.000Z,1,1,1,1,8\r\n`, false);
  expect([...withOlder(older, newer).volume]).toEqual([7, 8]);
});

it.each([
  [5, -1],
  [10, 0],
  [19, 0],
  [20, 1],
  [99, 2],
])('the row at or before %i is %i', (moment, row) => {
  expect(rowAtOrBefore(Float64Array.of(10, 20, 30), moment)).toBe(row);
});
