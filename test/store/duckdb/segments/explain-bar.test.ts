import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dayFromDate } from '../../../../src/base/time/dates.ts';
import type { CandleSegment } from '../../../../src/store/duckdb/connection/candle-segment.ts';
import {
  type BarExplanation,
  explainBar,
} from '../../../../src/store/duckdb/segments/explain-bar.ts';
import { STORE_RUNS } from '../../../support/store-runs.ts';
import {
  actionsOf,
  dateAfter,
  freshStore,
  load,
  numberedSegment,
  query,
  risingBars,
  segmentOf,
  withStore,
} from '../support/fixtures.ts';

async function explained(
  segments: readonly CandleSegment[],
  date: string,
): Promise<BarExplanation | undefined> {
  const db = await freshStore();
  for (const segment of segments) await load(db, segment);
  return explainBar(db, '1d', 'SPY', dayFromDate(date));
}

/** Served close, and close and reason of each superseded bar, by day. */
async function outcomes(segments: readonly CandleSegment[], ...dates: string[]) {
  const db = await freshStore();
  for (const segment of segments) await load(db, segment);
  const explanations = dates.map((date) => explainBar(db, '1d', 'SPY', dayFromDate(date)));
  return (await Promise.all(explanations)).map((explanation) => ({
    served: explanation!.served?.close,
    superseded: explanation!.superseded.map(({ close, reason }) => [close, reason]),
  }));
}

describe('a bar', () => {
  test('is traced to its segment, its file and the vintage of that', async () => {
    const segment = segmentOf([{ symbol: 'SPY', bars: risingBars('2020-01-01', 3) }], {
      source: 'stooq',
      name: 'bulk',
    });
    const { served, superseded, firstDay, lastDay } = (await explained([segment], '2020-01-02'))!;
    expect(served).toMatchObject({
      source: 'stooq',
      basis: 'all',
      asOfUs: Date.parse('2020-01-03') * 1000,
      close: 101,
      volume: 1000,
      factor: 1,
      segment: segment.id,
      origin: 'bulk.zip',
      path: segment.files[0].path,
      sha256: segment.files[0].sha256,
      lineCount: 3,
      acceptedCount: 3,
      rejectedCount: 0,
    });
    expect(superseded).toEqual([]);
    expect([firstDay, lastDay]).toEqual([dayFromDate('2020-01-01'), dayFromDate('2020-01-03')]);
  });

  test('of an extending series comes with its factor and its stored values', async () => {
    const old = segmentOf([{ symbol: 'SPY', bars: risingBars('2020-01-01', 10, 200, 2) }]);
    const newer = segmentOf([{ symbol: 'SPY', bars: risingBars('2020-01-04', 8, 103) }]);
    const { served } = (await explained([old, newer], '2020-01-01'))!;
    expect(served).toMatchObject({ close: 200, factor: 0.5 });
  });

  test('of a symbol without bars is not explained', async () => {
    expect(await explained([], '2020-01-01')).toBeUndefined();
  });
});

describe('a superseded bar', () => {
  const spy = (bars: ReturnType<typeof risingBars>, options = {}) =>
    segmentOf([{ symbol: 'SPY', bars }], options);

  test('loses to a better source, also where it is the newer one', async () => {
    const stooq = spy(risingBars('2020-01-01', 4), { source: 'stooq' });
    const files = spy(risingBars('2020-01-01', 6, 50));
    expect(await outcomes([stooq, files], '2020-01-02')).toEqual([
      { served: 101, superseded: [[51, 'lesser-source']] },
    ]);
  });

  test('loses to a newer vintage, and to a greater hash where vintages are equal', async () => {
    const old = spy(risingBars('2020-01-01', 6, 50));
    const twins = [60, 70].map((close) => spy(risingBars('2020-01-01', 8, close)));
    const [lesser, greater] = twins.sort((a, b) =>
      a.files[0].sha256 < b.files[0].sha256 ? -1 : 1,
    );
    const [{ served, superseded }] = await outcomes([greater, old, lesser], '2020-01-01');
    expect([60, 70]).toContain(served);
    expect(superseded).toEqual([
      [served === 60 ? 70 : 60, 'undecided'],
      [50, 'older-vintage'],
    ]);
  });

  test('is a raw row of an older file in the served series itself', async () => {
    const old = spy(risingBars('2020-01-01', 3), { basis: 'raw' });
    const newer = spy(
      [
        ['2020-01-03', 77],
        ['2020-01-04', 78],
      ],
      { basis: 'raw' },
    );
    expect(await outcomes([newer, old], '2020-01-03')).toEqual([
      { served: 77, superseded: [[102, 'older-vintage']] },
    ]);
  });

  test('fails to extend a better series when it is of another basis or does not agree', async () => {
    const best = spy(risingBars('2020-01-04', 8, 103), { source: 'stooq' });
    const bent = spy(
      risingBars('2020-01-01', 11, 100).map(([date, close], i) => [date, close + (i % 2)]),
      { source: 'yahoo' },
    );
    const raw = spy(risingBars('2020-01-01', 10, 300), { source: 'yahoo', basis: 'raw' });
    const good = spy(risingBars('2020-01-01', 9, 100));
    const [before, within] = await outcomes([best, bent, raw, good], '2020-01-02', '2020-01-05');
    expect(before).toEqual({
      served: 101,
      superseded: [
        [102, 'does-not-join'],
        [301, 'other-basis'],
      ],
    });
    // On a day that the best series has, all are simply of lesser sources.
    expect(within.superseded).toEqual([
      [104, 'lesser-source'],
      [304, 'lesser-source'],
      [104, 'lesser-source'],
    ]);
  });

  test('does not fill a hole of the served series, nor lengthen it without agreement', async () => {
    const best = spy(
      risingBars('2020-01-01', 8, 100).filter(([date]) => date !== '2020-01-03'),
      { source: 'stooq' },
    );
    const other = spy(risingBars('2020-01-01', 10, 50, 2));
    expect(await outcomes([best, other], '2020-01-03', '2020-01-09')).toEqual([
      { served: undefined, superseded: [[54, 'not-merged']] },
      { served: undefined, superseded: [[66, 'does-not-join']] },
    ]);
  });
});

test('actions after the day are the winning ones, with their sources and days', async () => {
  const split = { exDay: dayFromDate('2020-01-05'), numerator: 4, denominator: 1 };
  const dividend = { exDay: dayFromDate('2020-01-03'), amount: 0.82 };
  const segment = segmentOf([{ symbol: 'SPY', bars: risingBars('2020-01-01', 9) }], {
    source: 'yahoo',
    basis: 'split',
    actions: [
      { ...actionsOf('SPY', ['2020-01-01', '2020-01-09']), splits: [split], dividends: [dividend] },
    ],
  });
  const { actionsAfter, coverage } = (await explained([segment], '2020-01-03'))!;
  expect(actionsAfter).toEqual([{ type: 'split', ...split, amount: null, source: 'yahoo' }]);
  expect(coverage).toEqual([
    { source: 'yahoo', fromDay: dayFromDate('2020-01-01'), toDay: dayFromDate('2020-01-09') },
  ]);
});

/** Returns the explanation without fields that depend on the order of loads. */
async function orderlessExplanation(segments: readonly CandleSegment[], date: string) {
  return withStore(async (db) => {
    for (const segment of segments) await load(db, segment);
    const explanation = await explainBar(db, '1d', 'SPY', dayFromDate(date));
    const candles = `SELECT close FROM candles WHERE symbol = 'SPY' AND ts = '${date}'`;
    const [row] = await query(db, candles);
    expect(explanation?.served && explanation.served.close * explanation.served.factor).toBe(
      row?.[0],
    );
    const withoutIds = (key: string, value: unknown) => (key === 'seriesId' ? undefined : value);
    return JSON.stringify(explanation, withoutIds);
  });
}

test('the explanation depends only on what is loaded, and names the bar that is served', async () => {
  const vintages = [3, 7].map((number) =>
    segmentOf(
      [{ symbol: 'SPY', bars: risingBars(dateAfter('2020-01-01', number), 9, 100 + number) }],
      {
        source: 'yahoo',
        basis: 'split',
      },
    ),
  );
  const family = [numberedSegment(1), numberedSegment(4), numberedSegment(9), ...vintages];
  await fc.assert(
    fc.asyncProperty(
      fc.shuffledSubarray(family, { minLength: 1 }),
      fc.integer({ min: 0, max: 24 }),
      async (segments, day) => {
        const date = dateAfter('2020-01-01', day);
        const sorted = segments.toSorted((a, b) => (a.id < b.id ? -1 : 1));
        expect(await orderlessExplanation(segments, date)).toEqual(
          await orderlessExplanation(sorted, date),
        );
      },
    ),
    { seed: 3, numRuns: STORE_RUNS },
  );
});
