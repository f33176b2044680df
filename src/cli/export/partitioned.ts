/**
 * Exports stored candles as partitioned Parquet to object storage. Files are uploaded first, under
 * names that no other content has, and the manifest is swapped last. A run that is killed anywhere
 * is continued by the next one.
 */

import { createHash } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTick } from 'node:timers/promises';
import type { ModePaths } from '../../base/config/data-dir.ts';
import type { ObjectPlace } from '../../base/config/object-place.ts';
import { readerScratch, scratchName } from '../../base/config/scratch-names.ts';
import { UsageError } from '../../base/errors.ts';
import { failpoint } from '../../base/failpoints.ts';
import { limits } from '../../base/limits.ts';
import type { PublishedVersion } from '../../store/arrow/read/published-version.ts';
import type { SourceInterval } from '../../store/arrow/screens/bars-on-basis.ts';
import { contentOfFile } from '../../store/objects/content.ts';
import type { ListedObject, ObjectStore } from '../../store/objects/object-store.ts';
import { openObjects } from '../../store/objects/open-objects.ts';
import {
  type ExportedPart,
  type ExportManifest,
  readExportManifest,
  swapExportManifest,
} from '../../store/parquet/export-manifest.ts';
import { storedSymbols } from '../files/stored-bars.ts';
import type { ExportDeps } from './candles.ts';
import { type PartGroup, type PlannedPart, partGroups } from './parts.ts';

export interface PartitionedOptions {
  place: ObjectPlace;
  intervals: readonly SourceInterval[];
  /** True if a part may lose most of its rows. */
  isForced: boolean;
}

export interface PartitionedReport {
  version: string;
  /** ISO date-time of the version's publish. */
  publishedAt: string;
  /** All files that the manifest names. */
  files: number;
  rows: number;
  bytes: number;
  /** Files and bytes that this run uploaded, and files that it removed. */
  written: number;
  writtenBytes: number;
  removed: number;
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
    const run = new PartitionedExport(paths, version, objects, { before, isForced }, deps);
    return await run.run(intervals);
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

class PartitionedExport {
  readonly #paths: ModePaths;
  readonly #version: PublishedVersion;
  readonly #objects: ObjectStore;
  readonly #before: ExportManifest | undefined;
  readonly #isForced: boolean;
  readonly #deps: ExportDeps;
  /** Parts of the next manifest by table and partition. */
  readonly #parts = new Map<string, ExportedPart>();
  #listed = new Map<string, ListedObject>();
  #rowsDone = 0;
  #rowsTotal = 0;
  #written = 0;
  #writtenBytes = 0;
  #tickEndMs = 0;
  /** The newest upload; at most one runs while the next file is made. */
  #uploading: Promise<void> = Promise.resolve();

  constructor(
    paths: ModePaths,
    version: PublishedVersion,
    objects: ObjectStore,
    { before, isForced }: { before: ExportManifest | undefined; isForced: boolean },
    deps: ExportDeps,
  ) {
    this.#paths = paths;
    this.#version = version;
    this.#objects = objects;
    this.#before = before;
    this.#isForced = isForced;
    this.#deps = deps;
  }

  async run(intervals: readonly SourceInterval[]): Promise<PartitionedReport> {
    const tables = new Set<string>();
    for (const interval of intervals) {
      for (const symbol of storedSymbols(this.#version, interval)) {
        this.#rowsTotal += this.#version.rowCount(symbol, interval);
      }
    }
    for await (const object of this.#objects.list('', this.#deps.signal)) {
      this.#listed.set(object.key, object);
    }
    for (const part of this.#before?.parts ?? []) {
      if (this.#listed.get(part.path)?.bytes === part.bytes) this.#parts.set(keyOf(part), part);
    }
    try {
      for await (const group of partGroups(this.#version, intervals, () => this.#tick())) {
        tables.add(group.table);
        await this.#add(group);
      }
    } finally {
      await this.#uploading;
    }
    const parts = [...this.#parts.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
    await swapExportManifest(this.#objects, this.#before, parts, this.#deps.signal);
    const sumOf = (name: 'rows' | 'bytes') => parts.reduce((sum, part) => sum + part[name], 0);
    return {
      ...this.#versionFacts(),
      files: parts.length,
      rows: sumOf('rows'),
      bytes: sumOf('bytes'),
      written: this.#written,
      writtenBytes: this.#writtenBytes,
      removed: await this.#removeOthers(parts, tables),
    };
  }

  async #add(group: PartGroup): Promise<void> {
    const { table, partitions, inputs } = group;
    const isOfGroup = (part: ExportedPart) =>
      part.table === table && part.partition.startsWith(partitions);
    const known = [...this.#parts.values()].filter(isOfGroup);
    const isWhole = known.length === this.#before?.parts.filter(isOfGroup).length;
    const isSame = isWhole && known.length > 0 && known.every((part) => part.inputs === inputs);
    if (isSame) {
      for (const part of known) {
        this.#parts.set(keyOf(part), { ...part, ...this.#versionFacts() });
        this.#report(part.rows);
      }
      return;
    }
    for await (const planned of group.parts()) await this.#addPart(group, planned);
  }

  async #addPart({ table, inputs }: PartGroup, planned: PlannedPart): Promise<void> {
    const { partition, rows, contentId } = planned;
    const folder = `${table}/${partition && `${partition}/`}`;
    const before = this.#parts.get(keyOf({ table, partition }));
    this.#requireNotLost(folder, before, rows);
    const facts = { mode: this.#paths.mode, ...this.#versionFacts(), inputs };
    const begin = `${folder}${contentId}.`;
    const there = this.#find(begin, before);
    if (there) {
      const [, sha256] = there.key.slice(folder.length).split('.');
      const part = { table, partition, path: there.key, rows, bytes: there.bytes, sha256 };
      this.#parts.set(keyOf(part), { ...part, ...facts });
      this.#report(rows);
      return;
    }
    const file = await this.#write(planned);
    const path = `${begin}${file.sha256}.parquet`;
    await this.#uploading;
    this.#uploading = this.#upload(path, file);
    // A failure is thrown by the next wait, not by the process.
    this.#uploading.catch(() => undefined);
    const { bytes, sha256 } = file;
    const part = { table, partition, path, rows, bytes, sha256 };
    this.#parts.set(keyOf(part), { ...part, ...facts });
    this.#report(rows);
  }

  /** Rows of other tables count too, and those of a session that has not ended are left out. */
  #report(rows: number): void {
    this.#rowsDone = Math.min(this.#rowsDone + rows, this.#rowsTotal);
    this.#deps.onProgress('export rows', this.#rowsDone, this.#rowsTotal);
  }

  /** @throws {UsageError} A part would lose most of its rows. */
  #requireNotLost(folder: string, before: ExportedPart | undefined, rows: number): void {
    if (!before || this.#isForced || rows >= limits.files.keptShareMin * before.rows) return;
    throw new UsageError(
      `"${this.#objects.addressOf(folder)}" has ${before.rows} rows, and the published data has ` +
        `${rows} of them: --force replaces it`,
    );
  }

  /** Returns a finished file of this content, which may be of a killed run. */
  #find(begin: string, before: ExportedPart | undefined): ListedObject | undefined {
    if (before?.path.startsWith(begin)) return this.#listed.get(before.path);
    for (const object of this.#listed.values()) if (object.key.startsWith(begin)) return object;
    return undefined;
  }

  async #write({ contentId, pieces }: PlannedPart) {
    const folder = readerScratch(this.#paths.scratch);
    const path = join(folder, `${scratchName('export')}-${contentId}.parquet`);
    const sum = createHash('sha256');
    let bytes = 0;
    const file = await open(path, 'w');
    try {
      for (const piece of pieces()) {
        this.#deps.signal.throwIfAborted();
        sum.update(piece);
        bytes += piece.length;
        await file.writeFile(piece);
      }
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    } finally {
      await file.close();
    }
    return { scratch: path, bytes, sha256: sum.digest('hex') };
  }

  async #upload(key: string, file: { scratch: string; bytes: number; sha256: string }) {
    const { scratch, bytes, sha256 } = file;
    try {
      failpoint('put object', key);
      const { signal } = this.#deps;
      await this.#objects.put(key, contentOfFile(scratch, bytes, sha256), { signal });
      this.#written++;
      this.#writtenBytes += bytes;
    } finally {
      await rm(scratch, { force: true });
    }
  }

  /**
   * Removes replaced files, so that no reader of a whole folder counts rows twice, and those that a
   * killed run left long ago.
   */
  async #removeOthers(
    parts: readonly ExportedPart[],
    tables: ReadonlySet<string>,
  ): Promise<number> {
    const named = new Set(parts.map(({ path }) => path));
    const replaced = new Set(this.#before?.parts.map(({ path }) => path));
    const oldMs = Date.now() - limits.replicas.strayMs;
    let removed = 0;
    for (const { key, modifiedMs } of this.#listed.values()) {
      const isOurs = tables.has(key.slice(0, key.indexOf('/'))) && key.endsWith('.parquet');
      if (!isOurs || named.has(key) || !(replaced.has(key) || modifiedMs < oldMs)) continue;
      failpoint('remove object', key);
      await this.#objects.delete(key, this.#deps.signal);
      removed++;
    }
    return removed;
  }

  #versionFacts() {
    const { id: version, createdMs } = this.#version;
    return { version, publishedAt: new Date(createdMs).toISOString() };
  }

  /** Lets signals be handled now and then. */
  async #tick(): Promise<void> {
    if (performance.now() < this.#tickEndMs) return;
    await nextTick();
    this.#deps.signal.throwIfAborted();
    this.#tickEndMs = performance.now() + limits.files.tickMs;
  }
}

function keyOf({ table, partition }: Pick<ExportedPart, 'table' | 'partition'>): string {
  return `${table}/${partition}`;
}
