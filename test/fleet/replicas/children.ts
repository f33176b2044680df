/**
 * A process that uploads or follows until it is done, or until a failpoint kills it.
 *
 * Arguments: `upload` or `follow`, data folder, address of the storage, and optionally a failpoint
 * with the number of times that it is passed before.
 */

import { modePaths } from '../../../src/base/config/data-dir.ts';
import { objectPlace } from '../../../src/base/config/object-place.ts';
import { type Failpoint, onFailpoint } from '../../../src/base/failpoints.ts';
import { Replica } from '../../../src/fleet/replicas/replica.ts';
import { Uploader } from '../../../src/fleet/replicas/upload.ts';
import { openObjects } from '../../../src/store/shared/open-objects.ts';
import { publishNumber } from '../../store/arrow/support/publish-number.ts';

const [work, dataDir, address, name, passes = '0'] = process.argv.slice(2);
const paths = modePaths(dataDir, 'live');
const objects = await openObjects(objectPlace('address', address), 'address');

function killAt(wanted: Failpoint, count: number): void {
  let left = count;
  onFailpoint((reached) => {
    if (reached === wanted && left-- === 0) process.kill(process.pid, 'SIGKILL');
  });
}

if (work === 'publish') {
  // Publishes and uploads as fast as it can; one line for each version that it swapped in.
  const uploader = new Uploader({ paths, objects });
  for (let i = Number(name); i < Number(name) + Number(passes); i++) {
    await publishNumber(paths.serving, i);
    try {
      const report = await uploader.round();
      process.stdout.write(`won ${report?.version}\n`);
    } catch (error) {
      process.stdout.write(`lost ${(error as Error).name}\n`);
    }
  }
} else {
  if (name) killAt(name as Failpoint, Number(passes));
  const isUpload = work === 'upload';
  await (isUpload ? new Uploader({ paths, objects }) : new Replica({ paths, objects })).round();
}
await objects.close();
