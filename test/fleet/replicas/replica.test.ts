/** A published version reaches replicas byte by byte, and nothing else does. */

import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { modePaths } from '../../../src/base/config/data-dir.ts';
import { CorruptDataError } from '../../../src/base/errors.ts';
import { limits } from '../../../src/base/limits.ts';
import { OtherPublisherError } from '../../../src/fleet/replicas/publishers.ts';
import { Replica } from '../../../src/fleet/replicas/replica.ts';
import { objectOf, SHARED_NAME } from '../../../src/fleet/replicas/shared-manifest.ts';
import { takeOver } from '../../../src/fleet/replicas/take-over.ts';
import { Uploader } from '../../../src/fleet/replicas/upload.ts';
import { MANIFEST_NAME, readManifest } from '../../../src/store/arrow/format/manifest.ts';
import { readTable } from '../../../src/store/arrow/format/table-file.ts';
import { BATCH_TABLE } from '../../../src/store/arrow/format/tables.ts';
import { openPublished, openServing } from '../../../src/store/arrow/read/reader.ts';
import { readServingStatus } from '../../../src/store/arrow/read/serving-status.ts';
import { Publication } from '../../../src/store/arrow/write/publication.ts';
import { contentOfBytes } from '../../../src/store/objects/content.ts';
import { type ObjectStore, ObjectStoreError } from '../../../src/store/objects/object-store.ts';
import { readReplicaState } from '../../../src/store/objects/replica-state.ts';
import {
  markTakeover,
  readUploadState,
  writeUploadState,
} from '../../../src/store/objects/upload-state.ts';
import { scaled } from '../../faults/scale.ts';
import { publishNumber } from '../../store/arrow/support/publish-number.ts';
import {
  contentOf,
  INDICATORS,
  LAYER_ADDED,
  publishBase,
  universeOf,
} from '../../store/arrow/support/published-fixture.ts';
import { freshFolder } from '../../support/folders.ts';
import { STORAGES } from '../../support/s3-server.ts';
import { useLimits } from '../../support/use-limits.ts';
import {
  freshPaths,
  keysOf,
  publishedBytes,
  seenManifest,
  strayFiles,
  useStorage,
} from './support.ts';

const shared = async (objects: ObjectStore) => (await seenManifest(objects)).shared;

/** Returns a meeting whose guests go on once all are there; later ones need not wait. */
function meetingOf(guests: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let missing = guests;
  return () => {
    if (--missing === 0) resolve();
    return promise;
  };
}

/** Wraps a storage so that it compares the condition of a swap, and then writes with none. */
function admittingAll(objects: ObjectStore, meet: () => Promise<void>): ObjectStore {
  return {
    ...objects,
    async put(key, content, options = {}) {
      const { condition } = options;
      if (typeof condition !== 'object') return objects.put(key, content, options);
      const there = await objects.get(key, { unless: condition.etag });
      if (there !== 'unchanged') return undefined;
      await meet();
      return objects.put(key, content);
    },
  };
}

// `test/store/objects` shows that the storages do the same.
describe.each(scaled(['file'], STORAGES))('replicas over %s', (kind) => {
  useLimits(limits.objects, { backoffFirstMs: 5 });
  useLimits(limits.replicas, { repairRestMs: 60_000 });
  const storage = useStorage(kind);

  it('have equal bytes after each publish and compaction', async () => {
    const [here, there] = [freshPaths(), freshPaths()];
    const objects = storage.open('equal');
    const uploader = new Uploader({ paths: here, objects });
    const replica = new Replica({ paths: there, objects });
    expect(await uploader.round()).toBeUndefined();
    expect(await replica.round()).toBe(false);
    expect(replica.state.state).toBe('empty');
    for (let i = 0; i < 8; i++) {
      await publishNumber(here.serving, i);
      const report = await uploader.round();
      expect(report?.version).toBe(i + 1);
      expect(await replica.round()).toBe(true);
      expect(publishedBytes(there)).toEqual(publishedBytes(here));
      const [ours, theirs] = [here, there].map(({ serving }) => openPublished(serving));
      expect(contentOf(theirs!)).toEqual(contentOf(ours!));
      expect(readServingStatus(there.serving)?.snapshotId).toBe(theirs?.id);
      ours?.close();
      theirs?.close();
    }
    expect(await uploader.round()).toEqual({ version: 8, objects: 0, bytes: 0 });
    expect(await replica.round()).toBe(false);
    expect(replica.state).toMatchObject({ state: 'current', version: 8, failure: null });
  });

  it('skip versions, download only what they lack, and keep walks going', async () => {
    const [here, there] = [freshPaths(), freshPaths()];
    const objects = storage.open('skip');
    const uploader = new Uploader({ paths: here, objects });
    const replica = new Replica({ paths: there, objects });
    for (const i of [0, 1]) await publishNumber(here.serving, i);
    await uploader.round();
    await replica.round();
    const reader = openServing(there.serving, { watch: () => () => {} });
    const before = reader.current().id;
    for (const i of [2, 3, 4]) await publishNumber(here.serving, i);
    const report = await uploader.round();
    const files = (await shared(objects)).files.length;
    expect(report!.objects).toBeLessThan(files);
    expect(await replica.round()).toBe(true);
    expect(publishedBytes(there)).toEqual(publishedBytes(here));
    // Another thread opened the version first, and its client walks on in the one before.
    const now = openPublished(there.serving)!;
    expect(reader.reaches(now.id)).toBe(true);
    expect(reader.listingsOf(now.id)).toBeDefined();
    expect(reader.screenerOf(before)).toBeDefined();
    reader.close();
    now.close();
  });

  it('continue on the disk after a restart', async () => {
    const [here, there] = [freshPaths(), freshPaths()];
    const objects = storage.open('restart');
    for (const i of [0, 1, 2]) await publishNumber(here.serving, i);
    await new Uploader({ paths: here, objects }).round();
    await new Replica({ paths: there, objects }).round();
    const [gone, cut] = readManifest(there.serving)!.layers.map(({ index }) => index.name);
    rmSync(join(there.serving, gone));
    truncateSync(join(there.serving, cut), 100);
    await publishNumber(here.serving, 3);
    await publishNumber(here.serving, 4);
    await new Uploader({ paths: here, objects }).round();
    expect(await new Replica({ paths: there, objects }).round()).toBe(true);
    expect(publishedBytes(there)).toEqual(publishedBytes(here));
    writeFileSync(join(there.serving, 'left-00000001.arrow'), 'of a crash');
    await publishNumber(here.serving, 5);
    await new Uploader({ paths: here, objects }).round();
    expect(await new Replica({ paths: there, objects }).round()).toBe(true);
    expect(publishedBytes(there)).toEqual(publishedBytes(here));
  });

  it.runIf(existsSync('/dev/full'))(
    'start without room for their state, and keep the old one',
    async () => {
      const [here, there] = [freshPaths(), freshPaths()];
      const objects = storage.open('no room');
      await publishNumber(here.serving, 0);
      await new Uploader({ paths: here, objects }).round();
      await new Replica({ paths: there, objects }).round();
      symlinkSync('/dev/full', `${there.replicaState}.new`);
      await publishNumber(here.serving, 1);
      await new Uploader({ paths: here, objects }).round();
      expect(await new Replica({ paths: there, objects }).round()).toBe(true);
      expect(publishedBytes(there)).toEqual(publishedBytes(here));
      expect(readReplicaState(there.replicaState)).toMatchObject({ state: 'current', version: 1 });
    },
  );

  it('download a damaged file again, and serve no wrong row meanwhile', async () => {
    const [here, there] = [freshPaths(), freshPaths()];
    const objects = storage.open('flipped');
    for (const i of [0, 1, 2]) await publishNumber(here.serving, i);
    await new Uploader({ paths: here, objects }).round();
    const running = new Replica({ paths: there, objects });
    await running.round();
    const reader = openServing(there.serving, { pollMs: 5 });
    const good = contentOf(reader.current());
    const [{ batches, volumes }] = readManifest(there.serving)!.layers;
    const { candles_offset: offsets, volume } = readTable(there.serving, batches, BATCH_TABLE);
    const { candles } = volumes[volume[0]];
    const flip = () => {
      const path = join(there.serving, candles.name);
      const bytes = readFileSync(path);
      bytes[Number(offsets[0]) + 16] ^= 4;
      writeFileSync(path, bytes);
    };
    flip();
    const spoilt = openServing(there.serving, { pollMs: 5 });
    expect(() => contentOf(spoilt.current())).toThrow(CorruptDataError);
    // Without a reader's word it is not read again before an hour has passed.
    await running.round();
    expect(running.repaired).toBe(0);
    Object.assign(limits.replicas, { repairRestMs: 0 });
    running.noteDamage();
    await running.round();
    expect(running.repaired).toBe(1);
    expect(publishedBytes(there)).toEqual(publishedBytes(here));
    for (const one of [reader, spoilt]) {
      await expect.poll(() => one.damage() ?? contentOf(one.current())).toEqual(good);
      one.close();
    }
    const manifest = join(there.serving, MANIFEST_NAME);
    writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('"seq":', '"sec":'));
    running.noteDamage();
    await running.round();
    expect(running.repaired).toBe(2);
    expect(publishedBytes(there)).toEqual(publishedBytes(here));
    flip();
    const restarted = new Replica({ paths: there, objects });
    await restarted.round();
    expect(restarted.repaired).toBe(1);
    expect(publishedBytes(there)).toEqual(publishedBytes(here));
    await objects.close();
  });

  it('never go back to an older version, and refuse what is damaged', async () => {
    const [here, there] = [freshPaths(), freshPaths()];
    const objects = storage.open('back');
    const uploader = new Uploader({ paths: here, objects });
    await publishNumber(here.serving, 0);
    await uploader.round();
    const old = await seenManifest(objects);
    await publishNumber(here.serving, 1);
    await uploader.round();
    const replica = new Replica({ paths: there, objects });
    await replica.round();
    const served = publishedBytes(there);
    const good = await seenManifest(objects);
    for (const text of [
      old.text,
      `${good.text.slice(0, -20)}0${good.text.slice(-19)}`,
      good.text.slice(0, 200),
      '',
      '<html>not found</html>',
    ]) {
      await objects.put(SHARED_NAME, contentOfBytes(Buffer.from(text)));
      await expect(replica.round()).rejects.toThrow(SHARED_NAME);
      expect(replica.state.state).toBe('failing');
      expect(publishedBytes(there)).toEqual(served);
    }
    // Its readers still have the newer version when a restart finds its manifest damaged.
    writeFileSync(join(there.serving, MANIFEST_NAME), 'damaged');
    await objects.put(SHARED_NAME, contentOfBytes(Buffer.from(old.text)));
    const restarted = new Replica({ paths: there, objects });
    await expect(restarted.round()).rejects.toThrow('version 2 (epoch 0) is served here');
    await objects.put(SHARED_NAME, contentOfBytes(Buffer.from(good.text)));
    expect(await restarted.round()).toBe(true);
    expect(publishedBytes(there)).toEqual(served);
    await objects.put(SHARED_NAME, contentOfBytes(Buffer.from(good.text)));
    expect(await replica.round()).toBe(false);
    expect(replica.state).toMatchObject({ state: 'current', failure: null });
  });

  it('use no damaged, short or missing file, and say which', async () => {
    const [here, there] = [freshPaths(), freshPaths()];
    const objects = storage.open('damaged');
    await publishNumber(here.serving, 0);
    const uploader = new Uploader({ paths: here, objects });
    await uploader.round();
    const replica = new Replica({ paths: there, objects });
    const [file] = (await shared(objects)).files;
    const key = objectOf(file);
    const bytes = readFileSync(join(here.serving, file.name));
    const flipped = Buffer.from(bytes);
    flipped[bytes.length - 1] ^= 1;
    for (const wrong of [flipped, bytes.subarray(0, 10), Buffer.concat([bytes, bytes])]) {
      await objects.put(key, contentOfBytes(wrong));
      await expect(replica.round()).rejects.toThrow(file.name);
      expect(readManifest(there.serving)).toBeUndefined();
      expect(replica.state.state).toBe('downloading');
    }
    await objects.delete(key);
    await expect(replica.round()).rejects.toThrow('is gone');
    // A publisher that starts again lists the objects and uploads what is missing.
    expect(await new Uploader({ paths: here, objects }).round()).toMatchObject({ objects: 1 });
    expect(await replica.round()).toBe(true);
    expect(publishedBytes(there)).toEqual(publishedBytes(here));
    expect(strayFiles(there)).toEqual([]);
  });

  it('get no file that is damaged after its hash is known, and the upload says which', async () => {
    const here = freshPaths();
    const objects = storage.open('damaged-later');
    await publishNumber(here.serving, 0);
    const put: ObjectStore['put'] = async (key, content, options) => {
      if (key === SHARED_NAME) throw new ObjectStoreError('refused');
      return objects.put(key, content, options);
    };
    const uploader = new Uploader({ paths: here, objects: { ...objects, put } });
    await expect(uploader.round()).rejects.toThrow('refused');
    const name = readdirSync(here.serving).find((one) => one.startsWith('directory')) as string;
    const path = join(here.serving, name);
    const bytes = readFileSync(path);
    bytes[bytes.length >> 1] ^= 1;
    writeFileSync(path, bytes);
    await expect(uploader.round()).rejects.toThrow(`"${path}" does not match its checksum`);
  });

  it('get a whole file whose noted hash is wrong, once it is hashed again', async () => {
    const here = freshPaths();
    const objects = storage.open('wrong-hash');
    await publishNumber(here.serving, 0);
    const [name] = readdirSync(here.serving).filter((one) => one.startsWith('directory'));
    const state = readUploadState(here.upload);
    await writeUploadState(here.upload, { ...state, hashes: { [name]: 'ab'.repeat(32) } });
    const uploader = new Uploader({ paths: here, objects });
    await expect(uploader.round()).rejects.toThrow('does not match its checksum');
    expect(await uploader.round()).toMatchObject({ objects: expect.any(Number) });
    const replica = new Replica({ paths: freshPaths(), objects });
    expect(await replica.round()).toBe(true);
  });

  it('can finish a version that was replaced; its objects are removed later', async () => {
    const here = freshPaths();
    const objects = storage.open('retired');
    let nowMs = Date.now();
    const uploader = new Uploader({ paths: here, objects, nowMs: () => nowMs });
    await publishNumber(here.serving, 0);
    await uploader.round();
    const first = (await shared(objects)).files.map(objectOf);
    await publishNumber(here.serving, 5);
    await uploader.round();
    expect(await keysOf(objects)).toEqual(expect.arrayContaining(first));
    expect(uploader.hasDue).toBe(false);
    nowMs += limits.replicas.keptMs + 1;
    expect(uploader.hasDue).toBe(true);
    await uploader.round();
    const { files, retired } = await shared(objects);
    expect(retired.length).toBeGreaterThan(5);
    expect(await keysOf(objects)).toEqual([...files.map(objectOf), SHARED_NAME].sort());
    await publishNumber(here.serving, 6);
    await uploader.round();
    const names = (await shared(objects)).retired.map(({ object }) => object);
    expect(names.filter((name) => retired.some(({ object }) => object === name))).toEqual([]);
  });

  it('have one publisher: another data folder is refused, a restored one takes over', async () => {
    const dataDir = freshFolder();
    const here = modePaths(dataDir, 'live');
    const objects = storage.open('fenced');
    await publishNumber(here.serving, 0);
    await new Uploader({ paths: here, objects }).round();
    const stranger = freshPaths();
    for (const i of [5, 6, 7]) await publishNumber(stranger.serving, i);
    await expect(new Uploader({ paths: stranger, objects }).round()).rejects.toThrow(
      OtherPublisherError,
    );
    // A copy of the folder is the same store until one of them publishes.
    const copyDir = freshFolder();
    cpSync(dataDir, copyDir, { recursive: true });
    const copy = modePaths(copyDir, 'live');
    for (const i of [1, 2]) await publishNumber(here.serving, i);
    await new Uploader({ paths: here, objects }).round();
    for (const i of [1, 2, 3]) await publishNumber(copy.serving, i + 10);
    await expect(new Uploader({ paths: copy, objects }).round()).rejects.toThrow(
      /version 3 \(epoch 0\) of another data folder, this one has version 4/,
    );
    expect(readUploadState(copy.upload).failure?.reason).toContain('stop one of the two');
    await markTakeover(copy.upload);
    await new Uploader({ paths: copy, objects }).round();
    expect(await shared(objects)).toMatchObject({ version: 5, epoch: 1 });
    expect(readManifest(copy.serving)).toMatchObject({ version: 5, epoch: 1 });
    for (const i of [3, 4, 5, 6]) await publishNumber(here.serving, i);
    await expect(new Uploader({ paths: here, objects }).round()).rejects.toThrow(
      OtherPublisherError,
    );
    const there = freshPaths();
    await new Replica({ paths: there, objects }).round();
    expect(publishedBytes(there)).toEqual(publishedBytes(copy));
    await publishNumber(copy.serving, 15);
    await new Uploader({ paths: copy, objects }).round();
    expect(await shared(objects)).toMatchObject({ version: 6, epoch: 1 });
  });

  it('follow a folder that takes over, or whose manifest is damaged or gone', async () => {
    const [here, there] = [freshPaths(), freshPaths()];
    const objects = storage.open('damaged-manifest');
    const upload = () => new Uploader({ paths: here, objects }).round();
    const replica = new Replica({ paths: there, objects });
    const publishWhole = async (more: { epoch?: number; createdMs: number }) => {
      const { epoch, createdMs } = more;
      const options = { indicatorColumns: INDICATORS, epoch, isWhole: true };
      const publication = new Publication(here.serving, options);
      await publication.commit({ ...LAYER_ADDED, createdMs, replacesLayers: true });
    };
    await publishBase(here.serving, universeOf(2, 10), { epoch: 5 });
    await upload();
    const { version, epoch, id, createdMs } = await shared(objects);
    // A takeover gives the folder a number that none of its files has.
    const swapping = { uploaded: { version, id, atMs: 0 }, takesOver: true };
    await writeUploadState(here.upload, { ...readUploadState(here.upload), ...swapping });
    await takeOver(here, { version: 40, epoch });
    await upload();
    expect(await shared(objects)).toMatchObject({ version: 41, epoch: 6 });
    await replica.round();
    writeFileSync(join(here.serving, MANIFEST_NAME), 'damaged');
    await expect(publishWhole({ epoch: 5, createdMs })).rejects.toThrow('of epoch 6');
    await publishWhole({ createdMs: createdMs + 1 });
    await upload();
    await replica.round();
    expect(await shared(objects)).toMatchObject({ version: 43, epoch: 6 });
    rmSync(here.serving, { recursive: true });
    await publishWhole({ createdMs });
    await expect(upload()).rejects.toThrow('which this data folder uploaded');
    await publishWhole({ createdMs: createdMs + 2 });
    await upload();
    await replica.round();
    expect(publishedBytes(there)).toEqual(publishedBytes(here));
  });

  it('get whole versions of a storage that admits two publishers, of which one goes on', async () => {
    const dataDir = freshFolder();
    const place = storage.open('admits-two');
    await publishNumber(modePaths(dataDir, 'live').serving, 0);
    await new Uploader({ paths: modePaths(dataDir, 'live'), objects: place }).round();
    const copyDir = freshFolder();
    cpSync(dataDir, copyDir, { recursive: true });
    const publishers = [dataDir, copyDir].map((folder) => modePaths(folder, 'live'));
    const meets = meetingOf(publishers.length);
    const uploaders = publishers.map(
      (paths) => new Uploader({ paths, objects: admittingAll(place, meets) }),
    );
    await Promise.all(publishers.map(({ serving }, i) => publishNumber(serving, 10 + i)));
    const replicas = [freshPaths(), freshPaths()];
    await new Replica({ paths: replicas[0], objects: place }).round();
    const reports = await Promise.all(uploaders.map((uploader) => uploader.round()));
    // Both believe that version 2 is theirs.
    expect(reports).toMatchObject([{ version: 2 }, { version: 2 }]);
    const wholes = publishers.map(publishedBytes);
    for (const paths of replicas) {
      await new Replica({ paths, objects: place }).round();
      expect(wholes).toContainEqual(publishedBytes(paths));
    }
    const last = wholes.findIndex(
      (bytes) => JSON.stringify(bytes) === JSON.stringify(publishedBytes(replicas[1])),
    );
    await Promise.all(publishers.map(({ serving }, i) => publishNumber(serving, 20 + i)));
    await expect(
      new Uploader({ paths: publishers[1 - last], objects: place }).round(),
    ).rejects.toThrow(OtherPublisherError);
    await new Uploader({ paths: publishers[last], objects: place }).round();
    for (const paths of replicas) {
      await new Replica({ paths, objects: place }).round();
      expect(publishedBytes(paths)).toEqual(publishedBytes(publishers[last]));
    }
    await place.close();
  });
});
