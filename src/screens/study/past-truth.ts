/**
 * Days on which all conditions of a plan are true. Conditions over daily bars alone are one column,
 * so that no operand of theirs is written; the others are evaluated by symbol.
 */

import type { SymbolExpression } from '../../base/symbol-expression.ts';
import { both, type Column, chooseAny } from '../../compute/columns/column.ts';
import type { Snapshot } from '../../store/arrow/snapshot/snapshot.ts';
import { OPERATORS } from '../plan/column-of.ts';
import type { ScreenPlan } from '../plan/screen-plan.ts';
import { type DailySeries, PastColumns } from './past-columns.ts';
import { PastPlan, truthOf } from './past-plan.ts';
import type { StudyMarket } from './study-market.ts';

/** By row of a symbol: 1 where it is true. */
export type Truth = Uint8Array | Float64Array;

export class PastTruth {
  readonly #plan: ScreenPlan;
  readonly #past: PastPlan | undefined;
  readonly #column: PastColumns | undefined;

  constructor(snapshot: Snapshot, daily: DailySeries, plan: ScreenPlan) {
    this.#plan = plan;
    const column = columnOfConditions(plan);
    if (column) this.#column = new PastColumns(daily, [{ interval: '1d', columns: [column] }]);
    else this.#past = new PastPlan(snapshot, daily, plan);
  }

  /** Prepares comparisons across symbols, as `PastPlan` does. */
  *prepare(market: StudyMarket, sessionsOf: () => Iterable<number>): Generator<undefined> {
    if (this.#past) yield* this.#past.prepare(market, sessionsOf);
  }

  /** @param numbers Symbols with bars, at most `LANES`. */
  of(numbers: Int32Array): Truth[] {
    if (this.#column) return this.#column.of(numbers).map(([[truth]]) => truth);
    return this.#past!.of(numbers).map((values) => truthOf(this.#plan.conditions, values));
  }
}

/** Returns 1 where all conditions are true; undefined if they read more than daily bars. */
function columnOfConditions({ bars, conditions }: ScreenPlan): Column | undefined {
  if (bars.some(({ interval }) => interval !== '1d')) return undefined;
  let all: Column | undefined;
  for (const { expression } of conditions) {
    const column = columnOfExpression(expression, bars);
    if (!column) return undefined;
    all = all ? both(all, column) : column;
  }
  return all;
}

function columnOfExpression(
  expression: SymbolExpression,
  bars: ScreenPlan['bars'],
): Column | undefined {
  if (expression.kind === 'number') return { kind: 'number', value: expression.value, first: 0 };
  if (expression.kind === 'bars') return bars[expression.bars].columns[expression.column];
  if (expression.kind !== 'operation') return undefined;
  const operands: Column[] = [];
  for (const operand of expression.operands) {
    const column = columnOfExpression(operand, bars);
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
