/**
 * Identity of a process that executes runs. It holds a kernel lock on its own file while it lives,
 * so other processes know for certain when it has died.
 */

import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { makeFolders } from '../../src/base/data-folder.ts';
import { lockFile } from '../../src/base/file-lock.ts';
import { randomBytes } from '../../src/base/world/chance.ts';
import { existsSync, readdirSync, rmSync } from '../../src/base/world/files.ts';
import { process } from '../../src/base/world/process.ts';

const ENDING = '.lock';

/** Start of the ids of processes that take over runs without an owner: `start` and `schedule`. */
const KEEPER = 'keeper-';

/** Owner of runs that no process executes yet; a keeper takes them over. */
export const NOBODY = 'nobody';

export class OwnerLock {
  readonly id: string;
  readonly #folder: string;
  readonly #lock: DatabaseSync;

  constructor(folder: string, { isKeeper = false } = {}) {
    makeFolders(folder);
    this.#folder = folder;
    for (;;) {
      const id = `${isKeeper ? KEEPER : ''}${process.pid}-${randomBytes(6).toString('hex')}`;
      const lock = lockFile(this.#path(id));
      // Another process may have removed the file before it was locked.
      if (lock && existsSync(this.#path(id))) {
        this.id = id;
        this.#lock = lock;
        break;
      }
      lock?.close();
    }
    this.#removeLeft();
  }

  isGone(owner: string): boolean {
    return owner !== this.id && isGone(this.#folder, owner);
  }

  close(): void {
    removeHeld(this.#path(this.id), this.#lock);
  }

  #path(owner: string): string {
    return join(this.#folder, owner + ENDING);
  }

  /** Removes the files of killed processes. */
  #removeLeft(): void {
    for (const name of readdirSync(this.#folder)) {
      if (!name.endsWith(ENDING)) continue;
      const path = join(this.#folder, name);
      const lock = path === this.#path(this.id) ? undefined : lockFile(path);
      if (lock) removeHeld(path, lock);
    }
  }
}

/** Returns true if the process of an owner has died. */
export function isGone(folder: string, owner: string): boolean {
  const path = join(folder, owner + ENDING);
  if (!existsSync(path)) return true;
  const lock = lockFile(path);
  lock?.close();
  return lock !== undefined;
}

/** Returns true if a process lives that takes over runs without an owner. */
export function hasKeeper(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const names = readdirSync(folder).filter((name) => name.startsWith(KEEPER));
  return names.some((name) => !isGone(folder, name.slice(0, -ENDING.length)));
}

/** Removes the file while its lock is held, so that no process locks a file that disappears. */
function removeHeld(path: string, lock: DatabaseSync): void {
  // Windows cannot remove an open file.
  if (process.platform === 'win32') lock.close();
  rmSync(path, { force: true });
  if (lock.isOpen) lock.close();
}
