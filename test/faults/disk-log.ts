/**
 * What a program really asks of the disk, whatever its steps say: a step may be told whose call
 * was forgotten. A SIGKILL cannot show that, since the page cache outlives the process.
 */

import fs, { readlinkSync } from 'node:fs';
import fsPromises, { open } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { basename, dirname } from 'node:path';

/** `sync` and `write` of a path; `rename` of one to `to`. */
export interface DiskCall {
  call: 'sync' | 'write' | 'rename';
  path: string;
  to?: string;
}

/** Tells every call of this process from now on; Linux only, where a descriptor has a path. */
export async function logDisk(say: (call: DiskCall) => void): Promise<void> {
  const pathOf = (fd: number) => readlinkSync(`/proc/self/fd/${fd}`);
  const { fsyncSync, renameSync } = fs;
  const { rename } = fsPromises;
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
  const handle = await open('/dev/null');
  const prototype = Object.getPrototypeOf(handle);
  await handle.close();
  for (const [call, method] of [
    ['sync', 'sync'],
    ['write', 'write'],
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

/** Only tells who is at work, or is made durable by DuckDB itself. */
const NOT_OURS = /writer\.lock\.json$|market\.duckdb$/;

/**
 * What is wrong with the order of calls: a file named before it is durable, a manifest before the
 * names of its files, and what follows a manifest before its own name is.
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
    if (call !== 'rename' || to === undefined || NOT_OURS.test(to)) continue;
    const [folder, name] = [dirname(to), basename(to)];
    if (!synced.has(path)) faults.push(`${name} is named before it is durable`);
    const last = loose.get(folder);
    if (name === MANIFEST && last) faults.push(`${MANIFEST} is named before ${last} is durable`);
    if (last === MANIFEST) faults.push(`${name} is named before ${MANIFEST} is durable`);
    loose.set(folder, name);
  }
  for (const [, name] of loose) {
    // A lost status is written again by the next publish.
    if (name !== 'status.json') faults.push(`${name} never is durable`);
  }
  return [...new Set(faults)];
}
