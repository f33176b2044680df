import { describe, expect, it } from 'vitest';
import type { BarColumns } from '../../../src/base/bars.ts';
import { dayFromDate } from '../../../src/base/time/dates.ts';
import { periodStartMs, resampleDaily } from '../../../src/compute/bars/resample-daily.ts';

type Row = [date: string, open: number, high: number, low: number, close: number, volume: number];

function columns(rows: Row[]): BarColumns {
  return {
    timestampUs: BigInt64Array.from(rows, ([date]) => BigInt(dayFromDate(date)) * 86_400_000_000n),
    open: Float64Array.from(rows, (row) => row[1]),
    high: Float64Array.from(rows, (row) => row[2]),
    low: Float64Array.from(rows, (row) => row[3]),
    close: Float64Array.from(rows, (row) => row[4]),
    volume: Float64Array.from(rows, (row) => row[5]),
  };
}

const daily = columns([
  ['2026-11-25', 10, 12, 9, 11, 100],
  ['2026-11-27', 11, 15, 11, 14, 50],
  ['2026-11-30', 14, 14.5, 8, 9, 200],
  ['2026-12-01', 9, 10, 7, 8, 300],
  ['2026-12-04', 8, 8.5, 7.5, 8.25, 400.5],
]);

describe('resampleDaily', () => {
  it('stamps weeks with their Monday, also where it has no session', () => {
    expect(resampleDaily(daily, '1w')).toEqual(
      columns([
        ['2026-11-23', 10, 15, 9, 14, 150],
        ['2026-11-30', 14, 14.5, 7, 8.25, 900.5],
      ]),
    );
  });

  it('stamps months with the first, and includes the running one', () => {
    expect(resampleDaily(daily, '1M')).toEqual(
      columns([
        ['2026-11-01', 10, 15, 8, 9, 350],
        ['2026-12-01', 9, 10, 7, 8.25, 700.5],
      ]),
    );
  });

  it('knows the first of the month of every day', () => {
    const wrong: string[] = [];
    // Leap years, centuries with and without a leap day, and days before 1970.
    for (const [from, to] of [
      ['1899-12-01', '1904-03-02'],
      ['1968-01-01', '1972-03-02'],
      ['1999-12-01', '2004-03-02'],
      ['2099-12-01', '2104-03-02'],
    ]) {
      for (let day = dayFromDate(from); day < dayFromDate(to); day++) {
        const date = new Date(day * 86_400_000);
        const first = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
        if (periodStartMs(day * 86_400_000, '1M') !== first) wrong.push(date.toISOString());
      }
    }
    expect(wrong).toEqual([]);
  });

  it('leaves out weeks and months without trading', () => {
    const gap = columns([
      ['2001-08-31', 1, 1, 1, 1, 1],
      ['2001-11-01', 2, 2, 2, 2, 2],
    ]);
    expect(resampleDaily(gap, '1M').close).toEqual(Float64Array.of(1, 2));
    expect(resampleDaily(gap, '1w').timestampUs).toEqual(
      columns([
        ['2001-08-27', 0, 0, 0, 0, 0],
        ['2001-10-29', 0, 0, 0, 0, 0],
      ]).timestampUs,
    );
  });

  it('puts a Sunday bar into the week before, and works before 1970', () => {
    const rows = columns([
      ['1969-12-26', 1, 1, 1, 1, 1],
      ['1969-12-28', 2, 2, 2, 2, 2],
      ['1969-12-29', 3, 3, 3, 3, 3],
    ]);
    expect(resampleDaily(rows, '1w').close).toEqual(Float64Array.of(2, 3));
    expect(resampleDaily(rows, '1M').timestampUs[0]).toBe(
      BigInt(dayFromDate('1969-12-01')) * 86_400_000_000n,
    );
  });

  it('passes a bar without a price on', () => {
    const rows = columns([
      ['2026-11-23', 1, 2, 1, 2, 1],
      ['2026-11-24', Number.NaN, Number.NaN, Number.NaN, Number.NaN, 0],
    ]);
    expect(resampleDaily(rows, '1w').high).toEqual(Float64Array.of(Number.NaN));
  });

  it('gives nothing for nothing', () => {
    expect(resampleDaily(columns([]), '1w').close.length).toBe(0);
  });
});
