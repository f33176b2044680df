import { cpSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { backfill } from '../../../jobs/load/backfill.ts';
import { dropSegment } from '../../../jobs/rebuild/drop-segment.ts';
import { rebuild } from '../../../jobs/rebuild/rebuild.ts';
import { type ModePaths, modePaths } from '../../../src/base/config/data-dir.ts';
import { onFailpoint } from '../../../src/base/failpoints.ts';
import { inFreshFolder, ledgerOf } from '../../faults/children/run.ts';
import { type LogicalHash, logicalHash } from '../../faults/support/logical-hash.ts';
import {
  all,
  articles,
  askFiles,
  barsFile,
  DEPS,
  depsOf,
  filesFolder,
  fillMarket,
  questionOf,
} from '../../faults/support/rebuild-market.ts';
import { sharedFolder } from '../../support/folders.ts';
import { someOf } from '../../support/store-runs.ts';

const NEWS = { which: '3', isPlan: false };

/** A market with one load of articles too many, the third; the user's files stay here. */
const template = sharedFolder();
const mine = filesFolder(template);
let before: LogicalHash;

beforeAll(async () => {
  const paths = modePaths(template, 'live');
  await fillMarket(template);
  before = logicalHash(paths.serving);
  await backfill(paths, all(await articles(paths, [3])), { ...DEPS, nowMs: DEPS.nowMs + 2000 });
});

/** Copies the store, and the user's files as they were loaded. */
function filled(home: string): ModePaths {
  cpSync(join(template, 'live'), join(home, 'live'), { recursive: true });
  for (const [i, symbol] of ['AAPL', 'MSFT'].entries()) {
    writeFileSync(join(mine, `${symbol}.csv`), barsFile(100 * (i + 1)));
  }
  return modePaths(home, 'live');
}

it('rows are dropped by making the store anew, and no rebuild brings them back', async () => {
  await inFreshFolder(async (home) => {
    const paths = filled(home);
    expect(logicalHash(paths.serving)).not.toEqual(before);
    const report = await dropSegment(paths, NEWS, depsOf(home));
    expect(report).toMatchObject({ isRebuilt: true, segment: { dataset: 'news', accepted: 1 } });
    expect(logicalHash(paths.serving)).toEqual(before);
    expect(readdirSync(join(paths.segments, 'dropped'))).toEqual([`${report.segment?.id}.json.gz`]);
    await rebuild(paths, { isPartial: false }, depsOf(home));
    expect(logicalHash(paths.serving)).toEqual(before);
    expect(await ledgerOf(paths)).toHaveLength(2);
  });
});

it('where an input of another load is gone it is named, and nothing changes', async () => {
  await inFreshFolder(async (home) => {
    const paths = filled(home);
    const now = logicalHash(paths.serving);
    rmSync(join(mine, 'MSFT.csv'));
    // Loads of earlier programs have no copy.
    for (const name of readdirSync(paths.segments)) {
      if (name.endsWith('.parquet')) rmSync(join(paths.segments, name));
    }
    const dropped = dropSegment(paths, NEWS, depsOf(home));
    await expect(dropped).rejects.toThrow(/To drop a segment.*mine: .*its files have another/s);
    expect(existsSync(join(paths.segments, 'dropped'))).toBe(false);
    expect(logicalHash(paths.serving)).toEqual(now);
    expect(await ledgerOf(paths)).toHaveLength(3);
  });
});

it.each(someOf(['commit rows', 'rows committed'], 2))(
  'a drop of bars that ends at "%s" is finished by the same command',
  async (end) => {
    await inFreshFolder(async (home) => {
      const paths = filled(home);
      const withArticles = logicalHash(paths.serving);
      writeFileSync(join(mine, 'MSFT.csv'), barsFile(300));
      const asked = { source: 'files', options: questionOf(template).slice };
      const deps = { ...DEPS, nowMs: DEPS.nowMs + 3000, question: asked };
      // The other file is the same as before: its bars would be of two loads.
      rmSync(join(mine, 'AAPL.csv'));
      await backfill(paths, askFiles(template, paths), deps);
      expect(logicalHash(paths.serving)).not.toEqual(withArticles);
      const drop = () => dropSegment(paths, { which: '4', isPlan: false }, depsOf(home));
      onFailpoint((name) => {
        if (name === end) throw new Error('killed');
      });
      try {
        await expect(drop()).rejects.toThrow('killed');
      } finally {
        onFailpoint(undefined);
      }
      await drop();
      expect(logicalHash(paths.serving)).toEqual(withArticles);
      expect(await drop()).toMatchObject({ isRebuilt: false });
    });
  },
);
