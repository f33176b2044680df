/** Runs a program to its end; gives its output, its time and the memory it used. */

import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { TapeworksError } from '../../../src/base/errors.ts';
import { clearInterval, monotonicMs, setInterval } from '../../../src/base/world/clock.ts';
import { readFileSync } from '../../../src/base/world/files.ts';
import { process } from '../../../src/base/world/process.ts';
import { spawn } from '../../../src/base/world/programs.ts';

export interface MeasuredRun {
  stdout: string;
  /** From the start of the process to its end. */
  wallMs: number;
  /** CPU time of all its threads, user and system; NaN where the system tells no such thing. */
  cpuMs: number;
  /** Largest resident size as the system has recorded it; NaN likewise. */
  peakBytes: number;
}

/** Linux counts CPU time in hundredths of a second. */
const MS_PER_TICK = 10;

const SAMPLE_MS = 20;

/**
 * Starts this Node with arguments; what the program writes to stderr is shown when it fails.
 *
 * @throws {TapeworksError} it ended with another code than 0, with its own message if it is ours.
 */
export async function runMeasured(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<MeasuredRun> {
  const startMs = monotonicMs();
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env } });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  // The records only grow, so the last look before the end has nearly all of them.
  let needs = { cpuMs: Number.NaN, peakBytes: Number.NaN };
  const sampling = setInterval(() => {
    needs = needsOf(child.pid as number) ?? needs;
  }, SAMPLE_MS);
  const [code] = await once(child, 'close');
  clearInterval(sampling);
  if (code !== 0) {
    const [, message] = /^tapeworks: (.+)$/ms.exec(stderr) ?? [];
    throw new TapeworksError(
      message?.trim() ?? `node ${args.join(' ')} ended with ${code}: ${stderr}`,
    );
  }
  return { stdout, wallMs: monotonicMs() - startMs, ...needs };
}

function needsOf(pid: number): Pick<MeasuredRun, 'cpuMs' | 'peakBytes'> | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const [, highWaterKb] = /VmHWM:\s+(\d+) kB/.exec(status) ?? [];
    // The fields behind the name, which is in brackets and may hold anything.
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').pop() as string;
    const [user, system] = stat.split(' ').slice(11, 13).map(Number);
    if (highWaterKb === undefined) return undefined;
    return { cpuMs: (user + system) * MS_PER_TICK, peakBytes: Number(highWaterKb) * 1024 };
  } catch {
    return undefined;
  }
}

// The entry file has the extension of this file: .ts in a checkout, .js in an installed package.
const cli = fileURLToPath(new URL(`../../../src/cli${import.meta.url.slice(-3)}`, import.meta.url));

/** Runs a verb of this program to its end. */
export function runTapeworks(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<MeasuredRun> {
  return runMeasured([cli, ...args], env);
}
