/**
 * Runs verbs in a process that has run others before. A process that starts, and compiles the
 * program again, takes most of the time of a short verb.
 */

import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { CliResult } from './run-cli.ts';
import type { WarmCommand } from './warm-child.ts';

const CHILD = fileURLToPath(new URL('warm-child.ts', import.meta.url));

interface Warm {
  child: ChildProcess;
  /** Result of the running command. */
  result?: PromiseWithResolvers<CliResult>;
}

/** Kind of process: its limits and its user. */
export interface WarmKind {
  /** Has the limits of `quick-limits.ts`. */
  isQuick?: boolean;
  /** Another user than that of the tests. */
  uid?: number;
  /** Mask of the rights of new files; default: that of the tests. */
  umask?: number;
}

const warm = new Map<string, Warm>();

/** @returns undefined while another command runs: the caller starts a process of its own. */
export function runWarm(kind: WarmKind, command: WarmCommand): Promise<CliResult> | undefined {
  const known = warm.get(keyOf(kind)) ?? start(kind);
  return known.result ? undefined : send(known, command);
}

function keyOf({ isQuick = false, uid, umask }: WarmKind): string {
  return `${isQuick} ${uid} ${umask}`;
}

function start(kind: WarmKind): Warm {
  const { isQuick = false, uid, umask } = kind;
  const child = fork(CHILD, [isQuick ? 'quick' : '', String(umask ?? '')], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  // Ends with this process, and does not keep it running.
  child.unref();
  child.channel?.unref();
  const started: Warm = { child };
  warm.set(keyOf(kind), started);
  child.on('message', (result: CliResult) => started.result?.resolve(result));
  child.on('exit', (code) => {
    warm.delete(keyOf(kind));
    started.result?.reject(new Error(`the process of the command line ended with ${code}`));
  });
  return started;
}

async function send(known: Warm, command: WarmCommand): Promise<CliResult> {
  known.result = Promise.withResolvers();
  known.child.channel?.ref();
  try {
    known.child.send(command);
    return await known.result.promise;
  } finally {
    known.result = undefined;
    known.child.channel?.unref();
  }
}
