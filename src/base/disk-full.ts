/** Recognizes failures of a full disk in the codes of Node and of SQLite. */

const CODES = ['ENOSPC', 'EDQUOT'];

/** SQLite's codes: no room for a page, or for shared memory. */
const SQLITE_CODES = [13, 4874];

export function isDiskFull(error: unknown): boolean {
  const { code = '', errcode = 0 } = (error ?? {}) as { code?: string; errcode?: number };
  return CODES.includes(code) || SQLITE_CODES.includes(errcode);
}
