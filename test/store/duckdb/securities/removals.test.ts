/** Notices that classes left their exchange, and the delistings that follow in any order. */

import { expect, test } from 'vitest';
import { dayFromDate } from '../../../../src/base/time/dates.ts';
import { typeFromTitle } from '../../../../src/ingest/directory/security-name.ts';
import type { MarketDb } from '../../../../src/store/duckdb/connection/open.ts';
import { relistSecurity } from '../../../../src/store/duckdb/securities/change-securities.ts';
import {
  readDirectories,
  restoreDirectories,
} from '../../../../src/store/duckdb/securities/listing-spans.ts';
import {
  currentSymbol,
  readHistory,
  readSecurity,
} from '../../../../src/store/duckdb/securities/read-security.ts';
import type { Removal } from '../../../../src/store/duckdb/securities/removals.ts';
import { loadSymbols } from '../../../../src/store/duckdb/securities/symbols.ts';
import { isLong, scaled, seededRandom } from '../../../faults/scale.ts';
import { long, someOf } from '../../../support/store-runs.ts';
import { shuffled } from '../support/expect-market.ts';
import {
  dateAfter,
  delist,
  freshStore,
  load,
  NOW_MS,
  query,
  rename,
  risingBars,
  segmentOf,
  withStore,
} from '../support/fixtures.ts';

const bars = (symbol: string, from: string, count: number) =>
  segmentOf([{ symbol, bars: risingBars(from, count, 20, 0) }], { basis: 'raw' });

const notice = (date: string, facts: Partial<Removal> = {}): Removal => {
  const common = { kind: 'stock', title: 'Common Stock', reason: 'exchanged', source: 'sec' };
  const head = { id: `${date} ${JSON.stringify(facts)}`, form: '25-NSE', cik: 7, ticker: null };
  return { ...head, day: dayFromDate(date), ...common, ...facts };
};

const loadNotices = (db: MarketDb, ...removals: Removal[]) =>
  loadSymbols(db, [], { source: 'sec', nowMs: NOW_MS, origin: 'notices', removals });

const PLACE = { exchange: 'NYSE', venue: 'NYSE', country: null, sector: null, industry: null };

/** Loads a directory of both exchanges' lists and the SEC's numbers. */
async function loadDirectory(db: MarketDb, date: string, ...tickers: string[]): Promise<void> {
  const takenMs = Date.parse(`${date}T22:00:00Z`);
  const facts = tickers.map((line) => {
    const [symbol, type = 'stock', companyName = 'Seven', cik = '7'] = line.split(':');
    return { symbol, companyName, type, cik: Number(cik), ...PLACE };
  });
  const snapshots = ['nasdaqlisted', 'otherlisted'].map((list) => {
    return { list, takenMs, listings: list === 'otherlisted' ? facts : [] };
  });
  await loadSymbols(db, facts, {
    source: 'nasdaqtrader',
    nowMs: NOW_MS,
    asOfUs: BigInt(takenMs) * 1000n,
    snapshots,
  });
}

async function told(db: MarketDb, name: string) {
  const { delistedDay, ...rest } = await readSecurity(db, (await currentSymbol(db, name))!);
  const { facts, doubts } = await readHistory(db, name);
  const date =
    delistedDay === null ? null : new Date(delistedDay * 864e5).toISOString().slice(0, 10);
  const said = facts.filter(({ kind }) => kind === 'delist').map(({ overruled }) => overruled);
  return { on: date, reason: rest.delistedReason, last: rest.lastClose, said, doubts };
}

test('a notice ends a security on its last bar, in any order of files', async () => {
  const steps: ((db: MarketDb) => Promise<unknown>)[] = [
    (db) => loadDirectory(db, '2020-01-10', 'SEV', 'SEV.WS:warrant'),
    (db) => load(db, bars('SEV', '2020-02-25', 21)),
    (db) => load(db, bars('SEV.WS', '2020-02-25', 60)),
    (db) => loadNotices(db, notice('2020-03-18')),
    (db) => loadNotices(db, notice('2020-03-18', { kind: 'note', title: '5% Notes due 2024' })),
    (db) => load(db, bars('SEV', '2021-05-03', 9)),
    (db) => loadNotices(db, notice('2020-03-30', { form: '15-12G', reason: 'deregistered' })),
    (db) => loadDirectory(db, '2020-04-15', 'SEV.WS:warrant'),
  ];
  for (let seed = scaled(1, 0); seed <= scaled(1, 30); seed++) {
    const ordered = seed === 0 ? steps : shuffled(steps, seededRandom(seed));
    await withStore(async (db) => {
      for (const step of ordered) await step(db);
      const first = await told(db, 'SEV.202003');
      expect(first).toMatchObject({ on: '2020-03-16', last: 20, said: [null, 'earlier'] });
      expect(first.reason).toBe('exchanged for other securities or money');
      expect((await told(db, 'SEV.WS')).on).toBeNull();
      expect((await told(db, 'SEV')).on).toBeNull();
      expect((await told(db, 'SEV.WS')).doubts).toEqual([
        expect.stringMatching(/^25-NSE of 2020-03-18 removes "5% Notes due 2024": none of /),
      ]);
      expect(
        await query(db, 'SELECT symbol, count(*)::INTEGER FROM candles GROUP BY 1 ORDER BY 1'),
      ).toEqual([
        ['SEV', 9],
        ['SEV.202003', 21],
        ['SEV.WS', 60],
      ]);
    });
  }
});

test('later bars, a later directory and a person come before a notice, in any order', async () => {
  const db = await freshStore();
  // Before the notices, and after them; CI tries the latter.
  const tickers = [...scaled('ABCD', 'ABCDEFGH')].map((letter) => `SEV${letter}`);
  const state = async (date: string, [traded, listed, delisted, renamed]: readonly string[]) => {
    await load(db, bars(traded, '2020-03-01', 90));
    await loadDirectory(db, date, listed);
    await delist(db, delisted, '2020-03-06');
    await rename(db, renamed, `${renamed}X`, '2020-03-19');
  };
  const files = tickers.map((symbol) => ({ symbol, bars: risingBars('2020-02-01', 40, 20, 0) }));
  await load(db, segmentOf(files, { basis: 'raw' }));
  await loadDirectory(
    db,
    '2020-01-10',
    ...tickers.map((ticker, i) => `${ticker}:stock:Seven:${i}1`),
  );
  if (isLong) await state('2020-04-15', tickers.slice(4));
  await loadNotices(db, ...tickers.map((_, i) => notice('2020-03-18', { cik: Number(`${i}1`) })));
  await state('2020-04-16', tickers.slice(0, 4));
  for (const [i, ticker] of tickers.entries()) {
    const { said, on } = await told(db, ticker);
    expect([ticker, said, on]).toEqual([
      ticker,
      expect.arrayContaining([['traded', 'listed', 'stated', 'stated'][i % 4]]),
      null,
    ]);
  }
});

long('a withdrawal counts once directories have the ticker no more', async () => {
  const db = await freshStore();
  await loadDirectory(db, '2020-01-10', 'SEV');
  await load(db, bars('SEV', '2020-02-25', 21));
  await loadNotices(db, notice('2020-03-18', { form: '25', reason: 'withdrawn' }));
  expect(await told(db, 'SEV')).toMatchObject({ on: null, said: ['unconfirmed'] });
  await loadDirectory(db, '2020-04-15', 'OTHER');
  expect(await told(db, 'SEV')).toMatchObject({ on: '2020-03-16', said: [null] });
});

long('a directory of years later with ticker and number is against a notice', async () => {
  const db = await freshStore();
  await loadNotices(db, notice('2020-03-18'), notice('2020-03-19', { cik: 9 }));
  await loadDirectory(db, '2020-01-10', 'SEV', 'NIN:stock:Nine:9');
  const listings = ['SEV', 'NIN'].map((symbol) => {
    return { symbol, companyName: 'Seven', exchange: null, venue: null, cik: 7 };
  });
  const snapshots = [{ list: 'sec', takenMs: Date.parse('2024-05-02T12:00:00Z'), listings }];
  await loadSymbols(db, listings, { source: 'sec', nowMs: NOW_MS, snapshots });
  expect((await told(db, 'SEV')).said).toEqual(['listed']);
  expect((await told(db, 'NIN')).said).toEqual([null]);
});

test('a company that gets the ticker later is no evidence, though it had a notice that day', async () => {
  const sec = (date: string, ...numbers: [string, number][]) => {
    const listings = numbers.map(([symbol, cik]) => {
      return { symbol, companyName: `No ${cik}`, exchange: null, venue: null, cik };
    });
    const snapshots = [{ list: 'sec', takenMs: Date.parse(`${date}T12:00:00Z`), listings }];
    return (db: MarketDb) => loadSymbols(db, listings, { source: 'sec', nowMs: NOW_MS, snapshots });
  };
  const steps = [
    sec('2020-01-10', ['SEV', 7], ['NIN', 9], ['NIN.WS', 9]),
    sec('2024-05-02', ['SEV', 9]),
    (db: MarketDb) => loadNotices(db, notice('2020-03-18')),
    (db: MarketDb) =>
      loadNotices(db, notice('2020-03-18', { cik: 9, title: 'Warrants', kind: 'warrant' })),
    (db: MarketDb) => load(db, bars('SEV', '2020-02-25', 21)),
  ];
  for (const ordered of someOf([steps.toReversed(), steps], 2)) {
    const db = await freshStore();
    for (const step of ordered) await step(db);
    expect(await told(db, 'SEV')).toMatchObject({ on: '2020-03-16', said: [null] });
  }
});

test('a directory that was cut short, or that has the company again, ends no security', async () => {
  const others = ['AAA', 'BBB', 'CCC', 'DDD'].map((ticker) => `${ticker}:stock:${ticker}:8`);
  const whole = ['SEV', ...others];
  const steps = [
    (db: MarketDb) => loadDirectory(db, '2020-01-10', ...whole),
    (db: MarketDb) => loadDirectory(db, '2020-04-15', ...others.slice(2)),
    (db: MarketDb) => load(db, bars('SEV', '2020-02-25', 21)),
    (db: MarketDb) => loadNotices(db, notice('2020-03-18', { form: '25', reason: 'withdrawn' })),
  ];
  for (const ordered of someOf([steps.toReversed(), steps], 2)) {
    const db = await freshStore();
    for (const step of ordered) await step(db);
    expect(await told(db, 'SEV')).toMatchObject({ on: null, said: ['unconfirmed'] });
    // A third of a year later, it is there under its name.
    await loadDirectory(db, '2020-07-15', ...whole);
    expect(await told(db, 'SEV')).toMatchObject({ on: null, said: ['listed'] });
  }
});

test('a person’s relist stays, whatever notices are loaded again', async () => {
  const db = await freshStore();
  await loadDirectory(db, '2020-01-10', 'SEV');
  await load(db, bars('SEV', '2020-02-25', 21));
  await loadNotices(db, notice('2020-03-18'));
  await relistSecurity(db, { symbol: 'SEV', nowMs: NOW_MS });
  await loadNotices(db, notice('2020-03-18'), notice('2020-03-30', { form: '15-12G' }));
  expect(await told(db, 'SEV')).toMatchObject({ on: null, said: ['stated', 'stated'] });
});

test('two classes are told apart by their letters and names, else left in doubt', async () => {
  const db = await freshStore();
  await loadDirectory(db, '2020-01-10', 'X.A', 'X.B', 'GLD:etf:Gold Fund', 'SLV:etf:Silver Fund');
  const note = (title: string, kind = 'stock') => notice('2020-03-18', { title, kind });
  await loadNotices(
    db,
    note('Class B Common Stock'),
    note('GOLD FUND', 'etf'),
    note('Common Stock'),
  );
  const ended = 'SELECT symbol FROM securities WHERE delisted_on IS NOT NULL ORDER BY 1';
  expect(await query(db, ended)).toEqual([['GLD'], ['X.B']]);
  expect((await told(db, 'X.A')).doubts).toEqual([
    expect.stringContaining('removes "Common Stock": it may be X.A or X.B'),
  ]);
});

/** Tickers of a company; notices as `form title`; those that the directory of May still has; those that ended. */
const STORIES: [tickers: string, notices: string, listed: string, ended: string][] = [
  ['AA', '25-NSE Common Stock; 15-12B Common Stock', '', 'AA'],
  ['AC.A AC.B', '15-12G Class B Common Stock', 'AC.A', 'AC.B'],
  // Either may be meant.
  ['AD AD.B', '15-12G Common Stock', 'AD.B', ''],
  ['AE', '15-15D 5% Senior Notes due 2030', '', ''],
  ['AF', '15-15D Common Stock', 'AF', ''],
  ['AG', '15-12G Common Stock', '', 'AG'],
  ['AH', '15-12B Common Stock; 15-12B 7% Notes', '', 'AH'],
  ['AI AI.WS:warrant', '15-12B Warrants', 'AI', 'AI.WS'],
  ['AJ:adr', '15F-12B American Depositary Shares', '', 'AJ'],
  ['AK', '25 Common Stock', 'AK', ''],
  ['AL', '15-15D Plan Interests', '', ''],
];

test('a Form 15 ends its class once directories have the ticker no more, in any order', async () => {
  const listed = STORIES.flatMap(([tickers], i) =>
    tickers.split(' ').map((line) => {
      const [ticker, type = 'stock'] = line.split(':');
      return { ticker, line: `${ticker}:${type}:Company ${i}:${100 + i}` };
    }),
  );
  const others = [...'ABCDEFGHIJKLMNOPQR'].map((letter) => `ZZ${letter}:stock:${letter}:9`);
  const notices = STORIES.flatMap(([, told], i) =>
    told.split('; ').map((text, at) => {
      const [form, ...words] = text.split(' ');
      const reason = { '25-NSE': 'exchanged', '25': 'withdrawn' }[form] ?? 'deregistered';
      const title = words.join(' ');
      const common = { form, title, kind: typeFromTitle(title) ?? null, cik: 100 + i, reason };
      return notice(dateAfter('2020-03-18', at * 12), common);
    }),
  );
  const later = new Set(STORIES.map(([, , kept]) => kept));
  const kept = listed.filter(({ ticker }) => later.has(ticker));
  const files = listed.map(({ ticker }) => {
    return { symbol: ticker, bars: risingBars('2020-02-25', 21, 20, 0) };
  });
  const steps = [
    (db: MarketDb) => loadDirectory(db, '2020-01-10', ...listed.map(({ line }) => line), ...others),
    (db: MarketDb) => load(db, segmentOf(files, { basis: 'raw' })),
    (db: MarketDb) => loadNotices(db, ...notices),
    (db: MarketDb) => loadDirectory(db, '2020-05-15', ...kept.map(({ line }) => line), ...others),
  ];
  const ended = STORIES.flatMap(([, , , ticker]) =>
    ticker === '' ? [] : [[ticker, '2020-03-16']],
  );
  for (const ordered of someOf([steps.toReversed(), steps], 2)) {
    const db = await freshStore();
    for (const step of ordered) await step(db);
    const sql =
      'SELECT symbol, delisted_on FROM securities WHERE delisted_on IS NOT NULL ORDER BY 1';
    expect(await query(db, sql)).toEqual(ended);
  }
});

test('a vendor’s list names tickers, and another store gets all notices', async () => {
  const db = await freshStore();
  await load(db, bars('SEV', '2020-02-25', 21));
  const head = { form: 'list', cik: null, kind: null, title: null, reason: null };
  await loadNotices(db, notice('2020-03-16', { ...head, ticker: 'SEV', source: 'fmp' }));
  expect(await told(db, 'SEV')).toMatchObject({ on: '2020-03-16', said: [null], reason: null });
  const kept = await readDirectories(db.connection);
  await withStore(async (other) => {
    await restoreDirectories(other.connection, kept);
    expect((await readDirectories(other.connection)).removals).toEqual(kept.removals);
  });
});
