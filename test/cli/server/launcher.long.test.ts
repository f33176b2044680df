/** Servers that outlive, or end with, what started them. */

import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isRunning } from '../../../src/base/is-running.ts';
import { freshFolder } from '../../support/folders.ts';
import { npm } from '../../support/tools.ts';
import { expectEnd, oldLauncher, root, type Started, startLaunched } from '../support/launched.ts';

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

/**
 * Expects the server to respond after several times the period in which a launcher would notice the
 * end of its parent.
 */
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

describe.runIf(process.platform === 'linux')('a server', () => {
  it('ends with the launcher, by a signal of the terminal or killed', async () => {
    for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM', 'SIGKILL'] as const) {
      const server = await startServer(process.execPath, oldLauncher(folder));
      server.process.kill(signal);
      await expectEnd(server);
    }
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
