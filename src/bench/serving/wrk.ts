/** Load by wrk, where it is installed. */

import { promisify } from 'node:util';
import { TapeworksError } from '../../base/errors.ts';
import { execFile } from '../../base/world/programs.ts';
import type { LoadCount, LoadTarget } from './closed-loop.ts';

const run = promisify(execFile);

/** Returns the version; undefined if it is not installed. */
export async function wrkVersion(): Promise<string | undefined> {
  try {
    // It prints its version with its usage, and ends with 1.
    const { stdout } = await run('wrk', ['-v']).catch((error) => {
      if (error.code === 'ENOENT') throw error;
      return error as { stdout: string };
    });
    return /^wrk (\S+)/m.exec(stdout)?.[1] ?? 'no version';
  } catch {
    return undefined;
  }
}

/** @throws {TapeworksError} A response was not 2xx, or a connection failed. */
export async function wrkLoop(
  { address, path, headers }: LoadTarget,
  connections: number,
  durationMs: number,
): Promise<LoadCount> {
  const seconds = Math.max(1, Math.round(durationMs / 1000));
  const names = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const options = ['-t1', `-c${connections}`, `-d${seconds}s`, ...names];
  const { stdout } = await run('wrk', [...options, address + path]);
  return countFromText(stdout);
}

export function countFromText(text: string): LoadCount {
  const total = /(\d+) requests in ([\d.]+)(ms|s|m)/.exec(text);
  const failures = /Non-2xx|Socket errors/.test(text);
  if (!total || failures) throw new TapeworksError(`wrk failed: ${text.trim()}`);
  const unitMs = { ms: 1, s: 1000, m: 60_000 }[total[3] as 'ms' | 's' | 'm'];
  return { requests: Number(total[1]), ms: Number(total[2]) * unitMs };
}
