/**
 * A person corrected a value in his own file and loaded it again: equal as-ofs were settled by the
 * greater hash, so that of fifteen corrections three won.
 */

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CandleSegment } from '../../../../src/store/duckdb/connection/candle-segment.ts';
import { settledAsOf } from '../../../../src/store/duckdb/vintages/file-vintages.ts';
import { scaled } from '../../../faults/scale.ts';
import { long, STORE_RUNS, someOf } from '../../../support/store-runs.ts';
import { content } from '../support/content.ts';
import {
  freshStore,
  load,
  query,
  risingBars,
  type SegmentOptions,
  segmentOf,
  type TestBar,
  withStore,
} from '../support/fixtures.ts';

const MINUTE_US = 60_000_000n;
const FIRST_US = 1_600_000_000_000_000n;

interface PersonFile {
  name?: string;
  symbol?: string;
  bars: TestBar[];
  /** Minutes after some moment; the time when the file was changed last. */
  at: number;
  options?: SegmentOptions;
}

/** One file of a person, loaded by itself. */
function personFile({ name = 'SPY.csv', symbol = 'SPY', bars, at, options }: PersonFile) {
  const segment = segmentOf([{ symbol, bars }], { basis: 'raw', name, ...options });
  const [file] = segment.files;
  return {
    ...segment,
    origin: `/home/person/${name}`,
    files: [{ ...file, path: name, modifiedUs: FIRST_US + BigInt(at) * MINUTE_US }],
  } satisfies CandleSegment;
}

function closesOf(db: Parameters<typeof query>[0], symbol = 'SPY'): Promise<unknown[]> {
  return query(db, `SELECT close FROM candles WHERE symbol = '${symbol}' ORDER BY ts`).then(
    (rows) => rows.flat(),
  );
}

describe.each(someOf(['raw', 'all'] as const, 2))('a corrected file of %s prices', (basis) => {
  const file = (bars: TestBar[], at: number) => personFile({ bars, at, options: { basis } });

  test('wins each time', async () => {
    const db = await freshStore();
    await load(db, file(risingBars('2020-01-01', 3), 0));
    for (let i = 1; i <= scaled(3, 15); i++) {
      const bars: TestBar[] = [
        ['2020-01-01', 100],
        ['2020-01-02', 200 + i],
        ['2020-01-03', 102],
      ];
      expect(await load(db, file(bars, i))).toMatchObject({ seriesChanged: 1 });
      expect(await closesOf(db)).toEqual([100, 200 + i, 102]);
    }
  });

  test('wins again when it is brought back', async () => {
    const db = await freshStore();
    const [a, b] = [risingBars('2020-01-01', 3, 100), risingBars('2020-01-01', 3, 200)];
    await load(db, file(a, 1));
    await load(db, file(b, 2));
    expect(await closesOf(db)).toEqual([200, 201, 202]);
    const back = await load(db, file(a, 3));
    expect(back).toMatchObject({ alreadyLoaded: true, seriesChanged: 1 });
    expect(await closesOf(db)).toEqual([100, 101, 102]);
    expect(await load(db, file(a, 3))).toMatchObject({ alreadyLoaded: true, seriesChanged: 0 });
    await load(db, file(b, 4));
    expect(await closesOf(db)).toEqual([200, 201, 202]);
    const numbers = await query(db, 'SELECT DISTINCT seq FROM changes WHERE seq > 2 ORDER BY 1');
    expect(numbers).toEqual([[3], [4]]);
  });
});

test('a corrected file that ends earlier wins on the bars that it has', async () => {
  const old = personFile({ bars: risingBars('2020-01-01', 5, 100), at: 1 });
  const corrected = personFile({ bars: risingBars('2020-01-01', 3, 200), at: 2 });
  for (const order of [
    [old, corrected],
    [corrected, old],
  ]) {
    await withStore(async (db) => {
      for (const segment of order) await load(db, segment);
      expect(await closesOf(db)).toEqual([200, 201, 202, 103, 104]);
    });
  }
});

test.each(someOf(['raw', 'all'] as const, 2))(
  'equally new files of %s prices are named with their values',
  async (basis) => {
    const file = (name: string, close: number) =>
      personFile({ name, bars: risingBars('2020-01-01', 12, close), at: 1, options: { basis } });
    const db = await freshStore();
    await load(db, file('a/SPY.csv', 100));
    const { losing } = await load(db, file('b/SPY.csv', 200));
    const [served] = (await closesOf(db)) as number[];
    const [winner, loser] = served === 100 ? ['a', 'b'] : ['b', 'a'];
    expect(losing?.undecided.count).toBe(12);
    expect(losing?.undecided.shown).toHaveLength(10);
    expect(losing?.undecided.shown[0]).toBe(
      `SPY 2020-01-01: close ${served} of "${winner}/SPY.csv" is served, ` +
        `${300 - served} of "${loser}/SPY.csv" is not`,
    );
  },
);

const RISING = risingBars('2020-01-01', 5);
const OTHER = risingBars('2020-01-01', 3, 200);
const statedAsOf = (asOf: string) => ({ basis: 'raw', asOf }) as const;

long.each<[string, PersonFile[], number[]]>([
  [
    'three days that are all called day.csv add their days',
    RISING.slice(0, 3).map((bar, at) => ({ bars: [bar], at })),
    [100, 101, 102],
  ],
  [
    'an older vintage elsewhere stays the older one, however new its copy is',
    [
      { name: 'new/SPY.csv', bars: RISING, at: 1 },
      { name: 'old/SPY.csv', bars: OTHER, at: 9 },
    ],
    [100, 101, 102, 103, 104],
  ],
  [
    'a stated as-of outweighs modification times',
    [
      { bars: RISING, at: 1, options: statedAsOf('2020-06-01') },
      { bars: OTHER, at: 2, options: statedAsOf('2019-01-01') },
    ],
    [100, 101, 102, 103, 104],
  ],
])('%s', async (_, files, closes) => {
  const db = await freshStore();
  for (const file of files) await load(db, personFile(file));
  expect(await closesOf(db)).toEqual(closes);
});

test('the as-of of a file is that of older files at its place, unless one of its own is later', () => {
  const file = (fileId: number, modifiedUs: number, newestUs: number | null, asOfUs = newestUs) => {
    return { fileId, place: 'a', modifiedUs, newestUs, asOfUs };
  };
  const files = [
    file(1, 10, 500),
    file(2, 20, 300),
    file(3, 20, 400),
    file(4, 30, null, 100),
    file(5, 40, 600),
    file(6, 50, null, null),
    { ...file(7, 60, 1), place: 'b' },
  ];
  expect([...settledAsOf(files)].sort()).toEqual([
    [1, 500],
    [2, 500],
    [3, 500],
    [4, 100],
    [5, 600],
    [7, 1],
  ]);
});

describe('what is stored depends on the set of files and their newest times alone', () => {
  const anyFile = fc.record({
    name: fc.constantFrom('a.csv', 'a.csv', 'b.csv'),
    symbol: fc.constantFrom('SPY', 'SPY', 'QQQ'),
    first: fc.nat(2),
    count: fc.integer({ min: 1, max: 4 }),
    close: fc.constantFrom(100, 200, 300),
    basis: fc.constantFrom('raw', 'raw', 'all' as const),
    asOf: fc.constantFrom(undefined, undefined, undefined, '2020-01-03'),
    at: fc.nat(4),
  });
  const input = fc.array(anyFile, { minLength: 2, maxLength: 5 }).chain((all) =>
    fc.tuple(
      fc.constant(all),
      fc.shuffledSubarray([...all.keys()], { minLength: all.length }),
      fc.array(fc.tuple(fc.nat(all.length - 1), fc.integer({ min: 0, max: 6 })), {
        maxLength: 3,
      }),
    ),
  );

  long('in any order, with files that come again later', async () => {
    await fc.assert(
      fc.asyncProperty(input, async ([all, order, again]) => {
        const segments = all.map(({ name, symbol, first, count, close, basis, asOf, at }) =>
          personFile({
            name,
            symbol,
            bars: risingBars(`2020-01-0${first + 1}`, count, close),
            at,
            options: { basis, asOf },
          }),
        );
        const renewed = again.map(([i, at]) => timed(segments[i], at));
        const newestOf = ({ id }: CandleSegment) =>
          Math.max(...[...segments, ...renewed].filter((one) => one.id === id).map(minuteOf));
        const contentAfter = (loads: readonly CandleSegment[]) =>
          withStore(async (db) => {
            for (const one of loads) await load(db, one);
            return content(db);
          });
        const direct = segments.map((one) => timed(one, newestOf(one)));
        const inOrder = [...order.map((i) => segments[i]), ...renewed];
        expect(await contentAfter(inOrder)).toEqual(await contentAfter(direct));
      }),
      { numRuns: STORE_RUNS, seed: 6 },
    );
  });
});

function timed(segment: CandleSegment, at: number): CandleSegment {
  const [file] = segment.files;
  return { ...segment, files: [{ ...file, modifiedUs: FIRST_US + BigInt(at) * MINUTE_US }] };
}

function minuteOf({ files: [{ modifiedUs }] }: CandleSegment): number {
  return Number((modifiedUs! - FIRST_US) / MINUTE_US);
}
