/** Follows object storage for both modes of a replica; one process of a data folder does. */

import {
  MODES,
  type Mode,
  type ModePaths,
  modePaths,
  replicaLockPath,
} from '../../base/config/data-dir.ts';
import { type ObjectPlace, SNAPSHOTS_SETTING } from '../../base/config/object-place.ts';
import { makeFolder } from '../../base/durable-file.ts';
import { ConfigError, UsageError } from '../../base/errors.ts';
import { lockFile } from '../../base/file-lock.ts';
import { limits } from '../../base/limits.ts';
import { existsSync } from '../../base/world/files.ts';
import { Replica } from './replica.ts';
import { SetReplica } from './replica-sets.ts';
import { type RoundOptions, repeatRounds } from './rounds.ts';
import { modeObjects, type UploadSettings } from './run-uploads.ts';

const { replicas } = limits;

/**
 * Checks that a data folder can be a replica.
 *
 * @throws {ConfigError} no object storage is set.
 * @throws {UsageError} the folder has a store, whose published files would be replaced.
 */
export function requireReplica({ dataDir, snapshotsUrl }: UploadSettings): ObjectPlace {
  if (snapshotsUrl === undefined) {
    throw new ConfigError(`${SNAPSHOTS_SETTING} must be set for a replica`);
  }
  const store = MODES.map((mode) => modePaths(dataDir, mode).market).find((path) =>
    existsSync(path),
  );
  if (store === undefined) return snapshotsUrl;
  throw new UsageError(
    `"${store}" exists, so this data folder is not a replica: run serve without --replica, or ` +
      'set TAPEWORKS_DATA_DIR to a new folder',
  );
}

/**
 * Follows the storage until the signal aborts. A failure is noted once, and tried again.
 *
 * @param damaged Modes in which a reader has met damage; taken out when their files are read.
 */
export async function followObjects(
  settings: UploadSettings,
  note: (line: string) => void,
  signal: AbortSignal,
  damaged = new Set<Mode>(),
): Promise<void> {
  const place = requireReplica(settings);
  const { dataDir } = settings;
  makeFolder(dataDir);
  await repeatRounds("can't follow the object storage", { note, signal }, async () => {
    const lock = lockFile(replicaLockPath(dataDir));
    if (!lock) return replicas.retryFirstMs;
    try {
      const options = { note, signal, damaged };
      const work = MODES.flatMap((mode) => {
        const paths = modePaths(dataDir, mode);
        const sets = settings.files === false ? [] : [followSets(paths, place, options)];
        return [followMode(paths, place, options), ...sets];
      });
      await Promise.all(work);
    } finally {
      lock.close();
    }
    return 0;
  });
}

interface FollowOptions extends RoundOptions {
  damaged: Set<Mode>;
}

async function followMode(
  paths: ModePaths,
  place: ObjectPlace,
  { damaged, ...options }: FollowOptions,
): Promise<void> {
  const { mode } = paths;
  await using objects = await modeObjects(place, mode);
  let replica: Replica | undefined;
  let repaired = 0;
  await repeatRounds(`${mode} can't follow the object storage`, options, async (hasFailed) => {
    replica ??= new Replica({ paths, objects });
    if (damaged.delete(mode)) replica.noteDamage();
    const isNew = await replica.round(options.signal);
    if (replica.repaired > repaired) {
      options.note(`${mode}: downloaded ${replica.repaired - repaired} damaged files again`);
    }
    repaired = replica.repaired;
    if (isNew || hasFailed) options.note(`${mode} has version ${replica.state.version}`);
    return mode === 'live' ? replicas.pollMs : replicas.sandboxPollMs;
  });
}

/** Follows the sets of Parquet files, which come later than their version. */
async function followSets(
  paths: ModePaths,
  place: ObjectPlace,
  options: RoundOptions,
): Promise<void> {
  await using objects = await modeObjects(place, paths.mode);
  let replica: SetReplica | undefined;
  const title = `Parquet files of ${paths.mode} could not be downloaded`;
  await repeatRounds(title, options, async () => {
    replica ??= new SetReplica({ paths, objects });
    await replica.round(options.signal);
    return replicas.setsPollMs;
  });
}
