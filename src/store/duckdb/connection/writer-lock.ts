/**
 * One writer per mode: a load holds the lock while it has DuckDB open, a publish while it swaps the
 * manifest.
 *
 * The lock is the kernel's: an exclusive SQLite transaction on an empty file, which ends with its
 * process. A second file names the holder; it may be out of date.
 */

import type { DatabaseSync } from 'node:sqlite';
import type { ModePaths } from '../../../base/config/data-dir.ts';
import { makeFolder } from '../../../base/durable-file.ts';
import { failpoint } from '../../../base/failpoints.ts';
import { lockFile } from '../../../base/file-lock.ts';
import { limits } from '../../../base/limits.ts';
import { delay, wallMs } from '../../../base/world/clock.ts';
import { readFileSync, renameSync, rmSync, writeFileSync } from '../../../base/world/files.ts';
import { process } from '../../../base/world/process.ts';

export interface WriterHolder {
  pid: number;
  verb: string;
  /** ISO date-time at which it took the lock. */
  since: string;
}

export interface WriterLock extends Disposable {
  /** Releases the lock; a second call has no effect. */
  release: () => void;
}

export interface WaitOptions {
  /** Called with the holder's name at the first failed try and whenever it changes. */
  onWaiting?: (holder: string) => void;
}

export interface WriterOptions extends WaitOptions {
  /** Command of this writer, shown to waiting ones: `backfill stooq`. */
  verb: string;
}

/** Takes the lock; waits as long as another writer has it, in no stated order of waiters. */
export async function acquireWriterLock(
  paths: ModePaths,
  { verb, onWaiting }: WriterOptions,
): Promise<WriterLock> {
  makeFolder(paths.root);
  const report = reportChanges(onWaiting);
  for (;;) {
    const database = lockFile(paths.writerLock);
    if (database) return heldLock(paths, verb, database);
    const holder = readWriterHolder(paths);
    report(holder ? holderText(holder) : 'another writer');
    await delay(limits.store.writerPollMs);
  }
}

/** Returns the last holder, if known; it may have released the lock since. */
export function readWriterHolder(paths: ModePaths): WriterHolder | undefined {
  try {
    return JSON.parse(readFileSync(holderPath(paths), 'utf8')) as WriterHolder;
  } catch {
    return undefined;
  }
}

export function holderText({ verb, pid, since }: WriterHolder): string {
  return `${verb} (process ${pid}, since ${since})`;
}

/** Returns a function that reports a message only if it differs from the one before. */
export function reportChanges(report?: (message: string) => void): (message: string) => void {
  let last: string | undefined;
  return (message) => {
    if (message !== last) report?.(message);
    last = message;
  };
}

function heldLock(paths: ModePaths, verb: string, database: DatabaseSync): WriterLock {
  const holder: WriterHolder = { pid: process.pid, verb, since: new Date(wallMs()).toISOString() };
  try {
    // Renamed into place, so that a waiter never reads half of it.
    failpoint('write note', 'writer');
    writeFileSync(`${holderPath(paths)}.new`, JSON.stringify(holder));
    failpoint('rename note', 'writer');
    renameSync(`${holderPath(paths)}.new`, holderPath(paths));
  } catch (error) {
    // The disk is full, for instance: the next try must find the lock free.
    database.close();
    throw error;
  }
  const release = () => {
    if (!database.isOpen) return;
    rmSync(holderPath(paths), { force: true });
    database.close();
  };
  return { release, [Symbol.dispose]: release };
}

function holderPath(paths: ModePaths): string {
  return `${paths.writerLock}.json`;
}
