/** Events of a publisher whose versions are uploaded: they wait until theirs is accepted. */

import { cpSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type ModePaths, modePaths } from '../../../src/base/config/data-dir.ts';
import {
  objectPlace,
  placeBelow,
  SNAPSHOTS_SETTING,
} from '../../../src/base/config/object-place.ts';
import { lockFile } from '../../../src/base/file-lock.ts';
import { OtherPublisherError } from '../../../src/fleet/replicas/publishers.ts';
import { uploadPublished } from '../../../src/fleet/replicas/run-uploads.ts';
import { Uploader } from '../../../src/fleet/replicas/upload.ts';
import {
  markTakeover,
  readUploadState,
  writeUploadState,
} from '../../../src/store/objects/upload-state.ts';
import { openObjects } from '../../../src/store/shared/open-objects.ts';
import { NOW_MS, risingBars, segmentOf } from '../../store/duckdb/support/fixtures.ts';
import { freshFolder } from '../../support/folders.ts';
import { long } from '../../support/store-runs.ts';
import { loadAll, published, run } from '../support/store.ts';
import { subscribe, toldTo } from './told.ts';

afterEach(() => vi.unstubAllEnvs());

/** Uploads to a new folder, whose address is returned. */
function usePlace(address = `file://${freshFolder()}`): string {
  vi.stubEnv(SNAPSHOTS_SETTING, address);
  return address;
}

/** A data folder with a published version of one symbol, and its webhook. */
async function publisher(): Promise<{ dataDir: string; paths: ModePaths; webhook: string }> {
  const dataDir = freshFolder();
  const paths = modePaths(dataDir, 'live');
  const webhook = await subscribe(paths);
  await publishSymbol(paths, 'AAPL');
  return { dataDir, paths, webhook };
}

/** Loads and publishes a symbol. Versions of two folders differ by the time of their publish. */
async function publishSymbol(paths: ModePaths, symbol: string, afterMs = 0): Promise<void> {
  await loadAll(paths, segmentOf([{ symbol, bars: risingBars('2026-06-01', 30) }]));
  await run(paths, NOW_MS + afterMs);
}

/** Symbols of the events on candles, in order. */
const told = (paths: ModePaths, webhook: string) =>
  toldTo(paths, webhook)
    .filter(({ type }) => type === 'candles.updated')
    .flatMap(({ data }) => data.symbols);

describe('where versions are uploaded, events', () => {
  long('are not sent for a version that another data folder keeps out', async () => {
    usePlace();
    const { dataDir, paths, webhook } = await publisher();
    const copyDir = freshFolder();
    cpSync(dataDir, copyDir, { recursive: true });
    const copy = modePaths(copyDir, 'live');
    await publishSymbol(copy, 'MSFT', 1);
    expect(told(copy, webhook)).toEqual(['AAPL', 'MSFT']);

    await publishSymbol(paths, 'NVDA');
    await publishSymbol(paths, 'TSLA');
    expect(published(paths).symbols).toContain('NVDA');
    expect(toldTo(paths, webhook).filter(({ type }) => type === 'data.ready')).toHaveLength(1);
    expect(told(paths, webhook)).toEqual(['AAPL']);

    // Once it may replace the other one, all that waited is sent once.
    await markTakeover(paths.upload);
    await run(paths);
    expect(told(paths, webhook)).toEqual(['AAPL', 'NVDA', 'TSLA']);
    await run(paths);
    expect(told(paths, webhook)).toEqual(['AAPL', 'NVDA', 'TSLA']);
  });

  it('wait for the process that uploads', async () => {
    const place = usePlace();
    const { paths, webhook } = await publisher();
    const lock = lockFile(paths.uploadLock);
    const publishing = publishSymbol(paths, 'MSFT');
    await expect.poll(() => published(paths).symbols).toContain('MSFT');
    expect(told(paths, webhook)).toEqual(['AAPL']);
    const below = placeBelow(objectPlace(SNAPSHOTS_SETTING, place), 'live');
    const objects = await openObjects(below, SNAPSHOTS_SETTING);
    await new Uploader({ paths, objects }).round();
    await objects.close();
    await publishing;
    expect(told(paths, webhook)).toEqual(['AAPL', 'MSFT']);
    lock?.close();
  });

  it('are sent at once while the storage is away, which serves this machine alone', async () => {
    usePlace('file:///dev/null/away');
    const { paths, webhook } = await publisher();
    expect(told(paths, webhook)).toEqual(['AAPL']);
    expect(readUploadState(paths.upload).uploaded).toBeNull();
  });

  long('do not wait for a process whose uploads fail', async () => {
    usePlace();
    const { paths, webhook } = await publisher();
    const lock = lockFile(paths.uploadLock);
    const failure = { reason: 'may not write there', sinceMs: NOW_MS };
    await writeUploadState(paths.upload, { ...readUploadState(paths.upload), failure });
    await publishSymbol(paths, 'MSFT');
    expect(told(paths, webhook)).toEqual(['AAPL', 'MSFT']);
    lock?.close();
  });

  long('a refused command says so although another process of its folder uploads', async () => {
    const address = usePlace();
    const { dataDir, paths } = await publisher();
    const copyDir = freshFolder();
    cpSync(dataDir, copyDir, { recursive: true });
    await publishSymbol(modePaths(copyDir, 'live'), 'MSFT', 1);
    await publishSymbol(paths, 'NVDA');
    const lock = lockFile(paths.uploadLock);
    const snapshotsUrl = objectPlace(SNAPSHOTS_SETTING, address);
    await expect(uploadPublished({ dataDir, snapshotsUrl })).rejects.toThrow(OtherPublisherError);
    lock?.close();
  });
});
