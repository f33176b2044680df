/**
 * Random screens and studies over random bars have the values of DuckDB's SQL. Prices and volumes
 * are whole numbers and splits powers of two, so that no rounding depends on the order of terms.
 */

import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { studyQuery } from '../../src/api/routes/study/query.ts';
import { runScreen, type Screened } from '../../src/api/screens/screened.ts';
import { screenUniverse } from '../../src/api/screens/universes.ts';
import { answeredStudy } from '../../src/api/study/answer.ts';
import { studyRows } from '../../src/api/study/respond.ts';
import { type BarColumns, barRows } from '../../src/base/bars.ts';
import { dateFromDay } from '../../src/base/time/dates.ts';
import { compileScreen } from '../../src/screens/plan/compile.ts';
import type { ScreenPlan } from '../../src/screens/plan/screen-plan.ts';
import { ownNames } from '../../src/screens/run/own-fields.ts';
import { ScreenMemory } from '../../src/screens/run/screen-memory.ts';
import type { PublishedVersion } from '../../src/store/arrow/read/published-version.ts';
import { openPublished } from '../../src/store/arrow/read/reader.ts';
import { publishExpressionMarket, symbolOfCloses } from '../api/support/expression-market.ts';
import { type FixtureSymbol, LAST_DAY } from '../api/support/market-fixture.ts';
import { seededRandom } from '../faults/scale.ts';
import { finished } from '../screens/run/support/finished.ts';
import { sharedFolder } from '../support/folders.ts';
import { across, type Both, COLUMNS, condition, sqlSteps, value } from './expressions.ts';
import { fuzz } from './fuzz.ts';

/** Lengths of series: shorter than windows, and long. */
const LENGTHS = [1, 2, 5, 9, 20, 31, 60, 100, 150, 400, 400, 400, 400];
const MICROS_PER_DAY = 86_400_000_000n;

const folder = sharedFolder();
let version: PublishedVersion;
let connection: Awaited<ReturnType<DuckDBInstance['connect']>>;

/** Raw prices with holes, splits, a series that ended and one that stopped lately. */
function market(): FixtureSymbol[] {
  const random = seededRandom(40);
  const below = (end: number) => Math.floor(random() * end);
  return LENGTHS.map((length, i) => {
    const one = symbolOfCloses(
      `S${i}`,
      Array.from({ length }, () => 1 + below(60)),
    );
    const spread = () => one.bars.close.map((close) => close + below(4));
    const prices = { ...one.bars, open: spread(), high: spread(), low: spread() };
    const bars: BarColumns = { ...prices, volume: prices.volume.map(() => below(3) * 100) };
    if (i === 9) return { ...one, bars: barRows(bars, 0, 300) };
    if (i === 10) return { ...one, bars: barRows(bars, 0, 397) };
    if (i === 11) {
      const isThere = bars.close.map(() => below(5));
      const columns = Object.entries(bars).map(([name, column]) => [
        name,
        column.filter((_: unknown, row: number) => isThere[row] > 0),
      ]);
      return { ...one, bars: Object.fromEntries(columns) };
    }
    const splits = [
      { exDay: LAST_DAY - 90, numerator: 2, denominator: 1 },
      { exDay: LAST_DAY - 31, numerator: i % 2 === 0 ? 1 : 4, denominator: i % 2 === 0 ? 2 : 1 },
    ];
    return i > 6 ? { ...one, splits } : one;
  });
}

beforeAll(async () => {
  const symbols = market();
  await publishExpressionMarket(folder, symbols);
  version = openPublished(folder)!;
  connection = await (await DuckDBInstance.create(':memory:')).connect();
  const columns = COLUMNS.map((name) => `${name} DOUBLE`).join(', ');
  await connection.run(`CREATE TABLE raw (symbol TEXT, i INT, day DATE, ${columns})`);
  await connection.run('CREATE TABLE splits (symbol TEXT, day DATE, ratio DOUBLE)');
  const insert = (table: string, rows: string[]) =>
    rows.length > 0 && connection.run(`INSERT INTO ${table} VALUES ${rows.join(', ')}`);
  for (const { symbol, bars, splits } of symbols) {
    const rows = Array.from(bars.timestampUs, (us, i) => {
      const day = dateFromDay(Number(us / MICROS_PER_DAY));
      return `('${symbol}', ${i}, '${day}', ${COLUMNS.map((name) => bars[name][i]).join(', ')})`;
    });
    await insert('raw', rows);
    await insert(
      'splits',
      splits.map(
        (one) => `('${symbol}', '${dateFromDay(one.exDay)}', ${one.numerator / one.denominator})`,
      ),
    );
  }
  // A row of a symbol is judged on the price basis of its day: a series for each basis.
  await connection.run(`CREATE TABLE t AS
    WITH bases AS (SELECT symbol, min(day) AS day FROM raw GROUP BY ALL
      UNION SELECT symbol, day FROM splits),
    spans AS (SELECT symbol, day AS first, lead(day) OVER (PARTITION BY symbol ORDER BY day) AS next FROM bases),
    scaled AS (SELECT raw.*, first, next, coalesce((SELECT product(ratio) FROM splits s
        WHERE s.symbol = raw.symbol AND s.day > raw.day AND s.day <= first), 1) AS ratio
      FROM raw JOIN spans USING (symbol) WHERE raw.day < coalesce(next, '9999-12-31'))
    SELECT symbol, symbol || first AS series, i, day, day >= first AS isBasis,
      ${COLUMNS.map((name) => (name === 'volume' ? 'volume * ratio AS volume' : `${name} / ratio AS ${name}`))},
      lag(close / ratio) OVER (PARTITION BY symbol, first ORDER BY i) AS last_close
    FROM scaled`);
  await connection.run(`CREATE TABLE sessions AS
    SELECT day, row_number() OVER (ORDER BY day) AS place FROM (SELECT DISTINCT day FROM raw)`);
});
afterAll(() => {
  version?.close();
  connection?.closeSync();
});

async function rowsOf(sql: string): Promise<Record<string, unknown>[]> {
  return (await connection.runAndReadAll(sql)).getRowObjectsJson();
}

/** Returns the values of an expression by symbol, as SQL has them. */
async function valuesOfSql(one: Both): Promise<Map<string, number | null>> {
  const { steps, table, result } = sqlSteps(one);
  const rows = await rowsOf(`WITH ${steps} SELECT symbol, ${result}::DOUBLE AS value
    FROM ${table} WHERE isBasis QUALIFY row_number() OVER (PARTITION BY symbol ORDER BY i DESC) = 1`);
  return new Map(rows.map((row) => [String(row.symbol), row.value as number | null]));
}

function run(where: string | undefined, columns: string | undefined): Screened {
  const memory = new ScreenMemory(1e8);
  const plan = planOf({ where, columns });
  const universe = finished(screenUniverse(version, memory, undefined));
  return finished(
    runScreen(version, plan, universe, { isExplained: false, needsRsi: false, memory }),
  );
}

/** Skips cases that are refused with a reason that they have. */
function unlessRefused<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    // A window of a number alone is refused.
    fc.pre(
      !/an expression over bars|takes only|too (long|deep|many)/.test((error as Error).message),
    );
    throw error;
  }
}

const planOf = (texts: { where?: string; columns?: string }): ScreenPlan =>
  unlessRefused(() => compileScreen(texts, ownNames(version)));

/** Rounds away what the order of terms decides. */
function rounded(one: unknown): unknown {
  if (one === null || one === undefined || Number.isNaN(one)) return null;
  if (typeof one !== 'number') return one;
  if (!Number.isFinite(one)) return null;
  return Math.abs(one) < 1e-6 ? 0 : Number(one.toPrecision(9));
}

const bySymbol = ({ universe }: Screened, numberOf: (row: number) => number) =>
  new Map(universe.table.symbols.map((symbol, row) => [symbol, rounded(numberOf(row))]));

it('random values are those of SQL', async () => {
  const holds = async (one: Both) => {
    const screened = run(undefined, one.text);
    const expected = await valuesOfSql(one);
    const { values } = screened.columns[0];
    for (const [symbol, found] of bySymbol(screened, (row) => values[row] as number)) {
      expect([symbol, found]).toEqual([symbol, rounded(expected.get(symbol))]);
    }
  };
  await fuzz('random values of screens', value, holds, [20, 5000]);
});

it('random conditions match what they match in SQL', async () => {
  const holds = async (one: Both) => {
    const screened = run(one.text, undefined);
    const expected = await valuesOfSql(one);
    for (const [symbol, found] of bySymbol(screened, (row) => screened.matches![row])) {
      expect([symbol, found]).toEqual([symbol, Number(expected.get(symbol) ?? 0)]);
    }
  };
  await fuzz('random conditions of screens', condition, holds, [20, 5000]);
});

const study = fc.record({
  where: fc.oneof({ weight: 3, arbitrary: condition }, { weight: 1, arbitrary: across }),
  universe: fc.option(condition, { freq: 4 }),
  mode: fc.constantFrom('begins', 'matches'),
  entry: fc.constantFrom('next_open', 'next_close'),
  horizon: fc.integer({ min: 1, max: 70 }),
  ago: fc.integer({ min: 1, max: 560 }),
  days: fc.integer({ min: 0, max: 500 }),
});
type Study = typeof study extends fc.Arbitrary<infer T> ? T : never;

const spanOf = ({ ago, days }: Study) => [
  dateFromDay(LAST_DAY - ago),
  dateFromDay(LAST_DAY - ago + days),
];

/** Makes the table `events`, by the definitions of docs/study.md. */
async function eventsBySql(one: Study): Promise<void> {
  const { where, universe, mode, entry, horizon: h } = one;
  const [from, to] = spanOf(one);
  for (const [name, both] of [
    ['signals', where],
    ['members', universe],
  ] as const) {
    const { steps, table, result } = both
      ? sqlSteps(both)
      : { steps: 't0 AS (FROM t)', table: 't0', result: 'true' };
    await connection.run(`CREATE OR REPLACE TEMP TABLE ${name} AS WITH ${steps}
      SELECT symbol, i, coalesce((${result})::BOOLEAN, false) AS isTrue FROM ${table} WHERE isBasis`);
  }
  const delay = entry === 'next_open' ? 0 : 1;
  const price = entry === 'next_open' ? 'open' : 'close';
  await connection.run(`CREATE OR REPLACE TEMP TABLE events AS
    WITH rows AS (SELECT raw.*, place, coalesce((SELECT product(ratio) FROM splits s
        WHERE s.symbol = raw.symbol AND s.day <= raw.day), 1) AS held,
        max(i) OVER (PARTITION BY symbol) AS last
      FROM raw JOIN sessions USING (day)),
    ends AS (SELECT symbol, (SELECT max(place) FROM sessions) - max(place) > 5 AS isEnded FROM rows GROUP BY ALL),
    made AS (SELECT a.symbol, a.day, a.i, a.place, b.day AS entry_date, b.place - a.place - 1 AS entry_gap, b.${price} AS entry,
        c.day AS exit_date, c.close * c.held / (b.${price} * b.held) - 1 AS made,
        CASE WHEN c.i IS NOT NULL THEN a.i + ${h + delay} > a.last END AS early
      FROM rows a JOIN ends USING (symbol)
      LEFT JOIN rows b ON b.symbol = a.symbol AND b.i = a.i + 1
      LEFT JOIN rows c ON c.symbol = a.symbol AND b.i IS NOT NULL AND c.i =
        CASE WHEN a.i + ${h + delay} <= a.last THEN a.i + ${h + delay} WHEN isEnded THEN a.last END),
    of_day AS (SELECT day, avg(made) AS universe FROM made JOIN members USING (symbol, i) WHERE isTrue GROUP BY ALL),
    found AS (SELECT *, isTrue AND (${mode === 'matches'} OR NOT coalesce(lag(isTrue) OVER (PARTITION BY symbol ORDER BY i), false)) AS begins
      FROM signals)
    SELECT made.*, universe FROM made JOIN found USING (symbol, i) JOIN members m USING (symbol, i)
    LEFT JOIN of_day USING (day) WHERE begins AND m.isTrue AND day BETWEEN '${from}' AND '${to}'`);
}

/** Statistics of the table `events`. */
const statisticsSql = (
  h: number,
) => `WITH r AS (SELECT *, made - universe AS excess FROM events WHERE made IS NOT NULL),
  sums AS (SELECT place, sum(excess - (SELECT avg(excess) FROM r)) AS s FROM r GROUP BY ALL),
  variance AS (SELECT sum(a.s * b.s * CASE WHEN a.place = b.place THEN 1 ELSE 2 * (1 - (a.place - b.place) / ${h}) END) AS v
    FROM sums a JOIN sums b ON a.place - b.place BETWEEN 0 AND ${h - 1})
  SELECT (SELECT count(*) FROM events)::INT AS events, (SELECT count(entry_date) FROM events)::INT AS entered,
    count(*)::INT AS returns, count(*) FILTER (early)::INT AS early, (SELECT count(DISTINCT day) FROM events)::INT AS days,
    (SELECT count(DISTINCT symbol) FROM events)::INT AS symbols, avg(made) AS mean, median(made) AS median,
    avg((made > 0)::INT) AS hit, stddev_samp(made) AS sd, quantile_cont(made, 0.05) AS p05, quantile_cont(made, 0.25) AS p25,
    quantile_cont(made, 0.75) AS p75, quantile_cont(made, 0.95) AS p95, avg(universe) AS "universeMean",
    median(universe) AS "universeMedian", avg(excess) AS "excessMean", median(excess) AS "excessMedian",
    count(*) FILTER (made > 10)::INT AS extreme,
    CASE WHEN any_value(v) > power(1e-12 * sum(abs(excess)), 2) THEN avg(excess) / (sqrt(any_value(v)) / count(*)) END AS "tClustered"
  FROM r, variance`;

it('random studies have the events, returns and statistics of SQL', async () => {
  const holds = async (one: Study) => {
    const { where, universe, mode, entry, horizon } = one;
    const [from, to] = spanOf(one);
    const answer = (rows: string) => {
      const text = String(
        new URLSearchParams({
          ...{ where: where.text, mode, entry, horizons: String(horizon), rows, from, to },
          ...(universe && { universe: universe.text }),
        }),
      );
      const memory = new ScreenMemory(1e8);
      return unlessRefused(() =>
        studyRows(finished(answeredStudy(version, memory, studyQuery(text, undefined))).table),
      );
    };
    const events = answer('events');
    await eventsBySql(one);
    const expected = await rowsOf(
      'SELECT symbol, day, entry_date, entry_gap::INT, entry, exit_date, made, universe, early FROM events ORDER BY day, symbol',
    );
    const plain = (rows: readonly Record<string, unknown>[]) =>
      rows.map((row) => Object.values(row).map(rounded));
    expect(plain(events)).toEqual(plain(expected));
    const [summary] = answer('summary');
    const [statistics] = await rowsOf(statisticsSql(horizon));
    const isEmpty = Number(statistics.returns) < 2;
    for (const [name, wanted] of Object.entries(statistics)) {
      if (isEmpty && wanted !== null && typeof wanted === 'number' && name.length > 8) continue;
      expect([name, rounded(summary[name])]).toEqual([name, rounded(wanted)]);
    }
    return events.length > 0 ? 'with events' : 'without events';
  };
  await fuzz('random studies', study, holds, [8, 3000]);
});
