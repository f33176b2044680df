/** Rows that match the condition of a screen. */

import { assert } from '../../../base/errors.ts';
import { evaluateExpression, type SymbolValues } from '../../../compute/screens/evaluate.ts';
import type { ScreenPlan } from '../../../compute/screens/screen-plan.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { type ScreenValues, screenValues } from './run-screen.ts';
import type { ScreenMemory } from './screen-memory.ts';
import type { FieldValues, ScreenUniverse } from './screen-universe.ts';

/**
 * Marks the rows for which every condition is true, and not null. Yields often, so that other work
 * can run in between.
 *
 * @returns 1 at each row of `universe.table` that matches, else 0.
 */
export function* matchesOf(
  snapshot: Snapshot,
  plan: ScreenPlan,
  universe: ScreenUniverse,
  memory: ScreenMemory,
): Generator<undefined, Uint8Array> {
  for (const _ of universe.prepare(plan.fields)) yield;
  const bars = yield* screenValues(snapshot, plan, universe, memory);
  const values = symbolValues(universe, bars);
  const accepts = new Uint8Array(values.count).fill(1);
  for (const { expression } of plan.conditions) {
    const results = evaluateExpression(expression, values);
    for (let row = 0; row < accepts.length; row++) if (results[row] !== 1) accepts[row] = 0;
    yield;
  }
  return accepts;
}

/** Returns the values that expressions of a screen are evaluated over. */
export function symbolValues(universe: ScreenUniverse, bars: ScreenValues): SymbolValues {
  const count = universe.table.symbols.length;
  return {
    count,
    bars,
    number: (name) => numbersOf(universe.field(name)),
    text: (name) => textsOf(universe.field(name)),
  };
}

function numbersOf(field: FieldValues): Float64Array {
  assert(field.kind === 'number', 'a number is expected');
  return field.values;
}

function textsOf(field: FieldValues): readonly (string | null)[] {
  assert(field.kind === 'text', 'a text is expected');
  return field.values;
}
