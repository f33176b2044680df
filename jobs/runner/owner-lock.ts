/**
 * Which process runs a plan without Redis. Each has a file on which it holds the kernel's lock
 * while it lives, as writers of the store do: whether it is gone is never guessed.
 */

import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { makeFolders } from '../../src/base/data-folder.ts';
import { lockFile } from '../../src/base/file-lock.ts';

const ENDING = '.lock';

export class OwnerLock {
  /** Told to others as the owner of plans. */
  readonly id: string;
  readonly #folder: string;
  readonly #lock: DatabaseSync;

  constructor(folder: string) {
    makeFolders(folder);
    this.#folder = folder;
    for (;;) {
      const id = `${process.pid}-${randomBytes(6).toString('hex')}`;
      const lock = lockFile(this.#path(id));
      // Another process that clears away may have had the file before it was locked.
      if (lock && existsSync(this.#path(id))) {
        this.id = id;
        this.#lock = lock;
        break;
      }
      lock?.close();
    }
    this.#removeLeft();
  }

  /** Whether an owner is gone for good. */
  isGone(owner: string): boolean {
    if (owner === this.id) return false;
    const path = this.#path(owner);
    if (!existsSync(path)) return true;
    const lock = lockFile(path);
    lock?.close();
    return lock !== undefined;
  }

  close(): void {
    removeHeld(this.#path(this.id), this.#lock);
  }

  #path(owner: string): string {
    return join(this.#folder, owner + ENDING);
  }

  /** Files of owners that were killed. */
  #removeLeft(): void {
    for (const name of readdirSync(this.#folder)) {
      if (!name.endsWith(ENDING)) continue;
      const path = join(this.#folder, name);
      const lock = path === this.#path(this.id) ? undefined : lockFile(path);
      if (lock) removeHeld(path, lock);
    }
  }
}

/** While it is held, so that nobody takes what is going away. */
function removeHeld(path: string, lock: DatabaseSync): void {
  // Windows removes no open file.
  if (process.platform === 'win32') lock.close();
  rmSync(path, { force: true });
  if (lock.isOpen) lock.close();
}
