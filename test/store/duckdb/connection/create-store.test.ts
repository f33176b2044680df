import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { modePaths } from '../../../../src/base/config/data-dir.ts';
import { createStore, openMarketForWriting } from '../../../../src/store/duckdb/connection/open.ts';
import { scaled } from '../../../faults/scale.ts';
import { mountSmallDisk } from '../../../support/small-disk.ts';
import { emptyPaths } from '../support/fixtures.ts';

const PAGE_BYTES = 4096;

it('a disk that is full while the store is made leaves none, and room is all that is missing', async (context) => {
  const disk = mountSmallDisk(16 * 1024 * 1024);
  if (!disk) return context.skip('only root may mount a tmpfs');
  onTestFinished(disk.remove);
  let refused = 0;
  for (let pages = 0; pages < scaled(4, 8); pages++) {
    disk.clear();
    const paths = modePaths(disk.folder, 'live');
    mkdirSync(paths.root);
    disk.fill(pages * PAGE_BYTES);
    const failure = await createStore(paths).catch((error) => error);
    if (failure) {
      refused++;
      expect(failure.message, `${pages}`).toMatch(/no space|disk is full/i);
      expect(existsSync(paths.market), `${pages}`).toBe(false);
    }
    disk.free();
    (await openMarketForWriting(paths, { verb: 'test' })).close();
  }
  expect(refused).toBeGreaterThan(1);
});

it('takes no notice of what an interrupted one has left', async () => {
  const paths = emptyPaths();
  mkdirSync(paths.root);
  for (const ending of ['.created', '.created.wal']) {
    writeFileSync(paths.market + ending, 'half of it');
  }
  (await openMarketForWriting(paths, { verb: 'test' })).close();
  expect(existsSync(`${paths.market}.created`)).toBe(false);
});
