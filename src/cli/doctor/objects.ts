/** Checks whether the object storage of the settings keeps publishers apart. */

import type { Settings } from '../../base/config/config.ts';
import { placeText } from '../../base/config/object-place.ts';
import { TapeworksError } from '../../base/errors.ts';
import type { Check } from './setup.ts';

const NAME = 'object storage';

/** Writes, swaps and removes an object; none if the settings name no storage. */
export async function checkObjects({
  snapshotsUrl: place,
}: Pick<Settings, 'snapshotsUrl'>): Promise<Check[]> {
  if (place === undefined) return [];
  const [{ modeObjects }, { requireConditionalWrites }] = await Promise.all([
    import('../../store/replicas/run-uploads.ts'),
    import('../../store/replicas/conditional-writes.ts'),
  ]);
  const objects = await modeObjects(place, 'live');
  try {
    await requireConditionalWrites(objects);
    return [{ name: NAME, state: 'ok', detail: `${placeText(place)} with conditional writes` }];
  } catch (error) {
    if (!(error instanceof TapeworksError)) throw error;
    return [{ name: NAME, state: 'failed', detail: error.message }];
  } finally {
    await objects.close();
  }
}
