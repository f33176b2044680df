/** The published files of two stores, to be compared byte by byte. */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ModePaths } from '../../../src/base/config/data-dir.ts';
import { filesOf, readManifest } from '../../../src/store/arrow/format/manifest.ts';
import { STATE_ENDING } from '../../../src/store/arrow/format/state-file.ts';

/**
 * Hashes of the published files by their names without the version. Left out are the manifest,
 * which has times in it, tables of earlier versions, and the directory, whose ids of securities are
 * given in the order in which they came.
 */
export function filesByRole({ serving }: ModePaths): string[][] {
  return [...filesOf({ ...readManifest(serving)!, recent: [] })]
    .filter((name) => name.endsWith('.arrow') || name.endsWith(STATE_ENDING))
    .filter((name) => !name.startsWith('directory-'))
    .map((name) => [
      name.replace(/-\d{8}/, ''),
      createHash('sha256')
        .update(readFileSync(join(serving, name)))
        .digest('hex'),
    ])
    .sort();
}
