/**
 * Random screens over random bars have the values of DuckDB's SQL. Prices and volumes are whole
 * numbers, so that sums have no rounding which the order of their terms decides.
 */

import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runScreen, type Screened } from '../../../src/api/screens/screened.ts';
import { screenUniverse } from '../../../src/api/screens/universes.ts';
import { compileScreen } from '../../../src/screens/plan/compile.ts';
import type { ScreenPlan } from '../../../src/screens/plan/screen-plan.ts';
import { ownNames } from '../../../src/screens/run/own-fields.ts';
import { ScreenMemory } from '../../../src/screens/run/screen-memory.ts';
import type { PublishedVersion } from '../../../src/store/arrow/read/published-version.ts';
import { openPublished } from '../../../src/store/arrow/read/reader.ts';
import { publishExpressionMarket, symbolOfCloses } from '../../api/support/expression-market.ts';
import { scaled, seededRandom } from '../../faults/scale.ts';
import { sharedFolder } from '../../support/folders.ts';

const COLUMNS = ['open', 'high', 'low', 'close', 'volume'] as const;

/** Lengths of series: shorter than windows, and long. */
const LENGTHS = [1, 2, 5, 9, 20, 31, 60, 100, 150];

/** An expression in the language of screens, and its SQL. */
interface Both {
  text: string;
  /** Writes the SQL; `column` names a value of each row, computed before. */
  sql: (column: (sql: string) => string) => string;
  [fc.toStringMethod]: () => string;
}

function both(text: string, sql: Both['sql']): Both {
  return { text, sql, [fc.toStringMethod]: () => text };
}

const number = fc.integer({ min: 0, max: 200 }).map((n) => both(`${n}`, () => `${n}::DOUBLE`));
const bar = fc.constantFrom(...COLUMNS).map((name) => both(name, () => name));
const earlier = fc
  .tuple(fc.constantFrom(...COLUMNS), fc.integer({ min: 0, max: 12 }))
  .map(([name, bars]) => both(`${name}[${bars}]`, () => `lag(${name}, ${bars}) OVER bars`));
const period = fc.integer({ min: 1, max: 30 });

const WINDOWS = { avg: 'avg', sum: 'sum', highest: 'max', lowest: 'min', stddev: 'stddev_pop' };
const SIDES = { min: 'least', max: 'greatest' };

/** Null unless all values of the window are there. */
function windowSql(call: string, value: string, bars: number): string {
  const frame = `OVER (bars ROWS ${bars - 1} PRECEDING)`;
  return `CASE WHEN count(${value}) ${frame} = ${bars} THEN ${call}(${value}) ${frame} END`;
}

const { value, condition } = fc.letrec<{ value: Both; condition: Both }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'screen' },
    bar,
    number,
    earlier,
    fc.tuple(tie('value'), fc.constantFrom('+', '-', '*', '/'), tie('value')).map(([a, sign, b]) =>
      both(`(${a.text} ${sign} ${b.text})`, (column) => {
        const right = sign === '/' ? `nullif(${b.sql(column)}, 0)` : b.sql(column);
        return `(${a.sql(column)} ${sign} ${right})`;
      }),
    ),
    fc
      .tuple(fc.constantFrom(...Object.entries(WINDOWS)), tie('value'), period)
      .map(([[name, call], a, bars]) =>
        both(`${name}(${a.text}, ${bars})`, (column) =>
          windowSql(call, column(a.sql(column)), bars),
        ),
      ),
    fc
      .tuple(fc.constantFrom(...Object.entries(SIDES)), tie('value'), tie('value'))
      .map(([[name, call], a, b]) =>
        both(`${name}(${a.text}, ${b.text})`, (column) => {
          const [left, right] = [a, b].map((one) => column(one.sql(column)));
          return `CASE WHEN ${left} + ${right} IS NOT NULL THEN ${call}(${left}, ${right}) END`;
        }),
      ),
    tie('value').map((a) => both(`abs(${a.text})`, (column) => `abs(${a.sql(column)})`)),
    fc.tuple(tie('value'), fc.integer({ min: 1, max: 12 })).map(([a, bars]) =>
      both(`change(${a.text}, ${bars})`, (column) => {
        const now = column(a.sql(column));
        return `(${now} - lag(${now}, ${bars}) OVER bars)`;
      }),
    ),
    fc
      .tuple(tie('condition'), period)
      .map(([a, bars]) =>
        both(`count(${a.text}, ${bars})`, (column) =>
          windowSql('sum', column(`(${a.sql(column)})::INT::DOUBLE`), bars),
        ),
      ),
    fc.tuple(tie('condition'), tie('value'), tie('value')).map(([test, a, b]) =>
      both(`if(${test.text}, ${a.text}, ${b.text})`, (column) => {
        const is = column(test.sql(column));
        return `CASE WHEN ${is} THEN ${a.sql(column)} WHEN NOT ${is} THEN ${b.sql(column)} END`;
      }),
    ),
  ) as fc.Arbitrary<Both>,
  condition: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'screen' },
    fc
      .tuple(tie('value'), fc.constantFrom('<', '<=', '>', '>=', '=', '!='), tie('value'))
      .map(([a, sign, b]) =>
        both(
          `${a.text} ${sign} ${b.text}`,
          (column) => `${a.sql(column)} ${sign} ${b.sql(column)}`,
        ),
      ),
    fc
      .tuple(tie('condition'), fc.constantFrom('and', 'or'), tie('condition'))
      .map(([a, word, b]) =>
        both(
          `(${a.text} ${word} ${b.text})`,
          (column) => `(${a.sql(column)} ${word} ${b.sql(column)})`,
        ),
      ),
    tie('condition').map((a) => both(`not (${a.text})`, (column) => `NOT (${a.sql(column)})`)),
  ) as fc.Arbitrary<Both>,
}));

const folder = sharedFolder();
let version: PublishedVersion;
let connection: Awaited<ReturnType<DuckDBInstance['connect']>>;

beforeAll(async () => {
  const random = seededRandom(40);
  const below = (end: number) => Math.floor(random() * end);
  const symbols = LENGTHS.map((length, i) => {
    const closes = Array.from({ length }, () => 1 + below(60));
    const one = symbolOfCloses(`S${i}`, closes);
    const spread = () => one.bars.close.map((close) => close + below(4));
    const bars = { ...one.bars, open: spread(), high: spread(), low: spread() };
    return { ...one, bars: { ...bars, volume: bars.volume.map(() => below(3) * 100) } };
  });
  await publishExpressionMarket(folder, symbols);
  version = openPublished(folder)!;
  connection = await (await DuckDBInstance.create(':memory:')).connect();
  await connection.run(
    `CREATE TABLE t (symbol TEXT, i INT, ${COLUMNS.map((name) => `${name} DOUBLE`).join(', ')})`,
  );
  for (const { symbol, bars } of symbols) {
    const rows = Array.from(bars.close, (_, i) => {
      return `('${symbol}', ${i}, ${COLUMNS.map((name) => bars[name][i]).join(', ')})`;
    });
    await connection.run(`INSERT INTO t VALUES ${rows.join(', ')}`);
  }
});
afterAll(() => {
  version?.close();
  connection?.closeSync();
});

/** Returns the values of an expression by symbol, as SQL has them. */
async function valuesOfSql({ sql }: Both): Promise<Map<string, number | null>> {
  // A window can't stand in another one, so each value has a step of its own.
  const steps = ['t0 AS (FROM t)'];
  const column = (text: string) => {
    const [name, before] = [`c${steps.length}`, `t${steps.length - 1}`];
    const over = 'WINDOW bars AS (PARTITION BY symbol ORDER BY i)';
    steps.push(`t${steps.length} AS (SELECT *, ${text} AS ${name} FROM ${before} ${over})`);
    return name;
  };
  const result = column(sql(column));
  const query = `WITH ${steps.join(', ')} SELECT symbol, ${result}::DOUBLE AS value
    FROM t${steps.length - 1} QUALIFY row_number() OVER (PARTITION BY symbol ORDER BY i DESC) = 1`;
  const rows = (await connection.runAndReadAll(query)).getRowObjects();
  return new Map(rows.map((row) => [String(row.symbol), row.value as number | null]));
}

function run(where: string | undefined, columns: string | undefined): Screened {
  const memory = new ScreenMemory(1e8);
  const plan = planOf({ where, columns });
  const universe = resultOf(screenUniverse(version, memory, undefined));
  return resultOf(
    runScreen(version, plan, universe, { isExplained: false, needsRsi: false, memory }),
  );
}

function planOf(texts: { where?: string; columns?: string }): ScreenPlan {
  try {
    return compileScreen(texts, ownNames(version));
  } catch (error) {
    // A window of a number alone is refused.
    fc.pre(!/an expression over bars|takes only/.test((error as Error).message));
    throw error;
  }
}

function resultOf<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value: result } = steps.next();
    if (done) return result;
  }
}

/** Rounds away what the order of terms decides. */
function rounded(one: number | null | undefined): number | null {
  if (one === null || one === undefined || !Number.isFinite(one)) return null;
  return Math.abs(one) < 1e-6 ? 0 : Number(one.toPrecision(9));
}

const bySymbol = ({ universe }: Screened, numberOf: (row: number) => number) =>
  new Map(universe.table.symbols.map((symbol, row) => [symbol, rounded(numberOf(row))]));

const RUNS = scaled(60, 5000);

it('random values are those of SQL', async () => {
  const property = fc.asyncProperty(value, async (one) => {
    const expected = await valuesOfSql(one);
    const screened = run(undefined, one.text);
    const { values } = screened.columns[0];
    for (const [symbol, found] of bySymbol(screened, (row) => values[row] as number)) {
      expect([symbol, found]).toEqual([symbol, rounded(expected.get(symbol))]);
    }
  });
  await fc.assert(property, { numRuns: RUNS });
});

it('random conditions match what they match in SQL', async () => {
  const property = fc.asyncProperty(condition, async (one) => {
    const expected = await valuesOfSql(one);
    const screened = run(one.text, undefined);
    for (const [symbol, found] of bySymbol(screened, (row) => screened.matches![row])) {
      expect([symbol, found]).toEqual([symbol, Number(expected.get(symbol) ?? 0)]);
    }
  });
  await fc.assert(property, { numRuns: RUNS });
});
