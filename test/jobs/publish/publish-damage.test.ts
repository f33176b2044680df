/** Publishing over damaged files: readers keep what they have until everything is published again. */

import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { publish } from '../../../jobs/publish/publish.ts';
import type { ModePaths } from '../../../src/base/config/data-dir.ts';
import { onFailpoint } from '../../../src/base/failpoints.ts';
import { MANIFEST_NAME, readManifest } from '../../../src/store/arrow/format/manifest.ts';
import { openServing } from '../../../src/store/arrow/read/reader.ts';
import { NOW_MS, risingBars, segmentOf } from '../../store/duckdb/support/fixtures.ts';
import { someOf } from '../../support/store-runs.ts';
import { preparedStore } from '../support/prepared-store.ts';
import { DEPS, loadAll } from '../support/store.ts';

afterEach(() => onFailpoint(undefined));

/** Two publishes, so that there is a version that was replaced. */
const fill = preparedStore(async (paths) => {
  await loadDays(paths, 30);
  await publish(paths, DEPS);
  await loadDays(paths, 31);
  await publish(paths, DEPS);
});

const loadDays = (paths: ModePaths, count: number) =>
  loadAll(
    paths,
    segmentOf([{ symbol: 'AA', bars: risingBars('2026-01-01', count) }], { basis: 'raw' }),
  );

function damage({ serving }: ModePaths, name: RegExp): void {
  const found = readdirSync(serving).filter((each) => name.test(each));
  expect(found).not.toEqual([]);
  for (const each of found) writeFileSync(join(serving, each), 'damaged');
}

it.each(
  someOf(
    [
      ['a table', /^symbols-/],
      ['a table of a version that was replaced', /^quotes-00000001/],
      ['the manifest', /^manifest/],
    ],
    3,
  ),
)(
  'a whole publish over damage of %s leaves readers what they have until it is done',
  async (_, name) => {
    const paths = await fill();
    const before = readManifest(paths.serving);
    let look = () => {};
    const reader = openServing(paths.serving, {
      watch: (again) => {
        look = again;
        return () => {};
      },
    });
    damage(paths, name);
    onFailpoint(() => {
      expect(existsSync(join(paths.serving, MANIFEST_NAME))).toBe(true);
      look();
      expect(reader.current().rowCount('AA', '1d')).toBe(31);
    });
    const { version } = await publish(paths, { ...DEPS, nowMs: NOW_MS + 1, isWhole: true });
    onFailpoint(undefined);
    expect(version).toBeGreaterThan(2);
    expect(readManifest(paths.serving)?.epoch).toBe(before?.epoch);
    const fresh = openServing(paths.serving);
    expect(fresh.current().rowCount('AA', '1d')).toBe(31);
    fresh.close();
    reader.close();
  },
);

it('a reader keeps its version where the manifest is gone, and says so', async () => {
  const paths = await fill();
  let look = () => {};
  const { promise: isTold, resolve } = Promise.withResolvers<Error>();
  const reader = openServing(paths.serving, {
    watch: (again) => {
      look = again;
      return () => {};
    },
    onError: (error) => resolve(error as Error),
  });
  rmSync(join(paths.serving, MANIFEST_NAME));
  look();
  expect((await isTold).message).toMatch(/manifest .* is gone/);
  expect(reader.current().rowCount('AA', '1d')).toBe(31);
  reader.close();
});

it('a publish that needs a damaged file says what to do', async () => {
  const paths = await fill();
  damage(paths, /^states-/);
  await loadDays(paths, 32);
  await expect(publish(paths, DEPS)).rejects.toThrow('run compact --full');
  await publish(paths, { ...DEPS, isWhole: true });
  await loadDays(paths, 33);
  await publish(paths, DEPS);
  const reader = openServing(paths.serving);
  expect(reader.current().rowCount('AA', '1d')).toBe(33);
  reader.close();
});
