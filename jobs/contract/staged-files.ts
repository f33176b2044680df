/** Files of runs: in the folder of segments, or in object storage. */

import { basename, join } from 'node:path';
import { placeDurable } from '../../src/base/durable-file.ts';
import { CorruptDataError } from '../../src/base/errors.ts';
import { failpoint } from '../../src/base/failpoints.ts';
import { limits } from '../../src/base/limits.ts';
import { randomUUID } from '../../src/base/world/chance.ts';
import { readdir, readFile, rename, rm, rmdir, stat } from '../../src/base/world/file-promises.ts';
import { eachAtOnce } from '../../src/store/objects/at-once.ts';
import { contentOfBytes } from '../../src/store/objects/content.ts';
import { contentOfHashed, hashedText } from '../../src/store/objects/hashed-text.ts';
import { bytesOf, type ObjectStore } from '../../src/store/objects/object-store.ts';
import type { RunName } from './run.ts';
import type { Stage } from './stage.ts';

const ROOT = 'plans';

export const keyOf = (runId: string, name: string) => `${ROOT}/${runId}/${name}`;

/**
 * Names a file of one run. A later run of its id, a late try of its tasks and the removal of its
 * files then never meet.
 */
export function nameOf(createdMs: number, name: string, ending: string): string {
  return `${name}.${createdMs.toString(36)}.${ending}`;
}

export function isOf({ createdMs }: RunName, name: string): boolean {
  return name.includes(nameOf(createdMs, '', ''));
}

/** Returns the folder of a run's files, where they are in one. */
export function stagingFolder({ segments }: Pick<Stage, 'segments'>, runId: string): string {
  return join(segments, ROOT, runId);
}

/** Does work on object storage; again where the stage says so. */
export function withObjects<T>({ repeat }: Stage, work: () => Promise<T>): Promise<T> {
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

/** Removes files by their names; there need not be any. */
export async function removeFiles(
  stage: Stage,
  runId: string,
  names: readonly string[],
): Promise<void> {
  await eachAtOnce(names, limits.jobs.stagedAtOnce, (name) => removeFileOf(stage, runId, name));
}

/** Removes the files that are named after a run, and others by their names. */
export async function removeFilesOf(
  stage: Stage,
  run: RunName,
  { names = [] }: { names?: readonly string[] } = {},
): Promise<void> {
  const { objects, ...local } = stage;
  if (objects) {
    const listed = [...(await listObjects(stage, run.id)).keys()];
    await removeFiles(stage, run.id, [...listed.filter((name) => isOf(run, name)), ...names]);
  }
  // With object storage, the folder has what the loads of this machine note.
  const folder = stagingFolder(stage, run.id);
  const there = await readdir(folder).catch(() => []);
  if (there.length === 0) return;
  const isMeant = (name: string) => isOf(run, name) || names.includes(name);
  await removeFiles(local, run.id, there.filter(isMeant));
  if (there.every(isMeant)) await removeFolder(folder);
}

/** Removes a folder, unless a later run has a file in it. */
async function removeFolder(folder: string): Promise<void> {
  failpoint('remove file', basename(folder));
  await rmdir(folder).catch((error) => {
    if (!['ENOENT', 'ENOTEMPTY'].includes(error.code)) throw error;
  });
}

/** Removes all files of an id, of whatever run. */
export async function removeAll(stage: Stage, runId: string): Promise<void> {
  await removeFiles(stage, runId, [...(await listObjects(stage, runId)).keys()]);
  failpoint('remove file', runId);
  // A try that was presumed dead may add a file meanwhile.
  const again = { maxRetries: limits.jobs.placeTriesMax };
  await rm(stagingFolder(stage, runId), { recursive: true, force: true, ...again });
}

/** Lists a run's files in object storage: bytes by name. */
export function listObjects(stage: Stage, runId: string): Promise<ReadonlyMap<string, number>> {
  return withObjects(stage, async () => {
    const sizes = new Map<string, number>();
    const prefix = keyOf(runId, '');
    for await (const { key, bytes } of stage.objects?.list(prefix) ?? []) {
      sizes.set(key.slice(prefix.length), bytes);
    }
    return sizes;
  });
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
