/** Resources of a process as Linux reports them, and their growth over time. */

import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { OPERATOR_HEADERS } from '../../cli/support/operator.ts';

export interface Sample {
  /** Resident megabytes. */
  rssMb: number;
  /** Part of them that no file backs. */
  anonymousMb: number;
  /** Files of the folder that are open and still there. */
  published: number;
  /** Files of the folder that were removed and are still open. */
  removed: number;
  /** Other open descriptors. */
  others: number;
}

/** @param folder Whose files count. */
export function sampleOf(pid: number, folder: string): Sample {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (name: string) =>
    Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
  const paths = openPaths(pid);
  const ofFolder = paths.filter((path) => path.startsWith(folder));
  const removed = ofFolder.filter((path) => path.endsWith('(deleted)')).length;
  return {
    rssMb: megabytes('VmRSS'),
    anonymousMb: megabytes('RssAnon'),
    published: ofFolder.length - removed,
    removed,
    others: paths.length - ofFolder.length,
  };
}

/** Returns the paths behind the descriptors of a process. */
function openPaths(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${fd}`)];
    } catch {
      // Closed since the folder was listed.
      return [];
    }
  });
}

/** Megabytes of all threads of a server together, as `/metrics` tells. */
export interface Memory {
  heapMb: number;
  externalMb: number;
}

export async function memoryOf(address: string): Promise<Memory> {
  const text = await (await fetch(`${address}/metrics`, { headers: OPERATOR_HEADERS })).text();
  const megabytes = (name: string) => {
    const values = text.matchAll(new RegExp(`^${name}\\{.*\\} (\\S+)$`, 'gm'));
    return values.reduce((sum, [, value]) => sum + Number(value), 0) / 2 ** 20;
  };
  return {
    heapMb: megabytes('nodejs_heap_size_used_bytes'),
    externalMb: megabytes('nodejs_external_memory_bytes'),
  };
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}

/** Change a step of the straight line through values at steps 0, 1, …: least squares. */
export function slopeOf(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  let products = 0;
  let squares = 0;
  for (const [i, value] of values.entries()) {
    products += (i - middle) * value;
    squares += (i - middle) ** 2;
  }
  return products / squares;
}
