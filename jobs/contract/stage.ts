/**
 * Place of staged results. Machines share the folder of segments, or object storage; then each one
 * has a folder of its own.
 */

import type { Settings } from '../../src/base/config/config.ts';
import type { ModePaths } from '../../src/base/config/data-dir.ts';
import { placeBelow } from '../../src/base/config/object-place.ts';
import { limits } from '../../src/base/limits.ts';
import type { ObjectStore } from '../../src/store/objects/object-store.ts';

export interface Stage {
  /** This machine's folder of segments. */
  segments: string;
  /** This machine's folder of unfinished files. */
  scratch: string;
  /** Object storage of the mode; undefined: staged results are in `segments`. */
  objects?: ObjectStore;
  /** Does work on the object storage again where a failure passes. */
  repeat?: <T>(work: () => Promise<T>) => Promise<T>;
}

export type StageSettings = Partial<Pick<Settings, 'redisUrl' | 'segmentsUrl'>>;

export interface Patience {
  /** Receives a line where the object storage is waited for. */
  note?: (line: string) => void;
  signal?: AbortSignal;
}

/**
 * Runs work on the staged results of a mode.
 *
 * @param patience Given by jobs, which wait for object storage that is away.
 * @throws {ObjectStoreError} the object storage fails.
 */
export async function withStage<T>(
  { mode, segments, scratch }: Pick<ModePaths, 'mode' | 'segments' | 'scratch'>,
  settings: StageSettings,
  work: (stage: Stage) => Promise<T>,
  patience?: Patience,
): Promise<T> {
  if (settings.segmentsUrl === undefined) return work({ segments, scratch });
  // Imported late, since few installations have object storage.
  const [{ SEGMENTS_SETTING, sharedSegments }, { openObjects }, { repeated }] = await Promise.all([
    import('../../src/store/shared/shared-segments.ts'),
    import('../../src/store/shared/open-objects.ts'),
    import('../../src/store/objects/repeated.ts'),
  ]);
  const place = sharedSegments(settings);
  if (!place) return work({ segments, scratch });
  const objects = await openObjects(placeBelow(place, mode), SEGMENTS_SETTING);
  const onWaiting = (reason: string) => patience?.note?.(`waits for the object storage: ${reason}`);
  const options = { signal: patience?.signal, forMs: limits.jobs.storageMs, onWaiting };
  const repeat: Stage['repeat'] = patience && ((again) => repeated(options, again));
  try {
    return await work({ segments, scratch, objects, repeat });
  } finally {
    await objects.close();
  }
}
