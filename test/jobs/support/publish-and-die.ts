/** Publishes in a process of its own, which kills itself at a step. */

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const CHILD = fileURLToPath(new URL('publish-child.ts', import.meta.url));

/**
 * @param step Number of the step; 0 for a publish that ends.
 * @returns the steps it took, and whether it was killed.
 */
export function publishAndDie(
  dataDir: string,
  step: number,
): Promise<{ steps: string[]; died: boolean }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [CHILD, dataDir, String(step)], (error, stdout) => {
      resolve({ steps: stdout.trim().split('\n'), died: error?.signal === 'SIGKILL' });
    });
  });
}
