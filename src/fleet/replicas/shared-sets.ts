/**
 * `parquet.json` in object storage: the sets of Parquet files, which follow the version that they
 * are made of, and the objects that hold them.
 */

import { z } from 'zod';
import { MODES } from '../../base/config/data-dir.ts';
import { STORED_INTRADAY } from '../../base/time/intervals.ts';
import { FILE_DATASETS } from '../../store/parquet/file-sets.ts';
import {
  fileSchema,
  objectsBelow,
  readerOf,
  retiredSchema,
  textFromShared,
} from './shared-object.ts';

export const SETS_NAME = 'parquet.json';
export const PARQUET_PREFIX = 'parquet/';

const FORMAT = 1;

const whole = z.int().nullable();

const setSchema = z.object({
  version: z.string(),
  createdMs: z.number(),
  inputs: z.record(z.string(), z.string()),
  files: z.array(
    z.object({
      dataset: z.enum(FILE_DATASETS),
      interval: z.enum(['1d', ...STORED_INTRADAY]).nullable(),
      ...{ year: whole, month: whole },
      name: z.string().regex(/^[\w-][\w.-]*\.parquet$/),
      bytes: z.int().min(0),
      sha256: z.string().optional(),
    }),
  ),
});

const schema = z.object({
  format: z.literal(FORMAT),
  mode: z.enum(MODES),
  uploadedMs: z.number(),
  /** Newest first. */
  sets: z.array(setSchema),
  /** Files of all sets, each once. */
  files: z.array(fileSchema),
  retired: z.array(retiredSchema),
});

type SharedSets = z.infer<typeof schema>;

/** Returns the object of a file. */
export const parquetObject = objectsBelow(PARQUET_PREFIX);

export const readSharedSets = readerOf(SETS_NAME, schema);

export function textFromSets(content: Omit<SharedSets, 'format'>): string {
  return textFromShared({ format: FORMAT, ...content });
}
