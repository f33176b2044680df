/** Copies of this program with edits, which stand in for its next versions. */

import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { root } from './files.ts';

/** File below `src/store`, what must be there once, and what replaces it. */
export type Edit = readonly [file: string, from: string | RegExp, to: string];

/** Makes a version of the program. @returns its launcher. */
export function writeProgram(folder: string, edits: readonly Edit[]): string {
  mkdirSync(folder);
  for (const name of ['bin', 'clients/typescript', 'jobs', 'src', 'package.json', 'data']) {
    cpSync(join(root, name), join(folder, name), {
      recursive: true,
      filter: (path) => !/\/data\/(?:live|sandbox)/.test(path),
    });
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const [file, from, to] of edits) {
    const path = join(folder, 'src/store', file);
    const text = readFileSync(path, 'utf8');
    const edited = text.replace(from, to);
    expect(edited).not.toBe(text);
    writeFileSync(path, edited);
  }
  return join(folder, 'bin/tapeworks.js');
}
