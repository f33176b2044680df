/** Checks the object storage of the settings: that of published files, and that of segments. */

import type { Settings } from '../../base/config/config.ts';
import { modePaths } from '../../base/config/data-dir.ts';
import { type ObjectPlace, placeText } from '../../base/config/object-place.ts';
import { readReplicaState } from '../../store/objects/replica-state.ts';
import { loadReplicas } from '../fleet.ts';
import { type Check, checked } from './setup.ts';

type ObjectSettings = Pick<Settings, 'dataDir' | 'snapshotsUrl' | 'segmentsUrl' | 'redisUrl'>;

/** Tries what each storage must do; no check where the settings name none. */
export async function checkObjects(settings: ObjectSettings): Promise<Check[]> {
  const { snapshotsUrl, segmentsUrl } = settings;
  return [
    ...(snapshotsUrl ? [await checkSnapshots(settings)] : []),
    ...(segmentsUrl ? [await checkSegments(settings, segmentsUrl)] : []),
  ];
}

/** Adds a fault that is harmless as a note. */
async function checkSnapshots(settings: ObjectSettings): Promise<Check> {
  let note: string | undefined;
  const check = await checked('object storage', async () => {
    const { detail, fault } = await trySnapshots(settings);
    note = fault;
    return detail;
  });
  return note === undefined
    ? check
    : { ...check, state: 'note', detail: `${check.detail}; ${note}, which changes nothing here` };
}

/**
 * Writes, swaps and removes objects, alone and several at once; on a replica, whose key may only
 * read, reads the manifest.
 */
async function trySnapshots({
  dataDir,
  snapshotsUrl,
}: ObjectSettings): Promise<{ detail: string; fault?: string }> {
  const place = snapshotsUrl as ObjectPlace;
  const { modeObjects, readShared, requireConditionalWrites, tryRaces } = await loadReplicas();
  const isReplica = readReplicaState(modePaths(dataDir, 'live').replicaState) !== undefined;
  await using objects = await modeObjects(place, 'live');
  if (isReplica) {
    await readShared(objects);
    return { detail: `${placeText(place)}, read as a replica` };
  }
  await requireConditionalWrites(objects);
  return { detail: placeText(place), fault: await tryRaces(objects) };
}

async function checkSegments({ redisUrl }: ObjectSettings, place: ObjectPlace): Promise<Check> {
  const name = 'segments';
  if (redisUrl === undefined) {
    const detail = 'TAPEWORKS_SEGMENTS_URL is not used without TAPEWORKS_REDIS_URL';
    return { name, state: 'note', detail };
  }
  const { trySharing } = await import('../../store/shared/shared-segments.ts');
  return checked(name, async () => {
    await trySharing(place);
    return placeText(place);
  });
}
