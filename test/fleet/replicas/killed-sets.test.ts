/** Simulated nights found it, from a seed that runs in the long tests: a killed upload kept its files to itself. */

import { hash } from 'node:crypto';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { modePaths } from '../../../src/base/config/data-dir.ts';
import { makeFolder, writeDurable } from '../../../src/base/durable-file.ts';
import { limits } from '../../../src/base/limits.ts';
import { Uploader } from '../../../src/fleet/replicas/upload.ts';
import { SetUploader } from '../../../src/fleet/replicas/upload-sets.ts';
import { readUploadState, writeUploadState } from '../../../src/store/objects/upload-state.ts';
import { type FileSet, swapFileSets } from '../../../src/store/parquet/file-sets.ts';
import { fixtureSymbols, publishMarket } from '../../api/support/market-fixture.ts';
import { freshFolder } from '../../support/folders.ts';
import { useLimits } from '../../support/use-limits.ts';
import { useStorage } from './support.ts';

useLimits(limits.replicas, { listAfterMs: 0, keptMs: 0 });
const storage = useStorage('file');

async function publisher(name: string) {
  const objects = storage.open(name);
  const paths = modePaths(join(freshFolder(), 'data'), 'live');
  await publishMarket(paths.serving, fixtureSymbols());
  makeFolder(paths.files);
  await new Uploader({ paths, objects }).round();
  const uploader = new SetUploader({ paths, objects });
  async function makeSet(version: string, createdMs: number): Promise<FileSet> {
    const bytes = Buffer.from(version);
    const file = {
      name: `quotes-${version}.parquet`,
      bytes: bytes.length,
      sha256: hash('sha256', bytes),
    };
    await writeDurable(paths.files, file.name, bytes);
    const part = { dataset: 'quotes', interval: null, year: null, month: null } as const;
    return { version, createdMs, inputs: {}, files: [{ ...part, ...file }] };
  }
  return { paths, uploader, makeSet };
}

it('uploads the files of a process that died before it noted its upload', async () => {
  const { paths, uploader, makeSet } = await publisher('died');
  const state = readUploadState(paths.upload);
  await writeUploadState(paths.upload, { ...state, uploaded: null, swapping: state.uploaded!.id });
  await swapFileSets(paths.files, [await makeSet('a', 1)]);
  expect(await uploader.round()).toBe(true);
});
