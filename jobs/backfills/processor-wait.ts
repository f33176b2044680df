/** Waits of this process for a processor, as Linux counts them. */

import { limits } from '../../src/base/limits.ts';
import { readdirSync, readFileSync } from '../../src/base/world/files.ts';

/** Nanoseconds that the threads of a process have run, and have waited for a processor. */
export interface ProcessorUse {
  ranNs: number;
  waitedNs: number;
}

/** Returns a function that gives the use since its last call; undefined on other systems. */
export function processorUse(folder = '/proc/self/task'): () => ProcessorUse | undefined {
  let before = threadUses(folder);
  return () => {
    const now = threadUses(folder);
    const use = { ranNs: 0, waitedNs: 0 };
    for (const [id, { ranNs, waitedNs }] of now) {
      use.ranNs += ranNs - (before.get(id)?.ranNs ?? 0);
      use.waitedNs += waitedNs - (before.get(id)?.waitedNs ?? 0);
    }
    before = now;
    return now.size > 0 ? use : undefined;
  };
}

/**
 * Returns true if other programs take the processors. Where threads of this process wait for each
 * other alone, they also run.
 */
export function isStarved({ ranNs, waitedNs }: ProcessorUse, elapsedMs: number): boolean {
  const { waitShareMin, waitPerRunMin } = limits.backfills;
  return waitedNs > waitShareMin * elapsedMs * 1e6 && waitedNs > waitPerRunMin * ranNs;
}

function threadUses(folder: string): Map<string, ProcessorUse> {
  const uses = new Map<string, ProcessorUse>();
  try {
    for (const id of readdirSync(folder)) {
      const use = useOf(`${folder}/${id}/schedstat`);
      if (use) uses.set(id, use);
    }
  } catch {
    // There are no such files here.
  }
  return uses;
}

/** @returns undefined if the thread has ended. */
function useOf(path: string): ProcessorUse | undefined {
  try {
    const [ranNs, waitedNs] = readFileSync(path, 'utf8').split(' ').map(Number);
    return { ranNs, waitedNs };
  } catch {
    return undefined;
  }
}
