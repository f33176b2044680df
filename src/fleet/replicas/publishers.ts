/** Says whether a data folder may replace the shared version. */

import { isDeepStrictEqual } from 'node:util';
import { StoreBusyError } from '../../base/errors.ts';
import { textFromManifest } from '../../store/arrow/format/manifest.ts';
import type { Manifest } from '../../store/arrow/format/manifest-types.ts';
import type { ObjectStore } from '../../store/objects/object-store.ts';
import type { UploadState } from '../../store/objects/upload-state.ts';
import {
  compareVersions,
  manifestOf,
  SHARED_NAME,
  type SharedManifest,
} from './shared-manifest.ts';

/** Another data folder publishes to the same place. Waiting does not help. */
export class OtherPublisherError extends StoreBusyError {}

export function isSame(shared: SharedManifest, manifest: Manifest): boolean {
  return shared.manifest === textFromManifest(manifest);
}

/** Returns true if the published version may replace the shared one: it was made from it. */
export function continues(
  published: Manifest,
  shared: SharedManifest,
  state: UploadState,
): boolean {
  const isKnown = isOurs(shared, state) || isBefore(shared, published);
  return isKnown && compareVersions(shared, published) < 0;
}

/**
 * Returns true if a folder lost its published files after an upload of its own, and published all
 * again from its store: numbers began again, too.
 */
export function beganAgain(
  published: Manifest,
  shared: SharedManifest,
  state: UploadState,
): boolean {
  // The publish of a copy that was made before the upload is older.
  return isOurs(shared, state) && published.createdMs > shared.createdMs;
}

function isOurs({ id }: SharedManifest, { uploaded, swapping }: UploadState): boolean {
  return uploaded?.id === id || swapping === id;
}

export function otherPublisher(
  objects: ObjectStore,
  { version, epoch }: Manifest,
  shared: SharedManifest,
  state: UploadState,
): OtherPublisherError {
  const holder = `version ${shared.version}, epoch ${shared.epoch}`;
  const there = `"${objects.addressOf(SHARED_NAME)}" has version ${shared.version} (epoch ${shared.epoch})`;
  const here = `version ${version} (epoch ${epoch})`;
  if (isOurs(shared, state)) {
    return new OtherPublisherError(
      holder,
      `${there}, which this data folder uploaded, and ${here}, which is older, is published here ` +
        'now: run compact --full if older files were put back, or stop this copy of the folder',
    );
  }
  return new OtherPublisherError(
    holder,
    `${there} of another data folder, this one has ${here}: stop one of the two, or set ` +
      'TAPEWORKS_SNAPSHOTS_URL to another place',
  );
}

/** Returns true if the shared version is one that the published one has replaced. */
function isBefore(shared: SharedManifest, { recent }: Manifest): boolean {
  const replaced = recent.find(({ id }) => id === shared.id);
  // Two stores may have published versions of one number in the same millisecond.
  const { quotes } = manifestOf(shared, SHARED_NAME);
  return replaced !== undefined && isDeepStrictEqual(replaced.quotes, quotes);
}
