/** A small disk of its own, which a test can fill up. Only root may have one. */

import { execFileSync } from 'node:child_process';
import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Words in which the system, DuckDB, SQLite and this program report a full disk. */
export const NAMES_THE_DISK =
  /no space left|disk is full|disk .*is full|ENOSPC|not enough space|disk I\/O error/i;

/** A file that takes all room. */
const BALLAST_NAME = 'ballast';

export interface SmallDisk {
  folder: string;
  /** @param leftBytes Given back in whole pages. */
  fill(leftBytes?: number): void;
  free(): void;
  /** Removes what is on it. */
  clear(): void;
  remove(): void;
}

/** @returns undefined where this user may not mount one. */
export function mountSmallDisk(bytes: number): SmallDisk | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'tapeworks-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder], {
      stdio: 'ignore',
    });
  } catch {
    rmSync(folder, { recursive: true });
    return undefined;
  }
  return {
    folder,
    fill: (leftBytes) => fillDisk(folder, leftBytes),
    free: () => rmSync(join(folder, BALLAST_NAME), { force: true }),
    clear() {
      for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
    },
    remove() {
      // Lazily: files may still be open.
      execFileSync('umount', ['-l', folder]);
      rmSync(folder, { recursive: true });
    },
  };
}

/** Takes all room but some, also from another process than that which mounted the disk. */
export function fillDisk(folder: string, leftBytes = 0): void {
  const spare = join(folder, `${BALLAST_NAME}.spare`);
  if (leftBytes > 0) writeFileSync(spare, Buffer.alloc(leftBytes));
  const file = openSync(join(folder, BALLAST_NAME), 'w');
  try {
    for (const size of [1024 * 1024, 4096]) {
      try {
        for (;;) writeSync(file, Buffer.alloc(size));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
    }
  } finally {
    closeSync(file);
  }
  rmSync(spare, { force: true });
}
