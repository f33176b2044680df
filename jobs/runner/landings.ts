/**
 * What the children of a plan landed: a small file each, beside the segments that it names, in a
 * folder of the plan. Whoever sees the segments folder can load them: the fetching machine, or
 * another one that shares it.
 */

import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { ModePaths } from '../../src/base/config/data-dir.ts';
import { makeFolder, syncFolder, writeDurable } from '../../src/base/durable-file.ts';
import { step } from '../../src/base/failpoints.ts';
import { landedSchema, skippedSchema } from '../../src/ingest/segments/landed-segment.ts';
import type { Plan } from './plan.ts';
import { type SharedContext, sharedSchema, sliceSchema } from './slice.ts';

const landingSchema = z.strictObject({
  /** False: the child failed after it had landed these. */
  isComplete: z.boolean(),
  segments: z.array(landedSchema),
  /** What gave nothing, where there is no segment to tell it. */
  skipped: skippedSchema,
});

export type Landing = z.infer<typeof landingSchema>;

const runSchema = z.strictObject({
  createdMs: z.number(),
  children: z.array(z.strictObject({ title: z.string(), slice: sliceSchema })),
});

/** What a run of a plan is made of, for when Redis has forgotten some of it. */
export type PlanRun = z.infer<typeof runSchema>;

type Paths = Pick<ModePaths, 'segments'>;

interface Child {
  plan: string;
  index: number;
}

const completeName = ({ index }: Child) => `${index}.json`;
const unfinishedName = ({ index }: Child) => `${index}.unfinished.json`;

const SHARED_NAME = 'shared.json';
const RUN_NAME = 'run.json';
const PUBLISHED_RUN_NAME = 'published-run.json';

/** A folder for each plan that is not done, and for those with dead children. */
export function plansFolder({ segments }: Paths): string {
  return join(segments, 'plans');
}

export function landingsFolder(paths: Paths, planId: string): string {
  return join(plansFolder(paths), planId);
}

/**
 * Durable when it returns. Of a child the last complete one counts, and before there is any the last
 * one: a worker that was thought dead, and goes on beside its successor, takes nothing back.
 */
export async function writeLanding(paths: Paths, child: Child, landing: Landing): Promise<void> {
  const name = landing.isComplete ? completeName(child) : unfinishedName(child);
  const folder = landingsFolder(paths, child.plan);
  await writeJson(folder, name, landing);
  if (!landing.isComplete) return;
  step('remove file', unfinishedName(child));
  await rm(join(folder, unfinishedName(child)), { force: true });
}

/** @returns undefined where the child has landed nothing, or its file is damaged. */
export async function readLanding(paths: Paths, child: Child): Promise<Landing | undefined> {
  const folder = landingsFolder(paths, child.plan);
  return (
    (await readJson(join(folder, completeName(child)), landingSchema)) ??
    (await readJson(join(folder, unfinishedName(child)), landingSchema))
  );
}

/** What the store knows that all children of the plan may need. */
export async function writeShared(
  paths: Paths,
  planId: string,
  shared: SharedContext,
): Promise<void> {
  if (Object.keys(shared).length === 0) return;
  await writeJson(landingsFolder(paths, planId), SHARED_NAME, shared);
}

export async function readShared(paths: Paths, planId: string): Promise<SharedContext> {
  return (await readJson(join(landingsFolder(paths, planId), SHARED_NAME), sharedSchema)) ?? {};
}

/** Before any of the plan is in Redis. */
export async function writeRun(paths: Paths, { id, createdMs, children }: Plan): Promise<void> {
  await writeJson(landingsFolder(paths, id), RUN_NAME, { createdMs, children });
}

/** @returns undefined where nothing of the plan is left, or it did not run on Redis. */
export async function readRun(
  paths: Paths,
  planId: string,
): Promise<(PlanRun & { isPublished: boolean }) | undefined> {
  const folder = landingsFolder(paths, planId);
  const open = await readJson(join(folder, RUN_NAME), runSchema);
  if (open) return { ...open, isPublished: false };
  const published = await readJson(join(folder, PUBLISHED_RUN_NAME), runSchema);
  return published && { ...published, isPublished: true };
}

/** Once the plan is published: the same question asked again is a new run. */
export async function endRun(paths: Paths, planId: string): Promise<void> {
  const folder = landingsFolder(paths, planId);
  step('rename file', PUBLISHED_RUN_NAME);
  await rename(join(folder, RUN_NAME), join(folder, PUBLISHED_RUN_NAME)).catch((error) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

/** The segments stay: the ledger knows them. */
export async function removeLandings(paths: Paths, planId: string): Promise<void> {
  step('remove file', planId);
  await rm(landingsFolder(paths, planId), { recursive: true, force: true });
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
    // Of another program or damaged: it is fetched again.
    if (!isFileFault || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
