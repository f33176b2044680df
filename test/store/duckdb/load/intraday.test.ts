import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readLastDays, readNewestDay } from '../../../../src/store/duckdb/candles/last-days.ts';
import { streamWinningBars } from '../../../../src/store/duckdb/candles/read-bars.ts';
import { readNewBars } from '../../../../src/store/duckdb/candles/read-new-bars.ts';
import type { CandleSegment } from '../../../../src/store/duckdb/connection/candle-segment.ts';
import { readPendingChanges } from '../../../../src/store/duckdb/connection/changes.ts';
import { scaled } from '../../../faults/scale.ts';
import { long, STORE_RUNS } from '../../../support/store-runs.ts';
import { content, contentAfter, republished, servedRows } from '../support/content.ts';
import {
  actionsOf,
  dateAfter,
  freshStore,
  load,
  minuteBars,
  query,
  risingBars,
  type SegmentOptions,
  segmentOf,
  type TestBar,
  withStore,
} from '../support/fixtures.ts';

const usOfTime = (time: string) => Date.parse(time) * 1000;

function minutes(bars: TestBar[], options: SegmentOptions = {}, symbol = 'SPY'): CandleSegment {
  return segmentOf([{ symbol, bars }], { interval: '1m', basis: 'raw', ...options });
}

/** Two bars of each session, at its open and its last minute, whose closes are those given. */
function sessions(date: string, closes: number[]): TestBar[] {
  return closes.flatMap((close, i) => {
    const day = dateAfter(date, i);
    return [minuteBars(day, 1, close - 1)[0], minuteBars(day, 1, close, 389)[0]];
  });
}

describe('intraday bars', () => {
  test('are in the view candles with daily ones', async () => {
    const db = await freshStore();
    await load(db, segmentOf([{ symbol: 'SPY', bars: [['2020-06-01', 9]] }], { source: 'stooq' }));
    await load(db, minutes([['2020-06-01 13:31:00', 7]]));
    await load(db, minutes([['2020-06-01 13:35:00', 8]], { interval: '5m', basis: 'all' }));
    expect(await query(db, 'FROM candles ORDER BY interval')).toEqual([
      ['SPY', '1d', '2020-06-01T00:00:00.000Z', 9, 13.5, 4.5, 9, 1000, 'stooq', 'all'],
      ['SPY', '1m', '2020-06-01T13:31:00.000Z', 7, 10.5, 3.5, 7, 1000, 'files', 'raw'],
      ['SPY', '5m', '2020-06-01T13:35:00.000Z', 8, 12, 4, 8, 1000, 'files', 'all'],
    ]);
    expect(await query(db, 'SELECT count(*) FROM bars')).toEqual([[1]]);
    expect((await readPendingChanges(db, 0)).changes.map(({ interval }) => interval)).toEqual([
      '1d',
      '1m',
      '5m',
    ]);
  });

  long('of extended hours are series of their own', async () => {
    const db = await freshStore();
    const early: TestBar = ['2020-06-01 12:00:00', 6];
    await load(db, minutes(minuteBars('2020-06-01', 2)));
    await load(db, minutes([early], { hours: 'extended' }));
    await load(db, minutes([early], { hours: 'extended', interval: '5m' }));
    expect(await query(db, 'SELECT count(*), min(ts) FROM candles')).toEqual([
      [2, '2020-06-01T13:30:00.000Z'],
    ]);
    expect(
      await query(db, 'SELECT symbol, interval, ts, close FROM extended_candles ORDER BY interval'),
    ).toEqual([
      ['SPY', '1m', '2020-06-01T12:00:00.000Z', 6],
      ['SPY', '5m', '2020-06-01T12:00:00.000Z', 6],
    ]);
    expect(await query(db, 'SELECT interval FROM series ORDER BY interval')).toEqual([
      ['1m'],
      ['1m-extended'],
      ['5m-extended'],
    ]);
    const fromUs = usOfTime('2020-06-01T12:00:00Z');
    const change = { symbol: 'SPY', kind: 'rewrite', fromUs } as const;
    expect(await readPendingChanges(db, 1)).toEqual({
      changes: [
        { ...change, interval: '1m-extended' },
        { ...change, interval: '5m-extended' },
      ],
      seq: 3,
    });
    const [series] = await Array.fromAsync(streamWinningBars(db, '1m'));
    expect([...series.bars.close]).toEqual([100, 100.01]);
  });

  long('are read whole and from a bar on', async () => {
    const db = await freshStore();
    await load(db, segmentOf([{ symbol: 'SPY', bars: risingBars('2020-06-01', 3) }]));
    await load(db, minutes(minuteBars('2020-06-01', 3, 50)));
    await load(db, minutes(minuteBars('2020-06-01', 2, 60, 3)));
    const [series] = await Array.fromAsync(streamWinningBars(db, '1m'));
    expect([...series.bars.close]).toEqual([50, 50.01, 50.02, 60, 60.01]);
    const fromUs = usOfTime('2020-06-01T13:33:00Z');
    expect([...(await readNewBars(db, '1m', new Map([['SPY', fromUs]]))).bars.close]).toEqual([
      60, 60.01,
    ]);
    expect(await readNewestDay(db, '1m')).toBe(18414);
    expect(await readLastDays(db, 'files', '1m')).toEqual(new Map([['SPY', 18414]]));
  });

  test('are corrected one by one', async () => {
    const db = await freshStore();
    await load(db, minutes(minuteBars('2020-06-01', 5)));
    await load(db, minutes([['2020-06-01 13:32:00', 77]], { asOf: '2020-06-02' }));
    expect(await query(db, 'SELECT close FROM candles ORDER BY ts')).toEqual([
      [100],
      [100.01],
      [77],
      [100.03],
      [100.04],
    ]);
    expect(await query(db, 'SELECT close FROM intraday_rival_bars')).toEqual([[100.02]]);
    expect((await readPendingChanges(db, 1)).changes).toEqual([
      {
        symbol: 'SPY',
        interval: '1m',
        kind: 'rewrite',
        fromUs: usOfTime('2020-06-01T13:32:00Z'),
      },
    ]);
  });

  long(
    'of a split are recorded as a change of the last one, since they are published as stored',
    async () => {
      const db = await freshStore();
      await load(db, minutes(minuteBars('2020-06-01', 3)));
      const split = actionsOf('SPY', ['2020-01-01', '2020-09-01'], { splits: ['2020-06-02'] });
      await load(
        db,
        segmentOf([{ symbol: 'SPY', bars: [['2020-06-01', 9]] }], {
          basis: 'raw',
          actions: [split],
        }),
      );
      expect((await readPendingChanges(db, 1)).changes).toEqual([
        { symbol: 'SPY', interval: '1d', kind: 'rewrite', fromUs: usOfTime('2020-06-01') },
        {
          symbol: 'SPY',
          interval: '1m',
          kind: 'rewrite',
          fromUs: usOfTime('2020-06-01T13:32:00Z'),
        },
      ]);
    },
  );
});

describe('intraday bars of two sources', () => {
  const better = sessions('2020-06-08', [10, 11, 12, 13, 14, 15]);
  const source = 'alpaca';

  async function served(...segments: CandleSegment[]): Promise<unknown[][]> {
    const db = await freshStore();
    for (const segment of segments) await load(db, segment);
    return query(db, 'SELECT source, count(*) FROM candles GROUP BY source ORDER BY source');
  }

  test('are joined where the closes of five common sessions agree', async () => {
    const other = sessions('2020-06-06', [8, 9, 10, 11, 12, 13, 14]);
    expect(await served(minutes(better, { source }), minutes(other))).toEqual([
      ['alpaca', 12],
      ['files', 4],
    ]);
  });

  long('are not joined by many minutes of four sessions', async () => {
    const days = ['2020-06-08', '2020-06-09', '2020-06-10', '2020-06-11'];
    const four = days.flatMap((day) => minuteBars(day, 10));
    const before = minuteBars('2020-06-05', 3);
    expect(await served(minutes(four, { source }), minutes([...before, ...four]))).toEqual([
      ['alpaca', 40],
    ]);
  });

  test('are joined inside a session, whose close then does not count', async () => {
    const closed = sessions('2020-06-08', [10, 11, 12, 13, 14]);
    const running = minuteBars('2020-06-13', 3, 50);
    const whole = [...closed, ...running, ...minuteBars('2020-06-13', 2, 60, 3)];
    expect(await served(minutes([...closed, ...running], { source }), minutes(whole))).toEqual([
      ['alpaca', 13],
      ['files', 2],
    ]);
  });
});

/** Two minutes at a time of one symbol, by session, as feeds give them. */
const anyArrivals = fc.array(
  fc.record({
    source: fc.constantFrom('alpaca', 'files'),
    session: fc.nat(9),
    firstMinute: fc.nat(2),
    close: fc.constantFrom(100, 100, 100, 100, 130),
  }),
  { minLength: 3, maxLength: scaled(6, 14) },
);

describe('any set of segments of minutes', () => {
  test('gives the same content and changes to follow when they come in order of time', async () => {
    await fc.assert(
      fc.asyncProperty(anyArrivals, async (arrivals) => {
        const inOrder = arrivals.toSorted((a, b) => a.session - b.session);
        const segments = inOrder.map(({ source, session, firstMinute, close }, index) => {
          const bars = minuteBars(dateAfter('2020-06-01', session), 2, close, firstMinute);
          return minutes(bars, { source, name: String(index) });
        });
        const followed = await withStore(async (db) => {
          let published: unknown[][] = [];
          for (const segment of segments) {
            const { seq } = await load(db, segment);
            const served = await servedRows(db);
            const { changes } = await readPendingChanges(db, seq - 1);
            for (const change of changes) published = republished(published, served, change);
            expect(published.sort()).toEqual(served.sort());
          }
          return content(db);
        });
        expect(followed).toEqual(await contentAfter(segments.toReversed()));
      }),
      { seed: 10, numRuns: STORE_RUNS },
    );
  });

  test('gives the content of one segment when they come minute by minute', async () => {
    const bars = ['2020-06-01', '2020-06-02'].flatMap((day) => minuteBars(day, 2));
    const db = await freshStore();
    for (const bar of bars) await load(db, minutes([bar]));
    const whole = (await contentAfter([minutes(bars)])) as Record<string, unknown>;
    expect(await content(db)).toEqual(whole);
  });
});
