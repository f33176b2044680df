import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';
import { type ModePaths, modePaths } from '../../../src/base/config/data-dir.ts';
import { emptyPaths } from '../../store/duckdb/support/fixtures.ts';

/**
 * Store for several tests of a file: `prepare` fills it once, when the first test needs it.
 *
 * @returns a function that gives each test its own copy, removed when the test ends.
 */
export function preparedStore(
  prepare: (paths: ModePaths) => Promise<unknown>,
): () => Promise<ModePaths> {
  let home: string | undefined;
  afterAll(() => home && rmSync(home, { recursive: true }));
  return async () => {
    if (home === undefined) {
      const folder = mkdtempSync(join(tmpdir(), 'tapeworks-'));
      home = folder;
      await prepare(modePaths(folder, 'live'));
    }
    const paths = emptyPaths();
    cpSync(home, dirname(paths.root), { recursive: true });
    return paths;
  };
}
