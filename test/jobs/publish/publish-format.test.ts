import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect, it } from 'vitest';
import { loadSandbox } from '../../../jobs/load/sandbox.ts';
import { publishRound } from '../../../jobs/schedule/pipeline.ts';
import { settingsFromEnv } from '../../../src/base/config/config.ts';
import type { ModePaths } from '../../../src/base/config/data-dir.ts';
import { latestCompletedSession } from '../../../src/base/time/calendar.ts';
import { isOfOlderFormat, MANIFEST_NAME } from '../../../src/store/arrow/format/manifest.ts';
import { openPublished } from '../../../src/store/arrow/read/reader.ts';
import { MIGRATIONS, migrate } from '../../../src/store/duckdb/connection/migrations.ts';
import {
  emptyPaths,
  freshPaths,
  NOW_MS,
  risingBars,
  segmentOf,
} from '../../store/duckdb/support/fixtures.ts';
import { long } from '../../support/store-runs.ts';
import { loadAll, publishOf, run } from '../support/store.ts';

/** Rewrites the manifest as a program before format 3 left it. */
function makeOlder(serving: string): void {
  const path = join(serving, MANIFEST_NAME);
  const { crc32: _, ...manifest } = JSON.parse(readFileSync(path, 'utf8'));
  const older = { ...manifest, format: 1, directory: undefined, recent: undefined };
  writeFileSync(path, JSON.stringify({ ...older, crc32: crc32(JSON.stringify(older)) }));
}

it('files of an older format are written again from the store', async () => {
  const paths = freshPaths();
  await publishOf(paths, segmentOf([{ symbol: 'AAPL', bars: risingBars('2026-01-05', 30) }]));
  const before = openPublished(paths.serving);

  makeOlder(paths.serving);
  expect(openPublished(paths.serving)).toBeUndefined();
  expect(isOfOlderFormat(paths.serving)).toBe(true);

  // It follows the older one. With version 1 again, an upload took it for another data folder's.
  expect(await run(paths)).toMatchObject({ kind: 'base', version: 2 });
  expect(isOfOlderFormat(paths.serving)).toBe(false);
  const after = openPublished(paths.serving);
  expect(after?.bars('AAPL', '1d')).toEqual(before?.bars('AAPL', '1d'));
  expect(after?.quote('AAPL')).toEqual(before?.quote('AAPL'));
  expect(after?.listings.symbol).toEqual(['AAPL']);
  expect(await run(paths)).toMatchObject({ kind: 'none' });
});

it('files with checkpoints of another layout are written again from the store', async () => {
  const paths = freshPaths();
  const add = (date: string) => {
    const bars = risingBars(date, 5);
    return loadAll(paths, segmentOf([{ symbol: 'AAPL', bars }], { name: date, basis: 'raw' }));
  };
  await add('2026-01-05');
  await run(paths);
  // A state is a number for each of its fields: here one is missing.
  const manifestPath = join(paths.serving, MANIFEST_NAME);
  const { crc32: _, ...manifest } = JSON.parse(readFileSync(manifestPath, 'utf8'));
  const [{ states }] = manifest.layers;
  const shorter = readFileSync(join(paths.serving, states.name)).subarray(0, -8);
  writeFileSync(join(paths.serving, states.name), shorter);
  Object.assign(states, { bytes: shorter.length, crc32: crc32(shorter) });
  const text = JSON.stringify({ ...manifest, crc32: crc32(JSON.stringify(manifest)) });
  writeFileSync(manifestPath, text);

  await add('2026-01-12');
  expect(await run(paths)).toMatchObject({ kind: 'base' });
  expect(openPublished(paths.serving)?.rowCount('AAPL', '1d')).toBe(10);
  expect(await run(paths)).toMatchObject({ kind: 'none' });
});

/** A store of an older schema, and a manifest of format 2. */
async function makeOldData({ root, market, serving }: ModePaths): Promise<void> {
  mkdirSync(serving, { recursive: true });
  const older = { format: 2 };
  const manifest = { ...older, crc32: crc32(JSON.stringify(older)) };
  writeFileSync(join(serving, MANIFEST_NAME), JSON.stringify(manifest));
  mkdirSync(root, { recursive: true });
  const instance = await DuckDBInstance.create(market);
  const connection = await instance.connect();
  await migrate(connection, NOW_MS, MIGRATIONS.slice(0, 2));
  for (const row of [
    "series VALUES (1, 'SPY', '1d', 'stooq', 'all', '2020-01-02', '', '2020-01-02', '2020-01-02', 1, 'SPY', '1970-01-01')",
    "bars VALUES (1, 1, '2020-01-02', 1, 3, 0.5, 2, 100)",
    "winners VALUES ('SPY', '1d', 1, '2020-01-02', '2020-01-02', 1)",
    "changes VALUES (1, 'SPY', '1d', 'append', '2020-01-02')",
  ]) {
    await connection.run(`INSERT INTO ${row}`);
  }
  connection.disconnectSync();
  instance.closeSync();
}

// Requests for live data published before an update failed with 404 until the user ran a
// backfill: `start` only looked after the sandbox.
long('the pipeline of `start` upgrades a live store and publishes it again', async () => {
  const [live, sandbox] = [emptyPaths(), emptyPaths()];
  await makeOldData(live);
  const plan = { fromDay: latestCompletedSession(NOW_MS) - 30, stocks: 2 };

  const failures: unknown[] = [];
  const deps = { verb: 'test', nowMs: NOW_MS };
  await loadSandbox(sandbox, plan, { ...deps, settings: settingsFromEnv({}) });
  expect(openPublished(sandbox.serving)).toBeUndefined();
  await publishRound(
    { live, sandbox },
    { ...deps, onFilled: () => {}, onFailure: (error) => failures.push(error) },
  );
  expect(failures).toEqual([]);
  expect(openPublished(sandbox.serving)?.symbols).toHaveLength(2);
});
