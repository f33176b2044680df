/** Opens the object storage of an address. */

import { type ObjectPlace, s3Access } from '../../base/config/object-place.ts';
import { process } from '../../base/world/process.ts';
import type { ObjectStore } from '../objects/object-store.ts';

/**
 * @param setting Setting or argument that names the place, for messages.
 * @throws {ConfigError} the access to an S3 bucket is not set.
 */
export async function openObjects(place: ObjectPlace, setting: string): Promise<ObjectStore> {
  if (place.kind === 'file') {
    const { fileObjects } = await import('../objects/file-objects.ts');
    return fileObjects(place.folder, setting);
  }
  const access = s3Access(setting, process.env);
  // The client is loaded only where an address names a bucket.
  const { s3Objects } = await import('../../fleet/objects/s3-objects.ts');
  return s3Objects(place, access, setting);
}
