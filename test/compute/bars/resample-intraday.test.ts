import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BarColumns, MILLIS_PER_DAY, microsFromMillis } from '../../../src/base/bars.ts';
import {
  isSession,
  newYorkOffsetMs,
  sessionCloseMs,
  sessionOpenMs,
} from '../../../src/base/time/calendar.ts';
import { dayFromDate } from '../../../src/base/time/dates.ts';
import {
  type IntradayInterval,
  resampleIntraday,
} from '../../../src/compute/bars/resample-intraday.ts';
import { scaled } from '../../faults/scale.ts';
import { hasRealdata, realdata } from '../../support/realdata.ts';
import { dailyFromIntraday } from '../support/session-bars.ts';

const MINUTE_MS = 60_000;

type Row = [
  timestampMs: number,
  open: number,
  high: number,
  low: number,
  close: number,
  volume: number,
];

function columns(rows: Row[]): BarColumns {
  return {
    timestampUs: microsFromMillis(rows.map((row) => row[0])),
    open: Float64Array.from(rows, (row) => row[1]),
    high: Float64Array.from(rows, (row) => row[2]),
    low: Float64Array.from(rows, (row) => row[3]),
    close: Float64Array.from(rows, (row) => row[4]),
    volume: Float64Array.from(rows, (row) => row[5]),
  };
}

/** A full session's minutes; the price of minute i is i. */
function session(date: string): Row[] {
  const day = dayFromDate(date);
  const openMs = sessionOpenMs(day);
  const count = (sessionCloseMs(day) - openMs) / MINUTE_MS;
  return Array.from({ length: count }, (_, i) => [openMs + i * MINUTE_MS, i, i, i, i, 1]);
}

const times = (bars: BarColumns): string[] =>
  Array.from(bars.timestampUs, (us) => new Date(Number(us / 1000n)).toISOString().slice(0, 16));

describe('resampleIntraday', () => {
  it('aligns hours to the open, and ends a session with a short one', () => {
    const hours = resampleIntraday(columns(session('2026-11-20')), '1h');
    expect(times(hours)).toEqual([
      '2026-11-20T14:30',
      '2026-11-20T15:30',
      '2026-11-20T16:30',
      '2026-11-20T17:30',
      '2026-11-20T18:30',
      '2026-11-20T19:30',
      '2026-11-20T20:30',
    ]);
    expect(hours.volume).toEqual(Float64Array.of(60, 60, 60, 60, 60, 60, 30));
    expect(hours.open.at(-1)).toBe(360);
    expect(hours.close.at(-1)).toBe(389);
  });

  it('makes two bars of four hours a session, and one of a half day', () => {
    const rows = [...session('2026-11-25'), ...session('2026-11-27')];
    const bars = resampleIntraday(columns(rows), '4h');
    expect(times(bars)).toEqual(['2026-11-25T14:30', '2026-11-25T18:30', '2026-11-27T14:30']);
    expect(bars.volume).toEqual(Float64Array.of(240, 150, 210));
  });

  it('follows the clocks of New York, not UTC', () => {
    const rows = [...session('2026-03-06'), ...session('2026-03-09'), ...session('2026-11-02')];
    const bars = resampleIntraday(columns(rows), '4h');
    expect(times(bars).filter((_, i) => i % 2 === 0)).toEqual([
      '2026-03-06T14:30',
      '2026-03-09T13:30',
      '2026-11-02T14:30',
    ]);
  });

  it('leaves out intervals without trades and stamps the others with their start', () => {
    const openMs = sessionOpenMs(dayFromDate('2026-11-20'));
    const rows: Row[] = [
      [openMs + 7 * MINUTE_MS, 10, 12, 9, 11, 100],
      [openMs + 9 * MINUTE_MS, 11, 15, 11, 14, 50.5],
      [openMs + 31 * MINUTE_MS, 14, 14, 8, 9, 200],
    ];
    expect(resampleIntraday(columns(rows), '5m')).toEqual(
      columns([
        [openMs + 5 * MINUTE_MS, 10, 15, 9, 14, 150.5],
        [openMs + 30 * MINUTE_MS, 14, 14, 8, 9, 200],
      ]),
    );
  });

  it('ignores minutes before the open, from the close on, and of days without a session', () => {
    const day = dayFromDate('2026-11-20');
    const rows: Row[] = [
      [sessionOpenMs(day) - MINUTE_MS, 1, 1, 1, 1, 1],
      [sessionCloseMs(day), 2, 2, 2, 2, 2],
      [sessionOpenMs(day) + MILLIS_PER_DAY, 3, 3, 3, 3, 3],
    ];
    expect(resampleIntraday(columns(rows), '5m').close.length).toBe(0);
  });

  it('gives nothing for nothing', () => {
    expect(resampleIntraday(columns([]), '1h')).toEqual(columns([]));
    expect(dailyFromIntraday(columns([]))).toEqual(columns([]));
  });

  it('gives the same from five-minute bars as from minutes', () => {
    const minutes = columns([...session('2026-11-25'), ...session('2026-11-27')]);
    const fives = resampleIntraday(minutes, '5m');
    for (const interval of ['15m', '1h', '4h'] as const) {
      expect(resampleIntraday(fives, interval)).toEqual(resampleIntraday(minutes, interval));
    }
  });

  it('has bars of ten o’clock sessions before 1985', () => {
    const bars = resampleIntraday(columns(session('1984-06-01')), '1h');
    expect(times(bars)[0]).toBe('1984-06-01T14:00');
    expect(bars.volume).toEqual(new Float64Array(6).fill(60));
  });
});

const newYork = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'America/New_York',
  dateStyle: 'short',
  timeStyle: 'short',
  hourCycle: 'h23',
});

/** Row by row, with the time zone rules of the runtime instead of ours. */
function resampleByRow(rows: Row[], stepMinutes: number): Row[] {
  const out: Row[] = [];
  for (const [ms, open, high, low, close, volume] of rows) {
    const [date, time] = newYork.format(ms).split(', ');
    const day = dayFromDate(date);
    const [hour, minute] = time.split(':').map(Number);
    const sinceOpen = hour * 60 + minute - 570;
    if (!isSession(day) || sinceOpen < 0 || ms >= sessionCloseMs(day)) continue;
    const startMs = ms - (sinceOpen % stepMinutes) * MINUTE_MS;
    const last = out.at(-1);
    if (last?.[0] !== startMs) {
      out.push([startMs, open, high, low, close, volume]);
      continue;
    }
    last[2] = Math.max(last[2], high);
    last[3] = Math.min(last[3], low);
    last[4] = close;
    last[5] += volume;
  }
  return out;
}

/** Any minutes around both changes of the clocks, Thanksgiving and its half day. */
const anyMinutes = fc
  .tuple(
    fc.constantFrom('2026-03-06', '2026-10-29', '2026-11-24', '2025-07-02', '1999-12-30'),
    fc.uniqueArray(fc.integer({ min: 0, max: 6 * 1440 }), { minLength: 100, maxLength: 300 }),
  )
  .map(([date, minutes]): Row[] =>
    minutes
      .sort((a, b) => a - b)
      .map((minute, i) => {
        const ms = dayFromDate(date) * MILLIS_PER_DAY + minute * MINUTE_MS;
        const price = 100 + ((i * 37) % 11);
        return [ms, price, price + 2, price - 1, price + 1, 1 + (i % 7)];
      }),
  );

const STEPS: [IntradayInterval, number][] = [
  ['5m', 5],
  ['15m', 15],
  ['1h', 60],
  ['4h', 240],
];

describe('resampleIntraday and a reference that goes row by row', () => {
  it('agree on any minutes', () => {
    fc.assert(
      fc.property(anyMinutes, (rows) => {
        for (const [interval, minutes] of STEPS) {
          expect(resampleIntraday(columns(rows), interval)).toEqual(
            columns(resampleByRow(rows, minutes)),
          );
        }
      }),
      { seed: 20261120, numRuns: scaled(40, 200) },
    );
  });

  it('keep the volume of each session', () => {
    fc.assert(
      fc.property(anyMinutes, (rows) => {
        const daily = dailyFromIntraday(columns(rows));
        const volume = (bars: BarColumns) => bars.volume.reduce((sum, value) => sum + value, 0);
        for (const [interval] of STEPS) {
          const bars = resampleIntraday(columns(rows), interval);
          expect(dailyFromIntraday(bars)).toEqual(daily);
          expect(volume(bars)).toBe(volume(daily));
        }
      }),
      { seed: 20261120, numRuns: scaled(20, 100) },
    );
  });
});

/** `text` is a New York clock. */
function millisFromNewYork(text: string): number {
  const clockMs = Date.parse(`${text.replace(' ', 'T')}:00Z`);
  return clockMs - newYorkOffsetMs(clockMs);
}

function rowsOfCsv(path: string, millisFromText: (text: string) => number): Row[] {
  const [, ...lines] = readFileSync(realdata(path), 'utf8').trim().split(/\r?\n/);
  return lines.map((line) => {
    const [time, ...numbers] = line.split(',');
    return [millisFromText(time), ...numbers.map(Number)] as Row;
  });
}

describe.skipIf(!hasRealdata)('resampleIntraday on real minutes', () => {
  it('makes four sessions of SPY, without the minute that starts at the close', () => {
    const rows = rowsOfCsv('intraday/skender_intraday_1m_SPY.csv', millisFromNewYork);
    expect(rows.length).toBe(4 * 391);
    const counts = STEPS.map(
      ([interval]) => resampleIntraday(columns(rows), interval).close.length,
    );
    expect(counts).toEqual([4 * 78, 4 * 26, 4 * 7, 4 * 2]);
    for (const [interval, minutes] of STEPS) {
      expect(resampleIntraday(columns(rows), interval)).toEqual(
        columns(resampleByRow(rows, minutes)),
      );
    }
  });

  it('finds no session in daily bars that are stamped with midnight in New York', () => {
    const rows = rowsOfCsv('intraday/marketstore/aapl_raw.csv', (text) =>
      Date.parse(`${text.replace(' ', 'T')}Z`),
    );
    expect(rows.length).toBe(43);
    expect(resampleIntraday(columns(rows), '5m').close.length).toBe(0);
  });
});
