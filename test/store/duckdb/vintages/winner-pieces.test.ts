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
  test('are the whole winner when it stands alone', () => {
    expect(piecesOf(WINNER)).toEqual([{ seriesId: 1, fromUs: 10, toUs: 15, factor: 1 }]);
  });

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

  test('stay those of the winner where a common bar is 0.2 % off', () => {
    const extension = series(2, 9, [9, 10, 11, 12 * 1.002, 13, 14, 15]);
    expect(piecesOf(WINNER, extension)).toHaveLength(1);
  });

  test('accept a common bar that is 0.05 % off', () => {
    const extension = series(2, 9, [9, 10, 11, 12 * 1.0005, 13, 14, 15]);
    expect(piecesOf(WINNER, extension)).toHaveLength(2);
  });

  test('need five common bars', () => {
    expect(piecesOf(WINNER, series(2, 7, [7, 8, 9, 10, 11, 12, 13]))).toHaveLength(1);
    expect(piecesOf(WINNER, series(2, 7, [7, 8, 9, 10, 11, 12, 13, 14]))).toHaveLength(2);
  });

  test('leave out an extension that ends before the winner begins, with a split between', () => {
    expect(piecesOf(WINNER, series(2, 1, [40, 41, 42, 43, 44, 45]))).toHaveLength(1);
  });

  test('leave out an extension of another basis', () => {
    expect(piecesOf(WINNER, series(2, 9, [9, 10, 11, 12, 13, 14, 15], 'split'))).toHaveLength(1);
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

/** A candidate of minutes: a session is [its first bar, its last bar, its close]. */
function minuteSeries(seriesId: number, sessions: [first: number, last: number, close: number][]) {
  const candidate: Candidate = {
    seriesId,
    basis: 'raw',
    firstUs: sessions[0][0],
    lastUs: sessions.at(-1)![1],
  };
  const closes: Closes = {
    timestampUs: Float64Array.from(sessions, ([, last]) => last),
    close: Float64Array.from(sessions, ([, , close]) => close),
  };
  return { candidate, closes };
}

describe('the pieces of a series of minutes', () => {
  const whole = [100, 200, 300, 400, 500, 600, 700].map((first, i): [number, number, number] => [
    first,
    first + 50,
    10 + i,
  ]);

  test('meet at bars, though only closes of sessions are compared', () => {
    const winner = minuteSeries(1, whole.slice(1, 6));
    expect(piecesOf(winner, minuteSeries(2, whole))).toEqual([
      { seriesId: 2, fromUs: 100, toUs: 199, factor: 1 },
      { seriesId: 1, fromUs: 200, toUs: 650, factor: 1 },
      { seriesId: 2, fromUs: 651, toUs: 750, factor: 1 },
    ]);
  });

  test('pass over a session that one source ends earlier, and need five others', () => {
    const running: [number, number, number] = [600, 620, 99];
    const winner = minuteSeries(1, [...whole.slice(0, 5), running]);
    expect(piecesOf(winner, minuteSeries(2, whole)).at(-1)).toEqual({
      seriesId: 2,
      fromUs: 621,
      toUs: 750,
      factor: 1,
    });
    expect(
      piecesOf(minuteSeries(1, [...whole.slice(1, 5), running]), minuteSeries(2, whole)),
    ).toHaveLength(1);
  });
});

test('extensions in reach have the same basis and go beyond the winner', () => {
  const inside = series(2, 11, [1, 1]).candidate;
  const other = series(3, 1, [1, 1], 'raw').candidate;
  const before = series(4, 9, [1, 1]).candidate;
  expect(extensionsInReach([WINNER.candidate, inside, other])).toEqual([]);
  expect(extensionsInReach([WINNER.candidate, inside, other, before])).toEqual([before]);
});
