import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { InputFile } from '../../../src/ingest/inputs/input-file.ts';
import { inputParts, scanParts } from '../../../src/ingest/inputs/scan-inputs.ts';
import { freshFolder } from '../../support/folders.ts';

const MB = 1024 * 1024;

function fileOf(name: string, bytes: number, path = name): InputFile {
  return { name, path, bytes, modifiedUs: 0n, isGzip: false, isLooseJson: false, form: 'csv' };
}

test('parts grow from 128 MB threefold, in the order of the files', () => {
  const files = Array.from({ length: 20 }, (_, i) => fileOf(`${i}.csv`, 64 * MB));
  const parts = inputParts(files);
  expect(parts.map(({ length }) => length)).toEqual([2, 6, 12]);
  expect(parts.flat()).toEqual(files);
});

test('a file above the size of a part is a part of its own', () => {
  const parts = inputParts([fileOf('a', 500 * MB), fileOf('b', 1), fileOf('c', 700 * MB)]);
  expect(parts.map((part) => part.map(({ name }) => name))).toEqual([['a'], ['b'], ['c']]);
});

test('an empty list is one part', () => {
  expect(inputParts([])).toEqual([[]]);
});

test.each(['a few', 'many'])('scans of %s bytes come part by part, in order', async (amount) => {
  const folder = freshFolder();
  // Above 8 MB, worker threads do the scanning.
  const lines = amount === 'many' ? 600_000 : 3;
  const files = await Promise.all(
    [lines, 2, 1, lines + 1, 5].map(async (count, i) => {
      const path = join(folder, `${i}.csv`);
      const content = '2020-01-02,1,1\n'.repeat(count);
      await writeFile(path, content);
      return fileOf(`${i}.csv`, content.length, path);
    }),
  );
  const seen: unknown[] = [];
  for await (const part of scanParts([files.slice(0, 2), files.slice(2)], folder, {})) {
    seen.push(part.map((file) => ('scan' in file ? file.scan.lineCount : file.damage)));
  }
  expect(seen).toEqual([
    [lines, 2],
    [1, lines + 1, 5],
  ]);
});
