/** Requests for backfills, and the runs that answer them. */

import { resolve } from 'node:path';
import type { Settings } from '../../src/base/config/config.ts';
import type { Mode, ModePaths } from '../../src/base/config/data-dir.ts';
import { ParameterError } from '../../src/base/errors.ts';
import { limits } from '../../src/base/limits.ts';
import type { SourceOptions } from '../../src/ingest/contract/source-options.ts';
import { type Partition, partitionFromOptions, sharedFromOptions } from '../contract/partition.ts';
import { type Accept, type Priority, type Run, runId } from '../contract/run.ts';
import type { WaitOptions } from '../contract/runner.ts';

export interface BackfillRequest {
  mode: Mode;
  source: string;
  /** Options of the user, without stored data. */
  options: SourceOptions;
  tick?: string;
  /** See `RunHead.accept`. It is not part of the id, so that an accepted run reuses staged data. */
  accept?: Accept;
}

export interface RunRequestDeps extends WaitOptions {
  settings: Settings;
  clock?: () => number;
}

export interface RunOptions {
  verb: string;
  priority: Priority;
  nowMs: number;
}

const LOCAL_SOURCES = ['stooq', 'files', 'symbols', 'sandbox'];

export function isLocal({ source, options }: BackfillRequest): boolean {
  if (LOCAL_SOURCES.includes(source)) return true;
  const { path, paths = [] } = options;
  // Feeds may be addresses too.
  return path !== undefined || paths.some((one) => !isAddress(one));
}

const isAddress = (path: string) => /^https?:\/\//i.test(path);

/** Returns the id of the request's run; stored data makes no difference. */
export function backfillId(request: BackfillRequest): string {
  const { mode, source, tick } = request;
  return runId({ mode, source, tick, asked: requestedPartition(request) });
}

export function localRun(
  request: BackfillRequest,
  { verb, priority, nowMs }: RunOptions,
): Run & { local: Partition } {
  const { mode, source, tick, accept } = request;
  const local = requestedPartition(request);
  return {
    id: runId({ mode, source, tick, asked: local }),
    ...{ mode, source, verb, priority, tick, accept, local },
    createdMs: nowMs,
    childCount: 0,
    tasks: [],
    shared: {},
  };
}

function requestedPartition(request: BackfillRequest): Partition {
  return partitionFromOptions(isLocal(request) ? absoluteOptions(request) : request.options);
}

/** Returns the set options with absolute paths, as a retry or rebuild may have another folder. */
function absoluteOptions({ options }: BackfillRequest): SourceOptions {
  const set = Object.entries(options).filter(([, value]) => value !== undefined);
  const { path, paths } = options;
  return {
    ...Object.fromEntries(set),
    ...(path !== undefined && { path: resolve(path) }),
    ...(paths && { paths: paths.map((one) => (isAddress(one) ? one : resolve(one))) }),
  };
}

/**
 * Builds the run of a request that fetches. Imports the vendors' clients, half of the program, on
 * demand.
 *
 * @param stored The request's options with stored data.
 * @throws {ParameterError} as `fetch` of the source, or the run has too many tasks.
 */
export async function fetchRun(
  request: BackfillRequest,
  stored: SourceOptions,
  { verb, priority, nowMs }: RunOptions,
): Promise<Run> {
  const [{ partitionsOf }, { partitionTitle }] = await Promise.all([
    import('../../src/ingest/sources/sources.ts'),
    import('../../src/ingest/sources/partition-title.ts'),
  ]);
  const { mode, source, tick, accept } = request;
  const partitions = await partitionsOf(source, stored, nowMs);
  if (partitions.length > limits.jobs.tasksMax) {
    throw new ParameterError('symbols', `${verb} would be ${partitions.length} jobs: ask for less`);
  }
  const tasks = partitions.map((options) => ({
    title: partitionTitle(options),
    slice: partitionFromOptions(options),
  }));
  return {
    id: backfillId(request),
    ...{ mode, source, verb, priority, tick, accept, local: undefined },
    createdMs: nowMs,
    childCount: tasks.length,
    tasks,
    shared: sharedFromOptions(stored),
  };
}

export interface RequestDeps extends RunOptions {
  paths: ModePaths;
  onWaiting?: (holder: string) => void;
}

/**
 * Builds the run of a request, with stored data for sources that fetch only what is new.
 *
 * @throws as `fetchRun`.
 */
export async function requestedRun(request: BackfillRequest, deps: RequestDeps): Promise<Run> {
  if (isLocal(request)) return localRun(request, deps);
  const { withStored } = await import('../load/stored.ts');
  const stored = await withStored(request.source, request.options, deps);
  return fetchRun(request, stored, deps);
}
