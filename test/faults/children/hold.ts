/**
 * Holds a snapshot through publishes to a folder, then lets it go. Prints as JSON whether the
 * snapshot stayed as it was, and the removed files that are open before and after its end. The heap
 * of a process of its own is small, so the garbage collector finds the snapshot at once.
 */

import { readdirSync, readlinkSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { openPublished } from '../../../src/store/arrow/read/reader.ts';
import { publishNumber } from '../../store/arrow/support/publish-number.ts';
import { contentOf } from '../../store/arrow/support/published-fixture.ts';

/** Collections after which a file that is still open counts as held. */
const COLLECTIONS_MAX = 50;

const [dir] = process.argv.slice(2);

/** Files of the folder that were removed and are still open in this process. */
function removedAndOpen(): string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`);
      return path.startsWith(dir) && path.endsWith('(deleted)') ? [path] : [];
    } catch {
      return [];
    }
  });
}

/** Publishes while a snapshot is held. The snapshot is unreachable when the function returns. */
async function hold(): Promise<{ isSame: boolean; held: string[] }> {
  const snapshot = openPublished(dir)!;
  const before = contentOf(snapshot);
  for (let i = 1; i < 10; i++) await publishNumber(dir, i);
  return { isSame: isDeepStrictEqual(contentOf(snapshot), before), held: removedAndOpen() };
}

await publishNumber(dir, 0);
const { isSame, held } = await hold();
setFlagsFromString('--expose-gc');
const gc: () => void = runInNewContext('gc');
for (let turn = 0; turn < COLLECTIONS_MAX && removedAndOpen().length > 0; turn++) {
  gc();
  await new Promise((resolve) => setImmediate(resolve));
}
console.log(JSON.stringify({ isSame, held, left: removedAndOpen() }));
