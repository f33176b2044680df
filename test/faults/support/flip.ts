/** Flips one bit of a file, and checks that its readers detect it or that it means nothing. */

import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import { CorruptDataError } from '../../../src/base/errors.ts';

/** Results of all flips of one kind of file. */
export interface Found {
  detected: number;
  /** Flips of bytes without meaning: free space, padding. */
  unchanged: number;
}

/** The bytes of a file with one bit flipped. */
export function flipped(whole: Uint8Array, random: () => number): Buffer {
  const damaged = Buffer.from(whole);
  damaged[placeIn(damaged, random)] ^= 1 << Math.floor(random() * 8);
  return damaged;
}

/** Returns the place of a byte that is not zero: pages and columns are padded with zeros. */
function placeIn(bytes: Uint8Array, random: () => number): number {
  let place = 0;
  for (let tries = 0; tries < 50; tries++) {
    place = Math.floor(random() * bytes.length);
    if (bytes[place] !== 0) break;
  }
  return place;
}

/** Flips one bit of a file and gives it back as it was when the work is done. */
async function withFlippedByte<T>(
  path: string,
  random: () => number,
  work: () => Promise<T>,
): Promise<T> {
  const whole = readFileSync(path);
  writeFileSync(path, flipped(whole, random));
  try {
    return await work();
  } finally {
    writeFileSync(path, whole);
  }
}

export interface Flips {
  count: number;
  random(): number;
  /** Gives the file, another one each time if it likes. */
  pathOf(): string;
  /** Before the flip of each. */
  before?(): unknown;
  read(): Promise<unknown>;
  /** Returns true if an error reports damage. Any other error is a failure of the program. */
  tellsOfDamage(error: Error, path: string): boolean;
}

/** Reads `count` times with one bit flipped: damage is told, or what is read is without any. */
export async function flip({ count, random, pathOf, ...of }: Flips): Promise<Found> {
  await of.before?.();
  const expected = await of.read();
  const found = { detected: 0, unchanged: 0 };
  for (let i = 0; i < count; i++) {
    const path = pathOf();
    await of.before?.();
    const state = await withFlippedByte(path, random, () =>
      of.read().catch((error: Error) => {
        if (!of.tellsOfDamage(error, path)) {
          throw new Error(`${path}: not of damage: ${error.message}`, { cause: error });
        }
        return 'detected';
      }),
    );
    if (state === 'detected') found.detected++;
    else {
      expect(state, path).toEqual(expected);
      found.unchanged++;
    }
  }
  return found;
}

/** Returns true for the error that all readers of published files throw. */
export function isCorruptData(error: Error): boolean {
  return error instanceof CorruptDataError;
}
