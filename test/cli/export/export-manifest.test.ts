import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fileObjects } from '../../../src/store/objects/file-objects.ts';
import {
  type ExportedPart,
  readExportManifest,
  swapExportManifest,
} from '../../../src/store/parquet/export-manifest.ts';
import { freshFolder } from '../../support/folders.ts';

const PART: ExportedPart = {
  ...{ table: 'candles-1m', partition: 'date=2026-11-23', path: 'candles-1m/a.parquet' },
  ...{ rows: 390, bytes: 12_000, sha256: 'ab'.repeat(32), mode: 'live', version: 'v7' },
  ...{ publishedAt: '2026-11-23T22:00:00Z', inputs: '0f' },
};

it('the manifest of an export is refused where a bit of it has changed', async () => {
  const folder = freshFolder();
  const objects = fileObjects(folder, 'an argument');
  await swapExportManifest(objects, undefined, [PART, { ...PART, rows: 391 }]);
  expect((await readExportManifest(objects))?.parts).toEqual([PART, { ...PART, rows: 391 }]);
  const path = join(folder, 'manifest.jsonl');
  const bytes = readFileSync(path);
  for (let at = 0; at < bytes.length - 1; at += 5) {
    bytes[at] ^= 1;
    writeFileSync(path, bytes);
    bytes[at] ^= 1;
    await expect(readExportManifest(objects), `byte ${at}`).rejects.toThrow('another address');
  }
});

it('the manifest of an export is read as an earlier program wrote it', async () => {
  const folder = freshFolder();
  writeFileSync(join(folder, 'manifest.jsonl'), `${JSON.stringify({ format: 1, ...PART })}\n`);
  const found = await readExportManifest(fileObjects(folder, 'an argument'));
  expect(found?.parts).toEqual([PART]);
});
