/** Names what has no value on any day of a study without events. */

import { LANES } from '../../compute/columns/layout.ts';
import { conditionParts, fieldParts, NullParts } from '../../screens/plan/null-parts.ts';
import type { ScreenPlan } from '../../screens/plan/screen-plan.ts';
import { PastPlan } from '../../screens/study/past-plan.ts';
import type { SignalQuestion } from '../../screens/study/signal-run.ts';
import type { StudyMarket } from '../../screens/study/study-market.ts';
import type { Snapshot } from '../../store/arrow/snapshot/snapshot.ts';

/** Returns fields; without one, conditions or a factor that do not compare symbols. */
export function* nullsOfDays(
  snapshot: Snapshot,
  market: StudyMarket,
  plan: ScreenPlan,
  { fromDay, toDay }: Pick<SignalQuestion, 'fromDay' | 'toDay'>,
  order: Int32Array = market.order,
): Generator<undefined, string[]> {
  const conditions = plan.conditions.length > 0 ? plan.conditions : [plan.sort ?? []].flat();
  const fields = new NullParts(fieldParts(conditions.map(({ expression }) => expression)));
  const compares = plan.across.length > 0;
  const others = new NullParts(compares ? [] : conditionParts(conditions));
  const past = new PastPlan(snapshot, market, plan);
  for (let at = 0; at < order.length && !(fields.isDone && others.isDone); at += LANES) {
    const numbers = order.subarray(at, at + LANES);
    for (const [i, values] of past.of(numbers).entries()) {
      const start = market.days.rowOf(numbers[i], fromDay);
      const end = market.days.rowOf(numbers[i], toDay + 1);
      for (const parts of [fields, others]) parts.take(values, (row) => row >= start && row < end);
    }
    yield;
  }
  const names = fields.names();
  return names.length > 0 ? names : others.names();
}
