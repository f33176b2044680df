/**
 * Record of a backup: its files with hashes. It is written last, so a backup without it is not
 * whole.
 */

import { basename, join } from 'node:path';
import { z } from 'zod';
import { MODES, modePaths } from '../../src/base/config/data-dir.ts';
import { CorruptDataError, TapeworksError } from '../../src/base/errors.ts';
import { existsSync, readFileSync } from '../../src/base/world/files.ts';

export const RECORD_NAME = 'backup.json';

/** Format number; raised when older versions could not restore the backup. */
const FORMAT = 1;

/** Folder of a mode's segments, wherever they were in the saved set-up. */
export const SEGMENTS_NAME = basename(modePaths('', 'live').segments);

/** Relative path with `/`, inside the folder. */
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

/** File of a backup; `path` is relative to the data folder. */
export type SavedFile = z.infer<typeof fileSchema>;

export type BackupRecord = z.infer<typeof recordSchema>;

export function newRecord(content: Omit<BackupRecord, 'format'>): BackupRecord {
  return { format: FORMAT, ...content };
}

/**
 * Reads the record.
 *
 * @throws {TapeworksError} there is none.
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
