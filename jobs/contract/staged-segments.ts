/**
 * Segments of runs in object storage: they lie with the files of their run, until the machine that
 * loads has them.
 */

import { join } from 'node:path';
import { scratchName } from '../../src/base/config/scratch-names.ts';
import { makeFolders } from '../../src/base/data-folder.ts';
import { failpoint } from '../../src/base/failpoints.ts';
import { mkdtemp, rm, stat } from '../../src/base/world/file-promises.ts';
import { placeFile, sha256OfFile } from '../../src/ingest/segments/place-file.ts';
import { type StagedSegment, stagedFault } from '../../src/ingest/segments/staged-segment.ts';
import { contentOfFile } from '../../src/store/objects/content.ts';
import {
  DamagedObjectError,
  downloadFile,
  ObjectGoneError,
} from '../../src/store/objects/download.ts';
import type { RunName } from './run.ts';
import type { Stage } from './stage.ts';
import { isOf, keyOf, listObjects, nameOf, removeFiles, withObjects } from './staged-files.ts';

const ENDING = 'parquet';
const PARQUET = `.${ENDING}`;

/** Named by content, so that two tries of a task never mix their files. */
const segmentName = ({ createdMs }: RunName, sha256: string) => nameOf(createdMs, sha256, ENDING);

/** Name that the last release gave. */
const oldSegmentName = (sha256: string) => sha256 + PARQUET;

/** Uploads the file of a segment from a folder, and removes it there. */
export async function shareSegment(
  stage: Stage,
  run: RunName,
  staged: StagedSegment,
  folder: string,
): Promise<void> {
  const { objects } = stage;
  if (!objects || staged.kind === 'facts' || staged.parquetSha256 === undefined) return;
  const { id, parquetSha256: sha256 } = staged;
  const path = join(folder, id + PARQUET);
  const { size } = await stat(path);
  failpoint('put object', id + PARQUET);
  const key = keyOf(run.id, segmentName(run, sha256));
  await withObjects(stage, () => objects.put(key, contentOfFile(path, size, sha256)));
  await rm(path);
}

/** Removes the segments of a run from object storage, once they are loaded. */
export async function removeSegments(stage: Stage, run: RunName): Promise<void> {
  const names = [...(await listObjects(stage, run.id)).keys()];
  const isMeant = (name: string) => isOf(run, name) && name.endsWith(PARQUET);
  await removeFiles(stage, run.id, names.filter(isMeant));
}

/**
 * Finds the fault that keeps a staged segment from being loaded, after its download where one is
 * needed; undefined if its file is there and unchanged.
 *
 * @param shared As `listObjects` lists them.
 * @throws {ObjectStoreError} the object storage fails.
 */
export async function segmentFault(
  stage: Stage,
  run: RunName,
  staged: StagedSegment,
  shared: ReadonlyMap<string, number>,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const { objects, segments, scratch } = stage;
  if (!objects || staged.kind === 'facts' || staged.parquetSha256 === undefined) {
    return stagedFault(staged, segments);
  }
  const { id, parquetSha256: sha256 } = staged;
  const name = id + PARQUET;
  if ((await sha256OfFile(join(segments, name))) === sha256) return undefined;
  const names = [segmentName(run, sha256), oldSegmentName(sha256)];
  const object = names.find((one) => shared.has(one)) ?? names[0];
  const key = keyOf(run.id, object);
  const bytes = shared.get(object);
  if (bytes === undefined) return `"${objects.addressOf(key)}" is missing`;
  makeFolders(scratch);
  // Another try of the load may download it, too.
  const folder = await mkdtemp(join(scratch, `${scratchName('segment')}-`));
  try {
    const file = { name, bytes, sha256 };
    await withObjects(stage, () => downloadFile({ objects, key }, folder, file, { signal }));
    await placeFile(join(folder, name), join(segments, name));
  } catch (error) {
    const isLost = error instanceof DamagedObjectError || error instanceof ObjectGoneError;
    if (!isLost) throw error;
    return error.message;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return undefined;
}
