/** Runs of the tests left folders in /tmp and /dev/shm: a test forgets one, or the run is killed. */

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { freshFolder } from '../support/folders.ts';
import { makeRunFolder } from '../support/run-folder.ts';

it('tests have their temporary files in the folder of the run', () => {
  expect(basename(tmpdir())).toMatch(/^tapeworks-run-\d+$/);
});

it('a run removes the folders of runs that were killed, and no other', () => {
  const home = freshFolder();
  const { pid: dead } = spawnSync(process.execPath, ['--eval', '']);
  const [killed, alive, other] = [`run-${dead}`, `run-${process.ppid}`, 'x'].map((name) =>
    join(home, `tapeworks-${name}`),
  );
  for (const folder of [killed, alive, other]) mkdirSync(join(folder, 'data'), { recursive: true });
  const own = makeRunFolder(home);
  expect([killed, alive, other, own].map(existsSync)).toEqual([false, true, true, true]);
});
