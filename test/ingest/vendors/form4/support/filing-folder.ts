/** A folder of filings for the tests of a `describe`, new for each of them. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import type { FetchContext } from '../../../../../src/ingest/contract/fetch-context.ts';
import type { SourceOptions } from '../../../../../src/ingest/contract/source-options.ts';
import { fetchForm4Files } from '../../../../../src/ingest/vendors/form4/files.ts';
import { testContext } from '../../../support/segment-rows.ts';
import { type Landed, landAll } from './landed-rows.ts';

/** Must be called within the `describe`; its paths and context are those of the running test. */
export function filingFolder() {
  let root: string;
  let context: FetchContext;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'tapeworks-'));
    context = testContext(root, '2026-11-20T22:00:00Z');
  });
  afterEach(() => rm(root, { recursive: true }));

  const pathOf = (name: string) => join(root, name);
  return {
    pathOf,
    /** Writes a file and returns its path. */
    put(name: string, content: string | Buffer): string {
      mkdirSync(dirname(pathOf(name)), { recursive: true });
      writeFileSync(pathOf(name), content);
      return pathOf(name);
    },
    land(paths: string[], options: SourceOptions = {}): Promise<Landed> {
      return landAll(fetchForm4Files({ ...options, paths }, context), context);
    },
    scratchFiles: () => readdir(context.paths.scratch),
  };
}
