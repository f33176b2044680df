/** `doctor` on the object storage of segments. */

import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { checkObjects } from '../../../src/cli/doctor/objects.ts';
import { freshFolder } from '../../support/folders.ts';

const segmentsAt = (folder: string, redisUrl?: string) =>
  checkObjects({
    dataDir: freshFolder(),
    snapshotsUrl: undefined,
    segmentsUrl: { kind: 'file', folder },
    redisUrl,
  });

it('tries the storage, and leaves nothing there', async () => {
  const folder = freshFolder();
  expect(await segmentsAt(folder, 'redis://x')).toEqual([
    { name: 'segments', state: 'ok', detail: `${folder}/` },
  ]);
  expect(readdirSync(folder)).toEqual([]);
});

it('says that a setting without Redis is not used', async () => {
  expect(await segmentsAt(freshFolder())).toMatchObject([{ state: 'note' }]);
});

it('names the setting of a storage that fails', async () => {
  const file = join(freshFolder(), 'file');
  writeFileSync(file, '');
  expect(await segmentsAt(join(file, 'below'), 'redis://x')).toMatchObject([
    { state: 'failed', detail: expect.stringContaining('(TAPEWORKS_SEGMENTS_URL)') },
  ]);
});
