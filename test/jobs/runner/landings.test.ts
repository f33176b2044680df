import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type Landing,
  landingsFolder,
  readLanding,
  removeLandings,
  writeLanding,
} from '../../../jobs/runner/landings.ts';
import { freshPaths } from '../../store/duckdb/support/fixtures.ts';

const CHILD = { plan: 'p', index: 2060 };

function landing(isComplete: boolean, reason: string): Landing {
  return { isComplete, segments: [], skipped: [{ name: 'tiingo', reason }] };
}

describe('what a child landed', () => {
  it('is what it said last', async () => {
    const paths = freshPaths();
    expect(await readLanding(paths, CHILD)).toBeUndefined();
    for (const said of [landing(false, 'a'), landing(false, 'b'), landing(true, 'c')]) {
      await writeLanding(paths, CHILD, said);
      expect(await readLanding(paths, CHILD)).toEqual(said);
    }
    expect(await readLanding(paths, { ...CHILD, index: 1 })).toBeUndefined();
    await removeLandings(paths, CHILD.plan);
    expect(await readLanding(paths, CHILD)).toBeUndefined();
  });

  it('stays complete when a try that was thought dead goes on beside its successor', async () => {
    const paths = freshPaths();
    await writeLanding(paths, CHILD, landing(true, 'the successor'));
    await writeLanding(paths, CHILD, landing(false, 'the first try'));
    expect(await readLanding(paths, CHILD)).toEqual(landing(true, 'the successor'));
  });

  it('is fetched again where it is damaged', async () => {
    const paths = freshPaths();
    await writeLanding(paths, CHILD, landing(false, 'half'));
    await writeLanding(paths, CHILD, landing(true, 'all'));
    writeFileSync(join(landingsFolder(paths, CHILD.plan), `${CHILD.index}.json`), '{"isComp');
    expect(await readLanding(paths, CHILD)).toBeUndefined();
  });
});
