/**
 * Exports stored candles as partitioned Parquet to object storage. Files are uploaded first, under
 * names that no other content has, and the manifest is swapped last. A run that is killed anywhere
 * is continued by the next one.
 */

import { join } from 'node:path';
import type { ModePaths } from '../../base/config/data-dir.ts';
import type { ObjectPlace } from '../../base/config/object-place.ts';
import { readerScratch, scratchName } from '../../base/config/scratch-names.ts';
import { UsageError } from '../../base/errors.ts';
import { failpoint } from '../../base/failpoints.ts';
import { limits } from '../../base/limits.ts';
import { wallMs } from '../../base/world/clock.ts';
import { rm } from '../../base/world/file-promises.ts';
import type { PublishedVersion } from '../../store/arrow/read/published-version.ts';
import { contentOfFile } from '../../store/objects/content.ts';
import type { ListedObject, ObjectStore } from '../../store/objects/object-store.ts';
import {
  type ExportedPart,
  type ExportManifest,
  readExportManifest,
  swapExportManifest,
} from '../../store/parquet/export-manifest.ts';
import { openObjects } from '../../store/shared/open-objects.ts';
import type { MadeFiles } from '../files/make-files.ts';
import { type StoredBars, storedSymbols } from '../files/stored-bars.ts';
import { ticker, writePieces } from '../files/write-pieces.ts';
import type { ExportDeps } from './candles.ts';
import { type PartGroup, type PlannedPart, partGroups } from './parts.ts';

export interface PartitionedOptions {
  place: ObjectPlace;
  intervals: readonly StoredBars[];
  /** True if a part may lose most of its rows. */
  isForced: boolean;
}

/** Its files are all that the manifest names. */
interface PartitionedReport extends MadeFiles {
  /** ISO date-time of the version's publish. */
  publishedAt: string;
  rows: number;
}

/**
 * Brings the files at a place to a published version. Partitions that the version does not have
 * stay: the store may have dropped their bars since.
 *
 * @throws {UsageError} The place belongs to another mode or to a newer version, or a part would
 *   lose most of its rows.
 * @throws {ObjectStoreError} The storage fails; the next run continues.
 */
export async function exportPartitions(
  paths: ModePaths,
  version: PublishedVersion,
  { place, intervals, isForced }: PartitionedOptions,
  deps: ExportDeps,
): Promise<PartitionedReport> {
  const objects = await openObjects(place, '--out');
  try {
    const before = await readExportManifest(objects, deps.signal);
    requireOwn(objects, before, paths, version);
    const run = { paths, version, objects, before, isForced, ...deps };
    return await exportParts(run, intervals);
  } finally {
    await objects.close();
  }
}

/** @throws {UsageError} The manifest is of another mode, or of a newer version. */
function requireOwn(
  objects: ObjectStore,
  before: ExportManifest | undefined,
  { mode }: ModePaths,
  { createdMs }: PublishedVersion,
): void {
  const address = objects.addressOf('');
  const other = before?.parts.find((part) => part.mode !== mode);
  if (other) throw new UsageError(`"${address}" has ${other.mode} data: give another --out`);
  const newer = before?.parts.find((part) => Date.parse(part.publishedAt) > createdMs);
  if (!newer) return;
  throw new UsageError(
    `"${address}" was exported from a version published ${newer.publishedAt}, later than this ` +
      'data: give another --out',
  );
}

interface Run extends ExportDeps {
  paths: ModePaths;
  version: PublishedVersion;
  objects: ObjectStore;
  before: ExportManifest | undefined;
  isForced: boolean;
}

async function exportParts(run: Run, intervals: readonly StoredBars[]): Promise<PartitionedReport> {
  const { paths, version, objects, before, signal } = run;
  const facts = { version: version.id, publishedAt: new Date(version.createdMs).toISOString() };
  const listed = new Map<string, ListedObject>();
  for await (const object of objects.list('', signal)) listed.set(object.key, object);
  /** Parts of the next manifest by table and partition. */
  const parts = new Map<string, ExportedPart>();
  for (const part of before?.parts ?? []) {
    if (listed.get(part.path)?.bytes === part.bytes) parts.set(keyOf(part), part);
  }
  const tables = new Set<string>();
  const progress = rowProgress(run, intervals);
  let written = 0;
  let writtenBytes = 0;
  /** The newest upload; at most one runs while the next file is made. */
  let uploading: Promise<void> = Promise.resolve();

  function keep(part: ExportedPart): void {
    parts.set(keyOf(part), { ...part, ...facts });
    progress(part.rows);
  }

  async function upload(key: string, file: MadeFile): Promise<void> {
    const { path, bytes, sha256 } = file;
    try {
      failpoint('put object', key);
      await objects.put(key, contentOfFile(path, bytes, sha256), { signal });
      written++;
      writtenBytes += bytes;
    } finally {
      await rm(path, { force: true });
    }
  }

  async function addPart({ table, inputs }: PartGroup, planned: PlannedPart): Promise<void> {
    const { partition, rows, contentId } = planned;
    const folder = `${table}/${partition && `${partition}/`}`;
    const known = parts.get(keyOf({ table, partition }));
    requireNotLost(run, folder, known, rows);
    const part = { table, partition, rows, mode: paths.mode, inputs, ...facts };
    const begin = `${folder}${contentId}.`;
    const there = findObject(listed, begin, known);
    if (there) {
      const [, sha256] = there.key.slice(folder.length).split('.');
      return keep({ ...part, path: there.key, bytes: there.bytes, sha256 });
    }
    const file = await makeFile(run, planned);
    const { bytes, sha256 } = file;
    const path = `${begin}${sha256}.parquet`;
    await uploading;
    uploading = upload(path, file);
    // A failure is thrown by the next wait, not by the process.
    uploading.catch(() => undefined);
    keep({ ...part, path, bytes, sha256 });
  }

  async function addGroup(group: PartGroup): Promise<void> {
    const isOfGroup = ({ table, partition }: ExportedPart) =>
      table === group.table && group.has(partition);
    const known = [...parts.values()].filter(isOfGroup);
    const isWhole = known.length === before?.parts.filter(isOfGroup).length;
    const isSame = known.length > 0 && known.every(({ inputs }) => inputs === group.inputs);
    if (isWhole && isSame) return known.forEach(keep);
    for await (const planned of group.parts()) await addPart(group, planned);
  }

  try {
    for await (const group of partGroups(version, intervals, ticker(signal))) {
      tables.add(group.table);
      await addGroup(group);
    }
  } finally {
    await uploading;
  }
  const all = [...parts.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  await swapExportManifest(objects, before, all, signal);
  const sumOf = (name: 'rows' | 'bytes') => all.reduce((sum, part) => sum + part[name], 0);
  return {
    ...facts,
    files: all.length,
    rows: sumOf('rows'),
    bytes: sumOf('bytes'),
    written,
    writtenBytes,
    removed: await removeOthers(run, listed.values(), all, tables),
  };
}

/** Rows of other tables count too, and those of a session that has not ended are left out. */
function rowProgress({ version, onProgress }: Run, intervals: readonly StoredBars[]) {
  const counts = intervals.flatMap((interval) =>
    storedSymbols(version, interval).map((symbol) => version.rowCount(symbol, interval)),
  );
  const total = counts.reduce((sum, count) => sum + count, 0);
  let done = 0;
  return (rows: number): void => {
    done = Math.min(done + rows, total);
    onProgress('export rows', done, total);
  };
}

/** @throws {UsageError} A part would lose most of its rows. */
function requireNotLost(
  { objects, isForced }: Run,
  folder: string,
  before: ExportedPart | undefined,
  rows: number,
): void {
  if (!before || isForced || rows >= limits.files.keptShareMin * before.rows) return;
  throw new UsageError(
    `"${objects.addressOf(folder)}" has ${before.rows} rows, and the published data has ` +
      `${rows} of them: --force replaces it`,
  );
}

/** Returns a finished file of this content, which may be of a killed run. */
function findObject(
  listed: ReadonlyMap<string, ListedObject>,
  begin: string,
  before: ExportedPart | undefined,
): ListedObject | undefined {
  if (before?.path.startsWith(begin)) return listed.get(before.path);
  return listed.values().find(({ key }) => key.startsWith(begin));
}

type MadeFile = Awaited<ReturnType<typeof makeFile>>;

async function makeFile({ paths, signal }: Run, { contentId, pieces }: PlannedPart) {
  const folder = readerScratch(paths.scratch);
  const path = join(folder, `${scratchName('export')}-${contentId}.parquet`);
  return { path, ...(await writePieces(path, pieces(), signal)) };
}

/**
 * Removes replaced files, so that no reader of a whole folder counts rows twice, and those that a
 * killed run left long ago.
 */
async function removeOthers(
  { objects, before, signal }: Run,
  listed: Iterable<ListedObject>,
  parts: readonly ExportedPart[],
  tables: ReadonlySet<string>,
): Promise<number> {
  const named = new Set(parts.map(({ path }) => path));
  const replaced = new Set(before?.parts.map(({ path }) => path));
  const oldMs = wallMs() - limits.replicas.strayMs;
  let removed = 0;
  for (const { key, modifiedMs } of listed) {
    const isOurs = tables.has(key.slice(0, key.indexOf('/'))) && key.endsWith('.parquet');
    if (!isOurs || named.has(key) || !(replaced.has(key) || modifiedMs < oldMs)) continue;
    failpoint('remove object', key);
    await objects.delete(key, signal);
    removed++;
  }
  return removed;
}

function keyOf({ table, partition }: Pick<ExportedPart, 'table' | 'partition'>): string {
  return `${table}/${partition}`;
}
