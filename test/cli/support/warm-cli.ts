/**
 * Runs verbs in a process that has run others before: starting, and compiling all of it again, is
 * most of what a short one takes.
 */

import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { CliResult } from './run-cli.ts';
import type { WarmCommand } from './warm-child.ts';

const CHILD = fileURLToPath(new URL('warm-child.ts', import.meta.url));

interface Warm {
  child: ChildProcess;
  /** Result of the active command. */
  answer?: PromiseWithResolvers<CliResult>;
}

const warm = new Map<string, Warm>();

/**
 * @param kind `quick`, or anything else for the command line as it is.
 * @returns undefined while another command runs: the caller starts a process of its own.
 */
export function runWarm(kind: string, command: WarmCommand): Promise<CliResult> | undefined {
  const known = warm.get(kind) ?? start(kind);
  return known.answer ? undefined : ask(known, command);
}

function start(kind: string): Warm {
  const child = fork(CHILD, [kind], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  // Ends with this process, and keeps it from nothing.
  child.unref();
  child.channel?.unref();
  const started: Warm = { child };
  warm.set(kind, started);
  child.on('message', (result: CliResult) => started.answer?.resolve(result));
  child.on('exit', (code) => {
    warm.delete(kind);
    started.answer?.reject(new Error(`the process of the command line ended with ${code}`));
  });
  return started;
}

async function ask(known: Warm, command: WarmCommand): Promise<CliResult> {
  known.answer = Promise.withResolvers();
  known.child.channel?.ref();
  try {
    known.child.send(command);
    return await known.answer.promise;
  } finally {
    known.answer = undefined;
    known.child.channel?.unref();
  }
}
