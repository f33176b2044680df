import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stagingFolder } from '../../../jobs/contract/staged-files.ts';
import {
  readStaged,
  removeStaged,
  type Staged,
  writeStaged,
} from '../../../jobs/contract/staging.ts';
import { freshPaths } from '../../store/duckdb/support/fixtures.ts';

const CHILD = { plan: 'p', index: 2060 };

function landing(isComplete: boolean, reason: string): Staged {
  return { isComplete, segments: [], skipped: [{ name: 'tiingo', reason }] };
}

describe('the staged segments of a task', () => {
  it('is what it said last', async () => {
    const paths = freshPaths();
    expect(await readStaged(paths, CHILD)).toBeUndefined();
    for (const said of [landing(false, 'a'), landing(false, 'b'), landing(true, 'c')]) {
      await writeStaged(paths, CHILD, said);
      expect(await readStaged(paths, CHILD)).toEqual(said);
    }
    expect(await readStaged(paths, { ...CHILD, index: 1 })).toBeUndefined();
    await removeStaged(paths, CHILD.plan);
    expect(await readStaged(paths, CHILD)).toBeUndefined();
  });

  it('stays complete when a try that was presumed dead continues next to its successor', async () => {
    const paths = freshPaths();
    await writeStaged(paths, CHILD, landing(true, 'the successor'));
    await writeStaged(paths, CHILD, landing(false, 'the first try'));
    expect(await readStaged(paths, CHILD)).toEqual(landing(true, 'the successor'));
  });

  it('is fetched again where it is damaged', async () => {
    const paths = freshPaths();
    await writeStaged(paths, CHILD, landing(false, 'half'));
    await writeStaged(paths, CHILD, landing(true, 'all'));
    writeFileSync(join(stagingFolder(paths, CHILD.plan), `${CHILD.index}.json`), '{"isComp');
    expect(await readStaged(paths, CHILD)).toBeUndefined();
  });
});
