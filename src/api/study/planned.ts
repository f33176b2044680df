/** Plans of the studies of a request, one for each combination of `$` parameters. */

import { limits } from '../../base/limits.ts';
import type { ScreenPlan } from '../../screens/plan/screen-plan.ts';
import { requireSymbols } from '../../screens/run/made-inputs.ts';
import { MergedPlan } from '../../screens/study/merged-plan.ts';
import type { StudyPlans } from '../../screens/study/run-study.ts';
import type { StudyMarket } from '../../screens/study/study-market.ts';
import { type Combination, filledIn } from '../../screens/study/sweep.ts';
import type { Snapshot } from '../../store/arrow/snapshot/snapshot.ts';
import { type NamedStudy, namedAs, type StudyText, studyPlan } from './request.ts';

/** Plans a text of a study; undefined without the text. @throws {ParameterError} It is wrong. */
export function plannedText(
  snapshot: Snapshot,
  request: NamedStudy,
  field: StudyText,
  combination: Combination,
): ScreenPlan | undefined {
  const text = request[field];
  if (text === undefined) return undefined;
  const plan = studyPlan(field, filledIn(text, combination), request);
  namedAs(field, () => requireSymbols(snapshot, plan));
  return plan;
}

/** Plans the study of each combination; equal universes are one plan. */
export function* plannedStudies(
  snapshot: Snapshot,
  request: NamedStudy,
  combinations: readonly Combination[],
): Generator<undefined, StudyPlans[]> {
  const universes = new Map<string, ScreenPlan | undefined>();
  const studies: StudyPlans[] = [];
  for (const combination of combinations) {
    const where = plannedText(snapshot, request, 'where', combination)!;
    const text = filledIn(request.universe ?? '', combination);
    if (!universes.has(text)) {
      universes.set(text, plannedText(snapshot, request, 'universe', combination));
    }
    studies.push({ where, universe: universes.get(text) });
    yield;
  }
  return studies;
}

/** Returns the first studies whose comparisons across symbols fit the memory; one at least. */
export function comparedTogether(
  market: StudyMarket,
  studies: readonly StudyPlans[],
): readonly StudyPlans[] {
  const cells = market.sessions.length * market.order.length;
  const most = limits.study.acrossBytesMax / (cells * Float64Array.BYTES_PER_ELEMENT);
  const all = new MergedPlan();
  const isMore = studies.findIndex(({ where, universe }) => {
    for (const plan of [where, universe]) {
      if (!plan || plan.across.length === 0) continue;
      for (const { expression } of plan.conditions) all.add(expression, plan);
    }
    return all.across.length > most;
  });
  return isMore < 0 ? studies : studies.slice(0, Math.max(1, isMore));
}
