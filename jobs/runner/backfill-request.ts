/** What a backfill is asked for, what its plan is known by, and the plan where nobody else is asked. */

import { resolve } from 'node:path';
import type { Mode } from '../../src/base/config/data-dir.ts';
import type { SourceOptions } from '../../src/ingest/contract/source-options.ts';
import { type Plan, type PlanQuestion, type Priority, planId } from './plan.ts';
import { type Slice, sliceFromOptions } from './slice.ts';

export interface BackfillQuestion {
  mode: Mode;
  /** Name in the table of sources. */
  source: string;
  /** As the user asks, without what the store knows. */
  options: SourceOptions;
  /** As `PlanHead.tick`. */
  tick?: string;
  /** As `PlanHead.accept`: no part of the question, so that it goes on with what is landed. */
  accept?: boolean;
}

export interface PlanOptions {
  /** As `PlanHead.verb`. */
  verb: string;
  priority: Priority;
  nowMs: number;
}

/** Sources that only the machine of the store can ask. */
const LOCAL_SOURCES = ['stooq', 'files', 'symbols', 'sandbox'];
/** Local where a path is given; feeds may be addresses too. */
const PATH_SOURCES = ['massive', 'sec', 'form4', 'rss'];

/** Whether the load reads the source itself, so that nothing is fetched before it. */
export function isLocal({ source, options }: BackfillQuestion): boolean {
  if (LOCAL_SOURCES.includes(source)) return true;
  const { path, paths = [] } = options;
  const hasPath = path !== undefined || paths.some((one) => !isAddress(one));
  return PATH_SOURCES.includes(source) && hasPath;
}

const isAddress = (path: string) => /^https?:\/\//i.test(path);

/** What the plan of a question is known by, whatever the store knows by then. */
export function backfillId(question: BackfillQuestion): string {
  const { mode, source, tick } = question;
  return planId({ mode, source, tick, asked: askedSlice(question) } satisfies PlanQuestion);
}

/** @param question `isLocal`. */
export function planLocal(
  question: BackfillQuestion,
  { verb, priority, nowMs }: PlanOptions,
): Plan {
  const { mode, source, tick, accept } = question;
  return {
    id: backfillId(question),
    ...{ mode, source, verb, priority, tick, accept, local: askedSlice(question) },
    createdMs: nowMs,
    childCount: 0,
    children: [],
    shared: {},
  };
}

/** Paths are made absolute: who runs the plan works in another folder. */
function askedSlice(question: BackfillQuestion): Slice {
  const slice = sliceFromOptions(question.options);
  if (!isLocal(question)) return slice;
  return {
    ...slice,
    ...(slice.path !== undefined && { path: resolve(slice.path) }),
    ...(slice.paths && {
      paths: slice.paths.map((path) => (isAddress(path) ? path : resolve(path))),
    }),
  };
}
