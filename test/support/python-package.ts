/** Runs programs with the Python package of this checkout. */

import {
  type ChildProcessWithoutNullStreams,
  execFile,
  execFileSync,
  spawn,
} from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { python } from './tools.ts';

/** Folder of the package. */
export const PACKAGE = fileURLToPath(new URL('../../clients/python/', import.meta.url));

/** Python writes nothing into the checkout. */
const ENV = { PATH: process.env.PATH, PYTHONPATH: PACKAGE, PYTHONDONTWRITEBYTECODE: '1' };

/** Starts a program. */
export function execPython(args: readonly string[]): ChildProcessWithoutNullStreams {
  const child = spawn(String(python), args, { env: ENV });
  onTestFinished(() => void child.kill());
  return child;
}

/** Returns what a short program prints. */
export function pythonText(program: string, args: readonly string[]): string {
  const options = { env: ENV, encoding: 'utf8', maxBuffer: 1e8 } as const;
  return execFileSync(String(python), ['-c', program, ...args], options);
}

const run = promisify(execFile);

/** Returns what a program prints, while servers of this process respond to it. */
export async function runPython(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<string> {
  const { stdout } = await run(String(python), args, {
    env: { ...ENV, ...env },
    maxBuffer: 1e8,
  });
  return stdout;
}
