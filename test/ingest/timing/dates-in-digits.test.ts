/**
 * Dates in digits that are no year, month and day. SAS's day numbers of 2016 were once read as those
 * of Excel's older calendar, and so as days of 1960.
 */

import { expect, it } from 'vitest';
import { datesInDigits } from '../../../src/ingest/timing/dates-in-digits.ts';

/** The days from Thursday 2024-02-29 to Wednesday 2024-03-06, as day numbers of a program. */
const week = (first: number) => [0, 1, 4, 5, 6].map((day) => `${first + day}`);
const WEEK = ['2024-02-29', '2024-03-01', '2024-03-04', '2024-03-05', '2024-03-06'];

it.each([
  ['Excel', week(45_351)],
  ['R', week(19_782)],
  ['MATLAB', week(739_311)],
  ['Python', week(738_945)],
  ['MATLAB, with a time of day', week(739_311).map((text) => `${text}.0`)],
  ['days of a year', ['2024-060', '2024-061', '2024-064', '2024-065', '2024-066']],
  ['days of a year without a sign', ['2024060', '2024061', '2024064', '2024065', '2024066']],
])('day numbers of %s are dates', (_, texts) => {
  expect(texts.map(datesInDigits(texts)!)).toEqual(WEEK);
});

it('the time of a day number is kept', () => {
  const texts = week(45_351).map((text) => `${text}.6666667`);
  expect(datesInDigits(texts)!(texts[0])).toBe('2024-02-29 16:00:00');
});

it('years behind day and month leave the order open', () => {
  expect(['29022024', '1032024'].map(datesInDigits(['29022024', '1032024'])!)).toEqual([
    '29/02/2024',
    '1/03/2024',
  ]);
});

it('Unix time may be a float with an exponent, if a spreadsheet has not cut its digits', () => {
  const texts = ['1.7041536E9', '1.70424E9'];
  expect(texts.map(datesInDigits(texts)!)).toEqual(['1704153600', '1704240000']);
  expect(datesInDigits(['1.70415E+12', '1.70424E+12'])).toBeUndefined();
});

it('SAS and the older calendar of Excel have the same weekdays: the newer days are likelier', () => {
  const texts = week(23_435);
  expect(texts.map(datesInDigits(texts)!)).toEqual(WEEK);
});

it('day numbers of two programs are refused with both dates', () => {
  // Wednesdays of MATLAB are Fridays of Python, a year later.
  const texts = [0, 7, 14, 21, 28].map((day) => `${738_945 + day}`);
  expect(() => datesInDigits(texts)).toThrow(
    '"738945" may be 2023-02-28 (MATLAB) or 2024-02-29 (Python); write dates as 2026-01-31',
  );
});

it.each([
  [['20240229', '20240301']],
  [['171103', '171106']],
  [['000000']],
  [['1', '2', '3']],
  [[]],
])('%j is left alone', (texts) => {
  expect(datesInDigits(texts)).toBeUndefined();
});

it('a few are those of Excel', () => {
  expect(datesInDigits(['45351'])!('45351')).toBe('2024-02-29');
});
