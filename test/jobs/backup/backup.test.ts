import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { backup } from '../../../jobs/backup/backup.ts';
import { openMarketForWriting } from '../../../src/store/duckdb/connection/open.ts';
import { acquireWriterLock } from '../../../src/store/duckdb/connection/writer-lock.ts';
import { freshPaths, NOW_MS } from '../../store/duckdb/support/fixtures.ts';
import { freshFolder } from '../../support/folders.ts';

const DEPS = { verb: 'backup', nowMs: NOW_MS };

it('copies no store that is being written', async () => {
  const paths = freshPaths();
  (await openMarketForWriting(paths, DEPS)).close();
  const target = join(freshFolder(), 'saved');
  const lock = await acquireWriterLock(paths, { verb: 'a load' });
  const { promise: isWaiting, resolve } = Promise.withResolvers<string>();
  const saved = backup(
    { dataDir: dirname(paths.root), target },
    { ...DEPS, onWaiting: (holder) => resolve(holder) },
  );
  expect(await isWaiting).toContain('a load');
  expect(readdirSync(target)).toEqual(['backup.begun']);
  lock.release();
  await saved;
  expect(existsSync(join(target, 'live', 'market.duckdb'))).toBe(true);
});
