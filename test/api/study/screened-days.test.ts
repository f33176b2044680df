/** Screens over days against screens as of each day, value for value. */

import { beforeAll, describe, expect, it } from 'vitest';
import { screenerQuery } from '../../../src/api/routes/screener/query.ts';
import { runScreen } from '../../../src/api/screens/screened.ts';
import { studySteps } from '../../../src/api/study/respond.ts';
import {
  type DaysPlace,
  type ScreenedDays,
  screenedDays,
} from '../../../src/api/study/screened-days.ts';
import { SCREEN_FIELD_NAMES, screenField } from '../../../src/base/fields.ts';
import { dateFromDay } from '../../../src/base/time/dates.ts';
import { compileScreen } from '../../../src/screens/plan/compile.ts';
import { ScreenMemory } from '../../../src/screens/run/screen-memory.ts';
import type { Snapshot } from '../../../src/store/arrow/snapshot/snapshot.ts';
import { seededRandom } from '../../compute/support/hostile-series.ts';
import { isLong, scaled } from '../../faults/scale.ts';
import { published } from '../../jobs/support/store.ts';
import { published as publishedIn, screenMarket } from '../../screens/run/market.ts';
import { asOf, finished } from '../../screens/run/support/finished.ts';
import { FIRST_DAY, LAST_DAY, marketUpTo } from '../../screens/run/support/past-market.ts';
import { sharedFolder } from '../../support/folders.ts';
import { long } from '../../support/store-runs.ts';
import { LAST_DAY as NEWEST } from '../support/market-fixture.ts';

const KNOWN = SCREEN_FIELD_NAMES.filter(
  (name) => screenField(name).past === undefined && screenField(name).kind === 'number',
);

const CONDITIONS = [
  'close > sma(5)',
  'rsi(14) < 50 and close > 5',
  'close crosses above sma(10)',
  'weekly(close > sma(3)) and close > open',
  'monthly(rsi(3)) > 40 or volume > avg(volume, 5)',
  'change_pct > 0 and price > 20',
  'pe_ratio < 40 or pe_ratio is null',
  'close >= highest(close, 10)[1]',
  'bollinger(20, 2).upper > close for 3',
  'not (market_cap > 1e9)',
  'rank(pct_change(close, 20)) > 0.5',
  "close > symbol('AAA').close or symbol('BBB', close > sma(5)) and beta(symbol('AAA').close, 10) > 0.1",
  "correlation(symbol('AAA').close, 20) > 0 and weekday < 4",
  "year_to_date > 0 and month in (3, 4, 8) and date >= '2024-03-05'",
  "sma(symbol('AAA', close), 4) > symbol('AAA').sma(4)[1]",
  'demean(rsi(14), by type) > 0 or rank(market_cap, among close > 5) < 0.3',
  'rank(rank(volume) + standard(weekly(rsi(3)))) >= 0.4 and close > 2',
];

const COLUMNS = `close, open > close, rsi(14), weekly(sma(3)), pct_change(close, 5), symbol, rank(close), standard(pct_change(close, 3), among close > 3), ${KNOWN.slice(0, 12).join(', ')}`;

/** The short form tries a condition on every eighth day of the sample. */
const DAYS_NTH = 8;

let market: Snapshot;
const memory = new ScreenMemory(1e8);
const folder = sharedFolder();

beforeAll(async () => {
  market = await publishedIn(folder, screenMarket());
});

function daysOf(query: Record<string, string>, of = market): ScreenedDays {
  const text = String(new URLSearchParams({ from: '2000-01-01', ...query }));
  const { days } = screenerQuery(text, undefined);
  return finished(screenedDays(of, memory, days!));
}

/** Rows by symbol of a day, as texts that tell every bit. */
function rowsOn({ symbols, days, columns }: ScreenedDays, day: number): string[] {
  return symbols.flatMap((symbol, row) => (days[row] === day ? [bits(symbol, columns, row)] : []));
}

type Columns = readonly { values: ArrayLike<unknown> }[];

function bits(symbol: string, columns: Columns, row: number): string {
  return [symbol, ...columns.map(({ values }) => String(values[row]))].join(' ');
}

long('has on days the rows and values of screens as of them', async () => {
  const past = await published(await marketUpTo(LAST_DAY));
  const random = seededRandom(11);
  const sample = Array.from(
    { length: 50 },
    () => FIRST_DAY + Math.floor(random() * (LAST_DAY - FIRST_DAY + 1)),
  );
  let compared = 0;
  // Each condition on some of the days in CI, and all days by some condition.
  for (const [i, where] of CONDITIONS.entries()) {
    const plan = compileScreen({ where, columns: COLUMNS });
    const all = daysOf({ where, columns: COLUMNS, current_fields: 'true' }, past);
    for (const day of sample.filter((_, k) => isLong || k % DAYS_NTH === i % DAYS_NTH)) {
      const universe = asOf(past, dateFromDay(day));
      const options = { isExplained: false, needsRsi: false, memory };
      const { matches, columns } = finished(runScreen(past, plan, universe, options));
      const { symbols, columns: own } = universe.table;
      const then = [...symbols.keys()]
        .filter((row) => matches![row] === 1 && own.lastBarDay[row] === day)
        .map((row) => bits(symbols[row], columns, row))
        .sort();
      const place = [where, dateFromDay(day)];
      expect([...place, ...rowsOn(all, day)]).toEqual([...place, ...then]);
      compared += then.length;
    }
  }
  expect(compared).toBeGreaterThan(scaled(150, 500));
});

it('begins where the bar before is not true', () => {
  const where = 'close > open';
  const all = daysOf({ where });
  const begun = daysOf({ where, begins: 'true' });
  const every = daysOf({ where: 'close > 0' });
  const isTrue = new Set(all.symbols.map((symbol, row) => `${symbol} ${all.days[row]}`));
  const bars = Map.groupBy(every.symbols.keys(), (row) => every.symbols[row]);
  const expected = [...bars].flatMap(([symbol, rows]) =>
    rows
      .map((row) => `${symbol} ${every.days[row]}`)
      .filter((key, i, keys) => isTrue.has(key) && !isTrue.has(keys[i - 1])),
  );
  const found = begun.symbols.map((symbol, row) => `${symbol} ${begun.days[row]}`);
  expect(found.length).toBeGreaterThan(500);
  expect(found.toSorted()).toEqual(expected.toSorted());
});

it('has the values of other symbols, dates and changes of plain loops', () => {
  const columns =
    "close, symbol('S16').close, beta(symbol('S16').close, 15), correlation(symbol('S16').close, 15), date, weekday, month, year_to_date, symbol('S16', sma(5))";
  const rows = daysOf({ where: 'close > 0', columns });
  const numbers = rows.columns.map(({ values }) => values as Float64Array);
  const [close, other] = numbers;
  const bySymbol = Map.groupBy(rows.symbols.keys(), (row) => rows.symbols[row]);
  const ofOther = bySymbol.get('S16')!;
  const closes = new Map(ofOther.map((row) => [rows.days[row], close[row]]));
  const change = (values: number[], i: number) => (values[i] / values[i - 1] - 1) * 100;
  let compared = 0;
  // Symbols with splits have prices of several bases in their rows.
  for (const name of ['S01', 'S04', 'S10', 'S13', 'S17', 'S16']) {
    const own = bySymbol.get(name)!;
    for (const [i, row] of own.entries()) {
      const date = new Date(rows.days[row] * 86_400_000);
      expect([numbers[4][row], numbers[5][row], numbers[6][row]]).toEqual([
        Number(date.toISOString().slice(0, 10).replaceAll('-', '')),
        date.getUTCDay() || 7,
        date.getUTCMonth() + 1,
      ]);
      expect(other[row]).toEqual(closes.get(rows.days[row]) ?? Number.NaN);
      const yearOf = (at: number) => dateFromDay(rows.days[at]).slice(0, 4);
      const last = own.findLast((one) => yearOf(one) === String(Number(yearOf(row)) - 1));
      const whole = last === undefined ? Number.NaN : (close[row] / close[last] - 1) * 100;
      expect(numbers[7][row]).toEqual(Number.isNaN(whole) ? whole : expect.closeTo(whole, 9));
      const at = ofOther.findIndex((one) => rows.days[one] === rows.days[row]);
      const five = ofOther.slice(at - 4, at + 1).map((one) => close[one]);
      if (at >= 4) expect(numbers[8][row]).toBeCloseTo(five.reduce((a, b) => a + b) / 5, 9);
      if (i < 15) continue;
      const span = own.slice(i - 15, i + 1);
      const [x, y] = [span.map((one) => other[one]), span.map((one) => close[one])];
      const places = Array.from({ length: 15 }, (_, k) => k + 1);
      const mean = (of: number[]) => places.reduce((sum, k) => sum + change(of, k), 0) / 15;
      const joint = (a: number[], b: number[]) =>
        places.reduce((sum, k) => sum + (change(a, k) - mean(a)) * (change(b, k) - mean(b)), 0);
      const beta = joint(x, y) / joint(x, x);
      const correlation = joint(x, y) / Math.sqrt(joint(x, x) * joint(y, y));
      if (Number.isNaN(beta))
        expect([numbers[2][row], numbers[3][row]]).toEqual([Number.NaN, Number.NaN]);
      else {
        expect(numbers[2][row]).toBeCloseTo(beta, 9);
        expect(numbers[3][row]).toBeCloseTo(correlation, 9);
      }
      compared++;
    }
  }
  expect(compared).toBeGreaterThan(1000);
});

describe('pages', () => {
  const query = {
    where: 'close > sma(5)',
    columns: 'close',
    from: dateFromDay(NEWEST - 60),
    to: dateFromDay(NEWEST - 20),
  };

  it('walk through all rows in their order', () => {
    const { days } = screenerQuery(
      String(new URLSearchParams({ ...query, limit: '7' })),
      undefined,
    );
    const whole = daysOf(query);
    const walked: { symbol: string; date: string; columns: { close: number } }[] = [];
    let place: DaysPlace | undefined;
    do {
      const { body, rowCount, page } = finished(studySteps(market, memory, { ...days!, place }));
      expect(rowCount).toBe(whole.days.length);
      walked.push(...JSON.parse(`[${body}]`));
      place = page!.next;
    } while (place);
    expect(walked.map(({ symbol }) => symbol)).toEqual(whole.symbols);
    expect(walked.map(({ date }) => date)).toEqual([...whole.days].map((day) => dateFromDay(day)));
    expect(walked.map(({ columns }) => columns.close)).toEqual([...whole.columns[0].values]);
  });

  it('have only the symbols of a list, and say which are unknown', () => {
    const { symbols } = daysOf(query);
    const [name] = symbols;
    const some = daysOf({ ...query, symbols: `${name},NONESUCH` });
    expect(some.symbols).toEqual(symbols.filter((one) => one === name));
    expect(some.notFound).toEqual(['NONESUCH']);
  });
});

it.each([
  [{}, 'where must be an expression with from or to: it is missing'],
  [{ where: 'close > 1', to: '1999-01-01' }, 'from must not be after to'],
  [
    { where: 'close > 1', sort: 'volume' },
    "from and to give rows by day and symbol and can't stand with sort",
  ],
  [{ where: 'close > 1', as_of: '2024-05-01' }, "can't stand with as_of: leave one out"],
  [{ where: 'close > 1', price_min: '2' }, "can't stand with a filter: write it in where"],
  [{ where: 'target_price > 1' }, 'where: target_price has no values of past days'],
  [{ where: "close > 1 and sector = 'energy'" }, '(position 15)'],
  [{ where: 'close > 1', columns: 'sector' }, 'columns: sector is known as of today alone'],
])('%j is refused', (query, message) => {
  expect(() => daysOf(query as Record<string, string>)).toThrow(message);
});

it('begins needs days', () => {
  expect(() => screenerQuery('where=close>1&begins=true', undefined)).toThrow(
    'begins needs from or to: it is for rows over days',
  );
});
