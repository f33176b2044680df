/**
 * `parquet.json` in object storage: the sets of Parquet files, which follow the version that they
 * are made of, and the objects that hold them.
 */

import { hash } from 'node:crypto';
import { z } from 'zod';
import { MODES } from '../../base/config/data-dir.ts';
import { CorruptDataError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { STORED_INTRADAY } from '../../base/time/intervals.ts';
import { bytesOf, type ObjectStore } from '../objects/object-store.ts';
import { FILE_DATASETS, type FileDataset } from '../parquet/file-sets.ts';
import { fileSchema, retiredSchema, type SharedFile } from './shared-manifest.ts';

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
      dataset: z.enum(Object.keys(FILE_DATASETS) as [FileDataset, ...FileDataset[]]),
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

export type SharedSets = z.infer<typeof schema>;

export interface SeenSets {
  etag: string;
  text: string;
  shared: SharedSets;
}

/** Returns the object of a file. */
export function parquetObject({ name, sha256 }: Pick<SharedFile, 'name' | 'sha256'>): string {
  return `${PARQUET_PREFIX}${name}.${sha256.slice(0, 16)}`;
}

/** Its first line is the hash of the second. */
export function textFromSets(content: Omit<SharedSets, 'format'>): string {
  const text = JSON.stringify({ format: FORMAT, ...content });
  return `${hash('sha256', text)}\n${text}\n`;
}

/**
 * Reads the shared sets.
 *
 * @param unless ETag of known ones.
 * @throws {CorruptDataError} They are damaged, or a newer program wrote them.
 */
export async function readSharedSets(
  objects: ObjectStore,
  { unless, signal }: { unless?: string; signal?: AbortSignal } = {},
): Promise<SeenSets | 'unchanged' | undefined> {
  const bytesMax = limits.replicas.manifestBytesMax;
  const found = await objects.get(SETS_NAME, { unless, bytesMax, signal });
  if (found === undefined || found === 'unchanged') return found;
  const title = objects.addressOf(SETS_NAME);
  const text = (await bytesOf(found, bytesMax, title)).toString('utf8');
  const [sum, content = ''] = text.split('\n', 2);
  const isWhole = hash('sha256', content) === sum;
  const parsed = schema.safeParse(isWhole ? JSON.parse(content) : undefined);
  if (parsed.success) return { etag: found.etag, text, shared: parsed.data };
  throw new CorruptDataError(`"${title}" is damaged, or of a newer version of Tapeworks`);
}
