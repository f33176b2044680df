import { describe, expect, test } from 'vitest';
import type { VintageBars } from '../../../../src/store/duckdb/vintages/factor.ts';
import { combineVintages, overlapSpans } from '../../../../src/store/duckdb/vintages/vintages.ts';
import type { Candidate } from '../../../../src/store/duckdb/vintages/winner-pieces.ts';

/** A vintage with closes at the given times; all four prices follow from the close. */
function vintage(seriesId: number, closes: Record<number, number>) {
  const times = Object.keys(closes).map(Number);
  const candidate: Candidate = {
    seriesId,
    basis: 'all',
    source: 'files',
    firstUs: times[0],
    lastUs: times[times.length - 1],
  };
  return { candidate, closes };
}

/** Folds vintages, newest first, each with only the bars of its overlap span. */
function combined(...all: ReturnType<typeof vintage>[]) {
  const candidates = all.map(({ candidate }) => candidate);
  const spans = overlapSpans(candidates);
  const bars = new Map<number, VintageBars>();
  for (const [i, { candidate, closes }] of all.entries()) {
    const span = spans[i];
    if (!span) continue;
    const within = Object.entries(closes).filter(
      ([us]) => Number(us) >= span.fromUs && Number(us) <= span.toUs,
    );
    const prices = (by: number) => Float64Array.from(within, ([, close]) => close * by);
    bars.set(candidate.seriesId, {
      timestampUs: Float64Array.from(within, ([us]) => Number(us)),
      prices: [prices(1), prices(1.5), prices(0.5), prices(1)],
    });
  }
  return combineVintages(candidates, bars);
}

const HISTORY = vintage(1, { 10: 200, 20: 210, 30: 220, 40: 230, 50: 240 });

describe('combined vintages', () => {
  test('is the whole of a single one', () => {
    expect(combined(HISTORY)).toEqual({
      pieces: [{ seriesId: 1, fromUs: 10, toUs: 50, factor: 1 }],
      splices: [],
    });
  });

  // A day's file once replaced 27 years of history by its one bar.
  test('adds a newer day to the history', () => {
    const { pieces, splices } = combined(vintage(2, { 60: 250 }), HISTORY);
    expect(pieces).toEqual([
      { seriesId: 1, fromUs: 10, toUs: 50, factor: 1 },
      { seriesId: 2, fromUs: 60, toUs: 60, factor: 1 },
    ]);
    expect(splices).toMatchObject([
      { seriesId: 2, olderIds: [1], kind: 'apart', gap: { fromUs: 50, toUs: 60 } },
    ]);
  });

  test('brings the days before to the basis of the newer vintage', () => {
    const { pieces, splices } = combined(vintage(2, { 40: 115, 50: 120, 60: 125 }), HISTORY);
    expect(pieces).toEqual([
      { seriesId: 1, fromUs: 10, toUs: 39, factor: 0.5 },
      { seriesId: 2, fromUs: 40, toUs: 60, factor: 1 },
    ]);
    expect(splices).toMatchObject([{ kind: 'even', commonCount: 2, agreeingCount: 2 }]);
  });

  test('keeps bars that the newer vintage lacks within its range', () => {
    const { pieces } = combined(vintage(2, { 10: 100, 20: 105, 40: 115, 50: 120 }), HISTORY);
    expect(pieces).toEqual([
      { seriesId: 2, fromUs: 10, toUs: 20, factor: 1 },
      { seriesId: 1, fromUs: 30, toUs: 30, factor: 0.5 },
      { seriesId: 2, fromUs: 40, toUs: 50, factor: 1 },
    ]);
  });

  test('lets an older vintage that has no other bars out of the pieces', () => {
    const { pieces, splices } = combined(
      vintage(2, { 10: 1, 20: 2, 30: 3, 40: 4, 50: 5 }),
      HISTORY,
    );
    expect(pieces).toEqual([{ seriesId: 2, fromUs: 10, toUs: 50, factor: 1 }]);
    expect(splices).toEqual([]);
  });

  test('scales what a vintage goes on from together with it', () => {
    // 3 halves 2, which goes on from 1 without a common bar.
    const { pieces } = combined(
      vintage(3, { 70: 130, 80: 135 }),
      vintage(2, { 60: 250, 70: 260 }),
      HISTORY,
    );
    expect(pieces).toEqual([
      { seriesId: 1, fromUs: 10, toUs: 50, factor: 0.5 },
      { seriesId: 2, fromUs: 60, toUs: 69, factor: 0.5 },
      { seriesId: 3, fromUs: 70, toUs: 80, factor: 1 },
    ]);
  });

  test('scales by a day that the newest vintage covers', () => {
    const { pieces } = combined(vintage(3, { 60: 125, 70: 130 }), vintage(2, { 60: 250 }), HISTORY);
    expect(pieces).toEqual([
      { seriesId: 1, fromUs: 10, toUs: 50, factor: 0.5 },
      { seriesId: 3, fromUs: 60, toUs: 70, factor: 1 },
    ]);
  });

  test('fills a hole with an older day', () => {
    const { pieces } = combined(vintage(3, { 60: 250 }), vintage(2, { 55: 245 }), HISTORY);
    expect(pieces.map(({ seriesId, factor }) => [seriesId, factor])).toEqual([
      [1, 1],
      [2, 1],
      [3, 1],
    ]);
  });

  test('finds no factor where the overlap has none, and names the first bar that differs', () => {
    const { splices } = combined(vintage(2, { 30: 110, 40: 115, 50: 125, 60: 130 }), HISTORY);
    expect(splices).toMatchObject([
      {
        kind: 'uneven',
        factor: 0.5,
        commonCount: 3,
        agreeingCount: 2,
        differing: { timestampUs: 50, older: 240, newer: 125 },
      },
    ]);
  });

  // A day's file went on over a split; the day before had the factor 1 for ever.
  test('mends a split that was missed, where a later vintage reaches back over it', () => {
    const day = vintage(2, { 60: 121 });
    const reach = vintage(3, { 40: 115, 50: 120, 60: 121, 70: 123 });
    const { pieces, splices } = combined(reach, day, HISTORY);
    expect(pieces).toEqual([
      { seriesId: 1, fromUs: 10, toUs: 39, factor: 0.5 },
      { seriesId: 3, fromUs: 40, toUs: 70, factor: 1 },
    ]);
    expect(splices.at(-1)).toMatchObject({ kind: 'even', commonCount: 3, agreeingCount: 3 });
  });

  test('mends it where the day after is of a vintage that stays', () => {
    const days = [vintage(3, { 70: 122 }), vintage(2, { 60: 121 })];
    const reach = { ...vintage(4, { 50: 120, 60: 121 }) };
    // The file that reaches back is the newest, though it ends earlier.
    const { pieces } = combined(reach, ...days, HISTORY);
    expect(pieces).toEqual([
      { seriesId: 1, fromUs: 10, toUs: 49, factor: 0.5 },
      { seriesId: 4, fromUs: 50, toUs: 60, factor: 1 },
      { seriesId: 3, fromUs: 70, toUs: 70, factor: 1 },
    ]);
  });

  test('brings a dividend that was missed into the days before it', () => {
    const { pieces } = combined(vintage(2, { 30: 217.8, 40: 227.7, 50: 240, 60: 241 }), HISTORY);
    expect(pieces[0]).toMatchObject({ seriesId: 1, fromUs: 10, toUs: 29 });
    expect(pieces[0].factor).toBeCloseTo(0.99, 6);
  });

  test('finds no factor where the newer vintage alone jumps', () => {
    const { splices } = combined(vintage(2, { 30: 110, 40: 115, 50: 240, 60: 245 }), HISTORY);
    expect(splices).toMatchObject([{ kind: 'uneven' }]);
  });

  test('takes a corrected price of many as a correction', () => {
    const times = Array.from({ length: 30 }, (_, i) => i + 1);
    const old = vintage(1, Object.fromEntries(times.map((us) => [us, 100 + us])));
    const newer = vintage(
      2,
      Object.fromEntries(times.slice(1).map((us) => [us, us === 9 ? 55 : 100 + us])),
    );
    const { pieces, splices } = combined(newer, old);
    expect(splices).toMatchObject([
      { kind: 'even', factor: 1, commonCount: 29, agreeingCount: 28 },
    ]);
    expect(pieces[0]).toEqual({ seriesId: 1, fromUs: 1, toUs: 1, factor: 1 });
  });

  describe('of a short file that brings no newer day', () => {
    /** Folds a vintage over one of the same times and a history; prices are open, high, low, close. */
    const correct = (older: Record<number, number[]>, newer: Record<number, number[]>) => {
      const barsOf = (closes: Record<number, number[]>): VintageBars => ({
        timestampUs: Float64Array.from(Object.keys(closes), Number),
        prices: [0, 1, 2, 3].map((i) =>
          Float64Array.from(Object.values(closes), (bar) => bar[i]),
        ) as never,
      });
      const candidates = [newer, older].map((bars, i) => {
        const { candidate } = vintage(2 - i, bars as never);
        return i === 1 ? { ...candidate, firstUs: 10 } : candidate;
      });
      const bars = new Map([
        [2, barsOf(newer)],
        [1, barsOf(older)],
      ]);
      const { pieces, splices } = combineVintages(candidates, bars);
      return { ...splices[0], historyFactor: pieces[0].factor };
    };
    const BAR = [49.6, 50.1, 49.2, 49.8];
    const NEXT = [49.9, 50.4, 49.5, 50.2];

    // A corrected day.csv was once held: its one bar had no constant factor to the stored one.
    test.each([
      ['one price of the last day', { 50: [49.6, 51.2, 49.2, 49.8] }],
      ['all prices of the last day', { 50: [51, 52.2, 50.7, 51.9] }],
      ['all prices of the last day by one factor', { 50: BAR.map((price) => price * 1.5) }],
    ])('takes as a correction %s', (_, newer) => {
      expect(correct({ 50: BAR }, newer)).toMatchObject({ kind: 'even', historyFactor: 1 });
    });

    test.each([
      ['the first day', { 40: [49.6, 51.2, 49.2, 49.8], 50: NEXT }],
      ['the last day', { 40: BAR, 50: [49.9, 50.4, 49.5, 49.7] }],
      ['both days', { 40: [49.6, 51.2, 49.2, 49.8], 50: [49.9, 50.4, 49.5, 49.7] }],
    ])('takes as a correction one price of %s of two', (_, newer) => {
      expect(correct({ 40: BAR, 50: NEXT }, newer)).toMatchObject({
        kind: 'even',
        historyFactor: 1,
      });
    });

    test('finds no factor where the first day alone is on another basis', () => {
      const newer = { 40: BAR.map((price) => price / 2), 50: NEXT };
      expect(correct({ 40: BAR, 50: NEXT }, newer)).toMatchObject({ kind: 'uneven' });
    });

    test('moves no other day where one day of the past has four other prices', () => {
      const { pieces, splices } = combined(vintage(2, { 20: 212 }), HISTORY);
      expect(splices).toMatchObject([{ kind: 'uneven', factor: 1 }]);
      expect(new Set(pieces.map(({ factor }) => factor))).toEqual(new Set([1]));
    });

    test('moves no other day where nothing fits the days of the past', () => {
      const { splices } = combined(vintage(2, { 20: 105, 30: 150, 40: 300 }), HISTORY);
      expect(splices).toMatchObject([{ kind: 'uneven', factor: 1 }]);
    });

    test('takes no day that halves as a correction', () => {
      const splice = correct({ 50: BAR }, { 50: [24.8, 25.5, 24.4, 24.7] });
      expect(splice).toMatchObject({ kind: 'uneven' });
    });
  });

  test('names a price that the factor does not fit', () => {
    const bars = (seriesId: number, times: number[], high: number[]): [number, VintageBars] => [
      seriesId,
      {
        timestampUs: Float64Array.from(times),
        prices: [49.6, high, 49.2, 49.8].map((p) =>
          Float64Array.from(times, (_, i) => (Array.isArray(p) ? p[i] : p)),
        ) as never,
      },
    ];
    const candidates = [vintage(2, { 50: 1, 60: 1 }), HISTORY].map(({ candidate }) => candidate);
    const { splices } = combineVintages(
      candidates,
      new Map([bars(2, [50, 60], [51.2, 50]), bars(1, [50], [50.1])]),
    );
    expect(splices).toMatchObject([
      { factor: 1, kind: 'uneven', differing: { price: 'high', newer: 51.2, older: 50.1 } },
    ]);
  });

  // A vendor rounds adjusted prices again at each dividend: 0.05 % off after nine years.
  test('bears what a vendor’s rounding adds up to', () => {
    const { splices } = combined(
      vintage(2, { 30: 194.7451, 40: 203.5501, 50: 212.5398, 60: 220 }),
      HISTORY,
    );
    expect(splices).toMatchObject([{ kind: 'even' }]);
    expect(splices[0].factor).toBeCloseTo(0.885, 2);
  });
});
