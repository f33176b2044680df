/** Makes Parquet files after each publish, in a process of its own with the lowest priority. */

import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import type { Settings } from '../../base/config/config.ts';
import { type Mode, modePaths } from '../../base/config/data-dir.ts';
import { TapeworksError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { readManifest, snapshotId } from '../../store/arrow/format/manifest.ts';
import { readFileSets } from '../../store/parquet/file-sets.ts';
import { eachPublish } from './each-publish.ts';
import { verbProcess } from './supervise.ts';

/** Makes them in both modes until the signal aborts. Notes a failure once. */
export async function keepFiles(
  { dataDir, files }: Pick<Settings, 'dataDir' | 'files'>,
  note: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  if (!files) return;
  const { pollMs, restMs } = limits.files;
  const round = (mode: Mode) => makeUnlessThere(dataDir, mode, signal);
  const onFailure = (mode: Mode, message: string) =>
    note(`Parquet files of ${mode} could not be made: ${message}`);
  await eachPublish({ dataDir, pollMs, restMs, round, onFailure }, signal);
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
  lowerPriorityOf(child.pid);
  let text = '';
  child.stderr.setEncoding('utf8').on('data', (more: string) => {
    text = (text + more).slice(-limits.echo.charsMax);
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
