/** A series that has the timestamps of a longer one takes over its days. */

import { expect, it } from 'vitest';
import { MICROS_PER_DAY } from '../../../src/base/bars.ts';
import { DayRows } from '../../../src/screens/run/day-rows.ts';
import type { NewestSeries } from '../../../src/screens/run/newest-series.ts';

const WEEKDAYS = Array.from({ length: 400 }, (_, i) => 14_000 + i).filter((day) => day % 7 < 5);

function opened(series: readonly (readonly number[])[]): DayRows {
  const source = {
    ends: Int32Array.from(series, (days) => days.length),
    copyTimestamps(number: number, _: unknown, out: BigInt64Array) {
      out.set(series[number].map((day) => BigInt(day) * MICROS_PER_DAY));
    },
  } as unknown as NewestSeries;
  const run = DayRows.open(source);
  for (;;) {
    const { done, value } = run.next();
    if (done) return value;
  }
}

it('gives rows and days of series that begin later, end earlier, or have holes', () => {
  const series = [
    WEEKDAYS.slice(100, 130),
    WEEKDAYS,
    WEEKDAYS,
    WEEKDAYS.slice(37),
    WEEKDAYS.slice(0, 201),
    WEEKDAYS.slice(64, 65),
    [],
    WEEKDAYS.filter((_, i) => i !== 150),
    [...WEEKDAYS.slice(10), WEEKDAYS.at(-1)! + 9],
    [WEEKDAYS[0] - 30, ...WEEKDAYS.slice(2, 40)],
  ];
  const days = opened(series);
  for (const [number, own] of series.entries()) {
    expect([...days.daysOf(number)]).toEqual(own);
    for (let day = 13_960; day < 14_420; day++) {
      const row = own.findIndex((one) => one >= day);
      expect(days.rowOf(number, day)).toBe(row < 0 ? own.length : row);
    }
    for (const [row, day] of own.entries()) expect(days.dayBefore(number, row + 1)).toBe(day);
  }
  const union = days.unionOf([0, 3, 5]);
  for (;;) {
    const { done, value } = union.next();
    if (done) {
      expect([...value]).toEqual(WEEKDAYS.slice(37));
      break;
    }
  }
});
