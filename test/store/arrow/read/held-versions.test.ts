import { expect, it } from 'vitest';
import { HeldVersions } from '../../../../src/store/arrow/read/held-versions.ts';

const LIMITS = { recentMs: 100, recentVersionsMin: 1, versionsMax: 3 };

const idsOf = (held: HeldVersions<{ id: string }>) =>
  ['a', 'b', 'c', 'd', 'e'].filter((id) => held.find(id)).join('');

const holding = (...ids: string[]) => {
  const held = new HeldVersions<{ id: string }>(LIMITS);
  for (const id of ids) held.hold({ id });
  return held;
};

it('holds a version for a time after its replacement', () => {
  const held = holding('a');
  held.release('a', 1000);
  held.hold({ id: 'b' });
  held.release('b', 2000);
  held.hold({ id: 'c' });
  held.release('c', 2050);
  expect(idsOf(held)).toBe('abc');
  held.release('c', 2099);
  expect(idsOf(held)).toBe('abc');
  held.release('c', 2100);
  expect(idsOf(held)).toBe('bc');
});

it('holds the last replaced versions for longer', () => {
  const held = holding('a', 'b');
  held.release('c', 1000);
  held.release('c', 9000);
  expect(idsOf(held)).toBe('b');
});

it('holds a bounded number of replaced versions, the newest of them', () => {
  const held = holding('a', 'b', 'c', 'd', 'e');
  held.release('e', 1000);
  expect(idsOf(held)).toBe('bcde');
  expect(held.size).toBe(4);
});

it('holds what was walked while nothing can be read', () => {
  const held = holding('a');
  held.release(undefined, 1000);
  expect(idsOf(held)).toBe('a');
});
