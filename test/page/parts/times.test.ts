/** Days and moments as people read them, across changes of the clocks in New York. */

import { describe, expect, it } from 'vitest';
import {
  ageText,
  dayOrMomentText,
  dayText,
  momentText,
  newYorkDayMs,
  newYorkOffsetMs,
} from '../../../src/page/parts/times.ts';

const HOUR_MS = 3_600_000;

it('names the zone of a moment in winter and in summer', () => {
  expect(momentText('2026-11-20T21:00:00.000Z')).toBe('20 Nov 2026, 16:00 EST');
  expect(momentText('2026-07-20T20:00:00.000Z')).toBe('20 Jul 2026, 16:00 EDT');
});

it('shows a date as that day, whatever the zone of the reader', () => {
  expect(dayText('2026-11-20')).toBe('20 Nov 2026');
  expect(dayText(Date.UTC(2026, 0, 1))).toBe('1 Jan 2026');
});

it('shows the midnight that stands for a date as that day, not as the evening before', () => {
  expect(dayOrMomentText('2017-11-10T00:00:00.000Z')).toBe('10 Nov 2017');
  expect(dayOrMomentText('2026-11-20T21:00:00.000Z')).toBe('20 Nov 2026, 16:00 EST');
});

it.each([
  ['2026-03-06T14:30:00Z', -5],
  ['2026-03-09T13:30:00Z', -4],
  ['2026-10-30T13:30:00Z', -4],
  ['2026-11-02T14:30:00Z', -5],
  ['2026-11-01T05:59:59Z', -4],
  ['2026-11-01T06:00:00Z', -5],
])('the moment %s is %i hours from UTC', (moment, hours) => {
  expect(newYorkOffsetMs(Date.parse(moment))).toBe(hours * HOUR_MS);
});

it('a late filing belongs to the day in New York', () => {
  expect(newYorkDayMs(Date.parse('2026-11-21T02:30:00Z'))).toBe(Date.UTC(2026, 10, 20));
});

describe('an age', () => {
  it.each([
    [60_000, '1 minute'],
    [89 * 60_000, '89 minutes'],
    [5 * HOUR_MS, '5 hours'],
    [72 * HOUR_MS, '3 days'],
    [730 * 24 * HOUR_MS, '730 days'],
    [3300 * 24 * HOUR_MS, '9 years'],
    [29_000, 'less than a minute'],
    [-1000, 'less than a minute'],
  ])('of %i ms is %s', (ms, text) => {
    expect(ageText(ms)).toBe(text);
  });
});
