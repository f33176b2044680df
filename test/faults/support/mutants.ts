/**
 * Deliberately broken builds. Each leaves out or changes calls while the program runs: calls of the
 * disk, or statements by the names of tables.
 */

import { statSync } from 'node:fs';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { DuckDBConnection } from '@duckdb/node-api';
import type { DiskCall } from './disk-log.ts';

export interface Mutant {
  name: string;
  /** A stage of the flow, or a backup of what it leaves. */
  work: number | 'backup';
  /** Place at which the process is killed before it runs again, as `flow.ts` has it; undefined: none. */
  killAt?: string;
  /** True if the second run is that of a sound build. */
  isSoundAgain?: boolean;
  /** Evidence: the order of calls, the final state, or that a writer is not waited for. */
  caughtBy: 'order' | 'state' | 'waiting';
  /** True if the short form tries it too: one of each kind. */
  isShort?: boolean;
  /** Returns true for disk calls that the build leaves out. */
  skips?: (call: DiskCall, history: DiskHistory) => boolean;
  /** Changes statements. @param onBroken Called for each change. */
  change?: (onBroken: () => void) => void;
}

/** Newest calls that gave a name. */
export interface DiskHistory {
  /** New name of the newest rename. */
  lastRename?: string;
  /** True if the newest of these calls made a folder. */
  isAfterMkdir: boolean;
}

const isFolder = (path: string) => statSync(path).isDirectory();

const isFileSync = ({ call, path }: DiskCall) => call === 'sync' && !isFolder(path);
const isFolderSync = ({ call, path }: DiskCall) => call === 'sync' && isFolder(path);

type Method = (this: unknown, sql: unknown, ...rest: unknown[]) => Promise<unknown>;

/** Replaces the methods by which DuckDB runs statements. */
function changeMarket(change: (real: Method) => Method): void {
  const prototype = DuckDBConnection.prototype as unknown as Record<string, Method>;
  for (const name of ['run', 'runAndReadAll', 'stream', 'runUntilLast', 'prepare']) {
    prototype[name] = change(prototype[name]);
  }
}

/** Replaces `get` of SQLite's statements. */
function changeGet(matches: RegExp, change: (values: unknown[]) => unknown[] | undefined): void {
  const prototype = StatementSync.prototype as unknown as {
    get(this: StatementSync, ...values: unknown[]): unknown;
  };
  const { get } = prototype;
  prototype.get = function (...values) {
    if (!matches.test(this.sourceSQL)) return get.apply(this, values);
    const changed = change(values);
    return changed && get.apply(this, changed);
  };
}

const ADDS_EVENT = /^INSERT INTO events\b/;

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'skips the fsync of files',
    work: 2,
    caughtBy: 'order',
    isShort: true,
    skips: isFileSync,
  },
  {
    name: 'skips the fsync of folders',
    work: 2,
    caughtBy: 'order',
    skips: isFolderSync,
  },
  {
    name: 'swaps the manifest before the names of its files are durable',
    work: 2,
    caughtBy: 'order',
    skips: (call, { lastRename }) =>
      isFolderSync(call) && /\/serving$/.test(call.path) && !lastRename?.endsWith('manifest.json'),
  },
  {
    name: 'swaps the store and leaves its name to chance',
    work: 2,
    caughtBy: 'order',
    skips: (call, { lastRename }) =>
      isFolderSync(call) && lastRename?.endsWith('/market.duckdb') === true,
  },
  {
    name: 'makes folders whose names are not durable',
    work: 0,
    caughtBy: 'order',
    skips: (call, { isAfterMkdir }) => isFolderSync(call) && isAfterMkdir,
  },
  {
    name: 'saves files in a backup that are not on disk',
    work: 'backup',
    caughtBy: 'order',
    skips: (call) => isFileSync(call) && call.path.endsWith('.unfinished'),
  },
  {
    name: 'finishes a backup before the names of its files are durable',
    work: 'backup',
    caughtBy: 'order',
    skips: (call) => isFolderSync(call) && `${call.path}/`.includes('/backup/'),
  },
  {
    name: 'copies a store while another writer has it',
    work: 'backup',
    caughtBy: 'waiting',
    isShort: true,
    change: (onBroken) => {
      const { exec } = DatabaseSync.prototype;
      DatabaseSync.prototype.exec = function (sql) {
        if (!/\bBEGIN EXCLUSIVE\b/.test(sql)) return exec.call(this, sql);
        try {
          exec.call(this, sql);
        } catch {
          // The lock counts as taken.
          onBroken();
        }
      };
    },
  },
  {
    name: 'stages segments that are not on disk',
    work: 0,
    caughtBy: 'order',
    skips: (call) => isFileSync(call) && call.path.includes('/scratch/'),
  },
  {
    name: 'applies a segment twice',
    work: 0,
    killAt: 'move position@1',
    caughtBy: 'state',
    isShort: true,
    // A look-up of segments by their ids finds none.
    change: (onBroken) => {
      changeMarket(
        (real) =>
          function (sql, ...rest) {
            if (!/\bFROM segments\b.*\bsegment IN\b/s.test(String(sql))) {
              return real.call(this, sql, ...rest);
            }
            onBroken();
            const none = String(sql).replace(/\bFROM segments\b/, 'FROM (FROM segments LIMIT 0)');
            return real.call(this, none, ...rest);
          },
      );
    },
  },
  {
    name: 'commits the rows before the ledger',
    work: 0,
    // The first one after those of the schema and of the sources.
    killAt: 'commit rows@3',
    caughtBy: 'state',
    change: (onBroken) => {
      changeMarket(
        (real) =>
          async function (sql, ...rest) {
            if (/^\s*INSERT INTO segment_files\b/.test(String(sql))) {
              onBroken();
              await real.call(this, 'COMMIT');
              await real.call(this, 'BEGIN TRANSACTION');
            }
            return real.call(this, sql, ...rest);
          },
      );
    },
  },
  {
    name: 'emits an event again under another id',
    work: 0,
    killAt: 'move position@1',
    caughtBy: 'state',
    change: (onBroken) => {
      changeGet(ADDS_EVENT, ([id, ...rest]) => {
        onBroken();
        return [`${id}${process.pid}`, ...rest];
      });
    },
  },
  {
    name: 'moves its position in the outbox before it adds the events',
    work: 0,
    // After that of the position.
    killAt: 'accounts committed@8',
    isSoundAgain: true,
    caughtBy: 'state',
    // The process is killed before they are added.
    change: (onBroken) => {
      changeGet(ADDS_EVENT, () => {
        onBroken();
        return undefined;
      });
    },
  },
];

/** Line by which a process says that it did something that a sound build does not. */
export const BROKEN = '{"broken":true}';

/** Returns a function that decides whether a build leaves out a call. */
export function skipsOf({ skips }: Mutant): (call: DiskCall) => boolean {
  const history: DiskHistory = { isAfterMkdir: false };
  return (call) => {
    const isSkipped = skips?.(call, history) ?? false;
    if (call.call === 'mkdir') history.isAfterMkdir = true;
    if (call.call === 'rename')
      Object.assign(history, { lastRename: call.to, isAfterMkdir: false });
    return isSkipped;
  };
}
