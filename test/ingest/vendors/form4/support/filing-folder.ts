/** A folder of filings for the tests of a `describe`, new for each of them. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach } from 'vitest';
import type { FetchContext } from '../../../../../src/ingest/contract/fetch-context.ts';
import type { SourceOptions } from '../../../../../src/ingest/contract/source-options.ts';
import { fetchForm4Files } from '../../../../../src/ingest/vendors/form4/files.ts';
import { freshFolder } from '../../../../support/folders.ts';
import { testContext } from '../../../support/segment-rows.ts';
import { landAll, type StagedSegment } from './landed-rows.ts';

/** Must be called within the `describe`; its paths and context are those of the running test. */
export function filingFolder() {
  let root: string;
  let context: FetchContext;
  beforeEach(async () => {
    root = freshFolder();
    context = testContext(root, '2026-11-20T22:00:00Z');
  });

  const pathOf = (name: string) => join(root, name);
  return {
    pathOf,
    /** Writes a file and returns its path. */
    put(name: string, content: string | Buffer): string {
      mkdirSync(dirname(pathOf(name)), { recursive: true });
      writeFileSync(pathOf(name), content);
      return pathOf(name);
    },
    land(paths: string[], options: SourceOptions = {}): Promise<StagedSegment> {
      return landAll(fetchForm4Files({ ...options, paths }, context), context);
    },
    scratchFiles: () => readdir(context.paths.scratch),
  };
}
