/**
 * Highest epoch and version of a folder, in the name of an empty file. The fence must hold where
 * the manifest is damaged, and damage of bytes does not reach a name.
 */

import { ifExists } from '../../../base/copy-file.ts';
import { makeEmptyFile, removeFile } from '../../../base/durable-file.ts';
import { readdirSync } from '../../../base/world/files.ts';
import type { Manifest } from './manifest-types.ts';

type HighWater = Pick<Manifest, 'epoch' | 'version'>;

const MARK = /^high-water-(\d+)-(\d{8,})\.mark$/;

/** Returns the name of the mark of a version. */
export function markName({ epoch, version }: HighWater): string {
  return `high-water-${epoch}-${String(version).padStart(8, '0')}.mark`;
}

/**
 * Marks a version that is about to replace the manifest. The caller syncs the folder in between.
 * The mark before it stays until the next call, as its removal could outlive a lost new name.
 */
export function markHighWater(folder: string, next: HighWater): void {
  const names = marksIn(folder);
  const newest = highestOf(names);
  for (const name of names) if (name !== markName(newest)) removeFile(folder, name);
  makeEmptyFile(folder, markName(next));
}

/** Returns the highest marked epoch and its version; zeros without a mark. */
export function readHighWater(folder: string): HighWater {
  return highestOf(marksIn(folder));
}

function marksIn(folder: string): string[] {
  return (ifExists(() => readdirSync(folder)) ?? []).filter((name) => MARK.test(name));
}

function highestOf(names: readonly string[]): HighWater {
  let highest: HighWater = { epoch: 0, version: 0 };
  for (const name of names) {
    const [epoch, version] = MARK.exec(name)!.slice(1).map(Number);
    const order = epoch - highest.epoch || version - highest.version;
    if (order > 0) highest = { epoch, version };
  }
  return highest;
}
