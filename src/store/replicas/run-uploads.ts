/** Uploads each published version of both modes; one process of a data folder does it at a time. */

import { setTimeout as delay } from 'node:timers/promises';
import { MODES, type Mode, type ModePaths, modePaths } from '../../base/config/data-dir.ts';
import { type ObjectPlace, placeBelow, SNAPSHOTS_SETTING } from '../../base/config/object-place.ts';
import { TapeworksError } from '../../base/errors.ts';
import { lockFile } from '../../base/file-lock.ts';
import { limits } from '../../base/limits.ts';
import { manifestStamp, readManifest } from '../arrow/format/manifest.ts';
import type { ObjectStore } from '../objects/object-store.ts';
import { openObjects } from '../objects/open-objects.ts';
import { fileSetsStamp } from '../parquet/file-sets.ts';
import { readShared } from './shared-manifest.ts';
import { continues, isSame, OtherPublisherError, otherPublisher, Uploader } from './upload.ts';
import { SetUploader } from './upload-sets.ts';
import { readUploadState } from './upload-state.ts';

const { replicas } = limits;

export interface UploadSettings {
  dataDir: string;
  snapshotsUrl: ObjectPlace | undefined;
  /** False: a replica gets no Parquet files. */
  files?: boolean;
}

/** Returns the storage of a mode. */
export function modeObjects(place: ObjectPlace, mode: Mode): Promise<ObjectStore> {
  return openObjects(placeBelow(place, mode), SNAPSHOTS_SETTING);
}

/**
 * Uploads until the signal aborts. A failure is noted once, and tried again.
 *
 * @param note Receives a line where an upload fails, or works again.
 */
export async function keepUploading(
  { dataDir, snapshotsUrl: place }: UploadSettings,
  note: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  if (place === undefined) return;
  const modes = MODES.map((mode) => {
    const paths = modePaths(dataDir, mode);
    return Promise.all([
      keepMode(paths, place, note, signal),
      keepSets(paths, place, note, signal),
    ]);
  });
  await Promise.all(modes);
}

async function keepMode(
  paths: ModePaths,
  place: ObjectPlace,
  note: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const objects = await modeObjects(place, paths.mode);
  const pause = (ms: number) => delay(ms, undefined, { signal }).catch(() => undefined);
  let uploader: Uploader | undefined;
  let lock: ReturnType<typeof lockFile>;
  let stamp = '';
  let failed = '';
  let failures = 0;
  try {
    while (!signal.aborted) {
      const newest = manifestStamp(paths.serving);
      // Nothing is opened before there is something to upload.
      if (newest === '' || (newest === stamp && !uploader?.hasDue)) {
        await pause(replicas.lookMs);
        continue;
      }
      try {
        lock ??= lockFile(paths.uploadLock);
        if (!lock) {
          await pause(replicas.retryFirstMs);
          continue;
        }
        uploader ??= await triedUploader(paths, objects, signal);
        await uploader.round(signal);
        if (failed) note(`${paths.mode} is uploaded again`);
        stamp = newest;
        failed = '';
        failures = 0;
      } catch (error) {
        if (signal.aborted) break;
        const reason = reasonOf(error);
        if (reason !== failed) note(`${paths.mode} could not be uploaded: ${reason}`);
        failed = reason;
        await pause(Math.min(replicas.retryFirstMs * 2 ** failures++, replicas.retryMaxMs));
      }
    }
  } finally {
    lock?.close();
    await objects.close();
  }
}

async function triedUploader(
  paths: ModePaths,
  objects: ObjectStore,
  signal?: AbortSignal,
): Promise<Uploader> {
  const uploader = new Uploader({ paths, objects });
  await uploader.tryStorage(signal);
  return uploader;
}

/** Uploads sets of Parquet files, which come later than their version. */
async function keepSets(
  paths: ModePaths,
  place: ObjectPlace,
  note: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const objects = await modeObjects(place, paths.mode);
  const uploader = new SetUploader({ paths, objects });
  let lock: ReturnType<typeof lockFile>;
  let stamp = '';
  let nextMs = 0;
  let failed = '';
  try {
    while (!signal.aborted) {
      const newest = fileSetsStamp(paths.files);
      const isDue = newest !== stamp || performance.now() >= nextMs;
      if (newest !== '' && isDue) lock ??= lockFile(paths.filesUploadLock);
      if (newest !== '' && isDue && lock) {
        try {
          if (await uploader.round(signal)) {
            stamp = newest;
            nextMs = performance.now() + replicas.keptMs;
          }
          failed = '';
        } catch (error) {
          if (signal.aborted) break;
          const reason = reasonOf(error);
          const what = `Parquet files of ${paths.mode} could not be uploaded`;
          if (reason !== failed) note(`${what}: ${reason}`);
          failed = reason;
        }
      }
      await delay(replicas.setsPollMs, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    lock?.close();
    await objects.close();
  }
}

/** @throws a bug, which is not a failure of the storage. */
export function reasonOf(error: unknown): string {
  if (error instanceof TapeworksError) return error.message;
  if ((error as NodeJS.ErrnoException).code === undefined) throw error;
  return (error as Error).message;
}

/**
 * Uploads what is published, or waits for the process that does.
 *
 * @throws {TapeworksError} it could not be uploaded.
 */
export async function uploadPublished(
  { dataDir, snapshotsUrl: place }: UploadSettings,
  signal?: AbortSignal,
): Promise<void> {
  if (place === undefined) return;
  for (const mode of MODES) {
    const paths = modePaths(dataDir, mode);
    if (!readManifest(paths.serving)) continue;
    const objects = await modeObjects(place, mode);
    try {
      await uploadMode(paths, objects, { signal });
    } finally {
      await objects.close();
    }
  }
}

async function uploadMode(
  paths: ModePaths,
  objects: ObjectStore,
  { isPatient = true, signal }: { isPatient?: boolean; signal?: AbortSignal } = {},
): Promise<void> {
  const endMs = performance.now() + (isPatient ? replicas.commandMs : replicas.acceptWaitMs);
  for (;;) {
    const lock = lockFile(paths.uploadLock);
    try {
      if (lock) {
        const uploader = await triedUploader(paths, objects, signal);
        await uploader.round(signal);
        return;
      }
    } finally {
      lock?.close();
    }
    if (await isUploaded(paths, objects, signal)) return;
    const isFailing = !isPatient && readUploadState(paths.upload).failure !== null;
    if (isFailing || performance.now() > endMs) {
      throw new TapeworksError('another process uploads for very long');
    }
    await delay(replicas.retryFirstMs, undefined, { signal });
  }
}

/**
 * Returns true if the published version is in the storage.
 *
 * @throws {OtherPublisherError} it will never be: another data folder publishes there.
 */
async function isUploaded(
  { serving, upload }: ModePaths,
  objects: ObjectStore,
  signal?: AbortSignal,
): Promise<boolean> {
  const published = readManifest(serving);
  const seen = await readShared(objects, { signal });
  if (!published || seen === undefined || seen === 'unchanged') return !published;
  if (isSame(seen.shared, published)) return true;
  const state = readUploadState(upload);
  if (state.takesOver || continues(published, seen.shared, state)) return false;
  throw otherPublisher(objects, published, seen.shared);
}

/**
 * Waits until the published version of a mode is in object storage, and uploads it if no other
 * process does. Storage that can't be reached, or that refuses uploads, is not waited for.
 *
 * @returns false if another data folder publishes there, so that this version must not be told of.
 */
export async function isAccepted(
  paths: ModePaths,
  place: ObjectPlace,
  signal?: AbortSignal,
): Promise<boolean> {
  const objects = await modeObjects(place, paths.mode);
  const looks = AbortSignal.timeout(replicas.acceptLookMs);
  try {
    if (await isUploaded(paths, objects, signal ? AbortSignal.any([signal, looks]) : looks)) {
      return true;
    }
    await uploadMode(paths, objects, { isPatient: false, signal });
    return true;
  } catch (error) {
    signal?.throwIfAborted();
    return !(error instanceof OtherPublisherError);
  } finally {
    await objects.close();
  }
}
