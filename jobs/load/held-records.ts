/** Records of held segments in small files next to the segments, until these are loaded. */

import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import { z } from 'zod';
import type { ModePaths } from '../../src/base/config/data-dir.ts';
import { readStateFile } from '../../src/base/disk-full.ts';
import { placeDurable } from '../../src/base/durable-file.ts';
import { failpoint } from '../../src/base/failpoints.ts';
import { existsSync, readdirSync, rmSync } from '../../src/base/world/files.ts';
import type { Fetched } from '../../src/ingest/contract/fetch-context.ts';

type Folders = Pick<ModePaths, 'segments'>;

const heldSchema = z.strictObject({
  id: z.string(),
  origin: z.string(),
  source: z.string(),
  heldMs: z.int(),
  reason: z.string(),
  /** Held symbols, if the others of the input are loaded; absent: nothing of it is. */
  symbols: z.array(z.strictObject({ symbol: z.string(), reason: z.string() })).optional(),
  /** Bars of the held symbols, without which nothing tells that another load mended them. */
  awaited: z
    .array(
      z.strictObject({
        symbol: z.string(),
        day: z.int(),
        isReplacing: z.boolean().optional(),
        close: z.number().optional(),
      }),
    )
    .optional(),
  /** Id of the run, which `jobs retry --accept` loads; absent in records of earlier versions. */
  run: z.string().optional(),
});

export type HeldRecord = z.infer<typeof heldSchema>;

const FOLDER_NAME = 'held';
const ENDING = '.json';

export async function holdSegment(
  paths: Folders,
  segment: Fetched,
  { awaited = [], ...held }: Omit<HeldRecord, 'id' | 'origin' | 'source'>,
): Promise<void> {
  const { origin, source } = segment;
  const named = { id: idOf(segment), origin, source, ...held };
  await writeHeld(paths, { ...named, ...(awaited.length > 0 && { awaited }) });
}

/** Replaces the record of a held segment. */
export async function writeHeld(paths: Folders, record: HeldRecord): Promise<void> {
  await placeDurable(folderOf(paths), record.id + ENDING, Buffer.from(JSON.stringify(record)));
}

/** Finds the record of a held segment, by its id. */
export function readHeldRecord(paths: Folders, id: string): HeldRecord | undefined {
  return readStateFile(join(folderOf(paths), id + ENDING), heldSchema);
}

/** Forgets that a segment was held, since all of its symbols are loaded. */
export function releaseHeld(paths: Folders, segment: Fetched): void {
  removeHeld(paths, idOf(segment));
}

function folderOf({ segments }: Folders): string {
  return join(segments, FOLDER_NAME);
}

/** Lists held segments that were not loaded since, oldest first. */
export function readHeld(paths: Folders): HeldRecord[] {
  const folder = folderOf(paths);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(ENDING))
    .flatMap((name) => readStateFile(join(folder, name), heldSchema) ?? [])
    .sort((a, b) => a.heldMs - b.heldMs);
}

/** A shorter prefix could be the number of a load. */
const ID_START_MIN = 6;

/**
 * Removes the record of a held segment.
 *
 * @param which Its id, or a prefix of it.
 * @returns undefined if no segment or several match.
 */
export function forgetHeld(paths: Folders, which: string): HeldRecord | undefined {
  if (which.length < ID_START_MIN) return undefined;
  const [found, other] = readHeld(paths).filter(({ id }) => id.startsWith(which));
  if (!found || other) return undefined;
  removeHeld(paths, found.id);
  return found;
}

export function removeHeld(paths: Folders, id: string): void {
  const path = join(folderOf(paths), id + ENDING);
  if (!existsSync(path)) return;
  failpoint('remove file', basename(path));
  rmSync(path, { force: true });
}

/** Returns the id of a segment; for facts, the hash of their content. */
export function idOf(segment: Fetched): string {
  if ('id' in segment) return segment.id;
  const { source, facts } = segment;
  return createHash('sha256')
    .update(JSON.stringify([source, facts]))
    .digest('hex');
}
