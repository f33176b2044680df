/**
 * What a program really asks of the disk, whatever its steps say: a step may be told whose call
 * was forgotten. A SIGKILL cannot show that, since the page cache outlives the process.
 */

import fs, { readlinkSync } from 'node:fs';
import fsPromises, { open } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { basename, dirname } from 'node:path';

/** `sync` and `write` of a path; `rename` of one to `to`; `mkdir` of a folder that was missing. */
export interface DiskCall {
  call: 'sync' | 'write' | 'rename' | 'mkdir';
  path: string;
  to?: string;
}

/** Tells every call of this process from now on; Linux only, where a descriptor has a path. */
export async function logDisk(say: (call: DiskCall) => void): Promise<void> {
  const pathOf = (fd: number) => readlinkSync(`/proc/self/fd/${fd}`);
  const { fsyncSync, renameSync, mkdirSync } = fs;
  const { rename, mkdir } = fsPromises;
  fs.fsyncSync = (fd) => {
    say({ call: 'sync', path: pathOf(fd) });
    fsyncSync(fd);
  };
  fs.renameSync = (path, to) => {
    say({ call: 'rename', path: String(path), to: String(to) });
    renameSync(path, to);
  };
  fsPromises.rename = async (path, to) => {
    say({ call: 'rename', path: String(path), to: String(to) });
    await rename(path, to);
  };
  const made = (first: string | undefined) => {
    if (first !== undefined) say({ call: 'mkdir', path: first });
    return first;
  };
  fs.mkdirSync = ((path: string, options?: { recursive: true }) => {
    const first = mkdirSync(path, options as { recursive: true });
    // Only the upper one of several: those in it are nothing without it.
    return made(options?.recursive ? first : path);
  }) as typeof mkdirSync;
  fsPromises.mkdir = (async (path: string, options: { recursive: true }) =>
    made(await mkdir(path, options))) as typeof mkdir;
  const handle = await open('/dev/null');
  const prototype = Object.getPrototypeOf(handle);
  await handle.close();
  for (const [call, method] of [
    ['sync', 'sync'],
    ['write', 'write'],
    ['write', 'writeFile'],
  ] as const) {
    const real = prototype[method];
    prototype[method] = function (this: { fd: number }, ...values: unknown[]) {
      say({ call, path: pathOf(this.fd) });
      return real.apply(this, values);
    };
  }
  syncBuiltinESMExports();
}

const MANIFEST = 'manifest.json';

/** A manifest in a backup says nothing until the backup's own record does. */
const COPY = /\.unfinished$/;

/** Says that a backup is whole, with all its folders. */
const BACKUP_RECORD = 'backup.json';

/** Only tells who is at work, or is work that nobody has seen yet. */
const NOT_KEPT = /writer\.lock\.json$|\/scratch(\/|$)/;

/** DuckDB itself makes its content durable; its name is ours. */
const OF_DUCKDB = /market\.duckdb$/;

/**
 * What is wrong with the order of calls: a file named before it is durable, a manifest before the
 * names of its files, what follows a manifest before its own name is, and a record of a backup
 * before the names of all that it tells of.
 */
export function orderFaults(calls: readonly DiskCall[]): string[] {
  const faults: string[] = [];
  const synced = new Set<string>();
  /** Folders with names that are not durable. */
  const loose = new Map<string, string>();
  for (const { call, path, to } of calls) {
    if (call === 'write') synced.delete(path);
    if (call === 'sync') {
      synced.add(path);
      loose.delete(path);
    }
    const named = call === 'mkdir' ? path : to;
    if (named === undefined || NOT_KEPT.test(named)) continue;
    const folder = dirname(named);
    const name = COPY.test(path) ? `the copy of ${basename(named)}` : basename(named);
    if (call === 'mkdir') {
      loose.set(folder, name);
      continue;
    }
    if (!synced.has(path) && !OF_DUCKDB.test(named))
      faults.push(`${name} is named before it is durable`);
    const last = loose.get(folder);
    if (name === MANIFEST && last) faults.push(`${MANIFEST} is named before ${last} is durable`);
    if (last === MANIFEST) faults.push(`${name} is named before ${MANIFEST} is durable`);
    if (named.endsWith(BACKUP_RECORD)) {
      for (const [place, lost] of loose) {
        if (`${place}/`.startsWith(`${folder}/`)) faults.push(`${name} is named before ${lost}`);
      }
    }
    loose.set(folder, name);
  }
  for (const [, name] of loose) {
    // A lost status is written again by the next publish.
    if (name !== 'status.json') faults.push(`${name} never is durable`);
  }
  return [...new Set(faults)];
}
