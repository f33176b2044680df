/** From a question to its plan, by way of what the store knows for it. */

import type { ModePaths } from '../../src/base/config/data-dir.ts';
import { type BackfillQuestion, isLocal, type PlanOptions, planLocal } from './backfill-request.ts';
import type { Plan } from './plan.ts';

/** Reads the store for the sources that are asked for what is new; not for local ones. */
export interface PlanQuestionDeps extends PlanOptions {
  paths: ModePaths;
  onWaiting?: (holder: string) => void;
}

/**
 * What asks the store and cuts for vendors is loaded where it is needed: with their clients it is
 * half of the program.
 *
 * @throws as `planBackfill`.
 */
export async function planQuestion(
  question: BackfillQuestion,
  deps: PlanQuestionDeps,
): Promise<Plan> {
  if (isLocal(question)) return planLocal(question, deps);
  const [{ withStored }, { planBackfill }] = await Promise.all([
    import('./stored-options.ts'),
    import('./plan-backfill.ts'),
  ]);
  const stored = await withStored(question.source, question.options, deps);
  return planBackfill(question, stored, deps);
}
