/** `upload.json`: what a data folder has uploaded. Without it, all files are hashed again. */

import { basename, dirname } from 'node:path';
import { z } from 'zod';
import { readStateFile } from '../../base/disk-full.ts';
import { placeDurable } from '../../base/durable-file.ts';

const stateSchema = z.object({
  /** Set by a restore: this folder replaces the publisher of the objects. */
  takesOver: z.boolean(),
  /** Newest uploaded version. */
  uploaded: z.object({ version: z.number(), id: z.string(), atMs: z.number() }).nullable(),
  /** Id of the version whose swap was begun last; it may have been done. */
  swapping: z.string().nullable(),
  /** Reason of the last failed upload; null after a success. */
  failure: z.object({ reason: z.string(), sinceMs: z.number() }).nullable(),
  /** SHA-256 of published files by name. */
  hashes: z.record(z.string(), z.string()),
});

export type UploadState = z.infer<typeof stateSchema>;

const NEW: UploadState = {
  ...{ takesOver: false, uploaded: null, swapping: null, failure: null, hashes: {} },
};

/** Reads the state; a new one if there is none or it is damaged. */
export function readUploadState(path: string): UploadState {
  return readStateFile(path, stateSchema) ?? NEW;
}

export async function writeUploadState(path: string, state: UploadState): Promise<void> {
  await placeDurable(dirname(path), basename(path), Buffer.from(JSON.stringify(state)));
}

/** Marks a restored data folder, which may replace the publisher of the objects. */
export async function markTakeover(path: string): Promise<void> {
  await writeUploadState(path, { ...NEW, takesOver: true });
}
