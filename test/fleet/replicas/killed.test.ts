/**
 * A killed upload, a killed download, and two publishers in two processes. Simulated nights try
 * them at all other places.
 */

import { spawn } from 'node:child_process';
import { cpSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { modePaths } from '../../../src/base/config/data-dir.ts';
import { Replica } from '../../../src/fleet/replicas/replica.ts';
import { objectOf, SHARED_NAME } from '../../../src/fleet/replicas/shared-manifest.ts';
import { Uploader } from '../../../src/fleet/replicas/upload.ts';
import { openPublished } from '../../../src/store/arrow/read/reader.ts';
import { readServingStatus } from '../../../src/store/arrow/read/serving-status.ts';
import { scaled } from '../../faults/scale.ts';
import { publishNumber } from '../../store/arrow/support/publish-number.ts';
import { freshFolder } from '../../support/folders.ts';
import { STORAGES } from '../../support/s3-server.ts';
import {
  freshPaths,
  keysOf,
  publishedBytes,
  seenManifest,
  strayFiles,
  useStorage,
} from './support.ts';

const PUBLISHES = scaled(4, 12);

const program = fileURLToPath(new URL('children.ts', import.meta.url));

// What a killed process leaves does not depend on the storage.
describe.each(scaled(['file'], STORAGES))('over %s', (kind) => {
  const storage = useStorage(kind);

  const { PATH, NODE_COMPILE_CACHE } = process.env;

  function run(...args: string[]): Promise<{ signal: string | null; lines: string[] }> {
    const child = spawn(process.execPath, [program, ...args], {
      env: { PATH, NODE_COMPILE_CACHE, ...storage.env() },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
    });
    return new Promise((resolve) =>
      child.on('close', (_, signal) => resolve({ signal, lines: text.trim().split('\n') })),
    );
  }

  it('an upload that is killed goes on', async () => {
    const place = 'upload';
    const dataDir = freshFolder();
    const paths = modePaths(dataDir, 'live');
    const objects = storage.open(place);
    await publishNumber(paths.serving, 0);
    await new Uploader({ paths, objects }).round();
    const there = freshPaths();
    const replica = new Replica({ paths: there, objects });
    await replica.round();
    const before = publishedBytes(there);
    await publishNumber(paths.serving, 5);
    const { signal } = await run('upload', dataDir, storage.url(place), 'put object', '4');
    expect(signal).toBe('SIGKILL');
    await replica.round();
    expect([before, publishedBytes(paths)]).toContainEqual(publishedBytes(there));
    // The next version comes before the upload goes on.
    await publishNumber(paths.serving, 6);
    await new Uploader({ paths, objects }).round();
    await replica.round();
    expect(publishedBytes(there)).toEqual(publishedBytes(paths));
    await objects.close();
  });

  it('a replica that is killed goes on', async () => {
    const place = 'follow';
    const here = freshPaths();
    const dataDir = freshFolder();
    const there = modePaths(dataDir, 'live');
    const objects = storage.open(place);
    await publishNumber(here.serving, 0);
    await new Uploader({ paths: here, objects }).round();
    await new Replica({ paths: there, objects }).round();
    const before = publishedBytes(there);
    for (const i of [5, 6]) await publishNumber(here.serving, i);
    await new Uploader({ paths: here, objects }).round();
    const { signal } = await run('follow', dataDir, storage.url(place), 'rename file', '3');
    expect(signal).toBe('SIGKILL');
    expect([before, publishedBytes(here)]).toContainEqual(publishedBytes(there));
    // A reader opens what is there.
    openPublished(there.serving)?.close();
    await new Replica({ paths: there, objects }).round();
    expect(publishedBytes(there)).toEqual(publishedBytes(here));
    const opened = openPublished(there.serving);
    expect(readServingStatus(there.serving)?.snapshotId).toBe(opened?.id);
    opened?.close();
    expect(strayFiles(there).filter((file) => file.endsWith('.tmp'))).toEqual([]);
    await objects.close();
  });

  it('two publishers at once never both win', async () => {
    const place = 'two';
    const first = freshFolder();
    const objects = storage.open(place);
    await publishNumber(modePaths(first, 'live').serving, 0);
    await new Uploader({ paths: modePaths(first, 'live'), objects }).round();
    const second = freshFolder();
    cpSync(first, second, { recursive: true });
    const runs = await Promise.all([
      run('publish', first, storage.url(place), '1', String(PUBLISHES)),
      run('publish', second, storage.url(place), '101', String(PUBLISHES)),
    ]);
    const won = runs.map(({ lines }) => lines.filter((line) => line.startsWith('won')));
    const lost = runs.map(({ lines }) => lines.filter((line) => line.startsWith('lost')));
    // The first swap decides: the other data folder never wins again.
    expect(won.filter((lines) => lines.length > 0)).toHaveLength(1);
    expect([won[0].length + lost[0].length, won[1].length + lost[1].length]).toEqual([
      PUBLISHES,
      PUBLISHES,
    ]);
    expect(new Set(lost.flat())).toEqual(new Set(['lost OtherPublisherError']));
    const winner = modePaths(won[0].length > 0 ? first : second, 'live');
    const there = freshPaths();
    await new Replica({ paths: there, objects }).round();
    expect(publishedBytes(there)).toEqual(publishedBytes(winner));
    const { files } = (await seenManifest(objects)).shared;
    const keys = await keysOf(objects);
    expect(keys).toEqual(expect.arrayContaining([...files.map(objectOf), SHARED_NAME]));
    await objects.close();
  });
});
