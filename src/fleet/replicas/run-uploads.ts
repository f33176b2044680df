/** Uploads each published version of both modes; one process of a data folder does it at a time. */

import { MODES, type Mode, type ModePaths, modePaths } from '../../base/config/data-dir.ts';
import { type ObjectPlace, placeBelow, SNAPSHOTS_SETTING } from '../../base/config/object-place.ts';
import { TapeworksError } from '../../base/errors.ts';
import { lockFile } from '../../base/file-lock.ts';
import { limits } from '../../base/limits.ts';
import { delay, monotonicMs, timeoutSignal } from '../../base/world/clock.ts';
import { manifestStamp, readManifest } from '../../store/arrow/format/manifest.ts';
import type { ObjectStore } from '../../store/objects/object-store.ts';
import { readUploadState } from '../../store/objects/upload-state.ts';
import { fileSetsStamp } from '../../store/parquet/file-sets.ts';
import { openObjects } from '../../store/shared/open-objects.ts';
import {
  beganAgain,
  continues,
  isSame,
  OtherPublisherError,
  otherPublisher,
} from './publishers.ts';
import { type RoundOptions, repeatRounds } from './rounds.ts';
import { readShared } from './shared-manifest.ts';
import { Uploader } from './upload.ts';
import { SetUploader } from './upload-sets.ts';

const { replicas } = limits;

export interface UploadSettings {
  dataDir: string;
  snapshotsUrl: ObjectPlace | undefined;
  /** False: a replica gets no Parquet files. */
  files?: boolean;
}

/** Returns the storage of a mode, which its user closes. */
export async function modeObjects(
  place: ObjectPlace,
  mode: Mode,
): Promise<ObjectStore & AsyncDisposable> {
  const objects = await openObjects(placeBelow(place, mode), SNAPSHOTS_SETTING);
  return Object.assign(objects, { [Symbol.asyncDispose]: () => objects.close() });
}

/** Uploads until the signal aborts. A failure is noted once, and tried again. */
export async function keepUploading(
  { dataDir, snapshotsUrl: place }: UploadSettings,
  note: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  if (place === undefined) return;
  const work = MODES.flatMap((mode) => {
    const paths = modePaths(dataDir, mode);
    return [keepMode, keepSets].map((keep) => keep(paths, place, { note, signal }));
  });
  await Promise.all(work);
}

async function keepMode(
  paths: ModePaths,
  place: ObjectPlace,
  options: RoundOptions,
): Promise<void> {
  await using objects = await modeObjects(place, paths.mode);
  let uploader: Uploader | undefined;
  let lock: ReturnType<typeof lockFile>;
  let stamp = '';
  try {
    await repeatRounds(`${paths.mode} could not be uploaded`, options, async (hasFailed) => {
      const newest = manifestStamp(paths.serving);
      // Nothing is opened before there is something to upload.
      if (newest === '' || (newest === stamp && !uploader?.hasDue)) return replicas.lookMs;
      lock ??= lockFile(paths.uploadLock);
      if (!lock) return replicas.retryFirstMs;
      uploader ??= await triedUploader(paths, objects, options.signal);
      await uploader.round(options.signal);
      if (hasFailed) options.note(`${paths.mode} is uploaded again`);
      stamp = newest;
      return 0;
    });
  } finally {
    lock?.close();
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
  options: RoundOptions,
): Promise<void> {
  await using objects = await modeObjects(place, paths.mode);
  const uploader = new SetUploader({ paths, objects });
  let lock: ReturnType<typeof lockFile>;
  let stamp = '';
  let nextMs = 0;
  try {
    const title = `Parquet files of ${paths.mode} could not be uploaded`;
    await repeatRounds(title, options, async () => {
      const newest = fileSetsStamp(paths.files);
      if (newest === '' || (newest === stamp && monotonicMs() < nextMs)) {
        return replicas.setsPollMs;
      }
      lock ??= lockFile(paths.filesUploadLock);
      if (lock && (await uploader.round(options.signal))) {
        stamp = newest;
        nextMs = monotonicMs() + replicas.keptMs;
      }
      return replicas.setsPollMs;
    });
  } finally {
    lock?.close();
  }
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
    await using objects = await modeObjects(place, mode);
    await uploadMode(paths, objects, { signal });
  }
}

async function uploadMode(
  paths: ModePaths,
  objects: ObjectStore,
  { isPatient = true, signal }: { isPatient?: boolean; signal?: AbortSignal } = {},
): Promise<void> {
  const endMs = monotonicMs() + (isPatient ? replicas.commandMs : replicas.acceptWaitMs);
  for (;;) {
    {
      using lock = lockFile(paths.uploadLock);
      if (lock) {
        const uploader = await triedUploader(paths, objects, signal);
        await uploader.round(signal);
        return;
      }
    }
    if (await isUploaded(paths, objects, signal)) return;
    const isFailing = !isPatient && readUploadState(paths.upload).failure !== null;
    if (isFailing || monotonicMs() > endMs) {
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
  if (!published || !seen) return !published;
  if (isSame(seen.shared, published)) return true;
  const state = readUploadState(upload);
  if (state.takesOver || continues(published, seen.shared, state)) return false;
  if (beganAgain(published, seen.shared, state)) return false;
  throw otherPublisher(objects, published, seen.shared, state);
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
  await using objects = await modeObjects(place, paths.mode);
  const looks = timeoutSignal(replicas.acceptLookMs);
  try {
    if (await isUploaded(paths, objects, signal ? AbortSignal.any([signal, looks]) : looks)) {
      return true;
    }
    await uploadMode(paths, objects, { isPatient: false, signal });
    return true;
  } catch (error) {
    signal?.throwIfAborted();
    return !(error instanceof OtherPublisherError);
  }
}
