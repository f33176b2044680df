/**
 * A history that is loaded again is compared with the stored one, whatever it contains. Seven
 * sessions of which four were tenfold replaced the stored ones, and a screen fired.
 *
 * Histories of one basis are symbols of one load: each is judged by itself.
 */

import { beforeAll, describe, expect, test } from 'vitest';
import type { Basis } from '../../../../src/base/bars.ts';
import { someOf } from '../../../support/store-runs.ts';
import {
  load,
  minuteBars,
  risingBars,
  segmentOf,
  type TestBar,
  withStore,
} from '../support/fixtures.ts';
import { heldSymbols, holdSymbolsAlone, reasonOf } from '../support/held-symbols.ts';

holdSymbolsAlone();

/** Sessions of a series that moves by up to 3 % a day, from 2024-01-01 on. */
function history(count: number): TestBar[] {
  return Array.from({ length: count }, (_, i) => [
    new Date(Date.UTC(2024, 0, 1 + i)).toISOString().slice(0, 10),
    Number((100 + 20 * Math.sin(i / 7) + (i % 5)).toFixed(2)),
  ]);
}

const changed = (bars: readonly TestBar[], by: (close: number, i: number) => number): TestBar[] =>
  bars.map(([date, close, volume], i) => [date, Number(by(close, i).toFixed(4)), volume]);

const OLD = history(240);
const bad = changed(OLD, (close, i) => (i % 40 < 12 ? close * 10 : close));
const tenfold = changed(OLD, (close) => close * 10);

interface Reload {
  /** `OLD` if it is not said. */
  before?: TestBar[];
  after: TestBar[];
  /** Reason of its hold; undefined: it loads. */
  held?: RegExp;
}

/** Tests each reload of one basis, all symbols of two loads. */
function testReloads(
  cases: Record<string, readonly Reload[]>,
  {
    basis,
    interval = '1d',
    days = ['2026-01-01', '2026-01-02'],
  }: { basis: Basis; interval?: '1d' | '1m'; days?: readonly [first: string, again: string] },
): void {
  const named = Object.entries(cases)
    .flatMap(([name, reloads]) => reloads.map((reload) => ({ name, ...reload })))
    .map((one, i) => ({ ...one, symbol: `S${i}` }));
  let reasons: ReadonlyMap<string, string>;
  beforeAll(async () => {
    reasons = await withStore(async (market) => {
      const files = named.map(({ symbol, before = OLD }) => ({ symbol, bars: before }));
      await load(market, segmentOf(files, { basis, interval, asOf: days[0] }));
      const again = named.map(({ symbol, after }) => ({ symbol, bars: after }));
      return heldSymbols(
        market,
        segmentOf(again, { basis, interval, asOf: days[1], name: 'again' }),
      );
    });
  });
  test.each(Object.keys(cases))('%s', (name) => {
    for (const { symbol, held } of named.filter((one) => one.name === name)) {
      if (held) expect(reasons.get(symbol)).toMatch(held);
      else expect(reasons.get(symbol)).toBeUndefined();
    }
  });
}

// Three weekdays a day off are sessions, too: only the stored bars tell.
function movedDays(basis: Basis): Reload[] {
  const moved = (from: number, to: number, by: number) =>
    OLD.slice(from, to).map(([date], i): TestBar => [date, OLD[from + i + by][1]]);
  // Adjusted ones have no constant factor then.
  const text = (side: string) =>
    basis === 'raw' ? RegExp(`the prices of the stored bar ${side} each`) : /no constant factor/;
  return [
    { after: moved(100, 103, 1), held: text('after') },
    { after: moved(100, 103, -1), held: text('before') },
    { after: moved(0, 239, 1), held: text('after') },
    { after: changed(OLD, (close, i) => close + (i === 100 ? 0.3 : 0)) },
  ];
}

const reloadsOf = (basis: Basis): Record<string, Reload[]> => ({
  'is held where a half of it is a hundredfold': [
    {
      after: changed(OLD, (close, i) => (i < 120 ? close * 100 : close)),
      held: /goes from 8477 on 2024-04-29 to 80.18 on 2024-04-30, and the stored bars from 84.77 to 80.18/,
    },
  ],
  'is held where some days in its middle are a hundredth': [
    {
      after: changed(OLD, (close, i) => (i >= 60 && i < 66 ? close / 100 : close)),
      held: /^other prices: /,
    },
  ],
  'is held where its days have the prices of the days beside them': movedDays(basis),
  'is held where one day is tenfold': [
    { after: changed(OLD, (close, i) => (i === 77 ? close * 10 : close)), held: /^other prices: / },
  ],
  'is held where it is longer, shorter, or short at all, and tenfold in part': [
    { before: OLD.slice(0, 200), after: bad, held: /^other prices: / },
    { after: bad.slice(0, 200), held: /^other prices: |^no constant factor: / },
    { before: OLD.slice(8, 15), after: bad.slice(8, 16), held: /^other prices: / },
  ],
  'is held where all of it is a hundredfold': [
    {
      after: changed(OLD, (close) => close * 100),
      held: /another price level in 240 of 240 bars; on 2024-01-01 it closes at 10000, stored is 100/,
    },
  ],
  'is held where it is of another security': [
    {
      after: changed(OLD, (_, i) => 40 + 15 * Math.cos(i / 3) + (i % 7)),
      held: /^other prices: |^no constant factor: /,
    },
  ],
  'loads where it is equal, is more precise, or corrects some bars': [
    { after: OLD },
    { after: changed(OLD, (close, i) => close + 0.004 * Math.sin(i)) },
    { after: changed(OLD, (close, i) => (i % 50 === 3 ? close * 1.07 : close)) },
  ],
  'loads where its last bar is completed': [
    { after: changed(OLD, (close, i) => (i === 239 ? close * 0.8 : close)) },
  ],
  'loads where it takes away what was wrong before': [
    { before: changed(OLD, (close, i) => (i >= 60 && i < 200 ? close * 100 : close)), after: OLD },
    { before: changed(OLD, (close, i) => (i < 50 ? close / 10 : close)), after: OLD },
  ],
});

// Split-adjusted ones are compared as all adjusted ones are.
describe.each(someOf(['raw', 'split', 'all'] as const, 2))('a %s history loaded again', (basis) => {
  testReloads(reloadsOf(basis), { basis });
});

describe('an adjusted history loaded again', () => {
  const cliff = changed(OLD, (close, i) => (i < 100 ? close * 3 : close));
  const factor = (i: number) => 0.99 ** Math.max(0, 4 - Math.floor(i / 60));
  testReloads(
    {
      'loads on the basis of a later split or dividend': [
        { after: changed(OLD, (close) => close / 2) },
        { before: OLD.slice(0, 239), after: tenfold },
        // A split lies after the last stored day, of which the file has nothing.
        { after: tenfold, held: /another price level in 240 of 240 bars/ },
        { after: changed(OLD, (close) => close * 0.9873) },
      ],
      'loads where dividends that were not known are in it now': [
        { after: changed(OLD, (close, i) => close * factor(i)) },
      ],
      'loads where it takes the jump of a split away, and is held where it brings one': [
        { before: cliff, after: OLD },
        { after: cliff, held: /^other prices: / },
      ],
    },
    { basis: 'all' },
  );
});

// The same two files in the other order served the newer one, or a mixture of both.
describe.each(someOf(['raw', 'all'] as const, 2))(
  'a %s history that is older than the stored one',
  (basis) => {
    const other = changed(OLD, (_, i) => 40 + 15 * Math.cos(i / 3) + (i % 7));
    const spoiled = changed(OLD, (close, i) => (i >= 60 && i < 200 ? close * 100 : close));
    const held = /^other prices: |^no constant factor: /;
    testReloads(
      {
        'is held where one of them is of another security': [
          { after: other, held },
          {
            before: other,
            after: OLD,
            held: /differs in 2\d\d of 240 bars; on 2024-01-0\d it closes/,
          },
          { before: OLD.slice(0, 200), after: other.slice(50), held },
          { before: other.slice(100), after: OLD.slice(0, 200), held },
        ],
        'is held where all of it is a hundredfold or a hundredth': [
          { after: changed(OLD, (close) => close * 100), held },
          { before: changed(OLD, (close) => close * 100), after: OLD, held },
        ],
        'loads where it is equal, or has what the stored one corrects': [
          { after: OLD },
          { after: changed(OLD, (close, i) => (i % 50 === 3 ? close * 1.07 : close)) },
          { after: spoiled },
        ],
      },
      { basis, days: ['2026-01-02', '2026-01-01'] },
    );
  },
);

describe.each(someOf(['raw', 'split'] as const, 2))('%s minutes loaded again', (basis) => {
  const old = minuteBars('2024-06-03', 120);
  const after = changed(old, (close, i) => (i < 50 ? close * 100 : close));
  testReloads(
    {
      'are compared too': [
        { before: old, after, held: /^other prices: / },
        { before: old, after: old },
      ],
    },
    { basis, interval: '1m' },
  );
});

// A newer file's odd row of an old day was served, as a correction of one bar.
describe('one bar at another level', () => {
  const odd = (close: number): TestBar[] => [['2024-03-11', close], ...risingBars('2024-08-28', 2)];

  describe('in a second load', () => {
    testReloads(
      { 'is held': [{ after: odd(570), held: /on 2024-03-11/ }, { after: OLD }] },
      { basis: 'raw' },
    );
  });

  test('is held between two files of one load, unless the other file is the odd one', async () => {
    const spoiled = changed(OLD, (close, i) => (OLD[i][0] === '2024-03-11' ? 570 : close));
    // Folders of traded and of adjusted prices: no bar tells which file is right.
    const [whole, once] = [changed(OLD, (close) => close / 3), [['2024-03-11', 5]] as TestBar[]];
    const pairs = {
      SPY: [OLD, odd(570)],
      QQQ: [spoiled, odd(103)],
      DIA: [OLD, whole],
      IWM: [once, [['2024-03-11', 9] as TestBar]],
    };
    const files = Object.entries(pairs).flatMap(([symbol, both]) =>
      both.map((bars, at) => ({ symbol, bars, path: `${symbol}-${at}` })),
    );
    const reason = await withStore((market) =>
      reasonOf(market, segmentOf(files, { basis: 'raw' })),
    );
    expect(reason).toMatch(
      /^\S+ 3 series .*DIA .*33\.3333 in "DIA-1", and at 100 in "DIA-0", IWM .*5 in "IWM-0", and at 9 .*SPY closes on 2024-03-11 at 570 in "SPY-1", which is far from the bars next to it/,
    );
  });
});
