/** Compares what a process holds after its seeds, to see whether it grows with the nights. */

import { existsSync, readdirSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

const OPEN_FILES = '/proc/self/fd';
/** First seeds of a process compile the program. */
const WARM_SEEDS = 10;
/** Seeds at the beginning and at the end whose medians are compared. */
const COMPARED = 10;
/** One seed leaves more than this, or less, by chance. */
const GROWTH_MAX_BYTES = 8_000_000;

export interface Held {
  pid: number;
  /** Memory of objects and buffers after a collection of garbage. */
  bytes: number;
  /** Open files; 0 where the system does not list them. */
  files: number;
}

export function heldNow(): Held {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  const files = existsSync(OPEN_FILES) ? readdirSync(OPEN_FILES).length : 0;
  return { pid: process.pid, bytes: heapUsed + external, files };
}

/**
 * Compares what each process holds after its first seeds and after its last ones.
 *
 * @param held In the order of the runs. A process with few seeds is left out.
 * @returns a line for each process that was compared, and one for each that grows.
 */
export function growthOf(held: readonly Held[]): { told: string[]; violations: string[] } {
  const told: string[] = [];
  const violations: string[] = [];
  for (const all of Map.groupBy(held, ({ pid }) => pid).values()) {
    if (all.length < WARM_SEEDS + 2 * COMPARED) continue;
    const [first, last] = [all.slice(WARM_SEEDS, WARM_SEEDS + COMPARED), all.slice(-COMPARED)];
    const [from, to] = [first, last].map((some) => ({
      bytes: medianOf(some.map(({ bytes }) => bytes)),
      files: medianOf(some.map(({ files }) => files)),
    }));
    const line =
      `${all.length} seeds in a process: ${megabytes(from.bytes)} to ${megabytes(to.bytes)} MB, ` +
      `${from.files} to ${to.files} open files`;
    told.push(line);
    const isGrowing = to.bytes > from.bytes + GROWTH_MAX_BYTES || to.files > from.files;
    if (isGrowing) violations.push(`nothing is left over: ${line}`);
  }
  return { told, violations };
}

const medianOf = (numbers: number[]) => numbers.sort((a, b) => a - b)[numbers.length >> 1];
const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1);
