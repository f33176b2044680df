/**
 * Parquet copies of the user's small candle files: a daily file is often overwritten by the next,
 * and a rebuild needs both.
 */

import { join } from 'node:path';
import type { ModePaths } from '../../src/base/config/data-dir.ts';
import { scratchName } from '../../src/base/config/scratch-names.ts';
import { limits } from '../../src/base/limits.ts';
import { rmSync } from '../../src/base/world/files.ts';
import type { Fetched, FetchedSegment } from '../../src/ingest/contract/fetch-context.ts';
import { placeFile, sha256OfFile } from '../../src/ingest/segments/place-file.ts';
import { type StagedSegment, stagedCopy } from '../../src/ingest/segments/staged-segment.ts';

type Folders = Pick<ModePaths, 'segments' | 'scratch'>;

export function withCopyPath(paths: Folders, segment: Fetched): Fetched {
  if (!isCopied(segment)) return segment;
  // In the scratch folder, named like other leftovers of a process, so that retention removes it.
  const copyPath = join(paths.scratch, `${scratchName('segment')}-${segment.id}.parquet`);
  return { ...segment, copyPath };
}

function isCopied(segment: Fetched): segment is FetchedSegment {
  if (!('files' in segment) || segment.dataset !== 'candles') return false;
  if (segment.kind !== 'external') return false;
  const rows = segment.files.reduce((sum, { dataLines }) => sum + dataLines, 0);
  return segment.isKept === true || rows <= limits.ingest.copiedRowsMax;
}

/**
 * Moves the copy to its final path.
 *
 * @param acceptedByFile Rows of each file; undefined if no copy was written.
 * @returns its part of the record.
 */
export async function stageCopy(
  paths: Folders,
  segment: Fetched,
  acceptedByFile: readonly number[] | undefined,
): Promise<StagedSegment | undefined> {
  if (!('files' in segment) || !segment.copyPath || !acceptedByFile) return undefined;
  const parquetSha256 = await sha256OfFile(segment.copyPath);
  await placeFile(segment.copyPath, join(paths.segments, `${segment.id}.parquet`));
  return stagedCopy({ ...segment, parquetSha256 }, acceptedByFile);
}

export function removeCopy(segment: Fetched): void {
  if ('files' in segment && segment.copyPath) rmSync(segment.copyPath, { force: true });
}
