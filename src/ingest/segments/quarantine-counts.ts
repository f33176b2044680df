/** Counts of refused rows by reason, in a small file next to the file with the rows. */

import { join } from 'node:path';
import { z } from 'zod';
import { readdirSync, readFileSync, statSync } from '../../base/world/files.ts';

const countsSchema = z.object({
  source: z.string(),
  rows: z.number(),
  /** Refused rows by reason, most first. */
  reasons: z.record(z.string(), z.number()),
});

export type QuarantineCounts = z.infer<typeof countsSchema>;

const ROWS_ENDING = '.csv';
const COUNTS_ENDING = '.json';

/** Returns the path of the counts of a file with refused rows. */
export function countsPath(rowsPath: string): string {
  return rowsPath.slice(0, -ROWS_ENDING.length) + COUNTS_ENDING;
}

export interface QuarantineFile extends QuarantineCounts {
  writtenMs: number;
}

export interface QuarantineRead {
  /** Newest first. */
  files: QuarantineFile[];
  /** Number of files without counts: an earlier version wrote them. */
  uncounted: number;
}

/** Reads the counts of all files with refused rows that are still kept. */
export function readQuarantine(folder: string): QuarantineRead {
  const read: QuarantineRead = { files: [], uncounted: 0 };
  for (const name of namesIn(folder)) {
    if (!name.endsWith(ROWS_ENDING)) continue;
    try {
      const path = countsPath(join(folder, name));
      const counts = countsSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
      read.files.push({ ...counts, writtenMs: statSync(path).mtimeMs });
    } catch {
      read.uncounted++;
    }
  }
  read.files.sort((a, b) => b.writtenMs - a.writtenMs);
  return read;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
