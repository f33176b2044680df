/** A backfill as a plan. */

import { ParameterError } from '../../src/errors.ts';
import { slicesOf, sliceTitle } from '../../src/ingest/slices.ts';
import type { SourceOptions } from '../../src/ingest/source-options.ts';
import { limits } from '../../src/limits.ts';
import {
  type BackfillQuestion,
  backfillId,
  isLocal,
  type PlanOptions,
  planLocal,
} from './backfill-question.ts';
import type { Plan } from './plan.ts';
import { sharedFromOptions, sliceFromOptions } from './slice.ts';

/**
 * @param stored The question's options with what the store knows; the same for a local source.
 * @throws {ParameterError} as the source's `fetch`; or it has more than `limits.jobs.childrenMax`
 *   parts.
 */
export function planBackfill(
  question: BackfillQuestion,
  stored: SourceOptions,
  how: PlanOptions,
): Plan {
  if (isLocal(question)) return planLocal(question, how);
  const { mode, source, tick, accept } = question;
  const { verb, priority, nowMs } = how;
  const slices = slicesOf(source, stored, nowMs);
  if (slices.length > limits.jobs.childrenMax) {
    throw new ParameterError('symbols', `${verb} would be ${slices.length} jobs: ask for less`);
  }
  const children = slices.map((slice) => ({
    title: sliceTitle(slice),
    slice: sliceFromOptions(slice),
  }));
  return {
    id: backfillId(question),
    ...{ mode, source, verb, priority, tick, accept, local: undefined },
    createdMs: nowMs,
    childCount: children.length,
    children,
    shared: sharedFromOptions(stored),
  };
}
