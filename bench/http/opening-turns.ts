/** For how long an event loop that follows publishes does nothing else. */

import { prepareVersion } from '../../src/api/operator/prepare-version.ts';
import { openServing } from '../../src/store/arrow/read/reader.ts';

/**
 * Follows what is published in a folder as a thread of the API does, with nothing else to do.
 *
 * @param versions How many to wait for, and how many of these, the first ones, do not count: the JIT
 *   has not compiled what opens them.
 * @returns the longest turn of the event loop, in milliseconds that its thread worked, while each
 *   was opened and prepared.
 */
export async function longestTurns(
  folder: string,
  versions: { count: number; cold: number },
): Promise<number[]> {
  const longest: number[] = [];
  const { promise: enough, resolve: stop } = Promise.withResolvers<void>();
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();
  let longestMs = 0;
  let lastMs = threadMs();
  let isOver = false;
  const turn = () => {
    const nowMs = threadMs();
    longestMs = Math.max(longestMs, nowMs - lastMs);
    lastMs = nowMs;
    if (!isOver) setImmediate(turn);
  };
  const note = () => {
    longest.push(longestMs);
    longestMs = 0;
    if (longest.length === versions.count) stop();
  };
  const reader = openServing(folder, {
    async prepare(version) {
      await prepareVersion(version);
      // The turn that ends the work counts too.
      setImmediate(() => setImmediate(note));
    },
    onError: fail,
  });
  turn();
  try {
    await Promise.race([enough, failed]);
  } finally {
    isOver = true;
    reader.close();
  }
  return longest.slice(versions.cold);
}

/** CPU time of this thread alone: what a busy machine makes it wait does not count. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
