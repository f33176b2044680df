/**
 * Disk calls that a program really makes, whatever its failpoints say. A SIGKILL cannot show a
 * missing fsync, since the page cache outlives the process.
 */

import fs, { readlinkSync } from 'node:fs';
import fsPromises, { open } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { basename, dirname } from 'node:path';

/** Calls that change the disk, under one name for all their forms. */
export type DiskChange = 'sync' | 'write' | 'create' | 'rename' | 'link' | 'mkdir' | 'remove';

export interface DiskCall {
  call: DiskChange;
  path: string;
  /** New name, of renames and links. */
  to?: string;
}

/** Functions of `node:fs` and its promises, without `Sync`. */
const FUNCTIONS: Record<string, DiskChange> = {
  ...{ fsync: 'sync', fdatasync: 'sync', mkdir: 'mkdir', mkdtemp: 'mkdir', rename: 'rename' },
  ...{ rm: 'remove', rmdir: 'remove', unlink: 'remove', link: 'link', symlink: 'link' },
  ...{ appendFile: 'write', write: 'write', writeFile: 'write', writev: 'write' },
  ...{ copyFile: 'write', cp: 'write', ftruncate: 'write', truncate: 'write', utimes: 'write' },
};

/** Functions whose second argument is the path that they change. */
const CHANGES_SECOND = ['copyFile', 'cp'];

const HANDLE_METHODS: Record<string, DiskChange> = {
  ...{ sync: 'sync', datasync: 'sync', write: 'write', writev: 'write', writeFile: 'write' },
  ...{ appendFile: 'write', truncate: 'write' },
};

/** Modes of `open` that make a file or empty it. */
const MAKES = /^[wa]/;

type Functions = Record<string, (...values: unknown[]) => unknown>;

/** Returns false for a call that is to be left out. */
export type DiskListener = (call: DiskCall) => boolean;

/**
 * Reports every call of this process from now on. Linux only, where a descriptor has a path.
 *
 * @returns a function that ends this.
 */
export async function watchDisk(listener: DiskListener): Promise<() => void> {
  const undo: (() => void)[] = [];
  /** Functions of Node that call one another report once. */
  let depth = 0;
  const pathOf = (value: unknown) =>
    typeof value === 'number' ? readlinkSync(`/proc/self/fd/${value}`) : String(value);
  function replace(object: Functions, name: string, call: DiskChange | 'open') {
    const real = object[name];
    if (!real) return;
    const plain = name.replace(/Sync$/, '');
    object[name] = function (this: { fd?: number } | undefined, ...values: unknown[]) {
      const run = () => real.apply(this, values);
      if (depth > 0 || (call === 'open' && !MAKES.test(String(values[1] ?? 'r')))) return run();
      depth++;
      try {
        if (call === 'mkdir') return reported(run(), plain, values);
        const isOfHandle = object !== (fs as unknown) && object !== (fsPromises as unknown);
        const changed = CHANGES_SECOND.includes(plain) ? values[1] : values[0];
        const path = pathOf(isOfHandle ? this?.fd : changed);
        const to = call === 'rename' || call === 'link' ? { to: String(values[1]) } : {};
        const isWanted = listener({ call: call === 'open' ? 'create' : call, path, ...to });
        return isWanted ? run() : undefined;
      } finally {
        depth--;
      }
    };
    undo.push(() => {
      object[name] = real;
    });
  }
  /** Reports a folder if it was missing: of several, the upper one, which holds the others. */
  function reported(made: unknown, plain: string, [path, options]: unknown[]): unknown {
    if (made instanceof Promise)
      return made.then((first) => reported(first, plain, [path, options]));
    const isRecursive = (options as { recursive?: boolean } | undefined)?.recursive === true;
    const first = isRecursive || plain === 'mkdtemp' ? made : path;
    if (first !== undefined) listener({ call: 'mkdir', path: String(first) });
    return made;
  }
  for (const [name, call] of Object.entries({ ...FUNCTIONS, open: 'open' as const })) {
    replace(fs as unknown as Functions, `${name}Sync`, call);
    replace(fsPromises as unknown as Functions, name, call);
  }
  const handle = await open('/dev/null');
  const prototype = Object.getPrototypeOf(handle);
  await handle.close();
  for (const [name, call] of Object.entries(HANDLE_METHODS)) replace(prototype, name, call);
  syncBuiltinESMExports();
  return () => {
    for (const one of undo) one();
    syncBuiltinESMExports();
  };
}

const MANIFEST = 'manifest.json';

/** Ending of a copy: a manifest in a backup counts only from the backup's own record on. */
const COPY = /\.unfinished$/;

/** Record of a backup, which makes the backup whole. */
const BACKUP_RECORD = 'backup.json';

/** Notes about running processes, and work that has no name yet. */
const NOT_KEPT = /writer\.lock\.json$|\/scratch(\/|$)/;

/** Store: DuckDB makes its content durable, we its name. */
const OF_DUCKDB = /market\.duckdb$/;

/**
 * Returns what is wrong with the order of calls: a file named before its content is durable, a
 * manifest named before the names of its files are durable, a name after a manifest before that of
 * the manifest is durable, or a record of a backup named before the names in the backup are durable.
 */
export function orderFaults(calls: readonly DiskCall[]): string[] {
  const faults: string[] = [];
  const synced = new Set<string>();
  /** Folders with names that are not durable. */
  const loose = new Map<string, string>();
  for (const { call, path, to } of calls) {
    if (call === 'link') continue;
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
