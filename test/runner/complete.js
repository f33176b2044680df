/**
 * Installs the test runner where the install left it out, because it ran on an older Node than the
 * runner admits. Scripts of npm run on the runtime that came with the install. Plain JavaScript.
 */

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

if (!existsSync(new URL('../../node_modules/vitest', import.meta.url))) {
  const options = { stdio: 'inherit', shell: process.platform === 'win32' };
  process.exitCode = spawnSync('npm', ['install'], options).status ?? 1;
}
