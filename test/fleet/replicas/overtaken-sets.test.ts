/** Simulated nights found both: an old list came back, and a killed upload kept its files to itself. */

import { hash } from 'node:crypto';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { modePaths } from '../../../src/base/config/data-dir.ts';
import { makeFolder, writeDurable } from '../../../src/base/durable-file.ts';
import { limits } from '../../../src/base/limits.ts';
import { SetReplica } from '../../../src/fleet/replicas/replica-sets.ts';
import { Uploader } from '../../../src/fleet/replicas/upload.ts';
import { SetUploader } from '../../../src/fleet/replicas/upload-sets.ts';
import { readUploadState, writeUploadState } from '../../../src/store/objects/upload-state.ts';
import { type FileSet, readFileSets, swapFileSets } from '../../../src/store/parquet/file-sets.ts';
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
  return { objects, paths, uploader, makeSet };
}

it('never lists a set again that a newer one has overtaken', async () => {
  const { objects, paths, uploader, makeSet } = await publisher('overtaken');
  const there = modePaths(join(freshFolder(), 'data'), 'live');
  const replica = new SetReplica({ paths: there, objects });
  const [a, b, c] = await Promise.all([makeSet('a', 1), makeSet('b', 2), makeSet('c', 3)]);
  for (const sets of [[a], [b, a], [c]]) {
    await swapFileSets(paths.files, sets);
    expect(await uploader.round()).toBe(true);
    await replica.round();
  }
  await replica.round();
  expect(readFileSets(there.files).map(({ version }) => version)).toEqual(['c']);
});

it('uploads the files of a process that died before it noted its upload', async () => {
  const { paths, uploader, makeSet } = await publisher('died');
  const state = readUploadState(paths.upload);
  await writeUploadState(paths.upload, { ...state, uploaded: null, swapping: state.uploaded!.id });
  await swapFileSets(paths.files, [await makeSet('a', 1)]);
  expect(await uploader.round()).toBe(true);
});
