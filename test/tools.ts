/** The programs that some tests need. Where one is missing it is said once, with how to get it. */

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const venvPython = fileURLToPath(new URL('../.venv/bin/python', import.meta.url));

function hasPyarrow(command: string): boolean {
  try {
    execFileSync(command, ['-c', 'import pyarrow, polars, pandas'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function findPython(): string | undefined {
  const candidates = [process.env.PYTHON, venvPython, 'python3', 'python'];
  return candidates.find(
    (command) => command && (!command.includes('/') || existsSync(command)) && hasPyarrow(command),
  );
}

/** A Python that imports pyarrow, polars and pandas, or undefined. */
export const python = findPython();

/** One line per missing tool; empty when everything is there. */
export function missingTools(): string[] {
  if (python) return [];
  return [
    'skipped: tests that read our Arrow files with pyarrow, polars and pandas ' +
      '(install: python3 -m venv .venv && .venv/bin/pip install pyarrow polars pandas)',
  ];
}
