import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { expect, it } from 'vitest';
import { publish } from '../../jobs/publish.ts';
import { openMarketForWriting } from '../../src/store/market/open.ts';
import { MANIFEST_NAME } from '../../src/store/serving/manifest.ts';
import { openPublished } from '../../src/store/serving/reader.ts';
import { freshPaths, load, NOW_MS, risingBars, segmentOf } from '../store/market/fixtures.ts';

it('files of an older format are written anew from the store', async () => {
  const paths = freshPaths();
  const deps = { verb: 'test', nowMs: NOW_MS };
  const db = await openMarketForWriting(paths, deps);
  await load(db, segmentOf([{ symbol: 'AAPL', bars: risingBars('2026-01-05', 30) }]));
  db.close();
  await publish(paths, deps);
  const before = openPublished(paths.serving);

  const path = join(paths.serving, MANIFEST_NAME);
  const { crc32: _, ...manifest } = JSON.parse(readFileSync(path, 'utf8'));
  const older = { ...manifest, format: 1, directory: undefined, recent: undefined };
  writeFileSync(path, JSON.stringify({ ...older, crc32: crc32(JSON.stringify(older)) }));
  expect(openPublished(paths.serving)).toBeUndefined();

  expect(await publish(paths, deps)).toMatchObject({ kind: 'base', version: 1 });
  const after = openPublished(paths.serving);
  expect(after?.bars('AAPL', '1d')).toEqual(before?.bars('AAPL', '1d'));
  expect(after?.quote('AAPL')).toEqual(before?.quote('AAPL'));
  expect(after?.listings.symbol).toEqual(['AAPL']);
  expect(await publish(paths, deps)).toMatchObject({ kind: 'none' });
});
