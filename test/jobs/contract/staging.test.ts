import { hash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { Run } from '../../../jobs/contract/run.ts';
import type { Stage } from '../../../jobs/contract/stage.ts';
import { stagingFolder } from '../../../jobs/contract/staged-files.ts';
import { segmentFault } from '../../../jobs/contract/staged-segments.ts';
import {
  endRun,
  readRun,
  readShared,
  readStaged,
  removeEarlier,
  removeStaged,
  type Staged,
  writeRun,
  writeShared,
  writeStaged,
} from '../../../jobs/contract/staging.ts';
import type { FetchedLoad } from '../../../jobs/load/load-fetched.ts';
import { beginLoads, RunLoads } from '../../../jobs/load/run-loads.ts';
import type { StagedSegment } from '../../../src/ingest/segments/staged-segment.ts';
import { contentOfBytes } from '../../../src/store/objects/content.ts';
import { fileObjects } from '../../../src/store/objects/file-objects.ts';
import { bytesOf, type ObjectStore } from '../../../src/store/objects/object-store.ts';
import { freshPaths } from '../../store/duckdb/support/fixtures.ts';

const CHILD = { plan: 'p', createdMs: 5, index: 2060 };
const RUN = { id: 'p', createdMs: 5 };

function landing(isComplete: boolean, reason: string): Staged {
  return { isComplete, segments: [], skipped: [{ name: 'tiingo', reason }] };
}

describe('the staged segments of a task', () => {
  it('is what it said last', async () => {
    const paths = freshPaths();
    expect(await readStaged(paths, CHILD)).toBeUndefined();
    for (const said of [landing(false, 'a'), landing(false, 'b'), landing(true, 'c')]) {
      await writeStaged(paths, CHILD, said);
      expect(await readStaged(paths, CHILD)).toEqual(said);
    }
    expect(await readStaged(paths, { ...CHILD, index: 1 })).toBeUndefined();
    await removeStaged(paths, RUN);
    expect(await readStaged(paths, CHILD)).toBeUndefined();
  });

  it('stays complete when a try that was presumed dead continues next to its successor', async () => {
    const paths = freshPaths();
    await writeStaged(paths, CHILD, landing(true, 'the successor'));
    await writeStaged(paths, CHILD, landing(false, 'the first try'));
    expect(await readStaged(paths, CHILD)).toEqual(landing(true, 'the successor'));
  });

  // A try that slept in its write gave its file the name of its successor's, which then had none.
  it('is that of one try when several write it at once', async () => {
    const paths = freshPaths();
    const tries = ['a', 'b'.repeat(20_000), 'c'].map((text) => landing(false, text));
    await Promise.all(tries.map((said) => writeStaged(paths, CHILD, said)));
    expect(tries).toContainEqual(await readStaged(paths, CHILD));
    expect(readdirSync(stagingFolder(paths, CHILD.plan))).toEqual(['2060.5.unfinished.json']);
  });

  it('is written though its run is removed meanwhile', async () => {
    const paths = freshPaths();
    await writeStaged(paths, CHILD, landing(false, 'half'));
    const writing = writeStaged(paths, CHILD, landing(true, 'all'));
    const folder = stagingFolder(paths, CHILD.plan);
    renameSync(folder, `${folder}-removed`);
    await writing;
    expect(await readStaged(paths, CHILD)).toEqual(landing(true, 'all'));
  });

  it('is fetched again where a bit of it has changed', async () => {
    const paths = freshPaths();
    await writeStaged(paths, CHILD, landing(false, 'half'));
    await writeStaged(paths, CHILD, landing(true, 'all'));
    const path = join(stagingFolder(paths, CHILD.plan), '2060.5.json');
    const bytes = readFileSync(path);
    for (let at = 0; at < bytes.length - 1; at++) {
      bytes[at] ^= 1;
      writeFileSync(path, bytes);
      bytes[at] ^= 1;
      expect(await readStaged(paths, CHILD)).toBeUndefined();
    }
    writeFileSync(path, bytes);
    expect(await readStaged(paths, CHILD)).toEqual(landing(true, 'all'));
  });

  it('is read as an earlier program wrote it, without a time and a hash, until the run begins again', async () => {
    const paths = freshPaths();
    const folder = stagingFolder(paths, CHILD.plan);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, '2060.json'), JSON.stringify(landing(true, 'all')));
    expect(await readStaged(paths, CHILD)).toEqual(landing(true, 'all'));
    const tasks = Array.from({ length: 2061 }, () => ({ title: 'AAPL', slice: {} }));
    await writeStaged(paths, CHILD, landing(true, 'earlier'));
    await removeEarlier(paths, { id: 'p', tasks }, 5);
    expect(await readStaged(paths, CHILD)).toBeUndefined();
    expect(existsSync(folder)).toBe(false);
  });

  // A worker looked that a run was done, and then removed its files. The same command had begun
  // another run in between, whose results went.
  it('stays when the files of an earlier run of its id are removed late', async () => {
    const paths = freshPaths();
    await writeStaged(paths, CHILD, landing(true, 'earlier'));
    const later = { ...CHILD, createdMs: 6 };
    await writeShared(paths, 'p', { tickersByCik: [[320193, ['AAPL']]] });
    await writeStaged(paths, later, landing(true, 'later'));
    await removeStaged(paths, RUN);
    expect(await readStaged(paths, later)).toEqual(landing(true, 'later'));
    expect(await readShared(paths, 'p')).not.toEqual({});
    expect(await readStaged(paths, CHILD)).toBeUndefined();
    await removeStaged(paths, { id: 'p', createdMs: 6 });
    expect(readdirSync(stagingFolder(paths, 'p'))).toEqual(['shared.json']);
  });

  // A try that was presumed dead slept until its run was given again. The tasks of that run took
  // its answer for theirs.
  it('is not that of a late try of an earlier run', async () => {
    const paths = freshPaths();
    const later = { ...CHILD, createdMs: 6 };
    await writeStaged(paths, CHILD, landing(true, 'a late try'));
    expect(await readStaged(paths, later)).toBeUndefined();
    await writeStaged(paths, later, landing(true, 'later'));
    await writeStaged(paths, CHILD, landing(true, 'a late try'));
    expect(await readStaged(paths, later)).toEqual(landing(true, 'later'));
  });
});

describe('the files of a run in object storage', () => {
  const run: Run = {
    ...{ id: 'p', mode: 'live', source: 'tiingo', verb: 'test', priority: 'backfill' },
    ...{ createdMs: 5, childCount: 1, shared: {}, tasks: [{ title: 'AAPL', slice: {} }] },
  };

  /** Opens a stage; of the next `flips` responses one bit is wrong. */
  function openStage(flips: number): { stage: Stage; folder: string } {
    const folder = freshPaths().root;
    const objects = fileObjects(folder, 'TAPEWORKS_SEGMENTS_URL');
    let left = flips;
    const get: ObjectStore['get'] = async (key, options) => {
      const found = await objects.get(key, options);
      if (found === undefined || found === 'unchanged' || left-- <= 0) return found;
      const bytes = await bytesOf(found, found.bytes, key);
      bytes[bytes.length >> 1] ^= 1;
      return { ...found, body: Readable.from([bytes]) };
    };
    return { stage: { segments: '', scratch: '', objects: { ...objects, get } }, folder };
  }

  it('are read again after a wrong bit of a response', async () => {
    const { stage } = openStage(2);
    await writeRun(stage, run);
    await endRun(stage, run.id);
    expect(await readRun(stage, run.id)).toEqual({
      ...{ createdMs: run.createdMs, children: run.tasks, isPublished: true },
    });
  });

  it('name no task where they stay damaged, and the run ends', async () => {
    const { stage, folder } = openStage(Number.POSITIVE_INFINITY);
    await writeRun(stage, run);
    expect(existsSync(join(folder, 'plans', run.id, 'run.json'))).toBe(true);
    expect(await readRun(stage, run.id)).toBeUndefined();
    await endRun(stage, run.id);
    expect(existsSync(join(folder, 'plans', run.id))).toBe(false);
  });

  it('stop a task whose shared data is damaged', async () => {
    const { stage } = openStage(Number.POSITIVE_INFINITY);
    expect(await readShared(stage, run.id)).toEqual({});
    await writeShared(stage, run.id, { tickersByCik: [[320193, ['AAPL']]] });
    await expect(readShared(stage, run.id)).rejects.toThrow('does not match its checksum');
  });

  it('stay when those of an earlier run of the id are removed late', async () => {
    const { stage, folder } = openStage(0);
    const [earlier, later] = [5, 6].map((createdMs) => ({ plan: run.id, createdMs, index: 0 }));
    await writeStaged(stage, earlier, landing(true, 'earlier'));
    await writeStaged(stage, later, landing(true, 'later'));
    await removeStaged(stage, run);
    expect(await readStaged(stage, later)).toEqual(landing(true, 'later'));
    expect(readdirSync(join(folder, 'plans', run.id))).toEqual(['0.6.json']);
  });

  it('share nothing that an earlier run has shared', async () => {
    const { stage } = openStage(0);
    await writeShared(stage, run.id, { tickersByCik: [[320193, ['AAPL']]] });
    await writeShared(stage, run.id, {});
    expect(await readShared(stage, run.id)).toEqual({});
  });

  // Two tries of a load continued one unfinished file, and the second found none to rename.
  it('give a segment to several tries of a load at once', async () => {
    const paths = freshPaths();
    const objects = fileObjects(freshPaths().root, 'TAPEWORKS_SEGMENTS_URL');
    const stage: Stage = { ...paths, objects };
    const bytes = Buffer.alloc(200_000, 'bars');
    const parquetSha256 = hash('sha256', bytes);
    const name = `${parquetSha256}.5.parquet`;
    await objects.put(`plans/p/${name}`, contentOfBytes(bytes));
    const segment = { kind: 'parquet', id: 's', parquetSha256 } as unknown as StagedSegment;
    const shared = new Map([[name, bytes.length]]);
    const tries = [1, 2, 3].map(() => segmentFault(stage, RUN, segment, shared));
    expect(await Promise.all(tries)).toEqual([undefined, undefined, undefined]);
    expect(readFileSync(join(paths.segments, 's.parquet'))).toEqual(bytes);
    expect(readdirSync(paths.scratch)).toEqual([]);
  });
});

it('notes no load of a run that a successor has ended', () => {
  const paths = freshPaths();
  const run = { id: 'p', createdMs: 5 };
  beginLoads(paths, run);
  const loads = new RunLoads(paths, run);
  const folder = stagingFolder(paths, run.id);
  rmSync(folder, { recursive: true });
  const result = { segments: 1 } as unknown as FetchedLoad;
  loads.add('s', 5, { result, rejectedByReason: [], readings: [], notes: [] });
  expect(existsSync(folder)).toBe(false);
});
