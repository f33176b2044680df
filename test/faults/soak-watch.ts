/** What a process takes of the machine, as Linux tells, and what becomes of that in time. */

import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

export interface Sample {
  /** Resident megabytes. */
  rssMb: number;
  /** Of these what no file backs. */
  anonymousMb: number;
  descriptors: number;
  /** Files of the folder that were removed and are still open. */
  removedOpen: number;
}

/** @param folder Whose removed files count. */
export function sampleOf(pid: number, folder: string): Sample {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (name: string) =>
    Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
  const descriptors = readdirSync(`/proc/${pid}/fd`);
  const removed = descriptors.filter((fd) => isRemoved(`/proc/${pid}/fd/${fd}`, folder));
  return {
    rssMb: megabytes('VmRSS'),
    anonymousMb: megabytes('RssAnon'),
    descriptors: descriptors.length,
    removedOpen: removed.length,
  };
}

/** Megabytes of all threads of a server together, as `/metrics` tells. */
export interface Memory {
  heapMb: number;
  externalMb: number;
}

export async function memoryOf(address: string): Promise<Memory> {
  const text = await (await fetch(`${address}/metrics`)).text();
  const megabytes = (name: string) => {
    const values = text.matchAll(new RegExp(`^${name}\\{.*\\} (\\S+)$`, 'gm'));
    return values.reduce((sum, [, value]) => sum + Number(value), 0) / 2 ** 20;
  };
  return {
    heapMb: megabytes('nodejs_heap_size_used_bytes'),
    externalMb: megabytes('nodejs_external_memory_bytes'),
  };
}

function isRemoved(link: string, folder: string): boolean {
  try {
    const path = readlinkSync(link);
    return path.startsWith(folder) && path.endsWith('(deleted)');
  } catch {
    // Closed since the folder was listed.
    return false;
  }
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
