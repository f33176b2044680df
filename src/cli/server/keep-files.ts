/** Makes Parquet files after each publish, in a process of its own with the lowest priority. */

import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { Settings } from '../../base/config/config.ts';
import { MODES, type Mode, modePaths } from '../../base/config/data-dir.ts';
import { limits } from '../../base/limits.ts';
import { manifestStamp, readManifest, snapshotId } from '../../store/arrow/format/manifest.ts';
import { readFileSets } from '../../store/parquet/file-sets.ts';
import { verbProcess } from './supervise.ts';

/**
 * Follows the published versions of both modes until the signal aborts. A failure is noted once,
 * and the next round tries again.
 */
export async function keepFiles(
  settings: Pick<Settings, 'dataDir' | 'files'>,
  note: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  if (!settings.files) return;
  const rounds = MODES.map((mode) => ({ mode, stamp: '', nextMs: 0, failure: '' }));
  while (!signal.aborted) {
    for (const round of rounds) {
      const stamp = manifestStamp(modePaths(settings.dataDir, round.mode).serving);
      if (stamp === round.stamp || performance.now() < round.nextMs) continue;
      const failure = await madeUnlessThere(settings.dataDir, round.mode, signal);
      if (failure && failure !== round.failure && !signal.aborted) {
        note(`Parquet files of ${round.mode} could not be made: ${failure}`);
      }
      // A failed round is repeated, with the same rest.
      if (!failure) round.stamp = stamp;
      round.failure = failure;
      round.nextMs = performance.now() + limits.files.restMs;
    }
    await delay(limits.files.pollMs, undefined, { signal }).catch(() => undefined);
  }
}

/** @returns the last line of an error; empty if the files are those of the published version. */
async function madeUnlessThere(dataDir: string, mode: Mode, signal: AbortSignal): Promise<string> {
  try {
    const { serving, files } = modePaths(dataDir, mode);
    const manifest = readManifest(serving);
    if (!manifest || readFileSets(files)[0]?.version === snapshotId(manifest)) return '';
  } catch {
    // The process says what is damaged.
  }
  const { promise, resolve } = Promise.withResolvers<string>();
  const child = spawn(...verbProcess(['files', '--mode', mode]), {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, TAPEWORKS_DATA_DIR: dataDir },
  });
  lowerPriorityOf(child.pid);
  let text = '';
  child.stderr.setEncoding('utf8').on('data', (more: string) => {
    text = (text + more).slice(-limits.echo.charsMax);
  });
  child.once('error', ({ message }) => resolve(message));
  child.once('close', (code) => resolve(code === 0 ? '' : lastLine(text) || `exit ${code}`));
  const stop = () => child.kill('SIGTERM');
  signal.addEventListener('abort', stop, { once: true });
  return promise.finally(() => signal.removeEventListener('abort', stop));
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1)?.trim() ?? '';
}

function lowerPriorityOf(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // The system may forbid it, and the process may have ended.
  }
}
