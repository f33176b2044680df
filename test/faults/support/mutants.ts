/**
 * Deliberately broken builds of what simulated nights leave out: the store, staged segments, backups and
 * new folders. Each leaves out calls of the disk, or changes statements, while the program runs.
 */

import { statSync } from 'node:fs';
import { DuckDBConnection } from '@duckdb/node-api';
import type { DiskCall } from './disk-log.ts';

export interface Mutant {
  name: string;
  /** A stage of the flow, or a backup of what it leaves. */
  work: number | 'backup';
  /** Place at which the process is killed before it runs again, as `flow.ts` has it; undefined: none. */
  killAt?: string;
  /** Evidence: the order of calls, or the final state. */
  caughtBy: 'order' | 'state';
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

export const MUTANTS: readonly Mutant[] = [
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
