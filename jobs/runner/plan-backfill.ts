/** A backfill as a plan. */

import { ParameterError } from '../../src/base/errors.ts';
import { limits } from '../../src/base/limits/limits.ts';
import type { SourceOptions } from '../../src/ingest/contract/source-options.ts';
import { slicesOf, sliceTitle } from '../../src/ingest/sources/slices.ts';
import {
  type BackfillQuestion,
  backfillId,
  isLocal,
  type PlanOptions,
  planLocal,
} from './backfill-request.ts';
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
