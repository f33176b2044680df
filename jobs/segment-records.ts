/**
 * What was loaded, a small file beside the segments for each: the ledger outside of
 * `market.duckdb`, from which `rebuild` makes the store anew.
 */

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { z } from 'zod';
import type { ModePaths } from '../src/data-dir.ts';
import type { Fetched } from '../src/ingest/fetch-context.ts';
import { landedFrom, landedSchema } from '../src/ingest/landed-segment.ts';
import type { SourceOptions } from '../src/ingest/source-options.ts';
import { syncFolder, writeDurable } from '../src/store/serving/durable-file.ts';
import { hashFile } from './backup/copy-file.ts';
import { sliceFromOptions, sliceSchema } from './runner/slice.ts';

/** What a source was asked that reads local files: asked again it gives the same segments. */
export interface LocalQuestion {
  source: string;
  options: SourceOptions;
}

const recordSchema = z.strictObject({
  /** Of the segment; of facts, which are no segment, of their content. */
  id: z.string().regex(/^[0-9a-f]{64}$/),
  origin: z.string(),
  /** The run's clock when it was loaded, in milliseconds. */
  loadedMs: z.int(),
  /** Its place in the ledger, among those of one store. */
  order: z.int(),
  /** Undefined: it was read from files in place. */
  landed: landedSchema.optional(),
  /** Of the landed Parquet file. */
  sha256: z.string().optional(),
  /** Undefined: nobody knows how to ask for it again. */
  question: z.strictObject({ source: z.string(), slice: sliceSchema }).optional(),
});

export type SegmentRecord = z.infer<typeof recordSchema>;

const FOLDER_NAME = 'loaded';

/** Compressed: a day of the whole market names its 11,000 symbols. */
const ENDING = '.json.gz';

function recordsFolder({ segments }: Pick<ModePaths, 'segments'>): string {
  return join(segments, FOLDER_NAME);
}

/** Remembers a segment that the ledger has; durable when it returns. Again it does nothing. */
export async function recordSegment(
  paths: Pick<ModePaths, 'segments'>,
  segment: Fetched,
  load: { loadedMs: number; order: number; question?: LocalQuestion },
): Promise<void> {
  const { loadedMs, order, question } = load;
  const folder = recordsFolder(paths);
  const id = 'id' in segment ? segment.id : idOfFacts(segment);
  if (existsSync(join(folder, id + ENDING))) return;
  const isLanded =
    'facts' in segment || 'parquetPath' in segment || isLandedCandles(paths, segment);
  const path = isLanded && 'id' in segment ? join(paths.segments, `${id}.parquet`) : undefined;
  const record: SegmentRecord = {
    ...{ id, origin: segment.origin, loadedMs, order },
    landed: isLanded ? landedFrom(segment) : undefined,
    sha256: path && (await hashFile(path))?.sha256,
    question: question && {
      source: question.source,
      slice: sliceFromOptions(question.options),
    },
  };
  mkdirSync(folder, { recursive: true });
  await writeDurable(folder, id + ENDING, gzipSync(JSON.stringify(record)));
  syncFolder(folder);
}

/** In the order of the loads. A record that can't be read counts as none. */
export function readRecords(paths: Pick<ModePaths, 'segments'>): SegmentRecord[] {
  const folder = recordsFolder(paths);
  if (!existsSync(folder)) return [];
  const records = readdirSync(folder)
    .filter((name) => name.endsWith(ENDING))
    .flatMap((name) => {
      try {
        return [
          recordSchema.parse(JSON.parse(gunzipSync(readFileSync(join(folder, name))).toString())),
        ];
      } catch {
        return [];
      }
    });
  return records.sort((a, b) => a.loadedMs - b.loadedMs || a.order - b.order);
}

/** A vendor's bars, whose rows are all in one Parquet file; of a user's files only some may be. */
function isLandedCandles(
  { segments }: Pick<ModePaths, 'segments'>,
  segment: Exclude<Fetched, { facts: unknown }>,
): boolean {
  const path = join(segments, `${segment.id}.parquet`);
  const isOurs = (file: { path: string }) => file.path === path;
  return 'files' in segment && segment.dataset === 'candles' && segment.files.every(isOurs);
}

function idOfFacts({ source, facts }: Extract<Fetched, { facts: unknown }>): string {
  return createHash('sha256')
    .update(JSON.stringify([source, facts]))
    .digest('hex');
}
