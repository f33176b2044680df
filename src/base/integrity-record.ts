/** `integrity.json`: how far the scheduled check of all data has come, and what it has found. */

import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const faultSchema = z.strictObject({
  /** Which part of the data: `live/serving/quotes-12.arrow`. */
  part: z.string(),
  /** What is wrong with it. */
  fault: z.string(),
  /** What a person can do. */
  remedy: z.string(),
  foundMs: z.number(),
});

const recordSchema = z.strictObject({
  /** The last part that was looked at: the next run goes on behind it. Empty: at the start. */
  position: z.string(),
  /** When the newest run has ended; null: there was none. */
  ranMs: z.number().nullable(),
  /** When the round began in which `position` is. */
  roundStartedMs: z.number().nullable(),
  /** When all parts had been looked at last; null: never yet. */
  roundEndedMs: z.number().nullable(),
  /** Parts and bytes of the newest run. */
  parts: z.number(),
  bytes: z.number(),
  /** Of the parts that were damaged when they were looked at last; `limits.integrity.faultsKept`. */
  faults: z.array(faultSchema),
});

export type IntegrityFault = z.infer<typeof faultSchema>;
export type IntegrityRecord = z.infer<typeof recordSchema>;

const NAME = 'integrity.json';

export const NEVER_CHECKED: IntegrityRecord = {
  ...{ position: '', ranMs: null, roundStartedMs: null, roundEndedMs: null, parts: 0, bytes: 0 },
  faults: [],
};

/** One that can't be read counts as none: the next run begins a round. */
export function readIntegrity(dataDir: string): IntegrityRecord {
  try {
    return recordSchema.parse(JSON.parse(readFileSync(join(dataDir, NAME), 'utf8')));
  } catch {
    return NEVER_CHECKED;
  }
}

export function writeIntegrity(dataDir: string, record: IntegrityRecord): void {
  const path = join(dataDir, NAME);
  writeFileSync(`${path}.new`, JSON.stringify(record, null, 1));
  renameSync(`${path}.new`, path);
}
