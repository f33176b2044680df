/**
 * Checks the folders that settings name before work begins, and turns failures of their disks into
 * one line with the setting and what to do.
 */

import { dirname, join, resolve, sep } from 'node:path';
import { isDiskFull } from './disk-full.ts';
import { DataFolderError, TapeworksError } from './errors.ts';
import { limits } from './limits.ts';
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from './world/files.ts';
import { process } from './world/process.ts';

/** A setting and the folder that it names. */
export interface NamedFolder {
  setting: string;
  path: string;
}

/** Returns the folders that the program writes to. It checks no setting. */
export function dataFolders(env: NodeJS.ProcessEnv): NamedFolder[] {
  const folders = [
    { setting: 'TAPEWORKS_DATA_DIR', path: env.TAPEWORKS_DATA_DIR ?? './data' },
    { setting: 'TAPEWORKS_SEGMENTS_DIR', path: env.TAPEWORKS_SEGMENTS_DIR ?? '' },
  ];
  return folders
    .filter(({ path }) => path !== '')
    .map(({ setting, path }) => ({ setting, path: resolve(path) }));
}

/**
 * Makes a folder and its missing parents. Node's recursive `mkdir` never returns where a parent
 * exists but takes no folders, such as `/proc`.
 *
 * @returns the first folder that was made; undefined if all existed.
 * @throws as `mkdirSync`.
 */
export function makeFolders(path: string): string | undefined {
  const missing: string[] = [];
  let above = resolve(path);
  while (!isFolder(above)) {
    missing.push(above);
    if (dirname(above) === above) break;
    above = dirname(above);
  }
  let first: string | undefined;
  for (const folder of missing.reverse()) {
    try {
      mkdirSync(folder);
      first ??= folder;
    } catch (error) {
      // Another process was faster.
      if (!isFolder(folder)) throw error;
    }
  }
  return first;
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return false;
    throw error;
  }
}

/**
 * Makes a folder, and writes and removes a file in it. Permissions alone don't show a disk that is
 * full or read-only.
 *
 * @throws {DataFolderError} it can't be made or written to.
 */
export function requireWritable(folder: NamedFolder): void {
  const trial = join(folder.path, `.trial-${process.pid}`);
  try {
    const first = makeFolders(folder.path);
    if (first !== undefined) syncFolderNames(first, folder.path);
    try {
      writeTrial(trial);
    } finally {
      rmSync(trial, { force: true });
    }
  } catch (error) {
    // The message names the folder: users don't know the trial file.
    if ((error as NodeJS.ErrnoException).path === trial) Object.assign(error as Error, folder);
    throw failureOf(folder, error);
  }
}

/** Returns the failure of the first folder that has no room; undefined if all have some. */
export function fullFolder(folders: readonly NamedFolder[]): DataFolderError | undefined {
  for (const folder of folders) {
    const failure = trialFailure(folder);
    if (isDiskFull(failure?.cause)) return failure;
  }
  return undefined;
}

/** Makes the names of new folders durable. */
function syncFolderNames(first: string, last: string): void {
  if (process.platform === 'win32') return;
  for (let made = resolve(last); ; made = dirname(made)) {
    const above = openSync(dirname(made), 'r');
    try {
      fsyncSync(above);
    } finally {
      closeSync(above);
    }
    if (made === resolve(first)) return;
  }
}

/** Checks a folder that a command reads; a missing one is fine. @throws {DataFolderError} */
export function requireReadable(folder: NamedFolder): void {
  try {
    readdirSync(folder.path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw failureOf(folder, error);
  }
}

function writeTrial(path: string): void {
  const file = openSync(path, 'w');
  try {
    writeFileSync(file, Buffer.alloc(limits.disk.trialBytes));
  } finally {
    closeSync(file);
  }
}

/** Node's codes for failures of a folder or its disk. */
const CODES = [
  ...['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'EISDIR', 'ENOENT', 'ELOOP'],
  ...['ENOSPC', 'EDQUOT', 'EIO', 'ENAMETOOLONG', 'EINVAL', 'ENXIO', 'ENODEV', 'ESTALE'],
];

/** SQLite's codes for them, since it names no file: read-only, failed, full, not to be opened. */
const SQLITE_CODES = [8, 10, 13, 14];

/** DuckDB's words for them, since it has no codes. */
const DUCKDB_WORDS =
  /^IO Error.*(Permission denied|Read-only file system|No space left|Not a directory|File ?too large)/is;

/** Beginnings of such failures in the texts that jobs store. */
const KEPT_WORDS =
  /^((E[A-Z]+): |database or disk is full|attempt to write a readonly|unable to open database|disk I\/O)/;

/** Turns a failure of a disk or a folder into one line; undefined for any other failure. */
export function folderFailure(
  error: unknown,
  folders: readonly NamedFolder[],
): TapeworksError | undefined {
  if (!(error instanceof Error) || error instanceof DataFolderError) return undefined;
  const { code = '', errcode, path } = error as NodeJS.ErrnoException & { errcode?: number };
  const isOther = error instanceof TapeworksError;
  // Jobs store only the text of a failure.
  if (isOther && (error.constructor !== TapeworksError || !KEPT_WORDS.test(error.message))) {
    return undefined;
  }
  const isOfFiles = CODES.includes(code) && 'syscall' in error;
  const isOfStores =
    (errcode !== undefined && SQLITE_CODES.includes(errcode & 0xff)) ||
    DUCKDB_WORDS.test(error.message);
  if (!isOther && !isOfFiles && !isOfStores) return undefined;
  const text = `${error.message} ${path ?? ''}`;
  const named = folders.find((folder) => text.includes(folder.path));
  if (named) return failureOf(named, error);
  const full = isDiskFull(error) || /ENOSPC|disk is full/.test(error.message);
  const [dataDir] = folders;
  if (isOfStores || (isOther && !isOfPath(error)) || (full && isFull(dataDir.path))) {
    return trialFailure(dataDir) ?? failureOf(dataDir, error);
  }
  return isOther ? undefined : new TapeworksError(error.message, { cause: error });
}

/** Tries a folder, since the error of that says more than a failure of SQLite. */
function trialFailure(folder: NamedFolder): DataFolderError | undefined {
  try {
    requireWritable(folder);
    return undefined;
  } catch (error) {
    return error as DataFolderError;
  }
}

/** Returns true if a message ends in a path: Node puts it there in quotes. */
function isOfPath({ message }: Error): boolean {
  return message.includes(sep) && message.endsWith("'");
}

function isFull(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize < limits.disk.freeBytesMin;
  } catch {
    return false;
  }
}

function failureOf({ setting, path }: NamedFolder, error: unknown): DataFolderError {
  const { reason, remedy } = reasonOf(error as NodeJS.ErrnoException);
  const text = `can't use ${setting} ("${path}"): ${reason}. ${remedy}`;
  return new DataFolderError(text, { cause: error });
}

function reasonOf(error: NodeJS.ErrnoException): { reason: string; remedy: string } {
  const { code = '', message, path } = error;
  const says = (words: RegExp) => words.test(`${code} ${message}`);
  const elsewhere = 'set it to a folder that this user can write to';
  if (isDiskFull(error) || says(/ENOSPC|EDQUOT|no space left|disk is full/i)) {
    return { reason: 'its disk is full', remedy: 'Free room, or set it to a folder elsewhere' };
  }
  if (says(/EROFS|read-only file system/i)) {
    const reason = 'its file system is read-only';
    return { reason, remedy: 'Mount it for writing, or set it to a folder elsewhere' };
  }
  if (says(/EACCES|EPERM|permission denied|readonly database/i)) {
    const user = process.getuid ? ` (uid ${process.getuid()})` : '';
    const of = path ? ` to "${path}"` : '';
    return { reason: `this user${user} has no right${of}`, remedy: `Give it, or ${elsewhere}` };
  }
  const file = path ? ` ("${path}")` : '';
  if (says(/ENOTDIR|EEXIST|not a directory/i)) {
    return { reason: `a file stands where a folder is needed${file}`, remedy: upper(elsewhere) };
  }
  return { reason: message, remedy: upper(elsewhere) };
}

function upper(text: string): string {
  return text[0].toUpperCase() + text.slice(1);
}
