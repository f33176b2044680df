/** Walks whose pages come from several machines, of which one has a version before another. */

import { limits } from '../../base/limits.ts';
import { delay, monotonicMs } from '../../base/world/clock.ts';
import type { ServingReader } from '../../store/arrow/snapshot/snapshot.ts';

/**
 * Makes a page once this machine has the version of its walk. A machine that gets it too late makes
 * the page from what it has.
 *
 * @param id Version of the page before; undefined for the first page.
 */
export function onceReached<Page>(
  reader: ServingReader,
  id: string | undefined,
  make: () => Page | Promise<Page>,
): Page | Promise<Page> {
  if (id === undefined || reader.reaches(id)) return make();
  return untilReached(reader, id).then(make);
}

async function untilReached(reader: ServingReader, id: string): Promise<void> {
  const endMs = monotonicMs() + limits.page.versionWaitMs;
  while (!reader.reaches(id) && monotonicMs() < endMs) await delay(limits.serving.pollMs);
}
