/** Folders of tests, which are removed when their tests end. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

const newFolder = () => mkdtempSync(join(tmpdir(), 'tapeworks-'));
const remove = (folder: string) => rmSync(folder, { recursive: true, force: true });

/** Makes a folder for the running test. */
export function freshFolder(): string {
  const folder = newFolder();
  onTestFinished(() => remove(folder));
  return folder;
}

/** Makes a folder for all tests of a file or of a `describe`. Call it outside of tests and hooks. */
export function sharedFolder(): string {
  const folder = newFolder();
  afterAll(() => remove(folder));
  return folder;
}
