/** A folder and a context of its own for each test of a file. */

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import type { FetchContext } from '../../../src/ingest/contract/fetch-context.ts';
import { testContext } from './segment-rows.ts';

export interface EachTest {
  root: string;
  /** Folder of input files within it; made by `write`. */
  folder: string;
  context: FetchContext;
  write(files: Record<string, string | Buffer>): Promise<void>;
}

/** Must be called outside of tests, before hooks that use its result. */
export function eachTest(now = '2026-11-20T22:00:00Z'): EachTest {
  const at = {
    async write(files) {
      for (const [name, content] of Object.entries(files)) {
        await mkdir(dirname(join(at.folder, name)), { recursive: true });
        await writeFile(join(at.folder, name), content);
      }
    },
  } as EachTest;
  beforeEach(async () => {
    at.root = await mkdtemp(join(tmpdir(), 'tapeworks-'));
    at.folder = join(at.root, 'input');
    at.context = testContext(at.root, now);
  });
  afterEach(() => rm(at.root, { recursive: true }));
  return at;
}
