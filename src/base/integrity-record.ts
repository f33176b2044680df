/** `integrity.json`: position and findings of the scheduled check of all data. */

import { join } from 'node:path';
import { z } from 'zod';
import { readStateFile, replaceStateFile } from './disk-full.ts';

const faultSchema = z.strictObject({
  /** Part of the data: `live/serving/quotes-12.arrow`. */
  part: z.string(),
  /** Description of the damage. */
  fault: z.string(),
  /** Advice for the operator. */
  remedy: z.string(),
  foundMs: z.number(),
});

const recordSchema = z.strictObject({
  /** Last checked part, after which the next run continues. Empty: at the start. */
  position: z.string(),
  /** Moment when the newest run ended; null: there was none. */
  ranMs: z.number().nullable(),
  /** Moment when the round began that contains `position`. */
  roundStartedMs: z.number().nullable(),
  /** Moment when a round last ended, with all parts checked; null: never yet. */
  roundEndedMs: z.number().nullable(),
  /** Parts and bytes of the newest run. */
  parts: z.number(),
  bytes: z.number(),
  /** Parts that were damaged at their last check, up to `limits.integrity.faultsKept`. */
  faults: z.array(faultSchema),
});

export type IntegrityFault = z.infer<typeof faultSchema>;
export type IntegrityRecord = z.infer<typeof recordSchema>;

const NAME = 'integrity.json';

export const NEVER_CHECKED: IntegrityRecord = {
  ...{ position: '', ranMs: null, roundStartedMs: null, roundEndedMs: null, parts: 0, bytes: 0 },
  faults: [],
};

/** Reads the record. An unreadable file counts as none: the next run begins a round. */
export function readIntegrity(dataDir: string): IntegrityRecord {
  return readStateFile(join(dataDir, NAME), recordSchema) ?? NEVER_CHECKED;
}

export function writeIntegrity(dataDir: string, record: IntegrityRecord): void {
  replaceStateFile(join(dataDir, NAME), record);
}
