/**
 * Two publishers in two processes. Simulated nights try them in other orders, and kill uploads and
 * downloads.
 */

import { spawn } from 'node:child_process';
import { cpSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { modePaths } from '../../../src/base/config/data-dir.ts';
import { Replica } from '../../../src/fleet/replicas/replica.ts';
import { objectOf, SHARED_NAME } from '../../../src/fleet/replicas/shared-manifest.ts';
import { Uploader } from '../../../src/fleet/replicas/upload.ts';
import { scaled } from '../../faults/scale.ts';
import { publishNumber } from '../../store/arrow/support/publish-number.ts';
import { freshFolder } from '../../support/folders.ts';
import { STORAGES } from '../../support/s3-server.ts';
import { freshPaths, keysOf, publishedBytes, seenManifest, useStorage } from './support.ts';

const PUBLISHES = scaled(4, 12);

const program = fileURLToPath(new URL('publishing-child.ts', import.meta.url));

// What a killed process leaves does not depend on the storage.
describe.each(scaled(['file'], STORAGES))('over %s', (kind) => {
  const storage = useStorage(kind);

  const { PATH, NODE_COMPILE_CACHE } = process.env;

  function run(...args: string[]): Promise<string[]> {
    const child = spawn(process.execPath, [program, ...args], {
      env: { PATH, NODE_COMPILE_CACHE, ...storage.env() },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
    });
    return new Promise((resolve) => child.on('close', () => resolve(text.trim().split('\n'))));
  }

  it('two publishers at once never both win', async () => {
    const place = 'two';
    const first = freshFolder();
    const objects = storage.open(place);
    await publishNumber(modePaths(first, 'live').serving, 0);
    await new Uploader({ paths: modePaths(first, 'live'), objects }).round();
    const second = freshFolder();
    cpSync(first, second, { recursive: true });
    const runs = await Promise.all([
      run(first, storage.url(place), '1', String(PUBLISHES)),
      run(second, storage.url(place), '101', String(PUBLISHES)),
    ]);
    const won = runs.map((lines) => lines.filter((line) => line.startsWith('won')));
    const lost = runs.map((lines) => lines.filter((line) => line.startsWith('lost')));
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
