import { expect, it } from 'vitest';
import { KeptResults } from '../../../src/api/responses/kept-results.ts';

it('keeps the results that were used last, within its bytes', () => {
  const kept = new KeptResults<string>(10);
  kept.put('a', 'A', 4);
  kept.put('b', 'B', 4);
  expect(kept.get('a')).toBe('A');
  kept.put('c', 'C', 4);
  expect([kept.get('a'), kept.get('b'), kept.get('c')]).toEqual(['A', undefined, 'C']);
  expect(kept.bytes).toBe(8);
});

it('replaces a result, and does not keep one that is too large alone', () => {
  const kept = new KeptResults<string>(10);
  kept.put('a', 'A', 4);
  kept.put('a', 'AA', 6);
  expect([kept.get('a'), kept.bytes]).toEqual(['AA', 6]);
  kept.put('b', 'B', 11);
  expect([kept.get('a'), kept.get('b'), kept.bytes]).toEqual(['AA', undefined, 6]);
  kept.put('a', 'A', 11);
  expect([kept.get('a'), kept.bytes]).toEqual([undefined, 0]);
});

it('removes the results that a check refuses, and counts the rest', () => {
  const kept = new KeptResults<string>(10);
  kept.put('a', 'A', 4);
  kept.put('b', 'B', 6);
  kept.retain((result) => result === 'B');
  expect([kept.get('a'), kept.get('b'), kept.bytes]).toEqual([undefined, 'B', 6]);
});
