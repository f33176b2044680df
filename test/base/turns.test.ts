import { afterEach, expect, it, vi } from 'vitest';
import { limits } from '../../src/base/limits/limits.ts';
import { doneAtOnce, doneInTurns, type Work } from '../../src/base/turns.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** Sums up to a number, a piece each; each takes a while. */
function* summing(count: number, onPiece: () => void): Work<number> {
  let sum = 0;
  for (let i = 1; i <= count; i++) {
    sum += i;
    onPiece();
    yield;
  }
  return sum;
}

it('gives the result at once, with all pieces of work that it is made of', () => {
  let pieces = 0;
  function* twice(): Work<number> {
    return (yield* summing(3, () => pieces++)) + (yield* summing(4, () => pieces++));
  }
  expect(doneAtOnce(twice())).toBe(16);
  expect(pieces).toBe(7);
});

it('goes on for a moment in each turn, and lets others through between', async () => {
  let nowMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  const done: (number | 'other')[] = [];
  let isOver = false;
  const other = () => {
    if (isOver) return;
    done.push('other');
    setImmediate(other);
  };
  let piece = 0;
  const sum = doneInTurns(
    summing(9, () => {
      nowMs += limits.turnMs / 2.5;
      done.push(++piece);
    }),
  );
  expect(done).toEqual([]);
  setImmediate(other);
  expect(await sum).toBe(45);
  isOver = true;
  const turns = done
    .join(' ')
    .split(/ ?other ?/)
    .filter((text) => text !== '');
  expect(turns).toEqual(['1 2 3', '4 5 6', '7 8 9']);
});

it('fails as the work does', async () => {
  const failing = () =>
    summing(2, () => {
      throw new Error('no');
    });
  expect(() => doneAtOnce(failing())).toThrow('no');
  await expect(doneInTurns(failing())).rejects.toThrow('no');
});
