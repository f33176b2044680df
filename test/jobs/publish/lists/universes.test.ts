/** Members of universes on each day, against a fold over companies that knows no tickers' places. */

import { describe, expect, it } from 'vitest';
import type { ModePaths } from '../../../../src/base/config/data-dir.ts';
import type { DatasetRow } from '../../../../src/base/datasets/dataset.ts';
import { dateFromDay, dayFromDate } from '../../../../src/base/time/dates.ts';
import { ownColumns } from '../../../../src/store/arrow/lists/own-columns.ts';
import { columnKey, EVERYTHING } from '../../../../src/store/arrow/lists/specs.ts';
import { servedDaysOf } from '../../../../src/store/arrow/read/served-days.ts';
import {
  membersOn,
  universeNamed,
  universeNames,
} from '../../../../src/store/arrow/snapshot/universes.ts';
import type { MarketDb } from '../../../../src/store/duckdb/connection/open.ts';
import { loadRowBatch } from '../../../../src/store/duckdb/load/load-rows.ts';
import { seededRandom } from '../../../compute/support/hostile-series.ts';
import { scaled } from '../../../faults/scale.ts';
import {
  delist,
  freshPaths,
  load,
  NOW_MS,
  rename,
  risingBars,
  segmentOf,
} from '../../../store/duckdb/support/fixtures.ts';
import { land, loadSegment } from '../../../store/duckdb/support/row-fixtures.ts';
import { long, someOf } from '../../../support/store-runs.ts';
import { expectAsFromScratch, inStore, published, run } from '../../support/store.ts';

const day = dayFromDate;
const FIRST = day('2015-01-05');
const LAST = day('2019-12-27');

type Step = (db: MarketDb) => Promise<unknown>;

const membersFile =
  (rows: DatasetRow[], asOf?: string): Step =>
  async (db) =>
    loadSegment(db, await land('members', rows, 'files', asOf));

const bars =
  (symbol: string, from: string, count: number, close = 50): Step =>
  (db) =>
    load(db, segmentOf([{ symbol, bars: risingBars(from, count, close, 0) }], { basis: 'raw' }));

const span = (symbol: string, from: string, to: string | null = null, index = 'i') => ({
  ...{ index, symbol, from: day(from), to: to === null ? null : day(to) },
});

const list = (date: string, ...symbols: string[]) =>
  symbols.map((symbol) => ({ index: 'i', symbol, date: day(date) }));

async function storeOf(...steps: Step[]): Promise<ModePaths> {
  const paths = freshPaths();
  await inStore(paths, async (db) => {
    for (const step of steps) await step(db);
  });
  await run(paths);
  return paths;
}

function membersOf(paths: ModePaths, name: string, date: string | number): string[] {
  const version = published(paths);
  const on = typeof date === 'number' ? date : day(date);
  return membersOn(version, universeNamed(version, name)!, on).map(({ symbol }) => symbol);
}

describe('members of a day', () => {
  it('are those whose days include it, a returned one twice', async () => {
    const rows = [
      span('AAA', '2015-01-05', '2016-06-30'),
      span('AAA', '2018-01-02'),
      span('BBB', '2016-07-01', '2016-07-01'),
    ];
    const paths = await storeOf(membersFile(rows));
    const on = (date: string) => membersOf(paths, 'i', date).join(' ');
    expect(['2015-01-04', '2015-01-05', '2016-06-30'].map(on)).toEqual(['', 'AAA', 'AAA']);
    expect(['2016-07-01', '2016-07-02', '2018-01-01'].map(on)).toEqual(['BBB', '', '']);
    expect(['2018-01-02', '2030-01-01'].map(on)).toEqual(['AAA', 'AAA']);
    expect(universeNames(published(paths))).toEqual(['active', 'all', 'i']);
  });

  long(
    'follow from lists of all members, each up to the next one, loaded in any order',
    async () => {
      const lists = [
        list('2015-01-05', 'AAA', 'BBB'),
        list('2016-01-04', 'AAA', 'CCC'),
        list('2017-01-03', 'AAA', 'BBB'),
      ];
      for (const order of someOf([lists.toReversed(), lists, [lists.flat()]], 3)) {
        const paths = await storeOf(...order.map((rows) => membersFile(rows)));
        const on = (date: string) => membersOf(paths, 'i', date).join(' ');
        expect(['2015-12-31', '2016-01-04', '2017-01-02'].map(on)).toEqual([
          ...['AAA BBB', 'AAA CCC', 'AAA CCC'],
        ]);
        expect(on('2019-01-01')).toBe('AAA BBB');
        const universe = universeNamed(published(paths), 'i')!;
        const [{ at }] = membersOn(published(paths), universe, LAST);
        expect(dateFromDay(universe.fromDays[at])).toBe('2015-01-05');
      }
    },
  );

  long('keep a renamed security, and leave out another one that takes its ticker', async () => {
    const steps: Step[] = [
      bars('OLD', '2015-01-05', 400),
      bars('NEW', '2016-06-01', 400),
      bars('OLD', '2017-06-01', 400, 7),
      (db) => rename(db, 'OLD', 'NEW', '2016-06-01'),
      membersFile([span('OLD', '2015-06-01')]),
    ];
    const mixed = [4, 2, 0, 3, 1].map((i) => steps[i]);
    for (const order of someOf([mixed, steps, steps.toReversed()], 3)) {
      const paths = await storeOf(...order);
      const on = (date: string) => membersOf(paths, 'i', date).join(' ');
      expect(['2015-05-31', '2016-05-31', '2016-06-01'].map(on)).toEqual(['', 'OLD', 'NEW']);
      expect(['2017-07-01', '2019-01-02'].map(on)).toEqual(['NEW', 'NEW']);
    }
  });

  long('end with a delisting', async () => {
    const steps: Step[] = [
      bars('AAA', '2015-01-05', 100),
      membersFile([span('AAA', '2015-01-05')]),
      (db) => delist(db, 'AAA', '2015-04-10'),
    ];
    for (const order of someOf([steps.toReversed(), steps], 2)) {
      const paths = await storeOf(...order);
      const on = (date: string) => membersOf(paths, 'i', date);
      expect([on('2015-04-10').length, on('2015-04-11').length]).toEqual([1, 0]);
    }
  });

  it('has days of the newest file for one from', async () => {
    const steps = [
      membersFile([span('AAA', '2015-01-05')], '2018-01-01'),
      membersFile([span('AAA', '2015-01-05', '2018-03-01')], '2019-01-01'),
    ];
    for (const order of someOf([steps.toReversed(), steps], 2)) {
      const paths = await storeOf(...order);
      expect(membersOf(paths, 'i', '2018-06-01')).toEqual([]);
    }
  });

  it('hold a load that contradicts, with both facts, and a list that is cut short', async () => {
    const listed = (date: string, ...symbols: string[]) =>
      list(date, ...symbols).map((row) => ({ ...row, index: 'l' }));
    const paths = await storeOf(
      membersFile([span('AAA', '2015-01-05'), span('AAA', '2015-01-05', null, 'j')]),
      membersFile(listed('2015-01-05', 'AAA', 'BBB', 'CCC')),
    );
    const guard = { isScheduled: false, published: undefined, earlyRows: () => 0 };
    const loadGuarded = async (rows: DatasetRow[]) => {
      const segment = await land('members', rows);
      await inStore(paths, (db) => loadRowBatch(db, [{ segment, guard }], NOW_MS));
    };
    const later = [span('AAA', '2016-01-04')];
    const others = list('2016-01-04', 'BBB').map((row) => ({ ...row, index: 'j' }));
    await expect(loadGuarded(later)).rejects.toThrow(
      'i has AAA from 2015-01-05 to today, and AAA from 2016-01-04',
    );
    await expect(loadGuarded(others)).rejects.toThrow(
      'j has days of members (AAA from 2015-01-05 to today), and lists',
    );
    await expect(loadGuarded(listed('2016-01-04', 'AAA'))).rejects.toThrow(
      'a list may be cut short: l of 2016-01-04 has 1 members, and the list before has 3',
    );
    expect(['i', 'j'].map((index) => membersOf(paths, index, '2019-01-01'))).toEqual([
      ['AAA'],
      ['AAA'],
    ]);
    await loadGuarded(listed('2016-01-04', 'AAA', 'BBB'));
    const segments = [await land('members', later), await land('members', others)];
    await inStore(paths, async (db) => {
      for (const segment of segments) await loadSegment(db, segment);
    });
    await run(paths);
    expect(membersOf(paths, 'i', '2019-01-01')).toContain('AAA');
    expect(membersOf(paths, 'j', '2019-01-01')).toContain('BBB');
    expect(membersOf(paths, 'l', '2016-06-01')).toEqual(['AAA', 'BBB']);
  });

  long('take a ticker of two companies at once, if the facts say so', async () => {
    const steps: Step[] = [
      bars('OLD', '2015-01-05', 400),
      bars('NEW', '2016-06-01', 900),
      bars('OLD', '2017-06-01', 900, 7),
      (db) => rename(db, 'OLD', 'NEW', '2016-06-01'),
    ];
    const paths = await storeOf(...steps);
    const rows = [span('OLD', '2015-06-01'), span('OLD', '2017-07-03')];
    const segment = await land('members', rows);
    const guard = { isScheduled: false, published: undefined, earlyRows: () => 0 };
    await inStore(paths, (db) => loadRowBatch(db, [{ segment, guard }], NOW_MS));
    await run(paths);
    expect(membersOf(paths, 'i', '2018-01-02')).toEqual(['NEW', 'OLD']);
  });
});

/** A company of the independent fold: tickers by the day from which it has them. */
interface Company {
  names: [fromDay: number, ticker: string][];
  /** Last trading day; undefined for one that lives. */
  lastDay: number | undefined;
  spans: [fromDay: number, toDay: number | null][];
}

const nameOf = ({ names }: Company, on: number) => names.findLast(([from]) => from <= on)![1];

function worldOf(seed: number): Company[] {
  const random = seededRandom(seed);
  const dayIn = (from: number, to: number) => from + Math.floor(random() * (to - from));
  const companies: Company[] = [];
  for (let i = 0; i < 6; i++) {
    const names: Company['names'] = [[FIRST, `C${i}A`]];
    if (random() < 0.6) names.push([dayIn(FIRST + 100, FIRST + 700), `C${i}B`]);
    const lastDay = random() < 0.3 ? dayIn(FIRST + 800, LAST - 200) : undefined;
    const spans: Company['spans'] = [];
    for (let at = dayIn(FIRST, FIRST + 300); at < LAST - 100 && spans.length < 3; ) {
      const end = dayIn(at, at + 500);
      const isOpen = random() < 0.3 || end >= LAST;
      if (lastDay !== undefined && at > lastDay) break;
      spans.push([at, isOpen ? null : end]);
      if (isOpen) break;
      at = dayIn(end + 2, end + 200);
    }
    companies.push({ names, lastDay, spans });
    // Another company takes the ticker that this one has left.
    const left = names[1];
    if (!left || random() < 0.5) continue;
    const from = left[0] + 40;
    companies.push({ names: [[from, `C${i}A`]], lastDay: undefined, spans: [[from + 30, null]] });
  }
  return companies;
}

function stepsOf(companies: readonly Company[]): Step[] {
  return companies.flatMap(({ names, lastDay, spans }, at): Step[] => {
    const ends = [...names.slice(1).map(([from]) => from - 1), lastDay ?? LAST];
    const ofBars = names.map(([from, ticker], i) =>
      bars(ticker, dateFromDay(from), ends[i] - from + 1, 20 + 9 * at),
    );
    const rows = spans.map(([from, to]) => ({
      ...{ index: 'i', symbol: nameOf(companies[at], from), from, to },
    }));
    const [, renamed] = names;
    return [
      ...ofBars,
      ...(rows.length > 0 ? [membersFile(rows)] : []),
      ...(renamed
        ? [(db: MarketDb) => rename(db, names[0][1], renamed[1], dateFromDay(renamed[0]))]
        : []),
      ...(lastDay === undefined
        ? []
        : [(db: MarketDb) => delist(db, names.at(-1)![1], dateFromDay(lastDay))]),
    ];
  });
}

it.each(Array.from({ length: scaled(0, 40) }, (_, i) => i + 1))(
  'equals the fold of companies, in any order (%i)',
  async (seed) => {
    const companies = worldOf(seed);
    const random = seededRandom(seed + 100);
    const steps = stepsOf(companies)
      .map((step) => ({ step, key: random() }))
      .sort((a, b) => a.key - b.key)
      .map(({ step }) => step);
    const paths = await storeOf(...steps);
    let count = 0;
    for (let on = FIRST; on <= LAST; on += 13) {
      const expected = companies
        .filter(({ spans, lastDay }) =>
          spans.some(([from, to]) => from <= on && on <= Math.min(to ?? LAST, lastDay ?? LAST)),
        )
        .map((company) => nameOf(company, on))
        .sort();
      expect([dateFromDay(on), ...membersOf(paths, 'i', on)]).toEqual([
        dateFromDay(on),
        ...expected,
      ]);
      count += expected.length;
    }
    expect(count).toBeGreaterThan(50);
  },
);

describe('own columns', () => {
  const value = (symbol: string, name: string, date: string, number: number | null) => ({
    ...{ symbol, name, date: day(date), value: number },
  });
  const contentOf = (paths: ModePaths) => {
    const version = published(paths);
    const names = ownColumns(version);
    const keys = version.listings.symbol.flatMap((one) =>
      names.map((name) => columnKey(name, one)),
    );
    return [...keys, EVERYTHING].map((key) => [key, [...version.list('values', key).rows()]]);
  };

  it('are published alike at once and one after the other, and follow a rename', async () => {
    const paths = freshPaths();
    const first = [
      value('AA', 'short', '2015-01-05', 1),
      value('A', 'short', '2015-01-05', 2),
      value('A', 'alpha', '2015-01-06', null),
      value('A.B', 'zeta', '2015-01-06', 3),
    ];
    await inStore(paths, async (db) => {
      await bars('AA', '2015-01-05', 5)(db);
      await loadSegment(db, await land('values', first));
    });
    await run(paths);
    const more = [value('A', 'zeta', '2016-01-04', 4), value('AA', 'short', '2016-01-04', 5)];
    const segment = await land('values', more);
    await inStore(paths, (db) => loadSegment(db, segment));
    await run(paths);
    expect(ownColumns(published(paths)).sort()).toEqual(['alpha', 'short', 'zeta']);
    const rows = published(paths).list('values', columnKey('short', 'AA')).page(undefined, 9);
    expect(rows.map(({ json }) => json)).toEqual(['5', '1']);
    await expectAsFromScratch(paths, contentOf);
    await inStore(paths, (db) => rename(db, 'AA', 'ZZ', '2020-01-02'));
    await run(paths);
    const counts = ['AA', 'ZZ'].map(
      (symbol) => published(paths).list('values', columnKey('short', symbol)).count,
    );
    expect(counts).toEqual([0, 2]);
    // A ticker of the past has bars, those of its security.
    expect(servedDaysOf(paths.serving)('AA')?.length).toBeGreaterThan(0);
    await expectAsFromScratch(paths, contentOf);
  });
});
