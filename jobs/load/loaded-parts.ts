/** Loaded parts of an input, in a small file next to the records of loads. */

import { join } from 'node:path';
import { z } from 'zod';
import type { ModePaths } from '../../src/base/config/data-dir.ts';
import { readStateFile } from '../../src/base/disk-full.ts';
import { placeDurable } from '../../src/base/durable-file.ts';
import { type Choice, choiceSchema } from './segment-part.ts';

type Folders = Pick<ModePaths, 'segments'>;

const ENDING = '.parts.json';

function folderOf({ segments }: Folders): string {
  return join(segments, 'loaded');
}

/** Returns the loaded parts of a segment; none if it was loaded whole, or never. */
export function readParts(paths: Folders, id: string): Choice[] {
  // A damaged file costs time only: checks hold the same symbols, and the part has the same id.
  return readStateFile(join(folderOf(paths), id + ENDING), z.array(choiceSchema)) ?? [];
}

export async function addPart(paths: Folders, id: string, choice: Choice): Promise<void> {
  const parts = JSON.stringify([...readParts(paths, id), choice]);
  await placeDurable(folderOf(paths), id + ENDING, Buffer.from(parts));
}
