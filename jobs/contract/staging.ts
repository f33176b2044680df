/**
 * Staged results of tasks: a file for each task, next to the segments that it lists. Any machine
 * that sees their place can load them.
 */

import { z } from 'zod';
import { CorruptDataError } from '../../src/base/errors.ts';
import { SOURCE_OUTCOMES } from '../../src/ingest/contract/fetch-context.ts';
import { skippedSchema, stagedSegmentSchema } from '../../src/ingest/segments/staged-segment.ts';
import { type SharedContext, sharedSchema } from './partition.ts';
import { fetchTaskSchema, type Run, type RunName } from './run.ts';
import type { Stage } from './stage.ts';
import {
  addressOf,
  moveStaged,
  nameOf,
  readFileOf,
  removeFileOf,
  removeFiles,
  removeFilesOf,
  writeFileOf,
} from './staged-files.ts';

const sourcedSchema = z.strictObject({
  symbol: z.string(),
  source: z.string().nullable(),
  isUpToDate: z.boolean(),
  tried: z.array(
    z.strictObject({ source: z.string(), outcome: z.enum(SOURCE_OUTCOMES), message: z.string() }),
  ),
});

const stagedSchema = z.strictObject({
  /** False if the task failed after it had staged these segments. */
  isComplete: z.boolean(),
  segments: z.array(stagedSegmentSchema),
  /** Inputs that gave no segment. */
  skipped: skippedSchema,
  /** Source of each symbol, for a run that tries several sources. */
  sourced: z.array(sourcedSchema).optional(),
});

export type Staged = z.infer<typeof stagedSchema>;

const runSchema = z.strictObject({
  createdMs: z.number(),
  children: z.array(fetchTaskSchema),
});

/** Tasks of a run, in case Redis loses some of its jobs. */
export type StagedRun = z.infer<typeof runSchema>;

/** A task of the run with this id and time. */
interface TaskPlace {
  plan: string;
  createdMs: number;
  index: number;
}

const completeName = ({ index, createdMs }: TaskPlace) => nameOf(createdMs, `${index}`, 'json');
const unfinishedName = ({ index, createdMs }: TaskPlace) =>
  nameOf(createdMs, `${index}`, 'unfinished.json');

/** Names that the last release gave: they lack the time of the run. */
const oldCompleteName = ({ index }: Pick<TaskPlace, 'index'>) => `${index}.json`;
const oldUnfinishedName = ({ index }: Pick<TaskPlace, 'index'>) => `${index}.unfinished.json`;

const SHARED_NAME = 'shared.json';
const RUN_NAME = 'run.json';
const PUBLISHED_RUN_NAME = 'published-run.json';

/**
 * Writes the result of a task durably. A complete result replaces an unfinished one and never the
 * reverse, as a worker that was presumed dead may write after its successor.
 */
export async function writeStaged(stage: Stage, task: TaskPlace, staged: Staged): Promise<void> {
  const name = staged.isComplete ? completeName(task) : unfinishedName(task);
  await writeJson(stage, task.plan, name, staged);
  if (staged.isComplete) await removeFileOf(stage, task.plan, unfinishedName(task));
}

/** Reads the result of a task. @returns undefined if there is none, or its file is damaged. */
export async function readStaged(stage: Stage, task: TaskPlace): Promise<Staged | undefined> {
  for (const nameOfTask of [completeName, oldCompleteName, unfinishedName, oldUnfinishedName]) {
    const staged = await readUsable(stage, task.plan, nameOfTask(task), stagedSchema);
    if (staged) return staged;
  }
  return undefined;
}

export async function writeShared(
  stage: Stage,
  runId: string,
  shared: SharedContext,
): Promise<void> {
  if (Object.keys(shared).length > 0) await writeJson(stage, runId, SHARED_NAME, shared);
  else await removeFileOf(stage, runId, SHARED_NAME);
}

/**
 * Reads what the tasks of a run share. Without it they would fetch something else, so there is no
 * task without it.
 *
 * @throws {CorruptDataError} Its file is damaged.
 */
export async function readShared(stage: Stage, runId: string): Promise<SharedContext> {
  try {
    return (await readJson(stage, runId, SHARED_NAME, sharedSchema)) ?? {};
  } catch (cause) {
    if (!(cause instanceof CorruptDataError)) throw cause;
    const next = 'give the command of its run again, and retry other jobs by their ids';
    throw new CorruptDataError(`${cause.message}: ${next}`, { cause });
  }
}

export async function writeRun(stage: Stage, { id, createdMs, tasks }: Run): Promise<void> {
  await writeJson(stage, id, RUN_NAME, { createdMs, children: tasks });
}

/** Reads the tasks of a run. @returns undefined if they are gone, or it did not run on Redis. */
export async function readRun(
  stage: Stage,
  runId: string,
): Promise<(StagedRun & { isPublished: boolean }) | undefined> {
  // In object storage both may be there after a kill.
  const published = await readUsable(stage, runId, PUBLISHED_RUN_NAME, runSchema);
  if (published) return { ...published, isPublished: true };
  const open = await readUsable(stage, runId, RUN_NAME, runSchema);
  return open && { ...open, isPublished: false };
}

/** Marks the run as published: the same request is a new run from then on. */
export async function endRun(stage: Stage, runId: string): Promise<void> {
  await moveStaged(stage, runId, RUN_NAME, PUBLISHED_RUN_NAME);
}

/**
 * Removes the files of a run. A later run of its id may have begun: its files have another time, and
 * what its tasks share stays.
 */
export async function removeStaged(stage: Stage, run: RunName): Promise<void> {
  // The later run may be published, too. It is then known from its job alone.
  await removeFilesOf(stage, run, { names: [PUBLISHED_RUN_NAME] });
}

/**
 * Removes what the earlier run of the id left, and what the last release left under names that this
 * run reads.
 *
 * @param earlierMs Time of the earlier run; minus infinity: there is none.
 */
export async function removeEarlier(
  stage: Stage,
  { id, tasks }: Pick<Run, 'id' | 'tasks'>,
  earlierMs: number,
): Promise<void> {
  const results = tasks
    .keys()
    .flatMap((index) => [oldCompleteName({ index }), oldUnfinishedName({ index })]);
  await removeFiles(stage, id, [PUBLISHED_RUN_NAME, ...results]);
  await removeStaged(stage, { id, createdMs: earlierMs });
}

async function writeJson(stage: Stage, runId: string, name: string, content: object) {
  await writeFileOf(stage, runId, name, JSON.stringify(content));
}

/** Reads a file; undefined if there is none that can be used: then its work is done again. */
async function readUsable<T>(
  stage: Stage,
  runId: string,
  name: string,
  schema: z.ZodType<T>,
): Promise<T | undefined> {
  try {
    return await readJson(stage, runId, name, schema);
  } catch (error) {
    if (error instanceof CorruptDataError) return undefined;
    throw error;
  }
}

/** @throws {CorruptDataError} It is damaged, or another version wrote it. */
async function readJson<T>(
  stage: Stage,
  runId: string,
  name: string,
  schema: z.ZodType<T>,
): Promise<T | undefined> {
  const content = await readFileOf(stage, runId, name);
  if (content === undefined) return undefined;
  try {
    return schema.parse(JSON.parse(content));
  } catch (cause) {
    const address = addressOf(stage, runId, name);
    throw new CorruptDataError(`"${address}" can't be used by this version of Tapeworks`, {
      cause,
    });
  }
}
