/** Servers that are started by a launcher, a shell or npm. */

import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { isRunning } from '../../../src/base/is-running.ts';
import { bin } from './run-cli.ts';

export const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');

export interface Started {
  process: ChildProcess;
  /** Id of the program's process, not of its launcher's. */
  pid: number;
  address: string;
}

/**
 * Starts a command line that leads to a server, and waits until the server has an address.
 *
 * @param folder Home, with the data folder.
 * @param ends Receives a function that ends all processes, should a test fail.
 */
export async function startLaunched(
  command: string,
  args: readonly string[],
  { folder, ends, env }: { folder: string; ends: (() => void)[]; env?: Record<string, string> },
): Promise<Started> {
  const child = spawn(command, args, {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      TAPEWORKS_LOG_LEVEL: 'silent',
      TAPEWORKS_DATA_DIR: join(folder, 'data'),
      TAPEWORKS_PORT: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  ends.push(() => {
    try {
      process.kill(-(child.pid as number), 'SIGKILL');
    } catch {
      // It has ended.
    }
  });
  let text = '';
  const address = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      text += chunk;
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(text);
      if (found) resolve(found[0]);
    });
    child.on('exit', (code) => reject(new Error(`it ended with ${code}: ${text}`)));
  });
  return { process: child, pid: serverOf(child.pid as number), address };
}

/** The process at the end of a chain of children. */
function serverOf(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return children === '' ? pid : serverOf(Number(children.split(' ')[0]));
}

/** Checks that the server is gone: its process, and with it its port. */
export async function expectEnd({ pid, address }: Started): Promise<void> {
  await expect.poll(() => isRunning(pid)).toBe(false);
  await expect(fetch(`${address}/healthz`)).rejects.toThrow();
}

/** Arguments for a launcher on a Node that is too old: it starts the program as its child. */
export function oldLauncher(folder: string, launcher = bin): string[] {
  const preload = join(folder, 'old.mjs');
  const versions = JSON.stringify({ ...process.versions, node: '20.20.2' });
  writeFileSync(
    preload,
    `if (!process.env._TAPEWORKS_LAUNCHER)
       Object.defineProperty(process, 'versions', { value: ${versions} });`,
  );
  return ['--import', preload, launcher, 'serve'];
}
