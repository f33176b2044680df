/** Checks whether the object storage of the settings keeps publishers apart. */

import type { Settings } from '../../base/config/config.ts';
import { modePaths } from '../../base/config/data-dir.ts';
import { placeText } from '../../base/config/object-place.ts';
import { TapeworksError } from '../../base/errors.ts';
import type { Check } from './setup.ts';

const NAME = 'object storage';

/**
 * Writes, swaps and removes an object; on a replica, whose key may only read, reads the manifest.
 * None if the settings name no storage.
 */
export async function checkObjects({
  dataDir,
  snapshotsUrl: place,
}: Pick<Settings, 'dataDir' | 'snapshotsUrl'>): Promise<Check[]> {
  if (place === undefined) return [];
  const [{ modeObjects }, { requireConditionalWrites }, { readShared }, { readReplicaState }] =
    await Promise.all([
      import('../../store/replicas/run-uploads.ts'),
      import('../../store/replicas/conditional-writes.ts'),
      import('../../store/replicas/shared-manifest.ts'),
      import('../../store/replicas/replica-state.ts'),
    ]);
  const isReplica = readReplicaState(modePaths(dataDir, 'live').replicaState) !== undefined;
  const objects = await modeObjects(place, 'live');
  try {
    if (isReplica) await readShared(objects);
    else await requireConditionalWrites(objects);
    const detail = placeText(place) + (isReplica ? ', read as a replica' : '');
    return [{ name: NAME, state: 'ok', detail }];
  } catch (error) {
    if (!(error instanceof TapeworksError)) throw error;
    return [{ name: NAME, state: 'failed', detail: error.message }];
  } finally {
    await objects.close();
  }
}
