/** Objects are removed only once no manifest has named them for a while. */

import { hash } from 'node:crypto';
import { expect, it } from 'vitest';
import { limits } from '../../../src/base/limits.ts';
import { UploadedObjects } from '../../../src/fleet/replicas/uploaded-objects.ts';
import { contentOfBytes } from '../../../src/store/objects/content.ts';
import { keysOf, useStorage } from './support.ts';

const storage = useStorage('file');
const file = { name: 'a', bytes: 1, sha256: hash('sha256', 'a'), modifiedMs: 0 };

it('keeps an object that was removed, uploaded and retired again for its time', async () => {
  const objects = storage.open('again');
  let nowMs = 1e12;
  const uploaded = new UploadedObjects({
    ...{ objects, prefix: '', nowMs: () => nowMs },
    objectOf: ({ name }) => name,
  });
  const put = () => objects.put(file.name, contentOfBytes(Buffer.from('a')));
  const retire = () => uploaded.retiredBy({ files: [file], retired: [] }, []);
  await put();
  const first = retire();
  expect(first).toEqual([{ object: 'a', sinceMs: nowMs }]);
  nowMs += limits.replicas.keptMs;
  await uploaded.remove({ files: [], retired: first }, undefined);
  expect(await keysOf(objects)).toEqual([]);
  expect(uploaded.retiredBy({ files: [], retired: first }, [])).toEqual([]);
  await put();
  const second = retire();
  expect(uploaded.retiredBy({ files: [], retired: second }, [])).toEqual(second);
  await uploaded.remove({ files: [], retired: second }, undefined);
  expect(await keysOf(objects)).toEqual(['a']);
  nowMs += limits.replicas.keptMs;
  await uploaded.remove({ files: [], retired: second }, undefined);
  expect(await keysOf(objects)).toEqual([]);
});
