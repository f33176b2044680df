/**
 * Daily files with a column of symbols: the typed way and the line reader give the same bars,
 * refusals with their lines, and readings.
 */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isClosedDay } from '../../../src/base/time/closed-days.ts';
import { dateFromDay, dayFromDate } from '../../../src/base/time/dates.ts';
import { fetchFiles } from '../../../src/ingest/files/source.ts';
import { scaled } from '../../faults/scale.ts';
import { bothWays, countOfGroups } from '../support/both-ways.ts';
import { inputFolder } from '../support/input-folder.ts';

const FILE_COUNT = scaled(20, 400);
/** A Monday. */
const FIRST_DAY = dayFromDate('2017-01-02');

type Format = 'iso' | 'compact' | 'slashes' | 'padded';
type Order = 'symbols' | 'days' | 'newest first';

const WRITTEN: Record<Format, (date: string) => string> = {
  iso: (date) => date,
  compact: (date) => date.replaceAll('-', ''),
  slashes: (date) => date.split('-').map(Number).join('/'),
  padded: (date) => date.replaceAll('-', '.'),
};

const oddNumber = fc.constantFrom(
  ...['', ' ', 'nan', 'inf', 'null', 'n/a', '-', '1e2', '1e400', '-0', '0', '+101', ' 101', '1_0'],
  ...['1__0', '101_', '$101', '101%', '1 000', 'true', '0x65', '101d', '9'.repeat(400)],
);
const oddVolume = fc.oneof(oddNumber, fc.constantFrom('1.5K', '2M', '1e3'));
const oddDate = fc.constantFrom(
  ...['', '2017-01-03 ', '2017-1-3', '2017/01/04', '17-01-05', '2017-02-30', '20170106', 'x'],
  ...[
    '2017-01-09 00:00:00',
    '1899-12-31',
    '2999-01-01',
    '2017-001-03',
    '12017-01-03',
    '2017-01-07',
  ],
);
const oddSymbol = fc.constantFrom(
  '',
  ' ',
  '?!',
  'aaa',
  ' AAA',
  'BBB ',
  'bbb.us',
  '123',
  'A B',
  'é',
);

/** One line in `weight` is odd. */
const mostly = (good: string, odd: fc.Arbitrary<string>, weight: number) =>
  fc.oneof({ weight, arbitrary: fc.constant(good) }, { weight: 1, arbitrary: odd });

const lineOf = (symbol: string, day: number, price: number, shape: Shape) => {
  const { format, weight } = shape;
  const date = WRITTEN[format](dateFromDay(day));
  const [open, close] = [String(price), String(price + 0.5)];
  // Computed prices: the high misses the close by the last bit.
  const high = day % 11 === 0 && shape.hasRoundings ? `${price + 0.4999999999999}` : `${price + 1}`;
  const fields = [
    mostly(date, oddDate, weight),
    mostly(open, oddNumber, weight),
    mostly(high, oddNumber, weight),
    mostly(String(price - 1), oddNumber, weight),
    mostly(close, oddNumber, weight),
    mostly(shape.hasVolume ? '1000' : '', oddVolume, shape.hasVolume ? weight : 10_000),
    mostly(symbol, oddSymbol, weight),
    mostly('a note', fc.constantFrom('', 'a\u0001note'), weight),
    ...(shape.hasBasis ? [mostly('raw', fc.constantFrom('all', 'split', ''), weight)] : []),
  ];
  const whole = fc.tuple(...fields).map((texts) => texts.join(','));
  const mangled = whole.chain((text) =>
    fc.constantFrom(`${text},`, `${text},9`, text.slice(0, 12), ' ', `${text}\n${text}`, ''),
  );
  return shape.isMangled
    ? fc.oneof({ weight: 40, arbitrary: whole }, { weight: 1, arbitrary: mangled })
    : whole;
};

interface Shape {
  format: Format;
  order: Order;
  /** Lines of which one is odd; many for a file that the typed way reads whole. */
  weight: number;
  hasVolume: boolean;
  hasRoundings: boolean;
  hasBasis: boolean;
  isMangled: boolean;
  /** Days between the bars of the last symbol. */
  step: number;
  repeats: boolean;
}

const shape: fc.Arbitrary<Shape> = fc.record({
  format: fc.constantFrom<Format>('iso', 'iso', 'iso', 'compact', 'slashes', 'padded'),
  order: fc.constantFrom<Order>('symbols', 'symbols', 'days', 'newest first'),
  weight: fc.constantFrom(100_000, 2_000, 300),
  hasVolume: fc.constantFrom(true, true, true, false),
  hasRoundings: fc.constantFrom(false, false, true),
  hasBasis: fc.constantFrom(false, false, true),
  isMangled: fc.constantFrom(false, false, false, true),
  step: fc.constantFrom(1, 1, 1, 7),
  repeats: fc.constantFrom(false, false, true),
});

const file = shape.chain((one) => {
  const symbols = ['AAA', 'BBB', 'BRK-B', 'CCC', 'DDD'];
  const bars = symbols.flatMap((symbol, at) => {
    const step = at === symbols.length - 1 ? one.step : 1;
    const days = Array.from({ length: 40 }, (_, i) => FIRST_DAY + i * step);
    const sessions = days.filter((day) => !isClosedDay(day));
    return sessions.map((day) => ({ symbol, day, price: 100 + at }));
  });
  if (one.order !== 'symbols') bars.sort((a, b) => a.day - b.day);
  if (one.order === 'newest first') bars.reverse();
  if (one.repeats) bars.push(bars[7], { ...bars[40], price: 250 });
  const header = `date,open,high,low,close,volume,symbol,memo${one.hasBasis ? ',adjustment' : ''}`;
  const lines = bars.map(({ symbol, day, price }) => lineOf(symbol, day, price, one));
  return fc.tuple(fc.constant(header), ...lines).map((all) => `${all.join('\n')}\n`);
});

const input = inputFolder(file, FILE_COUNT);

it('gives the same bars, refused lines and readings both ways', async () => {
  const { folder, context } = input();
  const typed = await bothWays((more) => fetchFiles({ path: folder, ...more }, context), context);
  // The comparison is useful only if the files are read both ways.
  expect(countOfGroups(typed, true)).toBeGreaterThan(FILE_COUNT / 2);
  expect(countOfGroups(typed, false)).toBeGreaterThan(FILE_COUNT / 2);
});
