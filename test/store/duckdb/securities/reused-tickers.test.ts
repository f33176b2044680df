import { describe, expect, test } from 'vitest';
import type { Basis } from '../../../../src/base/bars.ts';
import { dayFromDate } from '../../../../src/base/time/dates.ts';
import type { MarketDb } from '../../../../src/store/duckdb/connection/open.ts';
import type { LoadResult } from '../../../../src/store/duckdb/load/load-candles.ts';
import { stateFact } from '../../../../src/store/duckdb/securities/change-securities.ts';
import type { NamedFact } from '../../../../src/store/duckdb/securities/named-facts.ts';
import { dropInPlace } from '../../../../src/store/duckdb/segments/drop.ts';
import { findLoaded } from '../../../../src/store/duckdb/segments/list.ts';
import { isLong } from '../../../faults/scale.ts';
import { long, someOf } from '../../../support/store-runs.ts';
import { content } from '../support/content.ts';
import {
  freshStore,
  load,
  NOW_MS,
  query,
  risingBars,
  segmentOf,
  withStore,
} from '../support/fixtures.ts';

const day = dayFromDate;
const state = (db: MarketDb, fact: NamedFact, isUndone = false) =>
  stateFact(db, { fact, isUndone, nowMs: NOW_MS });

const served = (db: MarketDb) =>
  query(db, 'SELECT symbol, close, count(*)::INTEGER FROM candles GROUP BY ALL ORDER BY ALL');

describe('a hole, a jump, and another ticker that goes on at the old price', () => {
  const APART = [
    ['SPCK', 22, 6],
    ['SPCX', 180, 2],
    ['SPCX.202606', 22, 3],
  ];
  const files = () =>
    segmentOf(
      [
        {
          symbol: 'SPCX',
          bars: [...risingBars('2026-05-26', 3, 22, 0), ...risingBars('2026-06-12', 2, 180, 0)],
        },
        { symbol: 'SPCK', bars: risingBars('2026-05-29', 6, 22, 0) },
      ],
      { basis: 'raw' },
    );

  long('keep the days of the ticker apart, with both readings', async () => {
    const db = await freshStore();
    const { reused } = await load(db, files());
    expect(reused).toEqual([
      'SPCX closes at 180 on 2026-06-12 and at 22 before a hole, where SPCK goes on: another ' +
        'security has the ticker (symbols rename SPCX SPCK --on 2026-05-29), or it is the same ' +
        'one (symbols assign SPCX --security SPCX)',
    ]);
    expect(await served(db)).toEqual([
      ['SPCK', 22, 6],
      ['SPCX', 180, 2],
      ['SPCX.202606', 22, 3],
    ]);
  });

  /** The same bars, as one load each: two of the ticker, one of who goes on. */
  const parts = (basis: Basis) => [
    segmentOf([{ symbol: 'SPCX', bars: risingBars('2026-05-26', 3, 22, 0) }], { basis }),
    segmentOf([{ symbol: 'SPCX', bars: risingBars('2026-06-12', 2, 180, 0) }], { basis }),
    segmentOf([{ symbol: 'SPCK', bars: risingBars('2026-05-29', 6, 22, 0) }], { basis }),
  ];
  const ORDERS = [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ];

  test.each(someOf(['raw', 'all'] as const, 2))(
    'are seen in loads of their own, in any order (%s)',
    async (basis) => {
      for (const order of someOf(ORDERS, 4)) {
        await withStore(async (db) => {
          const found: LoadResult[] = [];
          for (const i of order) found.push(await load(db, parts(basis)[i]));
          expect(found.map(({ reused }) => reused?.length)).toEqual([undefined, undefined, 1]);
          expect(await served(db)).toEqual(APART);
        });
      }
    },
  );

  test.runIf(isLong)('are one security again when its bars between are loaded', async () => {
    const db = await freshStore();
    for (const part of parts('raw')) await load(db, part);
    const between = [...risingBars('2026-05-29', 7, 40, 0), ...risingBars('2026-06-05', 7, 90, 0)];
    await load(db, segmentOf([{ symbol: 'SPCX', bars: between }], { basis: 'raw' }));
    expect(await query(db, 'FROM ticker_facts')).toEqual([]);
    expect((await served(db)).map(([symbol]) => symbol)).not.toContain('SPCX.202606');
  });

  const stated: [NamedFact, number, number][] = [
    [{ kind: 'rename', ticker: 'SPCX', other: 'SPCK', day: day('2026-05-29') }, 9, 2],
    [{ kind: 'assign', ticker: 'SPCX', other: 'SPCX' }, 6, 5],
  ];
  test.each(someOf(stated, 2))(
    'give way to what is stated, before or after: %o',
    async (fact, first, second) => {
      const contents: unknown[] = [];
      for (const isStatedFirst of [true, false]) {
        const db = await freshStore();
        if (isStatedFirst) await state(db, fact);
        await load(db, files());
        if (!isStatedFirst) await state(db, fact);
        const counts = 'SELECT symbol, count(*)::INTEGER FROM candles GROUP BY 1 ORDER BY 1';
        expect(await query(db, counts)).toEqual([
          ['SPCK', first],
          ['SPCX', second],
        ]);
        contents.push(
          await query(db, 'SELECT kind, ticker, source FROM ticker_facts ORDER BY ALL'),
          await query(
            db,
            'SELECT ticker, from_date, to_date, role FROM ticker_places ORDER BY ALL',
          ),
        );
        await state(db, fact, true);
        expect(await served(db)).toEqual(APART);
      }
      expect(contents.slice(2)).toEqual(contents.slice(0, 2));
    },
  );

  test('are not seen where the price goes on, or where no other ticker does', async () => {
    const db = await freshStore();
    const halves = (close: number) => [
      ...risingBars('2026-05-26', 3, 22, 0),
      ...risingBars('2026-06-12', 2, close, 0),
    ];
    const result = await load(
      db,
      segmentOf(
        [
          { symbol: 'A', bars: halves(30) },
          { symbol: 'B', bars: halves(180) },
          { symbol: 'C', bars: risingBars('2026-05-29', 6, 90, 0) },
        ],
        { basis: 'raw' },
      ),
    );
    expect(result.reused).toBeUndefined();
  });

  test('are kept in a load of another basis without the hole', async () => {
    await withStore(async (db) => {
      await load(db, files());
      await load(db, segmentOf([{ symbol: 'SPCX', bars: risingBars('2026-06-12', 4, 180, 0) }]));
      expect(await query(db, 'SELECT kind, ticker FROM ticker_facts')).toEqual([['part', 'SPCX']]);
    });
  });

  // The ticker stayed two securities when the file was dropped that showed it.
  describe('are looked at again when a file is dropped', () => {
    const [before, after, other] = parts('raw');
    const whole = [before, after, other];
    /** Fills the hole; shows that the second ticker is older. */
    const filling = segmentOf([{ symbol: 'SPCX', bars: risingBars('2026-05-29', 14, 60, 0) }], {
      basis: 'raw',
    });
    const older = segmentOf([{ symbol: 'SPCK', bars: risingBars('2026-05-25', 2, 22, 0) }], {
      basis: 'raw',
    });
    const cases = [
      { what: 'who goes on', loads: whole, meant: other },
      { what: 'days in the hole', loads: [...whole, filling], meant: filling },
      { what: 'days before the hole', loads: whole, meant: before },
      { what: 'days after the hole', loads: whole, meant: after },
      { what: 'earlier days of who goes on', loads: [...whole, older], meant: older },
    ];
    const securities = async (db: MarketDb) => ({
      ...((await content(db)) as object),
      facts: await query(db, 'SELECT kind, ticker, on_date, source FROM ticker_facts ORDER BY ALL'),
    });

    test.each(someOf(cases, 5))('$what', async ({ loads, meant }) => {
      const without = await withStore(async (db) => {
        for (const one of loads) if (one !== meant) await load(db, one);
        return securities(db);
      });
      await withStore(async (db) => {
        for (const one of loads) await load(db, one);
        expect(await securities(db)).not.toEqual(without);
        await dropInPlace(db, (await findLoaded(db, meant.id))[0], NOW_MS);
        expect(await securities(db)).toEqual(without);
      });
    });
  });
});
