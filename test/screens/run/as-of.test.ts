import { beforeAll, describe, expect, it } from 'vitest';
import { modePaths } from '../../../src/base/config/data-dir.ts';
import { SCREEN_FIELD_NAMES, SCREENER_NUMBERS, screenField } from '../../../src/base/fields.ts';
import { dateFromDay, dayFromDate } from '../../../src/base/time/dates.ts';
import { bar } from '../../../src/compute/columns/column.ts';
import { universeAsOf } from '../../../src/screens/run/as-of.ts';
import { screenValues } from '../../../src/screens/run/run-screen.ts';
import { ScreenMemory } from '../../../src/screens/run/screen-memory.ts';
import type { ScreenUniverse } from '../../../src/screens/run/screen-universe.ts';
import { universeOf } from '../../../src/screens/run/universe.ts';
import type { PublishedVersion } from '../../../src/store/arrow/read/published-version.ts';
import { emptySnapshot } from '../../../src/store/arrow/snapshot/empty-snapshot.ts';
import { seededRandom } from '../../compute/support/hostile-series.ts';
import { scaled } from '../../faults/scale.ts';
import { loadAll, published, run } from '../../jobs/support/store.ts';
import {
  actionsOf,
  segmentOf,
  type TestBar,
  type TestFile,
} from '../../store/duckdb/support/fixtures.ts';
import { land } from '../../store/duckdb/support/row-fixtures.ts';
import { sharedFolder } from '../../support/folders.ts';
import { asOf, finished } from './support/finished.ts';
import { FIRST_DAY, LAST_DAY, marketUpTo } from './support/past-market.ts';

let whole: Promise<PublishedVersion> | undefined;

/** Market at its end, made once; readers keep its files open after the first test. */
function wholeMarket(): Promise<PublishedVersion> {
  whole ??= marketUpTo(LAST_DAY).then(published);
  return whole;
}

/** Fields that a screen of a past day must have had on that day. */
const KNOWN_FIELDS = SCREEN_FIELD_NAMES.filter((name) => screenField(name).past === undefined);

/** Rows by symbol, of securities that count. RSI is rounded: a later split scales its prices. */
function rowsOf(universe: ScreenUniverse): Record<string, unknown> {
  finished(universe.readRsi());
  const { symbols, columns } = universe.table;
  const newest = Math.max(...columns.lastBarDay);
  const rows = symbols.map((symbol, row) => {
    const fields = KNOWN_FIELDS.map((name) => [name, universe.field(name).values[row]]);
    const numbers = SCREENER_NUMBERS.map((name) => [name, columns[name][row]]);
    const rsi14 = Number(columns.rsi14[row].toFixed(9));
    const values = Object.fromEntries([...fields, ...numbers, ['rsi14', rsi14]]);
    return [symbol, { ...values, lastBarDay: columns.lastBarDay[row] }] as const;
  });
  return Object.fromEntries(rows.filter(([, { lastBarDay }]) => lastBarDay >= newest - 7));
}

const juneFolder = sharedFolder();

/** Few bars of each kind of price, with splits and dividends of one day, and filings of a day. */
async function juneMarket(folder: string): Promise<PublishedVersion> {
  const paths = modePaths(folder, 'live');
  const bars: TestBar[] = [
    ['2026-06-24', 10, 400],
    ['2026-06-25', 11, 400],
    ['2026-06-26', 12, 400],
  ];
  const of = (
    basis: 'raw' | 'split' | 'all',
    series: Record<string, Parameters<typeof actionsOf>[2]>,
    more: TestFile[] = [],
  ) => {
    const known = Object.entries(series).filter(([, events]) => events);
    const actions = known.map(([symbol, events]) =>
      actionsOf(symbol, ['2025-01-01', '2026-06-30'], events),
    );
    const files = Object.keys(series).map((symbol) => ({ symbol, bars }));
    return segmentOf([...files, ...more], { basis, actions });
  };
  const split = { splits: ['2026-06-26'] };
  const both = { ...split, dividends: [['2026-06-26', 1]] as [string, number][] };
  const [later, now] = ['2026-06-25', '2026-06-24'].map((date) => ({
    dividends: [[date, 1]] as [string, number][],
  }));
  const flat: TestBar[] = [
    ['2026-06-25', 10],
    ['2026-06-26', 10],
    ['2026-06-29', 10],
  ];
  const shares = (symbol: string, filed: string, count: number) => ({
    ...{ symbol, date: dayFromDate('2026-05-01'), kind: 'cover' },
    ...{ filedAt: Date.parse(filed), shares: count },
  });
  await loadAll(
    paths,
    of('raw', { SRAW: split, PRAW: both }, [{ symbol: 'FILE', bars: flat }]),
    of('split', { SSPL: split, SUNK: undefined, PSPL: both }),
    of('all', { DLAT: later, DNON: now, DUNK: undefined, PALL: both }),
    await land('shares', [
      ...['DLAT', 'DNON', 'DUNK'].map((symbol) => shares(symbol, '2026-05-02', 1000)),
      // The session of Friday 26 June ends at 20:00 UTC.
      shares('FILE', '2026-06-26T20:00:00Z', 1),
      shares('FILE', '2026-06-26T20:00:01Z', 2),
    ]),
  );
  await run(paths);
  return published(paths);
}

describe('the universe as of a day', () => {
  it('equals the newest one of a store that holds nothing later', async () => {
    const version = await wholeMarket();
    const memory = new ScreenMemory(0);
    const random = seededRandom(2019);
    const days = Array.from(
      { length: scaled(0, 15) },
      () => FIRST_DAY + Math.floor(random() * (LAST_DAY - FIRST_DAY)),
    );
    // Before the delisting, the rename and all splits; then around them, and without a session.
    const marked = scaled(
      ['2024-08-14'],
      ['2024-08-14', '2024-09-30', '2024-10-01', '2024-11-04', '2025-03-04', '2024-12-08'],
    );
    for (const day of new Set([...marked.map((date) => dayFromDate(date)), ...days, LAST_DAY])) {
      const then = day === LAST_DAY ? version : published(await marketUpTo(day));
      const expected = rowsOf(universeOf(then));
      expect(Object.keys(expected).length).toBeGreaterThan(3);
      expect(rowsOf(finished(universeAsOf(version, memory, day))), dateFromDay(day)).toEqual(
        expected,
      );
    }
  });

  it('calls securities as they were called, and leaves out those that had ended', async () => {
    const version = await wholeMarket();
    const names = (date: string) => {
      const { table, series } = asOf(version, date);
      return Object.fromEntries(table.symbols.map((name, row) => [name, series[row]]));
    };
    expect(names('2024-07-12')).toEqual({
      AAA: 'AAA',
      BBB: 'BBB',
      DDD: 'DDD.202408',
      ETF: 'ETF',
      FFF: 'GGG',
      FGA: 'FGA',
      HHH: 'HHH',
      JJJ: 'JJJ',
    });
    // HHH had its last bar on 10 July, DDD on 15 August.
    expect(Object.keys(names('2024-07-18'))).not.toContain('HHH');
    expect(names('2024-08-22')).toMatchObject({ DDD: 'DDD.202408' });
    expect(Object.keys(names('2024-08-23'))).not.toContain('DDD');
    expect(names('2024-12-05')).toMatchObject({ DDD: 'DDD', GGG: 'GGG' });
  });

  describe('of a week in June', () => {
    let version: PublishedVersion;
    beforeAll(async () => {
      version = await juneMarket(juneFolder);
    });

    const rowsIn = (universe: ScreenUniverse, ...symbols: string[]) =>
      symbols.map((symbol) => universe.table.symbols.indexOf(symbol));

    it('undoes later splits, of a vendor that applied them too', () => {
      const universe = asOf(version, '2026-06-25');
      const { price, volume, changePct } = universe.table.columns;
      const rows = rowsIn(universe, 'SRAW', 'SSPL', 'SUNK');
      expect(rows.map((row) => price[row])).toEqual([11, 22, 11]);
      expect(rows.map((row) => volume[row])).toEqual([400, 200, 400]);
      expect(rows.map((row) => changePct[row])).toEqual([10, 10, 10]);
      expect(rows.map((row) => universe.bases![row])).toEqual(['raw', 'raw', 'split']);
    });

    it('says which prices have later dividends in them, and has no market cap without splits', () => {
      const universe = asOf(version, '2026-06-24');
      const { price, marketCap, dividendYield } = universe.table.columns;
      const shares = universe.field('shares_outstanding').values;
      const rows = rowsIn(universe, 'DLAT', 'DNON', 'DUNK');
      expect(rows.map((row) => universe.bases![row])).toEqual(['all', 'raw', 'all']);
      expect(rows.map((row) => price[row])).toEqual([10, 10, 10]);
      expect(rows.map((row) => marketCap[row])).toEqual([10_000, 10_000, Number.NaN]);
      expect(rows.map((row) => dividendYield[row])).toEqual([0, 0.1, Number.NaN]);
      expect(rows.map((row) => shares[row])).toEqual([1000, 1000, 1000]);
    });

    it('has the price that close has, on every basis', () => {
      const universe = asOf(version, '2026-06-25');
      const plan = { bars: [{ interval: '1d' as const, columns: [bar.close] }] };
      const values = finished(screenValues(version, plan, universe, new ScreenMemory(1e6)));
      const rows = rowsIn(universe, 'PALL', 'PRAW', 'PSPL');
      for (const closes of [universe.field('price').values, values[0][0]]) {
        expect(rows.map((row) => closes[row])).toEqual([22, 11, 22]);
      }
    });

    it('knows filings at the end of the session, and on other days those of the day', () => {
      const capOn = (date: string) => {
        const universe = asOf(version, date);
        return universe.field('market_cap').values[rowsIn(universe, 'FILE')[0]];
      };
      expect(['2026-06-25', '2026-06-26', '2026-06-27', '2026-06-29'].map(capOn)).toEqual([
        Number.NaN,
        10,
        20,
        20,
      ]);
    });
  });

  it('has null for what was not recorded by day, and texts of today', async () => {
    const version = await wholeMarket();
    const universe = asOf(version, '2025-06-02');
    const absent = SCREEN_FIELD_NAMES.filter((name) => screenField(name).past === 'null');
    expect(absent).toContain('days_to_earnings');
    for (const name of absent) {
      const { kind, values } = universe.field(name);
      const none = kind === 'number' ? Number.NaN : null;
      expect([...values], name).toEqual(universe.series.map(() => none));
    }
    const fund = universe.table.symbols.indexOf('ETF');
    expect(universe.field('type').values[fund]).toBe('etf');
    expect(universe.field('company_name').values[fund]).toBe('Fund (synthetic)');
  });

  it('reads the RSI of the rows of a page, or of all', async () => {
    const version = await wholeMarket();
    const universe = asOf(version, '2025-06-02');
    const { rsi14 } = universe.table.columns;
    expect([...rsi14].every((value) => Number.isNaN(value))).toBe(true);
    finished(universe.readRsi(Int32Array.of(1)));
    expect([...rsi14.keys()].filter((row) => !Number.isNaN(rsi14[row]))).toEqual([1]);
    finished(universe.readRsi());
    expect([...rsi14].some((value) => Number.isNaN(value))).toBe(false);
  });

  it('is empty before the first bar, and in a store without bars', async () => {
    const version = await wholeMarket();
    for (const snapshot of [version, emptySnapshot]) {
      const universe = asOf(snapshot, '2023-12-29');
      expect(universe.table.symbols).toEqual([]);
      for (const name of SCREEN_FIELD_NAMES) expect(universe.field(name).values).toHaveLength(0);
    }
  });
});
