/** Whether a failure is that of a disk without room, in the words of Node and of SQLite. */

const CODES = ['ENOSPC', 'EDQUOT'];

/** Of SQLite: no room for a page; none for the memory that processes share beside a file. */
const SQLITE_CODES = [13, 4874];

export function isDiskFull(error: unknown): boolean {
  const { code = '', errcode = 0 } = (error ?? {}) as { code?: string; errcode?: number };
  return CODES.includes(code) || SQLITE_CODES.includes(errcode);
}
