/** Work that follows publishes. Parquet files are made in a process of its own, at a lower priority. */

import type { Settings } from '../../base/config/config.ts';
import { MODES, type Mode, modePaths } from '../../base/config/data-dir.ts';
import { TapeworksError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { shortened } from '../../base/quoted.ts';
import { pause } from '../../base/time/pause.ts';
import { clearInterval, monotonicMs, setInterval } from '../../base/world/clock.ts';
import { process } from '../../base/world/process.ts';
import { spawn } from '../../base/world/programs.ts';
import { manifestStamp, readManifest, snapshotId } from '../../store/arrow/format/manifest.ts';
import { readFileSets } from '../../store/parquet/file-sets.ts';
import { keepUploads } from '../fleet.ts';
import { lowerPriorityOf } from './priority.ts';
import { verbProcess } from './supervise.ts';

/** The newest text of a process that is kept: a message and a stack. */
const STDERR_CHARS = 8192;

/**
 * Runs all work that follows publishes, in the processes that publish, until the signal aborts. A
 * new kind of work is a function like `keepFiles`, and a call here.
 */
export async function followPublishes(
  settings: Settings,
  note: (line: string) => void,
  signal: AbortSignal,
  isLoading?: () => boolean,
): Promise<void> {
  await Promise.all([
    keepFiles(settings, note, signal, isLoading),
    keepUploads(settings, note, signal),
  ]);
}

/**
 * Makes the files in both modes until the signal aborts, again after a failure, which it notes once.
 *
 * @param isLoading Returns true during a load that a person waits for. Files wait for it, and those
 *   that are being made are made later, since both together take the memory of a small machine.
 */
export async function keepFiles(
  { dataDir, files }: Pick<Settings, 'dataDir' | 'files'>,
  note: (line: string) => void,
  signal: AbortSignal,
  isLoading: () => boolean = () => false,
): Promise<void> {
  if (!files) return;
  const { pollMs, restMs, waitMaxMs } = limits.files;
  const modes = MODES.map((mode) => ({ mode, stamp: '', nextMs: 0, waitMs: 0, failure: '' }));
  while (!signal.aborted) {
    for (const one of modes) {
      const { mode } = one;
      // Read before the files are made: a publish meanwhile needs others.
      const stamp = manifestStamp(modePaths(dataDir, mode).serving);
      if (stamp === one.stamp || monotonicMs() < one.nextMs) continue;
      // A load may take hours.
      one.waitMs ||= monotonicMs() + waitMaxMs;
      const mustWait = () => isLoading() && monotonicMs() < one.waitMs;
      if (mustWait()) continue;
      using turn = turnUntil(mustWait, signal);
      const failure = await makeUnlessThere(dataDir, mode, turn.signal).then(
        () => '',
        (error: Error) => error.message || error.name,
      );
      if (failure && turn.signal.aborted) continue;
      one.waitMs = 0;
      if (failure && failure !== one.failure) {
        note(`Parquet files of ${mode} could not be made: ${failure}`);
      }
      if (!failure) one.stamp = stamp;
      one.failure = failure;
      one.nextMs = monotonicMs() + restMs;
    }
    await pause(pollMs, signal);
  }
}

/** Returns a signal that aborts with another one, or once a later look says that the work must wait. */
function turnUntil(mustWait: () => boolean, signal: AbortSignal) {
  const waiting = new AbortController();
  const looks = setInterval(() => mustWait() && waiting.abort(), limits.files.pollMs);
  return {
    signal: AbortSignal.any([signal, waiting.signal]),
    [Symbol.dispose]: () => clearInterval(looks),
  };
}

/**
 * Makes files of the published version.
 *
 * @throws {TapeworksError} with the last line of the process that could not.
 */
async function makeUnlessThere(dataDir: string, mode: Mode, signal: AbortSignal): Promise<void> {
  try {
    const { serving, files } = modePaths(dataDir, mode);
    const manifest = readManifest(serving);
    if (!manifest || readFileSets(files)[0]?.version === snapshotId(manifest)) return;
  } catch {
    // The process says what is damaged.
  }
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const child = spawn(...verbProcess(['files', '--mode', mode]), {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, TAPEWORKS_DATA_DIR: dataDir },
  });
  if (child.pid !== undefined) lowerPriorityOf(child.pid);
  let text = '';
  child.stderr.setEncoding('utf8').on('data', (more: string) => {
    text = (text + more).slice(-STDERR_CHARS);
  });
  child.once('error', reject);
  child.once('close', (code) => {
    if (code === 0) resolve();
    else reject(new TapeworksError(lastLine(text) || `exit ${code}`));
  });
  const stop = () => child.kill('SIGTERM');
  signal.addEventListener('abort', stop, { once: true });
  await promise.finally(() => signal.removeEventListener('abort', stop));
}

/** Returns the last line that says something: not the stack of a fault of the program. */
function lastLine(text: string): string {
  const lines = text.trim().split('\n');
  return shortened(lines.findLast((line) => !/^\s+at /.test(line))?.trim() ?? '');
}
