/**
 * Folders of tests, which are removed when their tests end. They lie in the folder of the run, which
 * takes the rest along: hooks of a file whose tests are all skipped are never called.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, inject, onTestFinished } from 'vitest';

const remove = (folder: string) => rmSync(folder, { recursive: true, force: true });

/** Makes a folder that goes with the run, unless the caller removes it before. */
export function newFolder(): string {
  return mkdtempSync(join(inject('runFolder'), 'tapeworks-'));
}

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
