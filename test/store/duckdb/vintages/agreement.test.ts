import { describe, expect, test } from 'vitest';
import { findContradiction } from '../../../../src/store/duckdb/vintages/agreement.ts';

type Bar = [open: number, high: number, low: number, close: number];

// A single weekly bar replaced the bar of its Friday: nothing in its file tells that it is one.
const STORED: Bar[] = [
  [50, 51, 49.5, 50.4],
  [50.5, 50.9, 50.1, 50.2],
  [50.1, 52.6, 50, 52.3],
  [52.2, 52.9, 51.7, 51.9],
  [52, 52.4, 48.8, 49.1],
  [49.2, 49.9, 48.9, 49.7],
];

function compared(changes: Record<number, Bar>, storedChanges: Record<number, Bar> = {}) {
  const newer = STORED.map((bar, row) => changes[row] ?? bar);
  const older = STORED.map((bar, row) => storedChanges[row] ?? bar);
  const columns = (bars: Bar[]) =>
    [0, 1, 2, 3].map((at) => Float64Array.from(bars, (bar) => bar[at])) as never;
  return findContradiction(
    {
      timestampUs: Float64Array.from(STORED.keys(), (day) => day * 86_400_000_000),
      older: columns(older),
      newer: columns(newer),
      slack: new Float64Array(STORED.length),
    },
    { kind: 'same', isAhead: false },
  );
}

describe('a bar that replaces a stored one', () => {
  test('is longer if it has the prices of several, from its day on or up to it', () => {
    const week: Bar = [50, 52.9, 48.8, 49.1];
    expect(compared({ 0: week })).toEqual({ kind: 'longer', row: 0, count: 1, by: 4 });
    expect(compared({ 4: week })).toEqual({ kind: 'longer', row: 4, count: 1, by: -4 });
    expect(compared({ 1: [50.5, 52.6, 50, 52.3] })?.by).toBe(1);
  });

  test('is a correction otherwise', () => {
    expect(compared({ 0: [50, 51, 49.2, 50.4] })).toBeUndefined();
    expect(compared({ 0: [50, 52.9, 48.8, 50.4] })).toBeUndefined();
    expect(compared({ 4: [52, 52.4, 48.8, 49.7] })).toBeUndefined();
  });
});

// Two days' values were exchanged in a file that was loaded again.
test('two bars are exchanged if each has the prices of the other and opens farther off', () => {
  const [, second, third, , , last] = STORED;
  const exchanged = { kind: 'exchanged', count: 2 };
  expect(compared({ 1: third, 2: second })).toEqual({ ...exchanged, row: 1, by: 1 });
  expect(compared({ 1: last, 5: second })).toEqual({ ...exchanged, row: 1, by: 4 });
  // The stored ones may be the wrong ones.
  expect(compared({ 1: second, 2: third }, { 1: third, 2: second })).toBeUndefined();
});

// A file of the split basis replaced traded prices, of which a span in the middle was tenfold.
test('a span that jumps up and back down is no split, whatever the basis of either side', () => {
  const bars = (factorAt: (row: number) => number) =>
    [0, 1, 2, 3].map((at) =>
      Float64Array.from({ length: 24 }, (_, row) => STORED[row % 6][at] * factorAt(row)),
    ) as never;
  const contradiction = (factorAt: (row: number) => number) =>
    findContradiction(
      {
        timestampUs: Float64Array.from({ length: 24 }, (_, day) => day * 86_400_000_000),
        ...{ older: bars(() => 1), newer: bars(factorAt), slack: new Float64Array(24) },
      },
      { kind: 'other', isAhead: false },
    );
  for (const factor of [10, 2, 0.5, 0.1]) {
    const middle = (row: number) => (row >= 8 && row < 16 ? factor : 1);
    expect(contradiction(middle)).toEqual({ kind: 'jump', row: 8, count: 2 });
    // Traded prices before a split, which the stored ones do not show.
    expect(contradiction((row) => (row < 12 ? factor : 1))).toBeUndefined();
  }
});

// Opens 1.4 times the stored ones, with the same closes, replaced a whole history.
test('opens that alone are at another level in most bars are strays', () => {
  const bars = (count: number, timesOf: (row: number) => number, at: number) =>
    [0, 1, 2, 3].map((price) =>
      Float64Array.from({ length: count }, (_, row) => {
        return STORED[row % 6][price] * (price === at ? timesOf(row) : 1);
      }),
    ) as never;
  const found = (count: number, timesOf: (row: number) => number, at = 0) =>
    findContradiction(
      {
        timestampUs: Float64Array.from({ length: count }, (_, day) => day * 86_400_000_000),
        ...{ older: bars(count, () => 1, at), newer: bars(count, timesOf, at) },
        slack: new Float64Array(count),
      },
      { kind: 'same', isAhead: false },
    )?.kind;
  expect(found(60, () => 1.4)).toBe('stray');
  expect(found(60, () => 0.9)).toBe('stray');
  expect(found(60, () => 1.05, 1)).toBe('stray');
  expect(found(60, (row) => (row % 3 === 0 ? 1.4 : 1))).toBeUndefined();
  expect(found(60, () => 1.01)).toBeUndefined();
  expect(found(12, () => 1.4)).toBeUndefined();
});
