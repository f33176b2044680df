/** A server of two API threads, each of which a test can make crash. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type CliFolder, createCliFolder, type RunningCli } from './run-cli.ts';

const PRELOAD = fileURLToPath(new URL('crash-thread.mjs', import.meta.url));

export const THREADS = 2;

export interface Threads {
  folder: CliFolder;
  server: RunningCli;
  address: string;
  /** Text that the server has printed on stderr. */
  log(): string;
  crash(thread: 'API thread 1' | 'screen thread'): void;
}

/** @param prepare Fills the folder before the server starts. */
export async function startThreads(
  prepare: (folder: CliFolder) => Promise<unknown>,
  settings: Record<string, string> = {},
): Promise<Threads> {
  const env = { ...settings };
  const folder = createCliFolder(env);
  await prepare(folder);
  Object.assign(env, { NODE_OPTIONS: `--import ${PRELOAD}`, CRASH_FOLDER: folder.dataDir });
  const server = await folder.start('serve', '--processes', String(THREADS));
  let log = '';
  server.process.stderr?.on('data', (chunk) => {
    log += chunk;
  });
  return {
    folder,
    server,
    address: server.document.address,
    log: () => log,
    crash: (thread) => writeFileSync(join(folder.dataDir, `crash ${thread}`), ''),
  };
}
