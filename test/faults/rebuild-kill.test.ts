import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { backfill } from '../../jobs/load/backfill.ts';
import { rebuild } from '../../jobs/rebuild/rebuild.ts';
import { modePaths } from '../../src/base/config/data-dir.ts';
import { inFreshFolder, ledgerOf, runChild } from './children/run.ts';
import { isLong, tell } from './scale.ts';
import { logicalHash } from './support/logical-hash.ts';
import { isCertain } from './support/places.ts';
import { all, articles, DEPS, depsOf, fillMarket } from './support/rebuild-market.ts';

/** The moment at which the new store takes its place. */
const SHORT = ['rename file market.duckdb@1'];

it('a rebuild killed at any point leaves a store that loads go on with, and is done by the next', async () => {
  await inFreshFolder(async (home) => {
    await fillMarket(home);
    const inCopy = (work: (dataDir: string) => Promise<void>) =>
      inFreshFolder((dataDir) => {
        cpSync(join(home, 'live'), join(dataDir, 'live'), { recursive: true });
        return work(dataDir);
      });
    let places = SHORT;
    if (isLong) {
      await inCopy(async (dataDir) => {
        places = (await runChild('rebuild.ts', [dataDir, ''])).steps.filter(isCertain);
      });
    }
    const before = logicalHash(modePaths(home, 'live').serving);
    for (const place of places) {
      await inCopy(async (dataDir) => {
        const { isKilled } = await runChild('rebuild.ts', [dataDir, place]);
        expect(isKilled, place).toBe(true);
        const paths = modePaths(dataDir, 'live');
        expect(logicalHash(paths.serving), place).toEqual(before);
        await backfill(paths, all(await articles(paths, [3])), DEPS);
        const [after, ledger] = [logicalHash(paths.serving), await ledgerOf(paths)];
        expect([after.rows, ledger.length], place).toEqual([before.rows + 2, 3]);
        await rebuild(paths, { isPartial: false }, depsOf(dataDir));
        expect(logicalHash(paths.serving), place).toEqual(after);
        expect(await ledgerOf(paths), place).toEqual(ledger);
      });
    }
    tell('rebuild killed', { points: places.length, losses: 0 });
  });
});
