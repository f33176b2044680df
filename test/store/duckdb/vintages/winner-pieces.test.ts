import { describe, expect, test } from 'vitest';
import type { Basis } from '../../../../src/base/bars.ts';
import {
  type Candidate,
  type Closes,
  extensionsInReach,
  winnerPieces,
} from '../../../../src/store/duckdb/vintages/winner-pieces.ts';

/** A candidate with closes at consecutive times from `start`. */
function series(seriesId: number, start: number, closes: number[], basis: Basis = 'all') {
  const timestampUs = Float64Array.from(closes, (_, i) => start + i);
  const candidate: Candidate = {
    seriesId,
    basis,
    firstUs: start,
    lastUs: start + closes.length - 1,
  };
  return { candidate, closes: { timestampUs, close: Float64Array.from(closes) } as Closes };
}

function piecesOf(...all: ReturnType<typeof series>[]) {
  const closes = new Map(all.map(({ candidate, closes }) => [candidate.seriesId, closes]));
  return winnerPieces(
    all.map(({ candidate }) => candidate),
    closes,
  );
}

const WINNER = series(1, 10, [10, 11, 12, 13, 14, 15]);

describe('the pieces of a series', () => {
  test('add bars of an extension before and after, scaled to the winner', () => {
    const extension = series(2, 8, [16, 18, 20, 22, 24, 26, 28, 30, 32]);
    expect(piecesOf(WINNER, extension)).toEqual([
      { seriesId: 2, fromUs: 8, toUs: 9, factor: 0.5 },
      { seriesId: 1, fromUs: 10, toUs: 15, factor: 1 },
      { seriesId: 2, fromUs: 16, toUs: 16, factor: 0.5 },
    ]);
  });

  test('scale each side of an extension by the bars at its own splice', () => {
    // Five common bars at the start agree at factor 1, five at the end at factor 2.
    const long = series(1, 10, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    const extension = series(2, 9, [1, 1, 2, 3, 4, 5, 3, 3.5, 4, 4.5, 5, 5.5]);
    const factors = piecesOf(long, extension).map(({ seriesId, factor }) => [seriesId, factor]);
    expect(factors).toEqual([
      [2, 1],
      [1, 1],
      [2, 2],
    ]);
  });

  test.each([
    ['reject a common bar that is 0.2 % off', [9, 10, 11, 12 * 1.002, 13, 14, 15], 1],
    ['accept a common bar that is 0.05 % off', [9, 10, 11, 12 * 1.0005, 13, 14, 15], 2],
    ['need five common bars', [9, 10, 11, 12, 13], 1],
    ['accept five common bars', [9, 10, 11, 12, 13, 14], 2],
    ['leave out another basis', [9, 10, 11, 12, 13, 14, 15], 1, 'split'],
  ] as const)('%s', (_, closes, count, basis?: Basis) => {
    expect(piecesOf(WINNER, series(2, 9, [...closes], basis))).toHaveLength(count);
  });

  test('leave out an extension that ends before the winner begins, with a split between', () => {
    expect(piecesOf(WINNER, series(2, 1, [40, 41, 42, 43, 44, 45]))).toHaveLength(1);
  });

  test('never scale a raw series', () => {
    const raw = series(1, 10, [10, 11, 12, 13, 14, 15], 'raw');
    expect(piecesOf(raw, series(2, 9, [18, 20, 22, 24, 26, 28, 30], 'raw'))).toHaveLength(1);
    expect(piecesOf(raw, series(2, 9, [9, 10.001, 11, 12, 13, 14, 15], 'raw'))[0]).toEqual({
      seriesId: 2,
      fromUs: 9,
      toUs: 9,
      factor: 1,
    });
  });

  test('let a third series continue what a second one added', () => {
    const second = series(2, 5, [5, 6, 7, 8, 9, 10, 11, 12, 13, 14]);
    const third = series(3, 3, [6, 8, 10, 12, 14, 16, 18]);
    expect(piecesOf(WINNER, second, third)).toEqual([
      { seriesId: 3, fromUs: 3, toUs: 4, factor: 0.5 },
      { seriesId: 2, fromUs: 5, toUs: 9, factor: 1 },
      { seriesId: 1, fromUs: 10, toUs: 15, factor: 1 },
    ]);
  });
});

describe('raw series of one feed, under the tickers that a security had', () => {
  const feed = (seriesId: number, start: number, closes: number[], name = 'alpaca') => {
    const one = series(seriesId, start, closes, 'raw');
    return { ...one, candidate: { ...one.candidate, source: name } };
  };

  test('go on where the one before ends, without closes in common', () => {
    const pieces = piecesOf(feed(1, 20, [7, 8]), feed(2, 10, [5, 6]));
    expect(pieces).toEqual([
      { seriesId: 2, fromUs: 10, toUs: 19, factor: 1 },
      { seriesId: 1, fromUs: 20, toUs: 21, factor: 1 },
    ]);
  });

  test('do not where closes that they share differ, nor across feeds', () => {
    expect(piecesOf(feed(1, 20, [7, 8]), feed(2, 10, [5, 6, 5, 6, 5, 6, 5, 6, 5, 6, 9]))).toEqual([
      { seriesId: 1, fromUs: 20, toUs: 21, factor: 1 },
    ]);
    expect(piecesOf(feed(1, 20, [7, 8]), feed(2, 10, [5, 6], 'tiingo'))).toEqual([
      { seriesId: 1, fromUs: 20, toUs: 21, factor: 1 },
    ]);
  });
});

test('extensions in reach have the same basis and go beyond the winner', () => {
  const inside = series(2, 11, [1, 1]).candidate;
  const other = series(3, 1, [1, 1], 'raw').candidate;
  const before = series(4, 9, [1, 1]).candidate;
  expect(extensionsInReach([WINNER.candidate, inside, other])).toEqual([]);
  expect(extensionsInReach([WINNER.candidate, inside, other, before])).toEqual([before]);
});
