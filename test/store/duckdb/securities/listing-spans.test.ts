/** Directories that are kept with their times, against a fold of all of them in order. */

import { expect, test } from 'vitest';
import type { MarketDb } from '../../../../src/store/duckdb/connection/open.ts';
import {
  type DirectorySnapshot,
  keepSnapshots,
  readListingChanges,
} from '../../../../src/store/duckdb/securities/listing-spans.ts';
import { loadSymbols, readDirectory } from '../../../../src/store/duckdb/securities/symbols.ts';
import { seededRandom } from '../../../faults/scale.ts';
import { long, STORE_RUNS } from '../../../support/store-runs.ts';
import { shuffled } from '../support/expect-market.ts';
import {
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

/** Returns a directory of an evening in New York; `AA:Name@Venue` for each listing. */
function snapshotOf(list: string, date: string, ...lines: string[]): DirectorySnapshot {
  const listings = lines.map((line) => {
    const [, symbol, companyName, venue] = /^(.*?):(.*)@(.*)$/.exec(line)!;
    return { symbol, companyName, exchange: venue.toUpperCase(), venue, cik: null };
  });
  return { list, takenMs: Date.parse(`${date}T22:00:00-05:00`), listings };
}

/** Folds snapshots in order of time: each listing from the first to the last that has it in a row. */
function foldOf(snapshots: readonly DirectorySnapshot[]): unknown[][] {
  const spans: unknown[][] = [];
  for (const of of Map.groupBy(snapshots, ({ list }) => list).values()) {
    let open = new Map<string, unknown[]>();
    for (const { list, takenMs, listings } of of.toSorted((a, b) => a.takenMs - b.takenMs)) {
      const next = new Map<string, unknown[]>();
      for (const { symbol, companyName, venue } of listings) {
        const key = `${symbol} ${companyName} ${venue}`;
        const span = open.get(key) ?? [list, symbol, companyName, venue, takenMs, takenMs];
        if (!open.has(key)) spans.push(span);
        span[5] = takenMs;
        next.set(key, span);
      }
      open = next;
    }
  }
  return spans;
}

const stored = (db: MarketDb) =>
  query(
    db,
    `SELECT list, ticker, company_name, venue, epoch_ms(first_at)::DOUBLE, epoch_ms(last_at)::DOUBLE
     FROM listing_spans`,
  );

const sorted = (rows: unknown[][]) => rows.map((row) => JSON.stringify(row)).sort();

test.each(Array.from({ length: 4 * STORE_RUNS }, (_, seed) => seed))(
  'equals the fold of all snapshots, in any order (%i)',
  async (seed) => {
    const random = seededRandom(seed);
    const pick = <T>(all: readonly T[]) => all[Math.floor(random() * all.length)];
    const snapshots = Array.from({ length: 12 }, (_, i) => {
      const lines = ['AA', 'BB', 'CC', 'DD'].flatMap((ticker) =>
        random() < 0.3 ? [] : [`${ticker}:${pick(['One', 'Two'])}@${pick(['Nasdaq', 'NYSE'])}`],
      );
      const date = new Date(Date.UTC(2019, 0, 1 + 2 * i)).toISOString().slice(0, 10);
      return snapshotOf(pick(['nasdaqlisted', 'sec']), date, ...lines);
    });
    const told = [...shuffled(snapshots, random), pick(snapshots)];
    await withStore(async (db) => {
      await keepSnapshots(db.connection, told);
      expect(sorted(await stored(db))).toEqual(sorted(foldOf(snapshots)));
    });
  },
);

/** Loads snapshots as directories of their days. */
async function loadAll(db: MarketDb, snapshots: readonly DirectorySnapshot[]): Promise<void> {
  for (const snapshot of snapshots) {
    const { takenMs, list, listings } = snapshot;
    const source = list === 'sec' ? 'sec' : 'nasdaqtrader';
    const asOfUs = source === 'sec' ? undefined : BigInt(takenMs) * 1000n;
    const load = { source, nowMs: NOW_MS, snapshots: [snapshot], ...(asOfUs && { asOfUs }) };
    await loadSymbols(db, listings, load);
  }
}

const MOVES = [
  snapshotOf('nasdaqlisted', '2021-11-01', 'FB:Facebook@Nasdaq', 'AAA:Alpha@Nasdaq'),
  snapshotOf('nasdaqlisted', '2021-12-01', 'FB:Meta Platforms@Nasdaq', 'AAA:Alpha@Nasdaq'),
  snapshotOf('otherlisted', '2022-06-01', 'OLD:Other@NYSE'),
  snapshotOf('nasdaqlisted', '2022-06-10', 'META:Meta Platforms@Nasdaq'),
  snapshotOf('otherlisted', '2022-06-10', 'AAA:Alpha@NYSE'),
];

const formerNames = async (db: MarketDb) =>
  (await readDirectory(db))
    .filter((row) => row.formerNames !== '')
    .map(({ symbol, companyName, formerNames: former }) => [symbol, companyName, former]);

const NAMES = [
  ['AAA', 'Alpha', '[["Alpha","NASDAQ","Nasdaq","2022-06-09"]]'],
  ['META', 'Meta Platforms', '[["Facebook","NASDAQ","Nasdaq","2021-11-30"]]'],
];

test('gives a security the names and markets that it had under each ticker', async () => {
  const db = await freshStore();
  await loadAll(db, MOVES);
  await rename(db, 'FB', 'META', '2022-06-09');
  expect(await formerNames(db)).toEqual(NAMES);
});

long('gives the same names if the rename comes first and the directories backwards', async () => {
  const db = await freshStore();
  await rename(db, 'FB', 'META', '2022-06-09');
  await loadAll(db, MOVES.toReversed());
  expect(await formerNames(db)).toEqual(NAMES);
});

test('serves a name again that was left, from a directory with the facts of an older one', async () => {
  const db = await freshStore();
  const names = ['One', 'Two', 'One'];
  await loadAll(
    db,
    names.map((name, i) => snapshotOf('nasdaqlisted', `2019-01-0${i + 1}`, `AA:${name}@Nasdaq`)),
  );
  const [row] = await readDirectory(db);
  expect(row.companyName).toBe('One');
  expect(JSON.parse(row.formerNames)).toEqual([
    ['One', 'NASDAQ', 'Nasdaq', '2019-01-01'],
    ['Two', 'NASDAQ', 'Nasdaq', '2019-01-02'],
  ]);
});

test('keeps the names of two securities that had one ticker apart', async () => {
  const db = await freshStore();
  await rename(db, 'AA', 'ZZ', '2019-02-01');
  await loadAll(db, [
    snapshotOf('nasdaqlisted', '2019-01-01', 'AA:First@Nasdaq'),
    snapshotOf('nasdaqlisted', '2019-03-01', 'AA:Second@Nasdaq', 'ZZ:First again@Nasdaq'),
  ]);
  expect(await formerNames(db)).toEqual([
    ['ZZ', 'First again', '[["First","NASDAQ","Nasdaq","2019-02-28"]]'],
  ]);
});

test('tells what differs from one directory to the next', async () => {
  const db = await freshStore();
  await keepSnapshots(db.connection, MOVES);
  const changes = await readListingChanges(db.connection, ['FB', 'META', 'AAA', 'OLD']);
  const told = changes.map(({ day, kind, ticker, before, after }) => {
    return [new Date(day * 86_400_000).toISOString().slice(0, 10), ticker, kind, before, after];
  });
  expect(told.sort()).toEqual([
    ['2021-12-01', 'FB', 'renamed', 'Facebook', 'Meta Platforms'],
    ['2022-06-10', 'AAA', 'moved', 'Nasdaq', 'NYSE'],
    ['2022-06-10', 'FB', 'gone', 'Nasdaq', null],
    ['2022-06-10', 'META', 'listed', null, 'Nasdaq'],
    ['2022-06-10', 'OLD', 'gone', 'NYSE', null],
  ]);
});

type Step = (db: MarketDb) => Promise<unknown>;

const days = (symbol: string, from: string, count: number): Step => {
  const bars = risingBars(from, count, 20, 0);
  return (db) => load(db, segmentOf([{ symbol, bars }], { basis: 'raw' }));
};
const listed = (date: string, ...lines: string[]): Step => {
  return (db) => loadAll(db, [snapshotOf('nasdaqlisted', date, ...lines)]);
};
const isDelisted: Step = (db) => delist(db, 'AA', '2018-04-10');
const isRenamed: Step = (db) => rename(db, 'AA', 'BB', '2018-04-11');

/** Company names by symbol, after steps in any order: the facts say later whom a directory names. */
test.each<[string, Step[], Record<string, string | null>]>([
  [
    'before and after a delisting',
    [
      listed('2018-03-01', 'AA:Old@Nasdaq'),
      listed('2018-06-30', 'AA:New@Nasdaq'),
      days('AA', '2018-01-01', 100),
      isDelisted,
    ],
    { AA: 'New', 'AA.201804': 'Old' },
  ],
  [
    'after a rename, of whom the old ticker went to',
    [
      listed('2018-06-30', 'AA:New@Nasdaq', 'BB:Old@Nasdaq'),
      days('AA', '2018-01-01', 100),
      days('BB', '2018-04-11', 50),
      isRenamed,
    ],
    { AA: 'New', BB: 'Old' },
  ],
  [
    'before a rename, the new ticker loaded first',
    [
      days('BB', '2018-04-11', 50),
      days('AA', '2018-01-01', 100),
      listed('2018-03-01', 'AA:Old@Nasdaq'),
      isRenamed,
    ],
    { BB: 'Old' },
  ],
  [
    'of the evening before a rename',
    [
      listed('2018-04-10', 'AA:Old@Nasdaq'),
      days('AA', '2018-01-01', 100),
      days('AA', '2018-04-11', 50),
      days('BB', '2018-04-11', 50),
      isRenamed,
    ],
    { AA: null, BB: 'Old' },
  ],
  [
    'of the evening of a delisting',
    [
      listed('2018-04-10', 'AA:Old@Nasdaq'),
      days('AA', '2018-01-01', 100),
      days('AA', '2018-04-11', 50),
      isDelisted,
    ],
    { AA: null, 'AA.201804': 'Old' },
  ],
  [
    'with nothing else loaded',
    [listed('2018-03-01', 'AA:Old@Nasdaq'), listed('2018-06-30', 'AA:New@Nasdaq'), isDelisted],
    { AA: 'New', 'AA.201804': 'Old' },
  ],
])('any order names each security by its directory: %s', async (_, steps, names) => {
  const random = seededRandom(steps.length);
  const others = Array.from({ length: STORE_RUNS }, () => shuffled(steps, random));
  for (const order of [steps, ...others]) {
    const found = await withStore(async (db) => {
      for (const step of order) await step(db);
      return query(db, 'SELECT symbol, company_name FROM symbols');
    });
    expect(Object.fromEntries(found)).toEqual(names);
  }
});
