/** The programs that some tests need. Where one is missing it is said once, with how to get it. */

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const venvPython = fileURLToPath(new URL('../.venv/bin/python', import.meta.url));

function runs(command: string, args: readonly string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** @param candidates Names on the path, or paths; undefined ones are passed over. */
function firstThatRuns(
  candidates: readonly (string | undefined)[],
  args: readonly string[],
): string | undefined {
  return candidates.find(
    (command) => command && (!command.includes('/') || existsSync(command)) && runs(command, args),
  );
}

/** A Python that imports pyarrow, polars and pandas, or undefined. */
export const python = firstThatRuns(
  [process.env.PYTHON, venvPython, 'python3', 'python'],
  ['-c', 'import pyarrow, polars, pandas'],
);

/** A Redis server that tests may start, or undefined. */
export const redisServer = firstThatRuns(
  [process.env.REDIS_SERVER, 'redis-server', 'valkey-server'],
  ['--version'],
);

/** The path of a name on the `PATH`: not everything that starts a program looks there. */
function pathOf(command: string | undefined): string | undefined {
  if (command === undefined || command.includes('/')) return command;
  return execFileSync('sh', ['-c', 'command -v "$0"', command], { encoding: 'utf8' }).trim();
}

/** A browser that tests may start, or undefined. */
export const chromium = pathOf(
  firstThatRuns(
    [process.env.CHROMIUM, 'chromium', 'chromium-browser', 'google-chrome'],
    ['--version'],
  ),
);

/** Makes certificates of receivers, or undefined. */
export const openssl = firstThatRuns([process.env.OPENSSL, 'openssl'], ['version']);

/** One line per missing tool; empty when everything is there. */
export function missingTools(): string[] {
  const lines: string[] = [];
  if (!python) {
    lines.push(
      'skipped: tests that read our Arrow files with pyarrow, polars and pandas ' +
        '(install: python3 -m venv .venv && .venv/bin/pip install pyarrow polars pandas)',
    );
  }
  if (!redisServer) {
    lines.push('skipped: tests of jobs on Redis (install: apt-get install redis-server)');
  }
  if (!chromium) {
    lines.push('skipped: tests of pages in a browser (install: apt-get install chromium)');
  }
  if (!openssl) lines.push('skipped: webhooks over https (install: apt-get install openssl)');
  return lines;
}
