import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { modePaths } from '../../../src/base/config/data-dir.ts';
import { limits } from '../../../src/base/limits.ts';
import { keepFiles } from '../../../src/cli/server/keep-files.ts';
import { readManifest, snapshotId } from '../../../src/store/arrow/format/manifest.ts';
import { readFileSets } from '../../../src/store/parquet/file-sets.ts';
import { fixtureSymbols, NOW_MS, publishMarket } from '../../api/support/market-fixture.ts';
import { freshFolder } from '../../support/folders.ts';
import { long } from '../../support/store-runs.ts';
import { useLimits } from '../../support/use-limits.ts';

function follow(dataDir: string, files = true, isLoading?: () => boolean) {
  const stop = new AbortController();
  const notes: string[] = [];
  const note = (line: string) => void notes.push(line);
  const ended = keepFiles({ dataDir, files }, note, stop.signal, isLoading);
  onTestFinished(async () => {
    stop.abort();
    await ended;
  });
  return { notes, ended };
}

function versionsOf(dataDir: string) {
  const { files, serving } = modePaths(dataDir, 'sandbox');
  const manifest = readManifest(serving);
  const newest = () => readFileSets(files)[0]?.version;
  return { newest, published: manifest && snapshotId(manifest) };
}

describe('a process that keeps files', () => {
  useLimits(limits.files, { pollMs: 20, restMs: 20 });

  long('makes those of each publish, says once why it fails, and goes on', async () => {
    const dataDir = freshFolder();
    const { serving } = modePaths(dataDir, 'sandbox');
    const { notes } = follow(dataDir);
    await publishMarket(serving, fixtureSymbols());
    const first = versionsOf(dataDir);
    await expect.poll(first.newest).toBe(first.published);
    expect(notes).toEqual([]);
    const path = join(serving, 'manifest.json');
    const manifest = readFileSync(path);
    writeFileSync(path, manifest.subarray(1));
    await expect.poll(() => notes.length).toBe(1);
    expect(notes[0]).toMatch(/^Parquet files of sandbox could not be made: tapeworks: .*manifest/);
    writeFileSync(path, manifest);
    await publishMarket(serving, fixtureSymbols(), NOW_MS + 1);
    const second = versionsOf(dataDir);
    expect(second.published).not.toBe(first.published);
    await expect.poll(second.newest).toBe(second.published);
    expect(notes).toHaveLength(1);
  });

  it('lets a load that begins go first, and makes the files after it', async () => {
    const dataDir = freshFolder();
    await publishMarket(modePaths(dataDir, 'sandbox').serving, fixtureSymbols());
    const { newest, published } = versionsOf(dataDir);
    // The load begins with the second look, which stops the process that has just begun.
    const isLoading = vi.fn(() => isLoading.mock.calls.length > 1);
    const { notes } = follow(dataDir, true, isLoading);
    await expect.poll(() => isLoading.mock.calls.length).toBeGreaterThan(20);
    expect(newest()).toBeUndefined();
    isLoading.mockReturnValue(false);
    await expect.poll(newest).toBe(published);
    expect(notes).toEqual([]);
  });

  it('does nothing where the setting is off', async () => {
    const dataDir = freshFolder();
    await publishMarket(modePaths(dataDir, 'sandbox').serving, fixtureSymbols());
    await follow(dataDir, false).ended;
    expect(existsSync(modePaths(dataDir, 'sandbox').files)).toBe(false);
  });
});
