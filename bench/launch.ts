/** Verbs of the command line as child processes over a data folder. */

import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const bin = fileURLToPath(new URL('../bin/tapeworks.js', import.meta.url));

/**
 * Starts a verb that prints JSON.
 *
 * @param more Further settings.
 */
export function launch(
  dataDir: string,
  args: readonly string[],
  more: NodeJS.ProcessEnv = {},
): ChildProcess {
  const env = {
    PATH: process.env.PATH,
    TAPEWORKS_DATA_DIR: dataDir,
    TAPEWORKS_PORT: '0',
    TAPEWORKS_LOG_LEVEL: 'silent',
    ...more,
  };
  return spawn(process.execPath, [bin, ...args, '--json'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** Returns the one document that a verb prints, as soon as it is whole. */
export function documentOf(child: ChildProcess): Promise<Record<string, string>> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (chunk) => {
      text += chunk;
      try {
        resolve(JSON.parse(text));
      } catch {
        // The rest is still to come.
      }
    });
    child.once('exit', (code) => reject(new Error(`ended with ${code}: ${text}`)));
  });
}
