import { describe, expect, test } from 'vitest';
import { dayFromDate } from '../../../../src/base/time/dates.ts';
import type { MarketDb } from '../../../../src/store/duckdb/connection/open.ts';
import {
  relistSecurity,
  stateFact,
  stateFacts,
} from '../../../../src/store/duckdb/securities/change-securities.ts';
import type { NamedFact } from '../../../../src/store/duckdb/securities/named-facts.ts';
import { readHistory } from '../../../../src/store/duckdb/securities/read-security.ts';
import { readDirectory } from '../../../../src/store/duckdb/securities/symbols.ts';
import { isLong } from '../../../faults/scale.ts';
import { long, someOf } from '../../../support/store-runs.ts';
import {
  delist,
  freshStore,
  load,
  NOW_MS,
  query,
  rename,
  risingBars,
  segmentOf,
} from '../support/fixtures.ts';

const raw = (symbol: string, from: string, count: number, close: number) =>
  segmentOf([{ symbol, bars: risingBars(from, count, close, 0) }], { basis: 'raw' });

const state = (db: MarketDb, fact: NamedFact, isUndone = false) =>
  stateFact(db, { fact, isUndone, nowMs: NOW_MS });

const day = dayFromDate;

const served = (db: MarketDb) =>
  query(db, 'SELECT symbol, close, count(*)::INTEGER FROM candles GROUP BY ALL ORDER BY ALL');

describe('a part', () => {
  test('keeps the days of a ticker before it apart, until it is taken back', async () => {
    const db = await freshStore();
    await load(db, raw('XYZ', '2015-12-01', 5, 20));
    await load(db, raw('XYZ', '2018-01-01', 3, 70));
    const part: NamedFact = { kind: 'part', ticker: 'XYZ', day: day('2018-01-01') };
    await state(db, part);
    expect(await served(db)).toEqual([
      ['XYZ', 70, 3],
      ['XYZ.201712', 20, 5],
    ]);
    await state(db, part, true);
    expect(await served(db)).toEqual([
      ['XYZ', 20, 5],
      ['XYZ', 70, 3],
    ]);
    await expect(state(db, part, true)).rejects.toThrow('Nobody stated: part XYZ 2018-01-01');
  });
});

describe('an assignment', () => {
  const late: NamedFact = {
    ...{ kind: 'assign', ticker: 'OLD', other: 'NEW' },
    ...{ day: day('2020-02-01'), endDay: day('2020-02-10') },
  };

  long('gives days of a file that goes on under the old ticker to the security', async () => {
    const db = await freshStore();
    await rename(db, 'OLD', 'NEW', '2020-02-01');
    await load(db, raw('OLD', '2020-01-22', 20, 5));
    expect(await served(db)).toEqual([
      ['NEW', 5, 10],
      ['OLD', 5, 10],
    ]);
    await state(db, late);
    expect(await served(db)).toEqual([['NEW', 5, 20]]);
    await expect(state(db, { ...late, day: day('2020-02-05'), other: null })).rejects.toThrow(
      'OLD from 2020-02-05 to 2020-02-10 means a security of its own contradicts what was stated ' +
        'before: OLD from 2020-02-01 to 2020-02-10 means NEW',
    );
  });

  long('to a new security takes days out of one that goes on', async () => {
    const db = await freshStore();
    await load(db, raw('A', '2020-01-01', 9, 5));
    const span = { day: day('2020-01-04'), endDay: day('2020-01-06') };
    await state(db, { kind: 'assign', ticker: 'A', other: null, ...span });
    expect(await served(db)).toEqual([
      ['A', 5, 6],
      ['A.202001', 5, 3],
    ]);
  });
});

test('a merger ends one security, and both histories name the other', async () => {
  const db = await freshStore();
  await load(db, raw('A', '2020-01-01', 9, 5));
  await load(db, raw('B', '2020-01-01', 20, 7));
  const merger: NamedFact = { kind: 'delist', ticker: 'A', day: day('2020-01-09') };
  await state(db, { ...merger, other: 'B', reason: 'merger' });
  for (const name of ['A', 'B']) {
    const { facts, places } = await readHistory(db, name);
    expect(facts).toMatchObject([{ kind: 'delist', ticker: 'A', other: 'B', reason: 'merger' }]);
    expect(places.map(({ ticker }) => ticker)).toContain('B');
  }
  await expect(state(db, { ...merger, other: 'C' })).rejects.toThrow(
    'A was traded for the last time on 2020-01-09, taken over by C contradicts',
  );
  await expect(state(db, { ...merger, ticker: 'B', other: 'A' })).rejects.toThrow(
    'B was traded for the last time on 2020-01-09, taken over by A contradicts what was stated ' +
      'before: A was traded for the last time on 2020-01-09, taken over by B',
  );
  const [ended, ...others] = await readDirectory(db);
  expect(ended).toMatchObject({ symbol: 'A', delistedReason: 'merger', successor: 'B' });
  expect(others).toMatchObject([{ symbol: 'B', delistedReason: '', successor: '' }]);
  await load(db, raw('B', '2020-01-21', 5, 7));
  expect(await served(db)).toEqual([
    ['A', 5, 9],
    ['B', 7, 25],
  ]);
  await relistSecurity(db, { symbol: 'A', nowMs: NOW_MS });
  expect(await query(db, 'FROM ticker_facts')).toEqual([]);
});

long('a spin-off moves no bar, and names the parent by its present symbol', async () => {
  const db = await freshStore();
  await load(db, raw('OLD', '2020-01-01', 20, 80));
  await load(db, raw('PAR', '2020-01-11', 10, 80));
  const spinOff: NamedFact = { kind: 'spinoff', ticker: 'OLD', day: day('2020-01-11') };
  await state(db, { ...spinOff, other: 'PAR' });
  await rename(db, 'OLD', 'PAR', '2020-01-11');
  const parents = async () =>
    (await readDirectory(db)).map(({ symbol, parent }) => [symbol, parent]);
  expect(await parents()).toEqual([
    ['OLD', 'PAR'],
    ['PAR', ''],
  ]);
  await expect(state(db, { ...spinOff, other: 'C' })).rejects.toThrow(
    'OLD was spun off from C on 2020-01-11 contradicts what was stated before: ' +
      'OLD was spun off from PAR on 2020-01-11',
  );
  await expect(state(db, { ...spinOff, ticker: 'PAR', other: 'OLD' })).rejects.toThrow(
    'PAR was spun off from OLD on 2020-01-11 contradicts',
  );
  for (const name of ['OLD', 'PAR']) {
    expect((await readHistory(db, name)).facts).toContainEqual(
      expect.objectContaining({ kind: 'spinoff', ticker: 'OLD', other: 'PAR' }),
    );
  }
  await state(db, { ...spinOff, other: 'PAR' }, true);
  expect(await parents()).toEqual([
    ['OLD', ''],
    ['PAR', ''],
  ]);
});

describe('a join', () => {
  long(
    'that prices contradict later has no effect, as one that they contradict before',
    async () => {
      const db = await freshStore();
      await state(db, { kind: 'join', ticker: 'A', other: 'B' });
      await load(db, raw('A', '2020-01-01', 10, 20));
      await load(db, raw('B', '2020-01-01', 10, 70));
      expect(await served(db)).toEqual([
        ['A', 20, 10],
        ['B', 70, 10],
      ]);
      const { facts } = await readHistory(db, 'A');
      expect(facts).toMatchObject([{ kind: 'join', overruled: 'prices' }]);
    },
  );

  const META: NamedFact[] = [
    { kind: 'rename', ticker: 'META', other: 'METV', day: day('2022-01-31') },
    { kind: 'rename', ticker: 'FB', other: 'META', day: day('2022-06-09') },
    { kind: 'join', ticker: 'META', other: 'METV' },
  ];

  test.each(
    someOf(
      [
        [
          'last',
          META,
          /^META and METV are one security contradicts other facts: it would have FB until 2022-06-08 and META until 2022-01-30, since FB became META on 2022-06-09, and META became METV on 2022-01-31\. Take/,
        ],
        ['in one file', META, /^META and METV are one security contradicts/],
      ],
      3,
    ),
  )(
    'that gives a security two tickers at once is refused without bars, %s',
    async (how, facts, message) => {
      const db = await freshStore();
      if (how === 'in one file') {
        const { stated, refused } = await stateFacts(db, facts, NOW_MS);
        expect([stated, refused]).toEqual([2, [expect.stringMatching(message)]]);
        return;
      }
      for (const fact of facts.slice(0, 2)) await state(db, fact);
      await expect(state(db, facts[2])).rejects.toThrow(message);
      await state(db, { kind: 'join', ticker: 'FB', other: 'META' });
    },
  );

  long('refuses the rename that would give its security two tickers, too', async () => {
    const db = await freshStore();
    await rename(db, 'W', 'A', '2014-01-06');
    await state(db, { kind: 'join', ticker: 'A', other: 'B' });
    await expect(
      state(db, { kind: 'rename', ticker: 'X', other: 'B', day: day('2015-03-02') }),
    ).rejects.toThrow(/A from 2014-01-06 on and B from 2015-03-02 on, since W became A/);
  });

  const followed: [NamedFact][] = [
    [{ kind: 'rename', ticker: 'C', other: 'A', day: day('2020-02-10') }],
    [{ kind: 'part', ticker: 'A', day: day('2020-02-10') }],
  ];
  long.each(someOf(followed, 2))('means the security whose bars follow, after %o', async (fact) => {
    const db = await freshStore();
    await state(db, fact);
    await load(db, raw('C', '2020-01-01', 40, 70));
    await load(db, raw('A', '2020-02-10', 20, 70));
    await state(db, { kind: 'join', ticker: 'A', other: 'B' });
    await load(db, raw('A', '2020-01-01', 30, 20));
    await load(db, raw('B', '2020-01-31', 30, 20));
    const [last, ...others] = fact.kind === 'part' ? [20, ['C', 70, 40]] : [60];
    expect(await served(db)).toEqual([['A', 70, last], ['B', 20, 60], ...others]);
  });

  test.runIf(isLong)(
    'of a file that goes on under the old ticker gives its days to the security',
    async () => {
      const db = await freshStore();
      await load(db, raw('A', '2020-01-01', 60, 20));
      await load(db, raw('B', '2020-01-31', 30, 20));
      await state(db, { kind: 'join', ticker: 'A', other: 'B' });
      expect(await served(db)).toEqual([['B', 20, 60]]);
      const { places } = await readHistory(db, 'A');
      expect(places.map(({ ticker, role, symbol }) => [ticker, role, symbol])).toEqual([
        ['A', 'held', 'B'],
        ['B', 'past', 'B'],
        ['A', 'given', 'B'],
        ['B', 'held', 'B'],
        ['A', 'free', null],
      ]);
    },
  );

  long('of a symbol with a date is taken back, though nothing has that symbol since', async () => {
    const db = await freshStore();
    await load(db, raw('XYZ', '2015-12-01', 5, 20));
    await load(db, raw('XYZ', '2018-01-01', 3, 70));
    await state(db, { kind: 'part', ticker: 'XYZ', day: day('2018-01-01') });
    const apart = await served(db);
    const join: NamedFact = { kind: 'join', ticker: 'XYZ.201712', other: 'XYZ' };
    await state(db, join);
    expect(new Set((await served(db)).map(([symbol]) => symbol))).toEqual(new Set(['XYZ']));
    expect(await state(db, join)).toMatchObject({ changed: false, symbol: 'XYZ' });
    await state(db, join, true);
    expect(await served(db)).toEqual(apart);
    await expect(state(db, { ...join, ticker: 'XYZ.201101' })).rejects.toThrow(
      'No security has the symbol "XYZ.201101": state first what ended it',
    );
  });

  test('makes two symbols one, and is refused if their prices differ', async () => {
    const db = await freshStore();
    await load(db, raw('A', '2020-01-01', 9, 5));
    await load(db, raw('B', '2020-01-08', 9, 5));
    await load(db, raw('C', '2020-01-05', 9, 7));
    await expect(state(db, { kind: 'join', ticker: 'A', other: 'C' })).rejects.toThrow(
      "A and C can't be one security: on 2020-01-09 they closed at 5 and 7",
    );
    await state(db, { kind: 'join', ticker: 'A', other: 'B' });
    expect(await query(db, 'SELECT count(*)::INTEGER FROM securities')).toEqual([[2]]);
    const [[symbol, , count]] = await served(db);
    expect([symbol, count]).toEqual(['B', 16]);
    await state(db, { kind: 'join', ticker: 'A', other: 'B' }, true);
    expect(await served(db)).toEqual([
      ['A', 5, 9],
      ['B', 5, 9],
      ['C', 7, 9],
    ]);
  });
});

test('one security is no two, and is spun off once, unless a ticker was reused', async () => {
  const db = await freshStore();
  const spinOff = (on: string): NamedFact => ({
    ...{ kind: 'spinoff', ticker: 'A', other: 'B', day: day(on) },
  });
  const merger: NamedFact = { kind: 'delist', ticker: 'C', other: 'D', day: day('2020-02-03') };
  const join = (ticker: string, other: string): NamedFact => ({ kind: 'join', ticker, other });
  await state(db, spinOff('2020-02-03'));
  await state(db, join('D', 'C'));
  for (const [fact, message] of [
    [join('A', 'B'), 'A and B are one security contradicts'],
    [spinOff('2020-02-13'), 'A was spun off from B on 2020-02-13 contradicts'],
    [merger, 'taken over by D contradicts what was stated before: D and C are one security'],
  ] as const) {
    await expect(state(db, fact)).rejects.toThrow(message);
  }
  await state(db, spinOff('2022-02-03'));
  // Who had A before the spin-off has B since.
  await rename(db, 'A', 'B', '2020-02-03');
  await state(db, join('A', 'B'));
});

test('many facts are stated at once, those that contradict are refused with both', async () => {
  const db = await freshStore();
  await load(db, raw('A', '2020-01-01', 40, 5));
  await load(db, raw('B', '2020-01-20', 40, 5));
  const rename: NamedFact = { kind: 'rename', ticker: 'A', day: day('2020-01-25'), other: 'B' };
  const late: NamedFact = { kind: 'delist', ticker: 'A', day: day('2020-01-24') };
  const done = await stateFacts(db, [rename, late, rename], NOW_MS);
  expect(done).toMatchObject({
    stated: 1,
    refused: [
      'A was traded for the last time on 2020-01-24 contradicts what was stated before: ' +
        'A became B on 2020-01-25. Take that back first with --undo, if it is wrong',
    ],
  });
  expect(await served(db)).toEqual([
    ['A', 5, 16],
    ['B', 5, 59],
  ]);
  expect(await stateFacts(db, [rename], NOW_MS)).toEqual({ stated: 0, refused: [], warnings: [] });
});

long(
  'a rename contradicts a delisting of the day before, and one of its day to the ticker',
  async () => {
    const db = await freshStore();
    await delist(db, 'A', '2020-02-03');
    await expect(rename(db, 'A', 'B', '2020-02-04')).rejects.toThrow(
      'A became B on 2020-02-04 contradicts what was stated before: ' +
        'A was traded for the last time on 2020-02-03',
    );
    await rename(db, 'D', 'F', '2020-02-03');
    await expect(rename(db, 'E', 'F', '2020-02-03')).rejects.toThrow(
      'E became F on 2020-02-03 contradicts what was stated before: D became F on 2020-02-03',
    );
  },
);

long('one security leaves a ticker on one day, unless another one took it between', async () => {
  const db = await freshStore();
  await delist(db, 'A', '2020-07-01');
  await expect(delist(db, 'A', '2020-07-02')).rejects.toThrow(
    'A was traded for the last time on 2020-07-02 contradicts what was stated before: ' +
      'A was traded for the last time on 2020-07-01',
  );
  // Over a weekend.
  await delist(db, 'B', '2020-07-03');
  await expect(rename(db, 'B', 'C', '2020-07-06')).rejects.toThrow(
    'B became C on 2020-07-06 contradicts what was stated before: ' +
      'B was traded for the last time on 2020-07-03',
  );
  await rename(db, 'FB', 'META', '2020-06-09');
  await expect(rename(db, 'FB', 'META', '2020-06-10')).rejects.toThrow('FB became META on');
  await rename(db, 'Z', 'FB', '2020-06-09');
  await rename(db, 'META', 'M', '2020-06-10');
  await rename(db, 'FB', 'META', '2020-06-10');
  await delist(db, 'A', '2020-08-03');
  // In one file, whoever took it may be named below.
  const facts: NamedFact[] = [
    { kind: 'delist', ticker: 'T', day: day('2020-09-01') },
    { kind: 'delist', ticker: 'T', day: day('2020-09-04') },
    { kind: 'rename', ticker: 'S', other: 'T', day: day('2020-09-02') },
  ];
  expect(await stateFacts(db, facts, NOW_MS)).toEqual({ stated: 3, refused: [], warnings: [] });
});

test.runIf(isLong)(
  'two securities that left a ticker in one month are called by the day',
  async () => {
    const db = await freshStore();
    for (const [from, close] of [
      ['2015-12-01', 20],
      ['2015-12-11', 50],
      ['2015-12-21', 90],
    ] as const) {
      await load(db, raw('XYZ', from, 10, close));
    }
    await delist(db, 'XYZ', '2015-12-10');
    await delist(db, 'XYZ', '2015-12-20');
    expect(await served(db)).toEqual([
      ['XYZ', 90, 10],
      ['XYZ.20151210', 20, 10],
      ['XYZ.20151220', 50, 10],
    ]);
  },
);

test('a history has each day of the tickers, and the facts', async () => {
  const db = await freshStore();
  await load(db, raw('FB', '2022-06-01', 8, 190));
  await rename(db, 'FB', 'META', '2022-06-09');
  const { places, facts } = await readHistory(db, 'META');
  expect(facts).toMatchObject([{ kind: 'rename', ticker: 'FB', other: 'META', source: 'stated' }]);
  expect(places.map(({ ticker, role, symbol }) => [ticker, role, symbol])).toEqual([
    ['FB', 'held', 'META'],
    ['META', 'past', 'META'],
    ['FB', 'late', 'META'],
    ['META', 'held', 'META'],
    ['FB', 'free', null],
  ]);
});
