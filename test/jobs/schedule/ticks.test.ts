import { describe, expect, it } from 'vitest';
import { latestTick, nextTick } from '../../../jobs/schedule/ticks.ts';
import type { TickRule } from '../../../src/ingest/contract/schedule.ts';

const MINUTES: TickRule = { everyMinutes: 1, during: 'session', lateMinutes: 1 };

/** The first ticks after a moment, as ISO date-times to the minute. */
function ticks(rule: TickRule, after: string, count: number): string[] {
  const found: string[] = [];
  let ms = Date.parse(after);
  for (let i = 0; i < count; i++) {
    ms = nextTick(rule, ms);
    found.push(new Date(ms).toISOString().slice(0, 16));
  }
  return found;
}

describe('a rule for every minute of a session', () => {
  it('begins after the open and ends after the close', () => {
    // A Friday of winter: 9:30 to 16:00 is 14:30 to 21:00 UTC.
    expect(ticks(MINUTES, '2026-11-20T00:00Z', 2)).toEqual([
      '2026-11-20T14:31',
      '2026-11-20T14:32',
    ]);
    expect(ticks(MINUTES, '2026-11-20T21:00Z', 2)).toEqual([
      '2026-11-20T21:01',
      '2026-11-23T14:31',
    ]);
  });

  it('follows daylight saving time, half days and holidays', () => {
    expect(ticks(MINUTES, '2026-03-06T21:01Z', 1)).toEqual(['2026-03-09T13:31']);
    // The day after Thanksgiving ends at 13:00; Thanksgiving itself has no session.
    expect(ticks(MINUTES, '2026-11-25T21:01Z', 1)).toEqual(['2026-11-27T14:31']);
    expect(ticks(MINUTES, '2026-11-27T18:00Z', 2)).toEqual([
      '2026-11-27T18:01',
      '2026-11-30T14:31',
    ]);
  });
});

describe('a rule after the close', () => {
  const rule: TickRule = { minutesAfterClose: 20 };

  it('is due once a session, earlier on half days', () => {
    expect(ticks(rule, '2026-11-24T12:00Z', 4)).toEqual([
      '2026-11-24T21:20',
      '2026-11-25T21:20',
      '2026-11-27T18:20',
      '2026-11-30T21:20',
    ]);
  });
});

describe('a rule for a time of day', () => {
  it('is due on sessions only where it says so', () => {
    const at = '07:30';
    expect(ticks({ at, on: 'sessions' }, '2026-11-20T13:00Z', 1)).toEqual(['2026-11-23T12:30']);
    expect(ticks({ at, on: 'days' }, '2026-11-20T13:00Z', 1)).toEqual(['2026-11-21T12:30']);
  });

  it('keeps to New York clocks on the days they change', () => {
    const rule: TickRule = { at: '03:00', on: 'days' };
    expect(ticks(rule, '2026-03-07T12:00Z', 2)).toEqual(['2026-03-08T07:00', '2026-03-09T07:00']);
    expect(ticks(rule, '2026-10-31T12:00Z', 2)).toEqual(['2026-11-01T08:00', '2026-11-02T08:00']);
  });
});

describe('a rule for every few minutes', () => {
  it('is due around the clock, each moment once, when clocks change too', () => {
    const rule: TickRule = { everyMinutes: 30 };
    for (const from of ['2026-03-08T00:00Z', '2026-11-01T00:00Z']) {
      const found = ticks(rule, from, 60).map((text) => Date.parse(`${text}Z`));
      expect(new Set(found.map((ms, i) => ms - (found[i - 1] ?? ms - 1_800_000)))).toEqual(
        new Set([1_800_000]),
      );
    }
  });

  it('is due between two times of day where it says so', () => {
    const rule: TickRule = { everyMinutes: 600, from: '06:00', until: '22:00' };
    expect(ticks(rule, '2026-11-20T00:00Z', 3)).toEqual([
      '2026-11-20T11:00',
      '2026-11-20T21:00',
      '2026-11-21T11:00',
    ]);
  });
});

describe('the latest tick', () => {
  it('is at or before the moment, and the next one after it', () => {
    const rules: TickRule[] = [
      MINUTES,
      { minutesAfterClose: 20 },
      { at: '22:30', on: 'sessions' },
      { everyMinutes: 5 },
      { everyMinutes: 10, from: '06:00', until: '22:00' },
    ];
    for (const rule of rules) {
      let ms = Date.parse('2026-11-20T00:00Z');
      for (let i = 0; i < 200; i++) {
        const tick = nextTick(rule, ms);
        expect(latestTick(rule, tick)).toBe(tick);
        expect(latestTick(rule, tick - 1)).toBeLessThan(tick);
        expect(nextTick(rule, latestTick(rule, tick - 1))).toBe(tick);
        ms = tick + 7 * 60_000;
      }
    }
  });
});
