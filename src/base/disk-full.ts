/** Recognizes failures of a full disk in the codes of Node and of SQLite. */

import { readFileSync, renameSync, writeFileSync } from './world/files.ts';

const CODES = ['ENOSPC', 'EDQUOT'];

/** SQLite's codes: no room for a page, or for shared memory. */
const SQLITE_CODES = [13, 4874];

export function isDiskFull(error: unknown): boolean {
  const { code = '', errcode = 0 } = (error ?? {}) as { code?: string; errcode?: number };
  return CODES.includes(code) || SQLITE_CODES.includes(errcode);
}

/**
 * Replaces a small file that says what a process does. On a full disk the old one stays, since the
 * process must go on; a crash may lose it.
 */
export function replaceStateFile(path: string, state: unknown): void {
  try {
    writeFileSync(`${path}.new`, JSON.stringify(state));
    renameSync(`${path}.new`, path);
  } catch (error) {
    if (!isDiskFull(error)) throw error;
  }
}

/** Reads a small file of JSON; undefined if it is missing, damaged or of another form. */
export function readStateFile<T>(
  path: string,
  schema: { parse(value: unknown): T },
): T | undefined {
  try {
    return schema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return undefined;
  }
}
