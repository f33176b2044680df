/**
 * One writer per mode: a load takes the lock while it has DuckDB open, a publish while it swaps
 * the manifest.
 *
 * The lock is the kernel's: an exclusive SQLite transaction on an empty file. It ends with its
 * process however that dies, so there is no stale lock to judge, no process id that a restarted
 * container reuses, and two waiters can't both take over. The file beside it only names the
 * holder; it may be out of date and is never trusted to mean that the lock is held.
 */

import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import type { ModePaths } from '../../../base/config/data-dir.ts';
import { makeFolder } from '../../../base/durable-file.ts';
import { step } from '../../../base/failpoints.ts';
import { lockFile } from '../../../base/file-lock.ts';
import { limits } from '../../../base/limits/limits.ts';

export interface WriterHolder {
  pid: number;
  /** What it is doing, as the user would say it: `backfill stooq`. */
  verb: string;
  /** ISO date-time at which it took the lock. */
  since: string;
}

export interface WriterLock {
  /** Gives the lock back; again does nothing. */
  release: () => void;
}

export interface WaitOptions {
  /** Told who is in the way: at the first failed try and whenever the answer changes. */
  onWaiting?: (holder: string) => void;
}

export interface WriterOptions extends WaitOptions {
  /** What this writer does, named to others that wait: `backfill stooq`. */
  verb: string;
}

/** Takes the lock, waiting for as long as another writer has it. Which waiter is next is open. */
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

/** Who took the lock last, if that is known. Whether it still holds it is not. */
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

/** Passes on a message only when it differs from the one before. */
export function reportChanges(report?: (message: string) => void): (message: string) => void {
  let last: string | undefined;
  return (message) => {
    if (message !== last) report?.(message);
    last = message;
  };
}

function heldLock(paths: ModePaths, verb: string, database: DatabaseSync): WriterLock {
  const holder: WriterHolder = { pid: process.pid, verb, since: new Date().toISOString() };
  try {
    // Renamed into place, so that a waiter never reads half of it.
    step('write note', 'writer');
    writeFileSync(`${holderPath(paths)}.new`, JSON.stringify(holder));
    step('rename note', 'writer');
    renameSync(`${holderPath(paths)}.new`, holderPath(paths));
  } catch (error) {
    // The disk is full, for instance: the next try must find the lock free.
    database.close();
    throw error;
  }
  return {
    release() {
      if (!database.isOpen) return;
      rmSync(holderPath(paths), { force: true });
      database.close();
    },
  };
}

function holderPath(paths: ModePaths): string {
  return `${paths.writerLock}.json`;
}
