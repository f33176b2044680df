/**
 * Files of runs: in the folder of segments, or in object storage. There a run's segments lie with
 * them, until the machine that loads has them.
 */

import { join } from 'node:path';
import { scratchName } from '../../src/base/config/scratch-names.ts';
import { makeFolders } from '../../src/base/data-folder.ts';
import { placeDurable } from '../../src/base/durable-file.ts';
import { CorruptDataError } from '../../src/base/errors.ts';
import { failpoint } from '../../src/base/failpoints.ts';
import { limits } from '../../src/base/limits.ts';
import { randomUUID } from '../../src/base/world/chance.ts';
import {
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
} from '../../src/base/world/file-promises.ts';
import { placeFile, sha256OfFile } from '../../src/ingest/segments/place-file.ts';
import { type StagedSegment, stagedFault } from '../../src/ingest/segments/staged-segment.ts';
import { eachAtOnce } from '../../src/store/objects/at-once.ts';
import { contentOfBytes, contentOfFile } from '../../src/store/objects/content.ts';
import {
  DamagedObjectError,
  downloadFile,
  ObjectGoneError,
} from '../../src/store/objects/download.ts';
import { contentOfHashed, hashedText } from '../../src/store/objects/hashed-text.ts';
import { bytesOf, type ObjectStore } from '../../src/store/objects/object-store.ts';
import type { Stage } from './stage.ts';

const ROOT = 'plans';

const keyOf = (runId: string, name: string) => `${ROOT}/${runId}/${name}`;

/** Returns the folder of a run's files, where they are in one. */
export function stagingFolder({ segments }: Pick<Stage, 'segments'>, runId: string): string {
  return join(segments, ROOT, runId);
}

/** Does work on object storage; again where the stage says so. */
function withObjects<T>({ repeat }: Stage, work: () => Promise<T>): Promise<T> {
  return repeat ? repeat(work) : work();
}

/**
 * Writes a file durably, after its hash. Of several tries that write it at once, one wins. The run
 * may be removed meanwhile; the file is then left to retention, as an object is.
 */
export async function writeFileOf(
  stage: Stage,
  runId: string,
  name: string,
  content: string,
): Promise<void> {
  const { objects } = stage;
  const bytes = Buffer.from(hashedText(content));
  if (objects) {
    failpoint('put object', name);
    await withObjects(stage, () => objects.put(keyOf(runId, name), contentOfBytes(bytes)));
    return;
  }
  const folder = stagingFolder(stage, runId);
  for (let tries = 1; ; tries++) {
    try {
      return await placeDurable(folder, name, bytes, `${name}.${randomUUID()}`);
    } catch (error) {
      const isRemoved = (error as NodeJS.ErrnoException).code === 'ENOENT';
      if (!isRemoved || tries === limits.jobs.placeTriesMax) throw error;
    }
  }
}

/**
 * Reads the content of a file; undefined if there is none.
 *
 * @throws {CorruptDataError} It does not match its hash.
 */
export async function readFileOf(
  stage: Stage,
  runId: string,
  name: string,
): Promise<string | undefined> {
  // A wrong bit of a response is not in the object.
  const triesMax = stage.objects ? limits.objects.downloadTriesMax : 1;
  for (let tries = 1; tries <= triesMax; tries++) {
    const text = (await bytesOfFile(stage, runId, name))?.toString('utf8');
    // Earlier programs wrote no hash.
    if (text === undefined || text.startsWith('{')) return text;
    const content = contentOfHashed(text);
    if (content !== undefined) return content;
  }
  throw new CorruptDataError(`"${addressOf(stage, runId, name)}" does not match its checksum`);
}

/** Returns the address of a file for messages. */
export function addressOf(stage: Stage, runId: string, name: string): string {
  const { objects } = stage;
  return objects ? objects.addressOf(keyOf(runId, name)) : join(stagingFolder(stage, runId), name);
}

async function bytesOfFile(stage: Stage, runId: string, name: string): Promise<Buffer | undefined> {
  const { objects } = stage;
  if (objects) return withObjects(stage, () => readObject(objects, keyOf(runId, name)));
  return readFile(join(stagingFolder(stage, runId), name)).catch((error) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}

async function readObject(objects: ObjectStore, key: string): Promise<Buffer | undefined> {
  const bytesMax = limits.objects.wholeBytesMax;
  const found = await objects.get(key, { bytesMax });
  if (found === undefined || found === 'unchanged') return undefined;
  return bytesOf(found, bytesMax, objects.addressOf(key));
}

export async function removeFileOf(stage: Stage, runId: string, name: string): Promise<void> {
  const { objects } = stage;
  failpoint(objects ? 'remove object' : 'remove file', name);
  if (objects) await withObjects(stage, () => objects.delete(keyOf(runId, name)));
  else await rm(join(stagingFolder(stage, runId), name), { force: true });
}

/** Renames a file, if there is one. In object storage both may be there after a kill. */
export async function moveStaged(
  stage: Stage,
  runId: string,
  from: string,
  to: string,
): Promise<void> {
  if (stage.objects) {
    const content = await readFileOf(stage, runId, from).catch((error) => {
      // Nothing can use a damaged file.
      if (error instanceof CorruptDataError) return undefined;
      throw error;
    });
    if (content !== undefined) await writeFileOf(stage, runId, to, content);
    await removeFileOf(stage, runId, from);
    return;
  }
  const folder = stagingFolder(stage, runId);
  failpoint('rename file', to);
  await rename(join(folder, from), join(folder, to)).catch((error) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

/**
 * Removes a run's files; with an ending, the objects of segments or others that have it.
 *
 * @param names Files that must go though object storage may not list them yet.
 */
export async function removeRun(
  stage: Stage,
  runId: string,
  { ending = '', names = [] }: { ending?: string; names?: readonly string[] } = {},
): Promise<void> {
  const { objects } = stage;
  if (objects) {
    const listed = await withObjects(stage, () => keysOf(objects, keyOf(runId, '')));
    const keys = new Set([...listed.keys()].filter((key) => key.endsWith(ending)));
    for (const name of names) keys.add(keyOf(runId, name));
    await removeKeys(stage, [...keys]);
  }
  // With object storage, the folder has what the loads of this machine note.
  if (ending !== '') return;
  failpoint('remove file', runId);
  // A try that was presumed dead may add a file meanwhile.
  const again = { maxRetries: limits.jobs.placeTriesMax };
  await rm(stagingFolder(stage, runId), { recursive: true, force: true, ...again });
}

async function removeKeys(stage: Stage, keys: readonly string[]): Promise<void> {
  const { objects } = stage;
  await eachAtOnce(keys, limits.jobs.stagedAtOnce, async (key) => {
    failpoint('remove object', key);
    await withObjects(stage, async () => objects?.delete(key));
  });
}

/** Lists objects: bytes by key. */
async function keysOf(objects: ObjectStore, prefix: string): Promise<Map<string, number>> {
  const keys = new Map<string, number>();
  for await (const { key, bytes } of objects.list(prefix)) keys.set(key, bytes);
  return keys;
}

/** Runs whose last file was written before a time, so that they are forgotten. */
export async function oldRuns(stage: Stage, beforeMs: number): Promise<string[]> {
  const newestMs = new Map<string, number>();
  if (stage.objects) {
    for await (const { key, modifiedMs } of stage.objects.list(`${ROOT}/`)) {
      const [, runId] = key.split('/');
      newestMs.set(runId, Math.max(newestMs.get(runId) ?? 0, modifiedMs));
    }
  } else {
    const root = join(stage.segments, ROOT);
    for (const runId of await readdir(root).catch(() => [])) {
      const folder = await stat(join(root, runId)).catch(() => undefined);
      if (folder) newestMs.set(runId, folder.mtimeMs);
    }
  }
  return [...newestMs].filter(([, ms]) => ms <= beforeMs).map(([runId]) => runId);
}

const PARQUET = '.parquet';

/** Named by content, so that two tries of a task never mix their files. */
const segmentKey = (runId: string, sha256: string) => keyOf(runId, sha256 + PARQUET);

/** Uploads the file of a segment from a folder, and removes it there. */
export async function shareSegment(
  stage: Stage,
  runId: string,
  staged: StagedSegment,
  folder: string,
): Promise<void> {
  const { objects } = stage;
  if (!objects || staged.kind === 'facts' || staged.parquetSha256 === undefined) return;
  const { id, parquetSha256: sha256 } = staged;
  const path = join(folder, id + PARQUET);
  const { size } = await stat(path);
  failpoint('put object', id + PARQUET);
  const key = segmentKey(runId, sha256);
  await withObjects(stage, () => objects.put(key, contentOfFile(path, size, sha256)));
  await rm(path);
}

/** Removes the segments of a run from object storage, once they are loaded. */
export function removeSegments(stage: Stage, runId: string): Promise<void> {
  return removeRun(stage, runId, { ending: PARQUET });
}

/** Lists the segments of a run in object storage: bytes by key. */
export async function sharedSegmentsOf(
  stage: Stage,
  runId: string,
): Promise<ReadonlyMap<string, number>> {
  const { objects } = stage;
  if (!objects) return new Map();
  return withObjects(stage, () => keysOf(objects, keyOf(runId, '')));
}

/**
 * Finds the fault that keeps a staged segment from being loaded, after its download where one is
 * needed; undefined if its file is there and unchanged.
 *
 * @param shared As `sharedSegmentsOf` lists them.
 * @throws {ObjectStoreError} the object storage fails.
 */
export async function segmentFault(
  stage: Stage,
  runId: string,
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
  const key = segmentKey(runId, sha256);
  const bytes = shared.get(key);
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
