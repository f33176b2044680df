/** What a backup says of itself: its files with their hashes. Written last, so it is whole or absent. */

import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { MODES, modePaths } from '../../src/base/config/data-dir.ts';
import { CorruptDataError, TapeworksError } from '../../src/base/errors.ts';

export const RECORD_NAME = 'backup.json';

/** Raised when an older program could not restore what a newer one saves. */
const FORMAT = 1;

/** Segments of a mode lie under its folder, wherever the set-up that was saved has them. */
export const SEGMENTS_NAME = basename(modePaths('', 'live').segments);

/** Paths are relative with `/` between; none leads out of the folder. */
const relativePath = z
  .string()
  .regex(/^[\w.-]+(\/[\w.-]+)*$/)
  .refine((path) => !path.split('/').includes('..'), { error: 'must not lead out of the folder' });

const fileSchema = z.strictObject({
  path: relativePath,
  bytes: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

const recordSchema = z.strictObject({
  format: z.literal(FORMAT),
  createdAt: z.iso.datetime(),
  modes: z.array(z.enum(MODES)),
  files: z.array(fileSchema),
});

/** A file of a backup; `path` is relative to its folder and to the data directory alike. */
export type SavedFile = z.infer<typeof fileSchema>;

export type BackupRecord = z.infer<typeof recordSchema>;

export function newRecord(content: Omit<BackupRecord, 'format'>): BackupRecord {
  return { format: FORMAT, ...content };
}

/**
 * The record of a finished backup.
 *
 * @throws {TapeworksError} there is none: no backup, or one that was interrupted.
 * @throws {CorruptDataError} it is damaged or of a newer format.
 */
export function readRecord(folder: string): BackupRecord {
  const path = join(folder, RECORD_NAME);
  if (!existsSync(path)) {
    throw new TapeworksError(
      `"${folder}" holds no finished backup: ${RECORD_NAME} is missing. ` +
        'If it was interrupted, run the same backup again',
    );
  }
  try {
    return recordSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (cause) {
    throw new CorruptDataError(`"${path}" is damaged or of a newer program`, { cause });
  }
}
