import { expect, it } from 'vitest';
import { doneAtOnce } from '../../../../src/base/turns.ts';
import { sortedInPieces } from '../../../../src/store/arrow/read/sort-in-pieces.ts';

const isBefore = (a: string, b: string) => a < b;

/** Names in an order that follows from the count alone. */
const scattered = (count: number) =>
  Array.from({ length: count }, (_, i) => `S${(i * 7919) % 10_007}`);

it('sorts names as the language does, whatever their order', () => {
  const sorted = scattered(3000).toSorted();
  const appended = [...sorted, ...scattered(50)];
  for (const names of [[], ['B'], ['B', 'A'], scattered(3000), sorted, appended]) {
    expect(doneAtOnce(sortedInPieces(names, isBefore))).toEqual(names.toSorted());
  }
});

it('leaves the list as it is, and equal items in order', () => {
  const items = scattered(2000).map((name, i) => ({ key: name.length, i }));
  const before = [...items];
  const sorted = doneAtOnce(sortedInPieces(items, (a, b) => a.key < b.key));
  expect(items).toEqual(before);
  expect(sorted).toEqual(before.toSorted((a, b) => a.key - b.key));
});

it('gives way, less often where little is out of order', () => {
  const countOf = (names: readonly string[]) => Array.from(sortedInPieces(names, isBefore)).length;
  const sorted = scattered(5000).toSorted();
  expect(countOf(sorted)).toBeGreaterThan(5);
  expect(countOf(scattered(5000))).toBeGreaterThan(5 * countOf(sorted));
});
