import { expect, it } from 'vitest';
import { compact } from '../../jobs/maintenance/compact.ts';
import { modePaths } from '../../src/base/config/data-dir.ts';
import { filesByRole } from '../jobs/support/files-by-role.ts';
import { inFreshFolder, ledgerOf, runChild } from './children/run.ts';
import { scaled, tell } from './scale.ts';
import { DEPS } from './support/flow.ts';
import { logicalHash } from './support/logical-hash.ts';
import { withUndisturbed } from './support/undisturbed.ts';

async function outcome(dataDir: string) {
  const paths = modePaths(dataDir, 'live');
  const before = logicalHash(paths.serving);
  await compact(paths, { isFull: true }, DEPS);
  const files = filesByRole(paths);
  return { before, after: logicalHash(paths.serving), files, segments: await ledgerOf(paths) };
}

it('two backfills at once, shuffled and with repeats, leave what one leaves, byte for byte', async () => {
  const expected = await withUndisturbed((stages) =>
    inFreshFolder((dataDir) => {
      stages[stages.length - 1].complete(dataDir);
      return outcome(dataDir);
    }),
  );
  const runs = scaled(1, 30);
  for (let seed = 0; seed < runs; seed++) {
    await inFreshFolder(async (dataDir) => {
      const children = [2 * seed, 2 * seed + 1].map((each) =>
        runChild('order.ts', [dataDir, String(each)]),
      );
      for (const { code, notes } of await Promise.all(children)) {
        expect(code, notes.join('\n')).toBe(0);
      }
      expect(await outcome(dataDir), `seed ${seed}`).toEqual(expected);
    });
  }
  tell('two backfills at once', { pairs: runs, differences: 0 });
});
