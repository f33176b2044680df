/**
 * A process that publishes and uploads as fast as it can, and says in a line how each upload ended.
 *
 * Arguments: data folder, address of the storage, first version and number of versions.
 */

import { modePaths } from '../../../src/base/config/data-dir.ts';
import { objectPlace } from '../../../src/base/config/object-place.ts';
import { Uploader } from '../../../src/fleet/replicas/upload.ts';
import { openObjects } from '../../../src/store/shared/open-objects.ts';
import { publishNumber } from '../../store/arrow/support/publish-number.ts';

const [dataDir, address, first, count] = process.argv.slice(2);
const paths = modePaths(dataDir, 'live');
const objects = await openObjects(objectPlace('address', address), 'address');
const uploader = new Uploader({ paths, objects });
for (let i = Number(first); i < Number(first) + Number(count); i++) {
  await publishNumber(paths.serving, i);
  try {
    const report = await uploader.round();
    process.stdout.write(`won ${report?.version}\n`);
  } catch (error) {
    process.stdout.write(`lost ${(error as Error).name}\n`);
  }
}
await objects.close();
