/**
 * Backups in object storage. A copy next to the data is made first, and uploaded with its record
 * last; a restore downloads and checks all files before it moves one.
 */

import { basename, dirname, join, resolve } from 'node:path';
import { objectPlace, placeText } from '../../src/base/config/object-place.ts';
import { hashFile, writeWhole } from '../../src/base/copy-file.ts';
import { makeFolder } from '../../src/base/durable-file.ts';
import { CorruptDataError, TapeworksError } from '../../src/base/errors.ts';
import { limits } from '../../src/base/limits.ts';
import { rmSync } from '../../src/base/world/files.ts';
import { eachAtOnce } from '../../src/store/objects/at-once.ts';
import { contentOfFile } from '../../src/store/objects/content.ts';
import { downloadFile } from '../../src/store/objects/download.ts';
import { bytesOf, type ObjectStore } from '../../src/store/objects/object-store.ts';
import { openObjects } from '../../src/store/shared/open-objects.ts';
import type { RunDeps } from '../contract/reports.ts';
import { type BackupOptions, type BackupReport, backup } from './backup.ts';
import { RECORD_NAME, readRecord, type SavedFile } from './backup-record.ts';
import { type RestoreDeps, type RestorePlaces, restore } from './restore.ts';

/** Folders in the data folder, which are removed at the end. */
const UPLOAD_STAGE = 'backup-uploading';
const DOWNLOAD_STAGE = 'backup-downloading';

const ARGUMENT = 'the address of the backup';

/**
 * Makes a backup at `target`, an address of object storage. The disk needs room for a copy.
 *
 * @throws {TapeworksError} there is a finished backup, or as `backup`.
 */
export async function backupToObjects(
  options: BackupOptions,
  deps: RunDeps,
): Promise<BackupReport> {
  const { objects, address } = await openPlace(options.target);
  const stage = join(resolve(options.dataDir), UPLOAD_STAGE);
  try {
    const known = await objects.get(RECORD_NAME, { signal: deps.signal });
    if (known !== undefined) {
      throw new TapeworksError(`"${address}" holds a finished backup: give another address`);
    }
    rmSync(stage, { recursive: true, force: true });
    const report = await backup({ ...options, target: stage }, deps);
    const { files } = readRecord(stage);
    let done = 0;
    await eachAtOnce(files, limits.replicas.atOnce, async ({ path, bytes, sha256 }) => {
      deps.onProgress?.('upload files', done, files.length);
      const content = contentOfFile(join(stage, path), bytes, sha256);
      await objects.put(path, content, { signal: deps.signal });
      deps.onProgress?.('upload files', ++done, files.length);
    });
    await putRecord(objects, stage);
    return { ...report, folder: address };
  } finally {
    rmSync(stage, { recursive: true, force: true });
    await objects.close();
  }
}

/** Uploads the record, which makes the backup whole. */
async function putRecord(objects: ObjectStore, stage: string): Promise<void> {
  const path = join(stage, RECORD_NAME);
  const { bytes, sha256 } = (await hashFile(path)) as { bytes: number; sha256: string };
  await objects.put(RECORD_NAME, contentOfFile(path, bytes, sha256));
}

/**
 * Restores a backup from an address of object storage. An interrupted download continues.
 *
 * @throws as `restore`.
 */
export async function restoreFromObjects(source: string, places: RestorePlaces, deps: RestoreDeps) {
  const { objects, address } = await openPlace(source);
  const stage = join(resolve(places.dataDir), DOWNLOAD_STAGE);
  try {
    makeFolder(stage);
    await getRecord(objects, address, stage, deps.signal);
    const { files } = readRecord(stage);
    let done = 0;
    await eachAtOnce(files, limits.replicas.atOnce, async (file) => {
      deps.onProgress?.('download files', done, files.length);
      await getFile(objects, stage, file, deps.signal);
      deps.onProgress?.('download files', ++done, files.length);
    });
    const report = await restore(stage, places, deps);
    rmSync(stage, { recursive: true });
    return report;
  } finally {
    await objects.close();
  }
}

async function getRecord(
  objects: ObjectStore,
  address: string,
  stage: string,
  signal?: AbortSignal,
): Promise<void> {
  const bytesMax = limits.objects.wholeBytesMax;
  const found = await objects.get(RECORD_NAME, { bytesMax, signal });
  if (found === undefined || found === 'unchanged') {
    throw new TapeworksError(`"${address}" holds no finished backup: ${RECORD_NAME} is missing`);
  }
  const text = await bytesOf(found, bytesMax, objects.addressOf(RECORD_NAME));
  await writeWhole(join(stage, RECORD_NAME), text.toString('utf8'));
}

/** Downloads a file that is not there yet. @throws {CorruptDataError} its bytes are wrong. */
async function getFile(
  objects: ObjectStore,
  stage: string,
  { path, bytes, sha256 }: SavedFile,
  signal?: AbortSignal,
): Promise<void> {
  const target = join(stage, path);
  if ((await hashFile(target, signal))?.sha256 === sha256) return;
  makeFolder(dirname(target));
  const file = { name: basename(target), bytes, sha256 };
  try {
    await downloadFile({ objects, key: path }, dirname(target), file, { signal });
  } catch (cause) {
    signal?.throwIfAborted();
    const reason = `the backup's file "${path}" can't be used; nothing was restored`;
    throw new CorruptDataError(reason, { cause });
  }
}

async function openPlace(text: string): Promise<{ objects: ObjectStore; address: string }> {
  const place = objectPlace(ARGUMENT, text);
  return { objects: await openObjects(place, ARGUMENT), address: placeText(place) };
}
