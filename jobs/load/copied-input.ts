/**
 * A Parquet copy of a person's small input of candles: a daily file is often overwritten by the
 * next day's, and a rebuild needs all that was loaded.
 */

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ModePaths } from '../../src/base/config/data-dir.ts';
import { limits } from '../../src/base/limits/limits.ts';
import type { Fetched, FetchedSegment } from '../../src/ingest/contract/fetch-context.ts';
import { sha256OfFile } from '../../src/ingest/segments/file-hash.ts';
import { landFile } from '../../src/ingest/segments/land-file.ts';
import { type Landed, landedCopy } from '../../src/ingest/segments/landed-segment.ts';

type Folders = Pick<ModePaths, 'segments' | 'scratch'>;

/** Names where the copy of a segment is written while it is loaded; others stay as they are. */
export function withCopyPath(paths: Folders, segment: Fetched): Fetched {
  if (!isCopied(segment)) return segment;
  // In the folder that an open store has, named like those of fetches: what a killed process
  // leaves is removed as these are.
  const copyPath = join(paths.scratch, `segment-${process.pid}-${segment.id}.parquet`);
  return { ...segment, copyPath };
}

function isCopied(segment: Fetched): segment is FetchedSegment {
  if (!('files' in segment) || segment.dataset !== 'candles') return false;
  if (segment.kind !== 'external') return false;
  const rows = segment.files.reduce((sum, { dataLines }) => sum + dataLines, 0);
  return segment.isKept === true || rows <= limits.ingest.copiedRowsMax;
}

/**
 * Puts the copy in its place.
 *
 * @param acceptedByFile Rows of each file in it; undefined: none was written.
 * @returns what a record says of it.
 */
export async function landCopy(
  paths: Folders,
  segment: Fetched,
  acceptedByFile: readonly number[] | undefined,
): Promise<Landed | undefined> {
  if (!('files' in segment) || !segment.copyPath || !acceptedByFile) return undefined;
  const parquetSha256 = await sha256OfFile(segment.copyPath);
  await landFile(segment.copyPath, join(paths.segments, `${segment.id}.parquet`));
  return landedCopy({ ...segment, parquetSha256 }, acceptedByFile);
}

/** Removes a copy whose load has failed. */
export function removeCopy(segment: Fetched): void {
  if ('files' in segment && segment.copyPath) rmSync(segment.copyPath, { force: true });
}
