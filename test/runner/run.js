/**
 * Runs the tests on the runtime that came with the install: npm 10 does not put it on the path.
 * Installs the test runner first where npm left it out, because the Node of the install was older
 * than the runner admits. Plain JavaScript for any Node.
 */

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));
const runtimes = readdirSync(modules)
  .map((name) => join(modules, name, 'bin'))
  .filter((folder) => existsSync(join(folder, 'node')) || existsSync(join(folder, 'node.exe')));
const env = { ...process.env, PATH: [...runtimes, process.env.PATH].join(delimiter) };
const options = { env, stdio: 'inherit', shell: process.platform === 'win32' };

const runner = join(modules, 'vitest', 'vitest.mjs');
if (!existsSync(runner)) spawnSync('npm', ['install'], options);
const { status } = spawnSync('node', [runner, 'run', ...process.argv.slice(2)], options);
process.exitCode = status ?? 1;
