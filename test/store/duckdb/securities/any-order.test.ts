/**
 * Files and commands in any order give the same store. The right answer is a fold of its own: each
 * case says which companies there were, what their tickers and prices were, and nothing about facts.
 */

import { describe, expect, test } from 'vitest';
import type { CandleSegment } from '../../../../src/store/duckdb/connection/candle-segment.ts';
import type { MarketDb } from '../../../../src/store/duckdb/connection/open.ts';
import { TIMEOUT_MS } from '../../../faults/scale.ts';
import { someOf } from '../../../support/store-runs.ts';
import {
  actionsOf,
  dateAfter,
  delist,
  load,
  query,
  rename,
  segmentOf,
  type TestBar,
  withStore,
} from '../support/fixtures.ts';

/** A company with one close on all days, and its tickers, each from a day to a day. */
interface Company {
  close: number;
  tickers: [ticker: string, from: string, to: string][];
  isDelisted?: true;
}

type Step = CandleSegment | ((db: MarketDb) => Promise<unknown>);

interface Case {
  companies: Company[];
  commands: string[];
  /** Tickers by file; default: a file for each ticker. */
  files?: string[][];
  basis?: 'raw' | 'all';
}

function daysOf(from: string, to: string): string[] {
  const days: string[] = [];
  for (let day = from; day <= to; day = dateAfter(day, 1)) days.push(day);
  return days;
}

/** The bars of a ticker as they were on each day, whoever had it. */
function barsOf(companies: readonly Company[], ticker: string): TestBar[] {
  const bars = companies.flatMap(({ close, tickers }) =>
    tickers
      .filter(([name]) => name === ticker)
      .flatMap(([, from, to]) => daysOf(from, to).map((day): TestBar => [day, close])),
  );
  return bars.sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Days of each close by symbol, as they must be served. */
function expected(companies: readonly Company[]): unknown[][] {
  const lasts = companies.map(({ tickers }) => tickers[tickers.length - 1]);
  return companies
    .map(({ close, tickers }, i) => {
      const [ticker, , to] = lasts[i];
      const isReused = lasts.some(([other, , end]) => other === ticker && end > to);
      const symbol = isReused ? `${ticker}.${to.slice(0, 7).replace('-', '')}` : ticker;
      const days = tickers.flatMap(([, from, end]) => daysOf(from, end));
      return [symbol, close, days.length, days[0], days[days.length - 1]];
    })
    .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
}

function commandOf(text: string): (db: MarketDb) => Promise<unknown> {
  const [verb, ...words] = text.split(' ');
  if (verb === 'rename') return (db) => rename(db, words[0], words[1], words[2]);
  return (db) => delist(db, words[0], words[1]);
}

function served(db: MarketDb): Promise<unknown[][]> {
  return query(
    db,
    `SELECT symbol, close, count(*)::INTEGER, min(ts)::DATE, max(ts)::DATE FROM candles
     GROUP BY ALL ORDER BY ALL`,
  );
}

/** All that readers see, without ids. */
async function content(db: MarketDb): Promise<unknown> {
  return {
    series: await query(
      db,
      'SELECT symbol, ticker, basis, from_date, first_ts, last_ts, row_count FROM series ORDER BY ALL',
    ),
    winners: await query(
      db,
      `SELECT w.symbol, s.ticker, from_ts, to_ts, factor FROM winners w
       JOIN series s USING (series_id) ORDER BY ALL`,
    ),
    symbols: await query(db, 'SELECT symbol FROM symbols ORDER BY ALL'),
    tickers: await query(
      db,
      `SELECT symbol, delisted_on, ticker, from_date, to_date
       FROM securities JOIN security_tickers USING (security_id) ORDER BY ALL`,
    ),
    actions: await query(db, 'SELECT symbol, type, ex_date FROM corporate_actions ORDER BY ALL'),
    coverage: await query(
      db,
      'SELECT symbol, from_date, to_date FROM action_coverage ORDER BY ALL',
    ),
  };
}

function* ordersOf<T>(steps: readonly T[]): Generator<T[]> {
  if (steps.length === 0) yield [];
  for (const [i, step] of steps.entries()) {
    for (const rest of ordersOf(steps.toSpliced(i, 1))) yield [step, ...rest];
  }
}

async function inOrders(
  steps: readonly Step[],
  check: (db: MarketDb) => Promise<unknown>,
): Promise<void> {
  let first: unknown;
  const orders = [...ordersOf(steps)];
  // Of many orders CI tries two, the long form all.
  for (const order of someOf(orders, Math.ceil(orders.length / 2))) {
    await withStore(async (db) => {
      for (const step of order) await (typeof step === 'function' ? step(db) : load(db, step));
      await check(db);
      const found = await content(db);
      first ??= found;
      expect(found).toEqual(first);
    });
  }
}

function stepsOf({ companies, commands, files, basis = 'raw' }: Case): Step[] {
  const names = new Set(companies.flatMap(({ tickers }) => tickers.map(([ticker]) => ticker)));
  const groups = files ?? [...names].map((name) => [name]);
  const segments = groups.map((tickers) =>
    segmentOf(
      tickers.map((symbol) => ({ symbol, bars: barsOf(companies, symbol) })),
      { basis, name: tickers.join() },
    ),
  );
  return [...segments, ...commands.map(commandOf)];
}

const FUND_AND_SUCCESSOR: Company[] = [
  {
    close: 22,
    tickers: [
      ['SPCX', '2026-05-20', '2026-05-28'],
      ['SPCK', '2026-05-29', '2026-06-15'],
    ],
  },
  { close: 180, tickers: [['SPCX', '2026-06-12', '2026-06-20']] },
];

const TAKEN: Company[] = [
  {
    close: 15,
    tickers: [
      ['META', '2022-01-03', '2022-02-09'],
      ['METV', '2022-02-10', '2022-03-01'],
    ],
  },
  {
    close: 300,
    tickers: [
      ['FB', '2022-01-03', '2022-02-09'],
      ['META', '2022-02-10', '2022-03-01'],
    ],
  },
];

const SWAPPED: Company[] = [
  {
    close: 10,
    tickers: [
      ['A', '2020-01-02', '2020-02-02'],
      ['B', '2020-02-03', '2020-03-01'],
    ],
  },
  {
    close: 50,
    tickers: [
      ['B', '2020-01-02', '2020-02-02'],
      ['A', '2020-02-03', '2020-03-01'],
    ],
  },
];

const REUSED: Company[] = [
  { close: 20, tickers: [['XYZ', '2015-01-05', '2015-12-15']], isDelisted: true },
  { close: 70, tickers: [['XYZ', '2015-12-16', '2016-01-18']] },
];

const CASES: Record<string, Case> = {
  'a rename': {
    companies: [
      {
        close: 190,
        tickers: [
          ['FB', '2022-05-01', '2022-06-08'],
          ['META', '2022-06-09', '2022-07-01'],
        ],
      },
    ],
    commands: ['rename FB META 2022-06-09'],
  },
  'a fund and its successor in one file': {
    companies: FUND_AND_SUCCESSOR,
    commands: ['rename SPCX SPCK 2026-05-29'],
    files: [['SPCX', 'SPCK']],
  },
  'a fund and its successor in a file of each ticker': {
    companies: FUND_AND_SUCCESSOR,
    commands: ['rename SPCX SPCK 2026-05-29'],
  },
  'a fund and its successor in adjusted files': {
    companies: FUND_AND_SUCCESSOR,
    commands: ['rename SPCX SPCK 2026-05-29'],
    basis: 'all',
  },
  'a ticker reused the day after a delisting, in one file': {
    companies: REUSED,
    commands: ['delist XYZ 2015-12-15'],
  },
  'a ticker reused the day after a delisting, in an adjusted file': {
    companies: REUSED,
    commands: ['delist XYZ 2015-12-15'],
    basis: 'all',
  },
  'two delistings of one ticker': {
    companies: [
      { close: 20, tickers: [['XYZ', '2015-11-05', '2015-11-15']] },
      { close: 70, tickers: [['XYZ', '2015-12-16', '2016-01-18']] },
      { close: 5, tickers: [['XYZ', '2016-01-19', '2016-03-18']] },
    ],
    commands: ['delist XYZ 2015-11-15', 'delist XYZ 2016-01-18'],
  },
  'a rename and back': {
    companies: [
      {
        close: 40,
        tickers: [
          ['A', '2020-01-02', '2020-02-02'],
          ['B', '2020-02-03', '2020-03-01'],
          ['A', '2020-03-02', '2020-04-01'],
        ],
      },
    ],
    commands: ['rename A B 2020-02-03', 'rename B A 2020-03-02'],
  },
  'a rename and back in one file': {
    companies: [
      {
        close: 40,
        tickers: [
          ['A', '2020-01-02', '2020-02-02'],
          ['B', '2020-02-03', '2020-03-01'],
          ['A', '2020-03-02', '2020-04-01'],
        ],
      },
    ],
    commands: ['rename A B 2020-02-03', 'rename B A 2020-03-02'],
    files: [['A', 'B']],
    basis: 'all',
  },
  'a rename and back, the ticker another company’s between': {
    companies: [
      {
        close: 40,
        tickers: [
          ['A', '2020-01-02', '2020-02-02'],
          ['B', '2020-02-03', '2020-03-01'],
          ['A', '2020-03-02', '2020-04-01'],
        ],
      },
      {
        close: 7,
        tickers: [
          ['A', '2020-02-03', '2020-03-01'],
          ['C', '2020-03-02', '2020-04-01'],
        ],
      },
    ],
    commands: ['rename A B 2020-02-03', 'rename B A 2020-03-02', 'rename A C 2020-03-02'],
    files: [['A'], ['B', 'C']],
  },
  'a ticker taken on the day of its rename': {
    companies: TAKEN,
    commands: ['rename META METV 2022-02-10', 'rename FB META 2022-02-10'],
    files: [['META'], ['FB', 'METV']],
  },
  'a ticker taken whose former holder nobody names': {
    companies: [
      { close: 15, tickers: [['META', '2022-01-03', '2022-02-09']] },
      {
        close: 300,
        tickers: [
          ['FB', '2022-01-03', '2022-02-09'],
          ['META', '2022-02-10', '2022-03-01'],
        ],
      },
    ],
    commands: ['rename FB META 2022-02-10'],
  },
  'two tickers swapped at once': {
    companies: SWAPPED,
    commands: ['rename A B 2020-02-03', 'rename B A 2020-02-03'],
  },
  'two tickers swapped through a third on one day': {
    companies: SWAPPED,
    commands: ['rename A TMP 2020-02-03', 'rename B A 2020-02-03', 'rename TMP B 2020-02-03'],
  },
  'two tickers swapped through a third over some days': {
    companies: [
      {
        close: 10,
        tickers: [
          ['A', '2020-01-02', '2020-02-02'],
          ['T', '2020-02-03', '2020-02-06'],
          ['B', '2020-02-07', '2020-03-01'],
        ],
      },
      {
        close: 50,
        tickers: [
          ['B', '2020-01-02', '2020-02-04'],
          ['A', '2020-02-05', '2020-03-01'],
        ],
      },
    ],
    commands: ['rename A T 2020-02-03', 'rename B A 2020-02-05', 'rename T B 2020-02-07'],
    files: [['A'], ['B', 'T']],
  },
  'three tickers rotated on one day': {
    companies: [
      {
        close: 10,
        tickers: [
          ['A', '2020-01-02', '2020-02-02'],
          ['B', '2020-02-03', '2020-03-01'],
        ],
      },
      {
        close: 50,
        tickers: [
          ['B', '2020-01-02', '2020-02-02'],
          ['C', '2020-02-03', '2020-03-01'],
        ],
      },
      {
        close: 90,
        tickers: [
          ['C', '2020-01-02', '2020-02-02'],
          ['A', '2020-02-03', '2020-03-01'],
        ],
      },
    ],
    commands: ['rename A B 2020-02-03', 'rename B C 2020-02-03', 'rename C A 2020-02-03'],
    files: [['A'], ['B', 'C']],
  },
  'a chain of two renames': {
    companies: [
      {
        close: 33,
        tickers: [
          ['A', '2020-01-02', '2020-02-02'],
          ['B', '2020-02-03', '2020-03-01'],
          ['C', '2020-03-02', '2020-04-01'],
        ],
      },
    ],
    commands: ['rename A B 2020-02-03', 'rename B C 2020-03-02'],
  },
  'a chain whose first ticker is reused': {
    companies: [
      {
        close: 33,
        tickers: [
          ['A', '2020-01-02', '2020-02-02'],
          ['B', '2020-02-03', '2020-03-01'],
          ['C', '2020-03-02', '2020-04-01'],
        ],
      },
      { close: 4, tickers: [['A', '2020-02-10', '2020-04-01']] },
      { close: 8, tickers: [['B', '2020-03-02', '2020-04-01']] },
    ],
    commands: ['rename A B 2020-02-03', 'rename B C 2020-03-02'],
  },
  'a merger': {
    companies: [
      { close: 12, tickers: [['TGT', '2020-01-02', '2020-02-02']] },
      {
        close: 60,
        tickers: [
          ['ACQ', '2020-01-02', '2020-02-02'],
          ['NEW', '2020-02-03', '2020-03-01'],
        ],
      },
    ],
    commands: ['delist TGT 2020-02-02', 'rename ACQ NEW 2020-02-03'],
  },
  'a spin-off that keeps the ticker': {
    companies: [
      {
        close: 80,
        tickers: [
          ['OLD', '2020-01-02', '2020-02-02'],
          ['PAR', '2020-02-03', '2020-03-01'],
        ],
      },
      { close: 31, tickers: [['OLD', '2020-02-03', '2020-03-01']] },
    ],
    commands: ['rename OLD PAR 2020-02-03'],
  },
  'a delisting, and a rename to the free ticker a year later': {
    companies: [
      { close: 9, tickers: [['XYZ', '2015-01-05', '2015-03-01']] },
      {
        close: 61,
        tickers: [
          ['ABC', '2015-01-05', '2016-02-01'],
          ['XYZ', '2016-02-02', '2016-04-01'],
        ],
      },
    ],
    commands: ['delist XYZ 2015-03-01', 'rename ABC XYZ 2016-02-02'],
  },
};

describe('every order of files and commands gives each company its bars', () => {
  test.each(Object.entries(CASES))(
    '%s',
    async (_, one) => {
      await inOrders(stepsOf(one), async (db) => {
        expect(await served(db)).toEqual(expected(one.companies));
      });
    },
    TIMEOUT_MS,
  );
});

describe('every order gives each security its splits and dividends', () => {
  const company: Company[] = [
    { close: 100, tickers: [['A', '2020-01-02', '2020-02-02']] },
    { close: 50, tickers: [['B', '2020-02-03', '2020-03-01']] },
  ];
  const command = 'rename A B 2020-02-03';

  test.each(['A', 'B'])('of the day of a rename, stated under %s', async (ticker) => {
    const split = segmentOf([], {
      basis: 'raw',
      actions: [actionsOf(ticker, ['2020-01-02', '2020-03-01'], { splits: ['2020-02-03'] })],
    });
    await inOrders([...stepsOf({ companies: company, commands: [command] }), split], async (db) => {
      expect(await query(db, 'SELECT symbol, type, ex_date FROM corporate_actions')).toEqual([
        ['B', 'split', '2020-02-03'],
      ]);
    });
  });

  test('of each day, under a ticker that two had', async () => {
    const dividends: [string, number][] = [
      ['2015-12-10', 1],
      ['2016-01-04', 2],
    ];
    const stated = segmentOf([], {
      basis: 'raw',
      actions: [actionsOf('XYZ', ['2015-01-05', '2016-01-18'], { dividends })],
    });
    const steps = stepsOf({ companies: REUSED, commands: ['delist XYZ 2015-12-15'] });
    await inOrders([...steps, stated], async (db) => {
      expect(await query(db, 'SELECT symbol, amount FROM corporate_actions ORDER BY 1')).toEqual([
        ['XYZ', 2],
        ['XYZ.201512', 1],
      ]);
    });
  });
});
