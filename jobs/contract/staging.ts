/**
 * Staged results of tasks: a file for each task, next to the segments that it lists. Any machine
 * that sees the segments folder can load them.
 */

import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { ModePaths } from '../../src/base/config/data-dir.ts';
import { makeFolder, syncFolder, writeDurable } from '../../src/base/durable-file.ts';
import { failpoint } from '../../src/base/failpoints.ts';
import { SOURCE_OUTCOMES } from '../../src/ingest/contract/fetch-context.ts';
import { landedSchema, skippedSchema } from '../../src/ingest/segments/landed-segment.ts';
import { type SharedContext, sharedSchema } from './partition.ts';
import { fetchTaskSchema, type Run } from './run.ts';

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
  segments: z.array(landedSchema),
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

type Paths = Pick<ModePaths, 'segments'>;

interface TaskPlace {
  plan: string;
  index: number;
}

const completeName = ({ index }: TaskPlace) => `${index}.json`;
const unfinishedName = ({ index }: TaskPlace) => `${index}.unfinished.json`;

const SHARED_NAME = 'shared.json';
const RUN_NAME = 'run.json';
const PUBLISHED_RUN_NAME = 'published-run.json';

/** Returns the parent of the staging folders of unfinished and partly failed runs. */
export function stagingRoot({ segments }: Paths): string {
  return join(segments, 'plans');
}

export function stagingFolder(paths: Paths, runId: string): string {
  return join(stagingRoot(paths), runId);
}

/**
 * Writes the result of a task durably. A complete result replaces an unfinished one and never the
 * reverse, as a worker that was presumed dead may write after its successor.
 */
export async function writeStaged(paths: Paths, task: TaskPlace, staged: Staged): Promise<void> {
  const name = staged.isComplete ? completeName(task) : unfinishedName(task);
  const folder = stagingFolder(paths, task.plan);
  await writeJson(folder, name, staged);
  if (!staged.isComplete) return;
  failpoint('remove file', unfinishedName(task));
  await rm(join(folder, unfinishedName(task)), { force: true });
}

/** Reads the result of a task. @returns undefined if there is none, or its file is damaged. */
export async function readStaged(paths: Paths, task: TaskPlace): Promise<Staged | undefined> {
  const folder = stagingFolder(paths, task.plan);
  return (
    (await readJson(join(folder, completeName(task)), stagedSchema)) ??
    (await readJson(join(folder, unfinishedName(task)), stagedSchema))
  );
}

export async function writeShared(
  paths: Paths,
  runId: string,
  shared: SharedContext,
): Promise<void> {
  if (Object.keys(shared).length === 0) return;
  await writeJson(stagingFolder(paths, runId), SHARED_NAME, shared);
}

export async function readShared(paths: Paths, runId: string): Promise<SharedContext> {
  return (await readJson(join(stagingFolder(paths, runId), SHARED_NAME), sharedSchema)) ?? {};
}

export async function writeRun(paths: Paths, { id, createdMs, children }: Run): Promise<void> {
  await writeJson(stagingFolder(paths, id), RUN_NAME, { createdMs, children });
}

/** Reads the tasks of a run. @returns undefined if they are gone, or it did not run on Redis. */
export async function readRun(
  paths: Paths,
  runId: string,
): Promise<(StagedRun & { isPublished: boolean }) | undefined> {
  const folder = stagingFolder(paths, runId);
  const open = await readJson(join(folder, RUN_NAME), runSchema);
  if (open) return { ...open, isPublished: false };
  const published = await readJson(join(folder, PUBLISHED_RUN_NAME), runSchema);
  return published && { ...published, isPublished: true };
}

/** Marks the run as published: the same request is a new run from then on. */
export async function endRun(paths: Paths, runId: string): Promise<void> {
  const folder = stagingFolder(paths, runId);
  failpoint('rename file', PUBLISHED_RUN_NAME);
  await rename(join(folder, RUN_NAME), join(folder, PUBLISHED_RUN_NAME)).catch((error) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

export async function removeStaged(paths: Paths, runId: string): Promise<void> {
  failpoint('remove file', runId);
  await rm(stagingFolder(paths, runId), { recursive: true, force: true });
}

async function writeJson(folder: string, name: string, content: object): Promise<void> {
  makeFolder(folder);
  await writeDurable(folder, name, Buffer.from(JSON.stringify(content)));
  syncFolder(folder);
}

async function readJson<T>(path: string, schema: z.ZodType<T>): Promise<T | undefined> {
  try {
    return schema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    const isFileFault = (error as NodeJS.ErrnoException).code !== undefined;
    // Written by another version, or damaged: the task fetches again.
    if (!isFileFault || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
