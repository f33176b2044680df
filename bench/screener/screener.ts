/**
 * Speed of the screener over 10,000 rows, against a prepared statement of DuckDB, and a
 * filter and sort of an array of objects: `node bench/screener/screener.ts [--quick | --smoke]`.
 *
 * Every result is the list of a page's symbols; ours also counts all rows that pass. Bounds differ
 * from call to call.
 */

import { SCREENER_TEXTS } from '../../src/base/fields.ts';
import { screenRows } from '../../src/screens/plan/screen-rows.ts';
import { valuesOfTable } from '../../src/store/arrow/snapshot/screener-table.ts';
import type { ScreenerColumns } from '../../src/store/arrow/snapshot/snapshot.ts';
import {
  benchSizeFromArgs,
  type Candidates,
  checkResult,
  goalLines,
  machineLine,
  medianOf,
  readable,
  type Timing,
  tableFromRows,
  timeInterleaved,
} from '../harness.ts';
import { openDuckdb } from './duckdb.ts';
import {
  BOUND_STEPS,
  type Bounds,
  NUMBERS,
  type ScreenerRow,
  type Shape,
  shapes,
} from './shapes.ts';
import { type ScreenerUniverse, screenerUniverse, TEXTS, tableOf } from './universe.ts';

const SIZES = {
  smoke: { rowCount: 500, rounds: 1 },
  quick: { rowCount: 10_000, rounds: 20 },
  full: { rowCount: 10_000, rounds: 200 },
};

const OURS = 'tapeworks';
const COLD = 'tapeworks, first query of a version';
const PLAIN = 'array of objects';
const DUCKDB = 'DuckDB, prepared';
const FLOOR = 'comparing one column with one bound';

/** Calls of ours per sample: a single one is shorter than the clock's resolution. */
const OUR_CALLS = 8 * BOUND_STEPS;

type Market = Pick<ScreenerUniverse, 'columns' | 'symbols'>;

/** Symbols of one page, in order. */
type Answer = (bounds: Bounds) => readonly string[];

function rowsOf({ symbols, columns }: Market): ScreenerRow[] {
  return symbols.map((symbol, row) => {
    const numbers = NUMBERS.map((name) => [name, columns[name][row]]);
    const texts = SCREENER_TEXTS.map((name) => [name, TEXTS[name][columns[name][row] - 1] ?? '']);
    return { symbol, ...Object.fromEntries([...numbers, ...texts]) };
  });
}

/** Filters and sorts an array of objects, as most programs do. */
function plainAnswer(rows: ScreenerRow[], { passes, sort, direction, limit }: Shape): Answer {
  const sign = direction === 'asc' ? 1 : -1;
  const compare = (a: ScreenerRow, b: ScreenerRow): number => {
    const [left, right] = [a[sort], b[sort]];
    if (left < right) return -sign;
    if (left > right) return sign;
    const nulls = Number(Number.isNaN(left)) - Number(Number.isNaN(right));
    return nulls || (a.symbol < b.symbol ? -1 : 1);
  };
  return (bounds) =>
    rows
      .filter((row) => passes(row, bounds))
      .sort(compare)
      .slice(0, limit)
      .map(({ symbol }) => symbol);
}

function ourAnswer(market: Market, shape: Shape): Answer {
  const { direction, limit } = shape;
  const { columns, symbols } = market;
  const sort = columns[shape.sort];
  const values = valuesOfTable(tableOf(market));
  return (bounds) => {
    const { rows } = screenRows(values, { filters: shape.filters(bounds), sort, direction, limit });
    return Array.from(rows, (row) => symbols[row]);
  };
}

function boundsOf(shape: Shape): Bounds[] {
  return Array.from({ length: BOUND_STEPS }, (_, step) => shape.bounds(step));
}

/** The same market in columns whose sort orders are not computed yet. */
function newVersion({ columns, symbols }: Market): Market {
  const copies = Object.entries(columns).map(([name, column]) => [name, column.slice()]);
  return { symbols, columns: Object.fromEntries(copies) as ScreenerColumns };
}

/** Checks that ours and DuckDB give the results of the plain filter and sort. */
async function checkAnswers(universe: ScreenerUniverse, rows: ScreenerRow[]): Promise<void> {
  for (const shape of shapes) {
    const plain = plainAnswer(rows, shape);
    const ours = ourAnswer(universe, shape);
    const sql = await duckdb.prepare(shape);
    for (const bounds of boundsOf(shape)) {
      const page = plain(bounds).join();
      checkResult(ours(bounds).join() === page, shape.name);
      checkResult((await sql(bounds)).join() === page, `${DUCKDB}, ${shape.name}`);
    }
  }
}

/** Calls per sample by candidate; its time is divided by them. */
type Calls = Record<string, number>;

async function candidatesOf(
  universe: ScreenerUniverse,
  rows: ScreenerRow[],
): Promise<{ candidates: Candidates; calls: Calls }> {
  const candidates: Candidates = {};
  const calls: Calls = {};
  for (const shape of shapes) {
    const bounds = boundsOf(shape);
    const ours = ourAnswer(universe, shape);
    calls[`${OURS}/${shape.name}`] = OUR_CALLS;
    candidates[`${OURS}/${shape.name}`] = () => {
      for (let call = 0; call < OUR_CALLS; call++) ours(bounds[call % BOUND_STEPS]);
    };
    candidates[`${COLD}/${shape.name}`] = () => {
      ourAnswer(newVersion(universe), shape)(bounds[0]);
    };
    const plain = plainAnswer(rows, shape);
    let call = 0;
    candidates[`${PLAIN}/${shape.name}`] = () => {
      plain(bounds[call++ % BOUND_STEPS]);
    };
    const sql = await duckdb.prepare(shape);
    candidates[`${DUCKDB}/${shape.name}`] = async () => {
      await sql(bounds[call++ % BOUND_STEPS]);
    };
  }
  return { candidates, calls };
}

function countAbove(column: Float64Array, min: number): number {
  let count = 0;
  for (let row = 0; row < column.length; row++) if (column[row] >= min) count++;
  return count;
}

/** Measures one comparison per row: the least time of a scan without a sort order. */
function onePass(column: Float64Array): Candidates {
  const run = () => {
    for (let call = 0; call < OUR_CALLS; call++) checkResult(countAbove(column, 1e9) > 0, FLOOR);
  };
  return { [FLOOR]: run };
}

function report(timings: Record<string, Timing>, calls: Calls, names: string[]): void {
  const microseconds = (candidate: string, which: 'minMs' | 'medianMs') =>
    (timings[candidate][which] * 1000) / (calls[candidate] ?? 1);
  const overShapes = (name: string, which: 'minMs' | 'medianMs') =>
    medianOf(shapes.map((shape) => microseconds(`${name}/${shape.name}`, which)));
  const ratio = (name: string, which: 'minMs' | 'medianMs') =>
    overShapes(name, which) / overShapes(OURS, which);
  const rows = names.map((name) => [
    name,
    ...shapes.map((shape) => readable(microseconds(`${name}/${shape.name}`, 'medianMs'))),
    readable(overShapes(name, 'medianMs')),
    readable(ratio(name, 'medianMs')),
    readable(overShapes(name, 'minMs')),
    readable(ratio(name, 'minMs')),
  ]);
  const header = ['median µs a query', ...shapes.map(({ name }) => name), 'median', '× ours'];
  console.log(tableFromRows([...header, 'min', '× ours'], rows));
  console.log(`\n${FLOOR}: ${readable(microseconds(FLOOR, 'medianMs'))} µs`);
  console.log(
    goalLines([
      { name: '20 µs ÷ ours', ratio: 20 / overShapes(OURS, 'medianMs'), atLeast: 1 },
      { name: `${DUCKDB} ÷ ours`, ratio: ratio(DUCKDB, 'medianMs'), atLeast: 50 },
    ]),
  );
}

const { rowCount, rounds } = SIZES[benchSizeFromArgs()];
const universe = screenerUniverse(rowCount);
const objects = rowsOf(universe);
using duckdb = await openDuckdb(objects);
await checkAnswers(universe, objects);
const { candidates, calls } = await candidatesOf(universe, objects);
calls[FLOOR] = OUR_CALLS;
const floor = onePass(universe.columns.marketCap);
const timings = await timeInterleaved({ ...candidates, ...floor }, rounds);
console.log(`${machineLine()}; ${rowCount} rows, median of ${rounds} rounds\n`);
report(timings, calls, [OURS, COLD, PLAIN, DUCKDB]);
