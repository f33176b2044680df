/** A folder of generated files for tests that read them in two ways. */

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll } from 'vitest';
import type { FetchContext } from '../../../src/ingest/contract/fetch-context.ts';
import { sharedFolder } from '../../support/folders.ts';
import { testContext } from './segment-rows.ts';

/**
 * Fills a folder before the tests of the file that calls it, the same in every run.
 *
 * @param texts What a file holds.
 * @returns the folder and a context beside it, for use within tests.
 */
export function inputFolder(
  texts: fc.Arbitrary<string>,
  fileCount: number,
): () => { folder: string; context: FetchContext } {
  const root = sharedFolder();
  beforeAll(async () => {
    await mkdir(join(root, 'input'));
    const samples = fc.sample(texts, { seed: 7, numRuns: fileCount });
    await Promise.all(
      samples.map((text, index) => writeFile(join(root, 'input', `F${index}.csv`), text)),
    );
  });
  return () => ({
    folder: join(root, 'input'),
    context: testContext(root, '2026-11-20T22:00:00Z'),
  });
}
