/** Rows that match the conditions of a screen, and the values that the screen shows of them. */

import { assert } from '../../base/errors.ts';
import type { ScreenFieldName } from '../../base/fields.ts';
import type {
  AcrossExpression,
  SymbolExpression,
  SymbolValues,
} from '../../base/symbol-expression.ts';
import { isTestIssue } from '../../base/symbols/test-issues.ts';
import type { DailyInterval } from '../../base/time/intervals.ts';
import type { Column } from '../../compute/columns/column.ts';
import { rowsNeeded } from '../../compute/columns/rows-needed.ts';
import type { Snapshot } from '../../store/arrow/snapshot/snapshot.ts';
import { compareAcross } from '../plan/across.ts';
import { evaluateExpression } from '../plan/evaluate.ts';
import { fieldParts, NullParts } from '../plan/null-parts.ts';
import type { ScreenCondition, ScreenPlan } from '../plan/screen-plan.ts';
import { screenValues } from './run-screen.ts';
import type { ScreenMemory } from './screen-memory.ts';
import type { FieldValues, ScreenUniverse } from './screen-universe.ts';
import { withStoredInputs } from './stored-inputs.ts';

export interface Matched {
  /** 1 at each row of the table for which all conditions are true, and not null; else 0. */
  matches: Uint8Array<ArrayBuffer> | undefined;
  /** Values of what the screen shows, and of its order. Rows that do not match may have none. */
  values: SymbolValues;
  /** Truth of each condition by row; undefined unless rows that do not match count too. */
  results: ReadonlyMap<ScreenCondition, Float64Array> | undefined;
  /** Fields or conditions without a value for any symbol, if nothing matches. */
  nulls: readonly string[];
}

/** Rows that a column without a bound is taken to read, to order conditions by their work. */
const ENDLESS_ROWS = 2000;

/** Share of the rows up to which values are computed for these rows alone, and not kept. */
const FEW_ROWS_SHARE = 1 / 2;

/**
 * Finds the rows that match. Conditions with little work are first; the others are computed for the
 * rows that are left. Yields often, so that other work can run in between.
 *
 * @param isWhole True if rows that do not match have values too.
 */
export function* matchedRows(
  snapshot: Snapshot,
  plan: ScreenPlan,
  universe: ScreenUniverse,
  memory: ScreenMemory,
  isWhole: boolean,
): Generator<undefined, Matched> {
  const { asOfDay } = universe;
  for (const _ of universe.prepare(plan.fields)) yield;
  const bars: Float64Array[][] = plan.bars.map(() => []);
  const values = symbolValues(universe, bars);
  const matches = plan.conditions.length > 0 ? new Uint8Array(values.count).fill(1) : undefined;
  const results = new Map<ScreenCondition, Float64Array>();
  let unknown: ScreenCondition | undefined;
  function* read(expressions: readonly SymbolExpression[]) {
    const missing = placesIn(expressions, plan).map((places, of) =>
      places.filter((place) => !bars[of][place]),
    );
    if (missing.every(({ length }) => length === 0)) return;
    // Nothing is kept of a past day, so all rows that are left are few enough. Others are compared.
    const isFew =
      plan.across.length === 0 &&
      matches !== undefined &&
      !isWhole &&
      (asOfDay !== undefined || isFewRows(matches));
    const some = plan.bars.map(({ interval, columns }, of) => ({
      interval,
      columns: missing[of].map((place) => columns[place]),
    }));
    const rows = isFew ? matches : undefined;
    const computed = yield* screenValues(snapshot, { bars: some }, universe, memory, rows);
    for (const [of, places] of missing.entries()) {
      for (const [i, place] of places.entries()) bars[of][place] = computed[of][i];
    }
  }
  const ordered = isWhole ? plan.conditions : byWork(plan, snapshot.indicatorColumns, asOfDay);
  for (const condition of ordered) {
    yield* read([condition.expression]);
    const truth = evaluateExpression(condition.expression, values);
    if (isNullWhere(truth, matches!)) unknown ??= condition;
    for (let row = 0; row < truth.length; row++) if (truth[row] !== 1) matches![row] = 0;
    if (isWhole) results.set(condition, truth);
    yield;
  }
  const shown = [...plan.columns, ...(plan.sort ? [plan.sort] : [])];
  if (isWhole) shown.push(...plan.conditions.flatMap(({ operands }) => operands));
  yield* read(shown.flatMap((one) => (one.kind === 'text' ? [] : [one.expression])));
  const nulls = matches?.includes(1) ? [] : nullNames(plan, unknown, values);
  return { matches, values, results: isWhole ? results : undefined, nulls };
}

/** Marks the rows that match, as `matchedRows` does. */
export function* matchesOf(
  snapshot: Snapshot,
  plan: ScreenPlan,
  universe: ScreenUniverse,
  memory: ScreenMemory,
): Generator<undefined, Uint8Array> {
  const { matches, values } = yield* matchedRows(snapshot, plan, universe, memory, false);
  return matches ?? new Uint8Array(values.count).fill(1);
}

/** Returns true if no row that is left has a truth, and there are such rows. */
function isNullWhere(truth: Float64Array, matches: Uint8Array): boolean {
  return matches.includes(1) && !truth.some((one, row) => matches[row] === 1 && !Number.isNaN(one));
}

/** @param unknown Condition that is null for all rows that were left when it came. */
function nullNames(
  { conditions }: ScreenPlan,
  unknown: ScreenCondition | undefined,
  values: SymbolValues,
): string[] {
  const fields = new NullParts(fieldParts(conditions.map(({ expression }) => expression)));
  fields.take(values, () => true);
  const names = fields.names();
  return names.length === 0 && unknown ? [unknown.text] : names;
}

function isFewRows(matches: Uint8Array): boolean {
  const count = matches.reduce((sum, match) => sum + match, 0);
  return count <= matches.length * FEW_ROWS_SHARE;
}

/** Returns the conditions, those that read the fewest bars first. */
function byWork(
  { conditions, bars }: ScreenPlan,
  published: readonly string[],
  asOfDay: number | undefined,
): ScreenCondition[] {
  const workOf = (column: Column, interval: DailyInterval) => {
    // Values of weeks and months are not read as of a past day.
    const isStored = asOfDay === undefined || interval === '1d';
    return Math.min(ENDLESS_ROWS, rowsNeeded(withStoredInputs(column, isStored ? published : [])));
  };
  const works = new Map(
    conditions.map((condition) => {
      const columns = placesIn([condition.expression], { bars }).flatMap((places, of) =>
        places.map((place) => workOf(bars[of].columns[place], bars[of].interval)),
      );
      return [condition, columns.reduce((sum, work) => sum + work, 0)];
    }),
  );
  return conditions.toSorted((a, b) => works.get(a)! - works.get(b)!);
}

/** Returns the columns that expressions read: by entry of `bars`, their places there. */
function placesIn(
  expressions: readonly SymbolExpression[],
  { bars }: Pick<ScreenPlan, 'bars'>,
): number[][] {
  const places = bars.map(() => new Set<number>());
  const seen = new Set<SymbolExpression>();
  const visit = (expression: SymbolExpression) => {
    if (seen.has(expression)) return;
    seen.add(expression);
    if (expression.kind === 'bars') places[expression.bars].add(expression.column);
    if (expression.kind === 'operation') expression.operands.forEach(visit);
    if (expression.kind === 'across') {
      visit(expression.of);
      if (expression.among) visit(expression.among);
    }
  };
  expressions.forEach(visit);
  return places.map((some) => [...some]);
}

/** Returns the values that expressions of a screen are evaluated over. */
function symbolValues(universe: ScreenUniverse, bars: SymbolValues['bars']): SymbolValues {
  const count = universe.table.symbols.length;
  const compared = new Map<AcrossExpression, Float64Array>();
  const values: SymbolValues = {
    count,
    bars,
    number: (name) => numbersOf(universe.field(name as ScreenFieldName)),
    text: (name) => textsOf(universe.field(name)),
    across(expression) {
      const known = compared.get(expression) ?? acrossRows(expression, values, universe);
      compared.set(expression, known);
      return known;
    },
  };
  return values;
}

/** Compares rows whose newest bar is that of the newest session. */
function acrossRows(
  { name, of, among, by }: AcrossExpression,
  values: SymbolValues,
  { table, series }: ScreenUniverse,
): Float64Array {
  const { lastBarDay } = table.columns;
  const isMember = among && evaluateExpression(among, values);
  const out = evaluateExpression(of, values).map((value, row) => {
    const counts = lastBarDay[row] === table.marketDay && !isTestIssue(series[row]);
    return counts && (!isMember || isMember[row] === 1) ? value : Number.NaN;
  });
  const groups = by && values.text(by);
  compareAcross(name, out, groups && ((row) => groups[row] ?? undefined));
  return out;
}

function numbersOf(field: FieldValues): Float64Array {
  assert(field.kind === 'number', 'a number is expected');
  return field.values;
}

function textsOf(field: FieldValues): readonly (string | null)[] {
  assert(field.kind === 'text', 'a text is expected');
  return field.values;
}
