/** Runs programs with the Python package of this checkout. */

import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { python } from './tools.ts';

/** Folder of the package. */
export const PACKAGE = fileURLToPath(new URL('../../clients/python/', import.meta.url));

const WARM = fileURLToPath(new URL('warm-python.py', import.meta.url));

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

/** Sends a request to the process that forks itself for each program, and returns its line. */
type Ask = (request: string) => Promise<string>;

let warm: Ask | undefined;

function startWarm(): Ask {
  const child = spawn(String(python), [WARM], { env: ENV, stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting: ((line: string) => void)[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => waiting.shift()?.(line));
  child.on('exit', () => {
    warm = undefined;
  });
  // It ends with its input, which is that of this process, and does not keep it running.
  for (const one of [child, child.stdin, child.stdout]) {
    (one as unknown as { unref(): void }).unref();
  }
  return (request) =>
    new Promise((resolve) => {
      waiting.push(resolve);
      child.stdin.write(`${request}\n`);
    });
}

/**
 * Returns what a program prints, while servers of this process respond to it. Python and the
 * package are imported once for all programs: a start takes half a second of processor time.
 */
export async function runPython(
  program: string,
  { args = [], env = {} }: { args?: readonly string[]; env?: Record<string, string> } = {},
): Promise<string> {
  warm ??= startWarm();
  const { code, stdout, stderr } = JSON.parse(await warm(JSON.stringify({ program, args, env })));
  if (code !== 0) throw new Error(stderr);
  return stdout;
}
