import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { CorruptDataError, StoreBusyError } from '../../../../src/base/errors.ts';
import { FAILPOINTS, type Failpoint, onFailpoint } from '../../../../src/base/failpoints.ts';
import { limits } from '../../../../src/base/limits.ts';
import { FigureLayerWriter } from '../../../../src/store/arrow/figures/layer-writer.ts';
import { markName } from '../../../../src/store/arrow/format/high-water.ts';
import {
  filesOf,
  MANIFEST_NAME,
  readManifest,
} from '../../../../src/store/arrow/format/manifest.ts';
import { ListLayerWriter } from '../../../../src/store/arrow/lists/layer-writer.ts';
import { openPublished } from '../../../../src/store/arrow/read/reader.ts';
import { compact } from '../../../../src/store/arrow/write/compact.ts';
import { LayerWriter } from '../../../../src/store/arrow/write/layer-writer.ts';
import { Publication } from '../../../../src/store/arrow/write/publication.ts';
import { freshFolder } from '../../../support/folders.ts';
import {
  CREATED_MS,
  INDICATORS,
  LAYER_ADDED,
  publishBase,
  rowsOf,
  universeOf,
} from '../support/published-fixture.ts';

let dir: string;

beforeEach(() => {
  dir = freshFolder();
});

describe('Publication', () => {
  it('removes files that the published version does not need when the next one begins', async () => {
    await publishBase(dir, universeOf(2, 10));
    const first = filesOf(readManifest(dir)!);
    await publishBase(dir, universeOf(2, 10));
    expect(readdirSync(dir)).toEqual(expect.arrayContaining([...first]));
    writeFileSync(join(dir, 'index-00000003.arrow'), 'left by a crash');
    writeFileSync(join(dir, 'slices-00000003.arrow.tmp'), 'left by a crash');
    writeFileSync(join(dir, 'status.json'), 'not ours');
    await new Publication(dir, { indicatorColumns: INDICATORS }).abandon();
    const second = filesOf(readManifest(dir)!);
    const marks = [1, 2].map((version) => markName({ epoch: 0, version }));
    const all = [...second, ...marks, 'past.sqlite', 'status.json'];
    expect(readdirSync(dir).sort()).toEqual(all.sort());
  });

  it('changes nothing when abandoned', async () => {
    await publishBase(dir, universeOf(2, 10));
    const before = readdirSync(dir);
    const publication = new Publication(dir, { indicatorColumns: INDICATORS });
    publication.layer.addToSlice(0, '1d', rowsOf(3, 1, { firstRow: 10 }));
    publication.layer.addBatch(0, '1d', 'patches', rowsOf(3, 1));
    await publication.abandon();
    expect(readdirSync(dir)).toEqual(before);
    expect(readManifest(dir)?.version).toBe(1);
  });

  it('fails when a file can not be written', async () => {
    await publishBase(dir, universeOf(2, 10));
    const publication = new Publication(dir, { indicatorColumns: INDICATORS });
    rmSync(dir, { recursive: true });
    publication.layer.addBatch(0, '1d', 'patches', rowsOf(3, 10));
    await expect(publication.commit(LAYER_ADDED)).rejects.toThrow('ENOENT');
    await publication.abandon();
  });

  it('is rejected if another writer has published meanwhile', async () => {
    await publishBase(dir, universeOf(2, 10));
    const slow = new Publication(dir, { indicatorColumns: INDICATORS });
    await publishBase(dir, universeOf(3, 10));
    await expect(slow.commit(LAYER_ADDED)).rejects.toThrow(StoreBusyError);
    expect(readManifest(dir)?.version).toBe(2);
  });

  it('is rejected for a writer of a lower epoch', async () => {
    await publishBase(dir, universeOf(2, 10));
    await new Publication(dir, { indicatorColumns: INDICATORS, epoch: 5 }).commit(LAYER_ADDED);
    const older = new Publication(dir, { indicatorColumns: INDICATORS, epoch: 4 });
    await expect(older.commit(LAYER_ADDED)).rejects.toThrow(StoreBusyError);
    await new Publication(dir, { indicatorColumns: INDICATORS }).commit(LAYER_ADDED);
    expect(readManifest(dir)).toMatchObject({ version: 3, epoch: 5 });
  });

  it('is rejected for a writer of a lower epoch over a damaged manifest', async () => {
    // Two simulated nights: the manifest told no epoch, and replicas kept the newer version.
    await publishBase(dir, universeOf(2, 10), { epoch: 5 });
    writeFileSync(join(dir, MANIFEST_NAME), 'damaged');
    const whole = (epoch?: number) =>
      new Publication(dir, { indicatorColumns: [], epoch, isWhole: true });
    const content = { ...LAYER_ADDED, replacesLayers: true };
    await expect(whole(4).commit(content)).rejects.toThrow(
      "Version 2 of epoch 4 can't be published over a manifest that can't be read of epoch 5",
    );
    expect(await whole().commit(content)).toMatchObject({ epoch: 5 });
    expect(readdirSync(dir).filter((name) => name.endsWith('.mark'))).toHaveLength(2);
  });

  it('follows a first publish that failed before its swap', async () => {
    onFailpoint((step, name) => {
      if (step === 'create file' && name === MANIFEST_NAME) throw new Error('the disk is full');
    });
    await expect(publishBase(dir, universeOf(2, 10))).rejects.toThrow('the disk is full');
    onFailpoint(undefined);
    expect(await publishBase(dir, universeOf(2, 10))).toMatchObject({ version: 2 });
  });

  it.each([
    { now: 'whole', isPublished: false },
    { now: 'damaged in another place', isPublished: false },
    { now: 'as it was', isPublished: true },
  ])('replaces a damaged manifest that is $now at its swap: $isPublished', async (one) => {
    // A bad read, not bad bytes, may have begun it: versions that pages continue in would be lost.
    await publishBase(dir, universeOf(2, 10), { epoch: 5 });
    const path = join(dir, MANIFEST_NAME);
    const whole = readFileSync(path);
    const flipped = (at: number) => whole.map((byte, i) => (i === at ? byte ^ 1 : byte));
    writeFileSync(path, flipped(20));
    const publication = new Publication(dir, { indicatorColumns: [], epoch: 5, isWhole: true });
    const bytes = { whole, 'damaged in another place': flipped(30), 'as it was': flipped(20) };
    writeFileSync(path, bytes[one.now as keyof typeof bytes]);
    const commit = publication.commit({ ...LAYER_ADDED, replacesLayers: true });
    if (one.isPublished) expect((await commit).version).toBe(2);
    else await expect(commit).rejects.toThrow(StoreBusyError);
    await publication.abandon();
  });

  it.each([
    ['bars', () => new LayerWriter(dir, '00000001', INDICATORS)],
    ['figures', () => new FigureLayerWriter(dir, '00000001')],
    ['news', () => new ListLayerWriter(dir, 'news', '00000001')],
  ] as const)(
    'ends no layer of %s before all of its writes, also after a failure',
    async (_, make) => {
      // On a full and slow disk, a write that was left over replaced a file of the next version.
      const steps: string[] = [];
      onFailpoint((step, name) => {
        if (step === 'fsync file' && steps.length === 0) {
          steps.push('failed');
          throw new Error('the disk is full');
        }
        if (step === 'rename file' || step === 'fsync file') steps.push(`${step} ${name}`);
      });
      const layer = make();
      if (layer instanceof LayerWriter) layer.addBatch(0, '1d', 'patches', rowsOf(1, 10));
      await expect(layer.finish()).rejects.toThrow('the disk is full');
      onFailpoint(undefined);
      const ended = steps.filter((step) => step.startsWith('rename'));
      expect(ended.length).toBeGreaterThan(1);
      expect(ended).toHaveLength(steps.length - 1 - ended.length);
      await layer.abandon();
    },
  );

  it('syncs every file and the folder before it swaps the manifest, and the folder after', async () => {
    const steps: [Failpoint, string][] = [];
    onFailpoint((name, what) => steps.push([name, what]));
    await publishBase(dir, universeOf(2, 10));
    await publishBase(dir, universeOf(2, 10));
    await publishBase(dir, universeOf(2, 10));
    onFailpoint(undefined);
    expect(new Set(steps.map(([step]) => step))).toEqual(new Set(FAILPOINTS.slice(0, 6)));
    const isRemoval = ([step, name]: (typeof steps)[number]) =>
      step === 'remove file' && name.endsWith('.arrow');
    const last = steps.slice(steps.findLastIndex(isRemoval) + 1);
    const lines = last.map(([step, name]) => `${step} ${name}`);
    // Tables of recent versions are there already.
    const own = [...filesOf(readManifest(dir)!)].filter((name) => !/-0000000[12]\./.test(name));
    for (const name of own) {
      expect(lines.indexOf(`fsync file ${name}`)).toBeGreaterThan(
        lines.indexOf(`write file ${name}`),
      );
      expect(lines.indexOf(`rename file ${name}`)).toBeGreaterThan(
        lines.indexOf(`fsync file ${name}`),
      );
    }
    expect(lines.slice(-8)).toEqual([
      'remove file high-water-0-00000001.mark',
      'create file high-water-0-00000003.mark',
      'fsync folder ',
      'create file manifest.json',
      'write file manifest.json',
      'fsync file manifest.json',
      'rename file manifest.json',
      'fsync folder ',
    ]);
  });

  it('keeps the tables of recently replaced versions, and of at least three', async () => {
    const recentAfter = async (createdMs: number) => {
      await new Publication(dir, { indicatorColumns: INDICATORS }).commit({
        ...LAYER_ADDED,
        createdMs,
      });
      const { recent, version } = readManifest(dir)!;
      return { version, kept: recent.map(({ id }) => Number.parseInt(id, 36)) };
    };
    await publishBase(dir, universeOf(2, 10));
    for (let version = 2; version < 6; version++) await recentAfter(CREATED_MS + version);
    expect(await recentAfter(CREATED_MS + 6)).toEqual({ version: 6, kept: [5, 4, 3, 2, 1] });
    const later = CREATED_MS + limits.serving.recentMs;
    expect(await recentAfter(later + 4)).toEqual({ version: 7, kept: [6, 5, 4] });
    expect(await recentAfter(later * 2)).toEqual({ version: 8, kept: [7, 6, 5] });
  });

  // A publish that compacts days and minutes makes three versions: the next publish would cut off a
  // walk begun before it.
  it('does not count compactions among the three', async () => {
    await publishBase(dir, universeOf(2, 10));
    const begun = readManifest(dir)!.version;
    for (let publish = 1; publish <= 3; publish++) {
      const createdMs = CREATED_MS + 2 * publish * limits.serving.recentMs;
      await new Publication(dir, { indicatorColumns: INDICATORS }).commit({
        ...LAYER_ADDED,
        createdMs,
      });
      await compact(dir, openPublished(dir)!, 'newest', { createdMs, currentYear: 2025 });
      await compact(dir, openPublished(dir)!, 'all', { createdMs, currentYear: 2025 });
      const oldest = readManifest(dir)!.recent.at(-1)!;
      expect(Number.parseInt(oldest.id, 36)).toBe(begun);
    }
    await new Publication(dir, { indicatorColumns: INDICATORS }).commit({
      ...LAYER_ADDED,
      createdMs: CREATED_MS + 8 * limits.serving.recentMs,
    });
    const { recent } = readManifest(dir)!;
    expect(recent.map(({ id }) => Number.parseInt(id, 36))).not.toContain(begun);
  });

  it('starts from scratch over files of an older format', async () => {
    await publishBase(dir, universeOf(2, 10));
    const path = join(dir, 'manifest.json');
    const { crc32: _, ...manifest } = JSON.parse(readFileSync(path, 'utf8'));
    const older = { ...manifest, format: 1, version: 7 };
    writeFileSync(path, JSON.stringify({ ...older, crc32: crc32(JSON.stringify(older)) }));
    expect(openPublished(dir)).toBeUndefined();
    await publishBase(dir, universeOf(3, 10));
    expect(openPublished(dir)?.symbols).toEqual(['A0', 'A1', 'A2']);
    const newer = { ...manifest, format: 99 };
    writeFileSync(path, JSON.stringify({ ...newer, crc32: crc32(JSON.stringify(newer)) }));
    expect(() => openPublished(dir)).toThrow(CorruptDataError);
  });
});
