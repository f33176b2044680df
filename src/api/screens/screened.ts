/** Runs a screen over all securities of a version: what each request for the screen is made from. */

import type { SymbolValues } from '../../base/symbol-expression.ts';
import { evaluateExpression } from '../../screens/plan/evaluate.ts';
import type {
  NamedExpression,
  ScreenCondition,
  ScreenPlan,
  ShownValue,
} from '../../screens/plan/screen-plan.ts';
import { requireSymbols } from '../../screens/run/made-inputs.ts';
import { matchedRows } from '../../screens/run/matches.ts';
import type { ScreenMemory } from '../../screens/run/screen-memory.ts';
import type { ScreenUniverse } from '../../screens/run/screen-universe.ts';
import type { Snapshot } from '../../store/arrow/snapshot/snapshot.ts';

/** Values of an expression by row: finite, or NaN for null; a condition has 1 and 0. */
export interface ScreenedColumn {
  text: string;
  kind: 'number' | 'condition' | 'text';
  values: Float64Array | readonly (string | null)[];
}

export interface ExplainedCondition {
  text: string;
  /** 1, 0 or NaN by row. */
  results: Float64Array;
  /** Sides of its comparisons, numbers alone left out. */
  operands: readonly ScreenedColumn[];
}

export interface Screened {
  universe: Pick<ScreenUniverse, 'table' | 'series' | 'asOfDay' | 'bases'> &
    Partial<Pick<ScreenUniverse, 'readRsi' | 'reasons'>>;
  /** 1 at each row that matches; undefined without conditions. */
  matches: Uint8Array<ArrayBuffer> | undefined;
  columns: readonly ScreenedColumn[];
  sort: Float64Array | undefined;
  /** Fields or conditions without a value for any symbol, if nothing matches. */
  nulls: readonly string[];
  /** Undefined unless it was requested. */
  conditions: readonly ExplainedCondition[] | undefined;
  /**
   * Memory that the arrays take. All results of a version share the universe of its newest bars,
   * which is left out; that of a past day counts with each.
   */
  bytes: number;
}

export interface ScreenOptions {
  isExplained: boolean;
  /** True if a filter needs the RSI as of a past day. */
  needsRsi: boolean;
  memory: ScreenMemory;
}

/** Yields often, so that other work can run in between. */
export function* runScreen(
  snapshot: Snapshot,
  plan: ScreenPlan,
  universe: ScreenUniverse,
  { isExplained, needsRsi, memory }: ScreenOptions,
): Generator<void, Screened> {
  requireSymbols(snapshot, plan);
  if (needsRsi) yield* universe.readRsi();
  const matched = yield* matchedRows(snapshot, plan, universe, memory, isExplained);
  const { matches, values, results, nulls } = matched;
  const conditions: ExplainedCondition[] = [];
  for (const [condition, truth] of results ?? []) {
    conditions.push(yield* explained(condition, truth, values));
  }
  const columns: ScreenedColumn[] = [];
  for (const column of plan.columns) {
    columns.push(columnOf(column, values));
    yield;
  }
  const sort = plan.sort && finiteValues(plan.sort, values);
  const screened = {
    universe,
    matches,
    columns,
    sort,
    nulls,
    conditions: isExplained ? conditions : undefined,
  };
  const pastRows = universe.asOfDay === undefined ? 0 : values.count;
  return { ...screened, bytes: bytesOf(screened) + pastRows * PAST_ROW_BYTES };
}

function columnOf(shown: ShownValue, values: SymbolValues): ScreenedColumn {
  const { text, kind } = shown;
  const shownValues = kind === 'text' ? values.text(shown.field) : finiteValues(shown, values);
  return { text, kind, values: shownValues };
}

/** Returns values in which infinities are null too: JSON has none, and no order would fit them. */
function finiteValues({ expression }: NamedExpression, values: SymbolValues): Float64Array {
  const computed = evaluateExpression(expression, values);
  return computed.map((value) => (Number.isFinite(value) ? value : Number.NaN));
}

function* explained(
  { text, operands }: ScreenCondition,
  results: Float64Array,
  values: SymbolValues,
): Generator<void, ExplainedCondition> {
  const columns: ScreenedColumn[] = [];
  for (const operand of operands) {
    if (operand.kind !== 'text' && operand.expression.kind === 'number') continue;
    columns.push(columnOf(operand, values));
    yield;
  }
  return { text, results, operands: columns };
}

const TEXT_BYTES = 8;

/** Memory of a security of a past day: columns, names, and up to 36 fields of its company. */
const PAST_ROW_BYTES = 500;

function bytesOf({
  matches,
  columns,
  sort,
  conditions = [],
}: Omit<Screened, 'bytes' | 'universe' | 'nulls'>) {
  const arrays = [
    ...columns.map(({ values }) => values),
    ...conditions.flatMap(({ results, operands }) => [
      results,
      ...operands.map(({ values }) => values),
    ]),
    ...(sort ? [sort] : []),
  ];
  const bytes = arrays.map((values) =>
    values instanceof Float64Array ? values.byteLength : values.length * TEXT_BYTES,
  );
  return bytes.reduce((sum, count) => sum + count, matches?.byteLength ?? 0);
}
