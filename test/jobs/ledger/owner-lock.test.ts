/** The identity of a process that executes runs. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, it } from 'vitest';
import { hasKeeper, NOBODY, OwnerLock } from '../../../jobs/ledger/owner-lock.ts';
import { freshFolder } from '../../support/folders.ts';

const source = fileURLToPath(new URL('../../../jobs/ledger/owner-lock.ts', import.meta.url));

let folder: string;
beforeEach(() => {
  folder = freshFolder();
});

it('has died when it was killed, and not before', async () => {
  const program = `import { OwnerLock } from ${JSON.stringify(source)};
    const lock = new OwnerLock(process.argv[1]);
    console.log(lock.id);
    // Whoever forgets it lets it go.
    setInterval(() => lock.id, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, folder]);
  const [said] = await once(child.stdout, 'data');
  const theirs = String(said).trim();
  const ours = new OwnerLock(folder);
  expect([ours.isGone(theirs), ours.isGone(ours.id)]).toEqual([false, false]);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(ours.isGone(theirs)).toBe(true);
  expect(ours.isGone(NOBODY)).toBe(true);
  // The next one clears away what it has left.
  const next = new OwnerLock(folder);
  expect(readdirSync(folder).toSorted()).toEqual(
    [ours.id, next.id].map((id) => `${id}.lock`).toSorted(),
  );
  ours.close();
  expect(next.isGone(ours.id)).toBe(true);
  next.close();
  expect(readdirSync(folder)).toEqual([]);
});

it('shows others that a process takes over runs without an owner, while it lives', () => {
  expect(hasKeeper(`${folder}/missing`)).toBe(false);
  const command = new OwnerLock(folder);
  expect(hasKeeper(folder)).toBe(false);
  const keeper = new OwnerLock(folder, { isKeeper: true });
  expect(hasKeeper(folder)).toBe(true);
  keeper.close();
  expect(hasKeeper(folder)).toBe(false);
  command.close();
});
