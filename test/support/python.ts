/** Runs Python programs of tests that print JSON. */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Ends the process without waiting for the threads of pyarrow, which read Python's file objects:
 * version 26 aborts when one of them still runs while Python ends.
 */
const END = `
import os as _os, sys as _sys
_sys.stdout.flush()
_os._exit(0)
`;

/** Returns what a program prints as JSON, while servers of this process respond to it. */
export async function pythonJson<T>(
  python: string,
  program: string,
  args: readonly string[] = [],
): Promise<T> {
  const { stdout } = await run(python, ['-c', program + END, ...args], { maxBuffer: 1e8 });
  return JSON.parse(stdout);
}
