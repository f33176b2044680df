/** Conditions of studies in parts that are computed once for all studies that have them. */

import { limits } from '../../base/limits.ts';
import type { SymbolExpression } from '../../base/symbol-expression.ts';
import { both, type Column, chooseAny } from '../../compute/columns/column.ts';
import { operationsOf } from '../../compute/columns/column-facts.ts';
import { operationText } from '../../compute/columns/column-text.ts';
import { isFused } from '../../compute/columns/fused/operations.ts';
import { OPERATORS } from '../plan/column-of.ts';
import type { ScreenCondition, ScreenPlan } from '../plan/screen-plan.ts';
import { MergedPlan } from './merged-plan.ts';

/** State of columns that run together, in one step. */
const { stateRowsMax } = limits.screens;

/** Operations of columns that run together: more would run without code of their own. */
const OPERATIONS_AT_ONCE = 48;

/** Columns of conditions that run together. */
const COLUMNS_AT_ONCE = 32;

/**
 * Columns run together whose first rows differ by at most this factor. The rows before the last of
 * them run by operations in TypeScript, of all of these columns.
 */
const FIRST_ROWS_FACTOR = 4;

/** Conditions over daily bars alone, each as one column, so that no operand of it is written. */
export interface ColumnParts {
  columns: readonly Column[];
  /** By column, numbers of the plans that have it. */
  plans: readonly (readonly number[])[];
}

/** Other conditions. */
export interface OtherParts {
  plan: MergedPlan;
  expressions: readonly SymbolExpression[];
  plans: readonly (readonly number[])[];
}

interface Condition {
  condition: ScreenCondition;
  plan: ScreenPlan;
  plans: number[];
}

/** Divides the conditions of plans. */
export function truthParts(plans: readonly ScreenPlan[]): {
  columns: ColumnParts[];
  others: OtherParts[];
} {
  const found = new Map<string, Condition>();
  for (const [number, plan] of plans.entries()) {
    for (const condition of plan.conditions) {
      const known = found.get(condition.canonical);
      if (!known) found.set(condition.canonical, { condition, plan, plans: [number] });
      else if (known.plans.at(-1) !== number) known.plans.push(number);
    }
  }
  const columns = new Map<string, { column: Column; plans: readonly number[] }>();
  const others: Condition[] = [];
  for (const one of found.values()) {
    const column = dailyColumn(one.condition.expression, one.plan.bars);
    if (!column) {
      others.push(one);
      continue;
    }
    // Conditions that the same plans have are one.
    const key = one.plans.join();
    const known = columns.get(key);
    columns.set(key, { column: known ? both(known.column, column) : column, plans: one.plans });
  }
  return { columns: columnParts([...columns.values()]), others: otherParts(others) };
}

/**
 * Divides columns into parts that run together. An operation without fused code keeps all of its
 * program from having any, so such columns are apart.
 */
export function columnParts(
  all: readonly { column: Column; plans: readonly number[] }[],
): ColumnParts[] {
  const parts: { columns: Column[]; plans: (readonly number[])[] }[] = [];
  for (const wantsCode of [true, false]) {
    let texts = new Set<string>();
    let [stateRows, first] = [0, 0];
    for (const { column, plans } of all.toSorted((a, b) => a.column.first - b.column.first)) {
      const operations = [...operationsOf([column])];
      if (operations.every(({ code }) => isFused(code)) !== wantsCode) continue;
      const own = new Set(operations.map(operationText));
      const union = texts.union(own);
      const ownRows = stateRowsOf(column);
      const isLarge = union.size > OPERATIONS_AT_ONCE || stateRows + ownRows > stateRowsMax;
      const isNew = texts.size === 0 || isLarge || column.first > first * FIRST_ROWS_FACTOR;
      if (isNew) {
        parts.push({ columns: [], plans: [] });
        first = Math.max(1, column.first);
      }
      texts = isNew ? own : union;
      stateRows = isNew ? ownRows : stateRows + ownRows;
      parts.at(-1)!.columns.push(column);
      parts.at(-1)!.plans.push(plans);
    }
  }
  return parts;
}

/** Returns the state of a column; the time of a row may grow with it. */
function stateRowsOf(column: Column): number {
  return [...operationsOf([column])].reduce((sum, { stateRows }) => sum + stateRows, 0);
}

function otherParts(all: readonly Condition[]): OtherParts[] {
  let stateRows = 0;
  const parts: (OtherParts & { expressions: SymbolExpression[]; plans: number[][] })[] = [];
  for (const { condition, plan, plans } of all) {
    const ownRows = plan.bars
      .flatMap(({ columns }) => columns)
      .reduce((sum, column) => sum + stateRowsOf(column), 0);
    const before = parts.at(-1);
    const isFull =
      before && (stateRows + ownRows > stateRowsMax || before.plan.columnCount >= COLUMNS_AT_ONCE);
    if (!before || isFull) {
      parts.push({ plan: new MergedPlan(), expressions: [], plans: [] });
      stateRows = 0;
    }
    stateRows += ownRows;
    const part = parts.at(-1)!;
    part.expressions.push(part.plan.add(condition.expression, plan));
    part.plans.push(plans);
  }
  return parts;
}

/** Returns the column of an expression; undefined if it reads more than daily bars. */
export function dailyColumn(
  expression: SymbolExpression,
  bars: ScreenPlan['bars'],
): Column | undefined {
  if (expression.kind === 'number') return { kind: 'number', value: expression.value, first: 0 };
  if (expression.kind === 'bars') {
    const { interval, columns } = bars[expression.bars];
    return interval === '1d' ? columns[expression.column] : undefined;
  }
  if (expression.kind !== 'operation') return undefined;
  const operands: Column[] = [];
  for (const operand of expression.operands) {
    const column = dailyColumn(operand, bars);
    if (!column) return undefined;
    operands.push(column);
  }
  const { operator } = expression;
  if (operator === 'choose') {
    const [condition, yes, no] = operands;
    return chooseAny(condition, yes, no);
  }
  const [first, ...rest] = operands;
  if (rest.length === 0) return OPERATORS[operator](first, first);
  return rest.reduce((left, right) => OPERATORS[operator](left, right), first);
}
