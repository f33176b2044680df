/**
 * Records of loads in small files next to the segments: a second ledger, from which `rebuild`
 * builds the store again.
 */

import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { z } from 'zod';
import type { ModePaths } from '../../src/base/config/data-dir.ts';
import { placeDurable, syncFolder, writeDurable } from '../../src/base/durable-file.ts';
import { failpoint } from '../../src/base/failpoints.ts';
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from '../../src/base/world/files.ts';
import type { Fetched } from '../../src/ingest/contract/fetch-context.ts';
import { sha256OfFile } from '../../src/ingest/segments/place-file.ts';
import {
  type StagedSegment,
  stagedFrom,
  stagedSegmentSchema,
} from '../../src/ingest/segments/staged-segment.ts';
import { type LocalRequest, localRequestSchema } from '../contract/partition.ts';
import { idOf, readHeldRecord, releaseHeld } from './held-records.ts';
import { choiceSchema } from './segment-part.ts';

const recordSchema = z.strictObject({
  /** Id of the segment; for facts, the hash of their content. */
  id: z.string().regex(/^[0-9a-f]{64}$/),
  origin: z.string(),
  loadedMs: z.int(),
  order: z.int(),
  /** Undefined if it was read from local files without a copy. */
  staged: stagedSegmentSchema.optional(),
  /** Hash of the staged Parquet file. */
  sha256: z.string().optional(),
  /** Modification times of its files in microseconds; for corporate actions one as-of for all. */
  modified: z.array(z.tuple([z.string(), z.string().regex(/^\d+$/)])).optional(),
  /** Request that gives it again, if there is one. */
  question: localRequestSchema.optional(),
  /** Reason why a sanity check had held it. */
  acceptedDespite: z.string().optional(),
  /** Set if it has only some symbols of the segment `of`. */
  part: choiceSchema.extend({ of: z.string() }).optional(),
});

export type SegmentRecord = z.infer<typeof recordSchema>;

/** Gives a record of an earlier version the name that `staged` has now. */
function renamed(record: unknown): unknown {
  if (typeof record !== 'object' || record === null || !('landed' in record)) return record;
  const { landed: staged, ...rest } = record;
  return { ...rest, staged };
}

const fileSchema = z.preprocess(
  (content) => (Array.isArray(content) ? content.map(renamed) : renamed(content)),
  z.union([recordSchema, z.array(recordSchema)]),
);

const FOLDER_NAME = 'loaded';

/** Compressed: a day of the whole market names 11,000 symbols. */
const ENDING = '.json.gz';
const TOGETHER_ENDING = '.together.json.gz';

const DAMAGED_ENDING = '.damaged';

function recordsFolder({ segments }: Pick<ModePaths, 'segments'>): string {
  return join(segments, FOLDER_NAME);
}

interface RecordedLoad {
  loadedMs: number;
  firstOrder: number;
  request?: LocalRequest;
  /** Copy of the user's files; then the segment is the only one. */
  copy?: StagedSegment;
}

type KnownRecord = Pick<SegmentRecord, 'loadedMs' | 'order' | 'sha256' | 'modified' | 'staged'>;

/** Returns true if a file that was staged again has the same bytes. */
function isSameFile({ sha256 }: KnownRecord, segment: Fetched): boolean {
  const staged = 'facts' in segment ? undefined : segment.parquetSha256;
  return staged === undefined || staged === sha256;
}

function newestTimes(segment: Fetched, known?: KnownRecord): SegmentRecord['modified'] {
  if (!('files' in segment)) return undefined;
  if (segment.dataset === 'corporate-actions' && segment.asOfUs !== undefined) {
    return [[segment.origin, String(segment.asOfUs)]];
  }
  const times = new Map(known?.modified?.map(([path, us]) => [path, BigInt(us)]));
  for (const { path, modifiedUs } of segment.files) {
    if (modifiedUs !== undefined && modifiedUs > (times.get(path) ?? -1n)) {
      times.set(path, modifiedUs);
    }
  }
  return times.size === 0 ? undefined : [...times].map(([path, us]) => [path, String(us)]);
}

function hasSameTimes(known: KnownRecord, segment: Fetched): boolean {
  return JSON.stringify(newestTimes(segment, known)) === JSON.stringify(known.modified);
}

export class SegmentRecords {
  readonly #paths: Pick<ModePaths, 'segments'>;
  /** Records from files with several, by id; undefined until the first use. */
  #together: Map<string, KnownRecord> | undefined;

  constructor(paths: Pick<ModePaths, 'segments'>) {
    this.#paths = paths;
  }

  /**
   * Records loaded segments in one file, durably. Leaves out known ones, unless the staged file has
   * other bytes or a local file was modified since.
   *
   * @param load `firstOrder` is the place of the first segment in the ledger.
   */
  async add(
    segments: readonly Fetched[],
    { loadedMs, firstOrder, request, copy }: RecordedLoad,
  ): Promise<void> {
    const added: SegmentRecord[] = [];
    for (const [i, segment] of segments.entries()) {
      const known = this.#find(idOf(segment));
      const isKnown = known && isSameFile(known, segment) && hasSameTimes(known, segment);
      if (isKnown && !copy) continue;
      const first = {
        loadedMs: known?.loadedMs ?? loadedMs,
        order: known?.order ?? firstOrder + i,
      };
      const staged = copy ?? known?.staged;
      const load = { ...first, request, staged, modified: newestTimes(segment, known) };
      const record = await recordOf(this.#paths, segment, load);
      if (known) await this.#write(record.id + ENDING, record);
      else added.push(record);
    }
    if (added.length === 1) await this.#write(added[0].id + ENDING, added[0]);
    if (added.length > 1) {
      await this.#write(nameOf(added), added);
      for (const record of added) this.#together?.set(record.id, record);
    }
    for (const segment of segments) releaseHeld(this.#paths, segment);
  }

  #write(name: string, content: SegmentRecord | SegmentRecord[]): Promise<void> {
    return placeDurable(recordsFolder(this.#paths), name, gzipSync(JSON.stringify(content)));
  }

  /** Finds a record. A damaged one counts as missing and is written again with the next load. */
  #find(id: string): KnownRecord | undefined {
    const path = join(recordsFolder(this.#paths), id + ENDING);
    const [alone] = (existsSync(path) && readFile(path)) || [];
    if (alone) return alone;
    this.#together ??= new Map(
      readFiles(this.#paths, TOGETHER_ENDING).records.map(
        ({ id, loadedMs, order, sha256, modified }) => [id, { loadedMs, order, sha256, modified }],
      ),
    );
    return this.#together.get(id);
  }
}

export interface RecordsRead {
  records: SegmentRecord[];
  damaged: string[];
}

/**
 * Reads all records.
 *
 * @param known Names of files to leave out; receives the names of those that are read.
 */
export function readRecords(
  paths: Pick<ModePaths, 'segments'>,
  known: Set<string> = new Set(),
): RecordsRead {
  const { records, damaged } = readFiles(paths, ENDING, known);
  const byId = new Map<string, SegmentRecord>();
  for (const one of records) byId.set(one.id, one);
  const inOrder = [...byId.values()].sort((a, b) => a.loadedMs - b.loadedMs || a.order - b.order);
  return { records: inOrder, damaged };
}

function readFiles(
  paths: Pick<ModePaths, 'segments'>,
  ending: string,
  known: Set<string> = new Set(),
): RecordsRead {
  const folder = recordsFolder(paths);
  const read: RecordsRead = { records: [], damaged: [] };
  if (!existsSync(folder)) return read;
  // A record that was written again has its own file, which is read after the old one.
  for (const name of readdirSync(folder).sort(byTogether)) {
    if (!name.endsWith(ending) || known.has(name)) continue;
    known.add(name);
    const path = join(folder, name);
    const records = readFile(path);
    if (records) read.records.push(...records);
    else read.damaged.push(path);
  }
  return read;
}

function byTogether(a: string, b: string): number {
  return Number(b.endsWith(TOGETHER_ENDING)) - Number(a.endsWith(TOGETHER_ENDING));
}

function readFile(path: string): SegmentRecord[] | undefined {
  try {
    return [fileSchema.parse(JSON.parse(gunzipSync(readFileSync(path)).toString()))].flat();
  } catch {
    return undefined;
  }
}

const DROPPED_NAME = 'dropped';

/** Moves the record of a segment to the dropped ones, so that no rebuild brings it back. */
export async function moveToDropped(paths: Pick<ModePaths, 'segments'>, id: string): Promise<void> {
  const folder = recordsFolder(paths);
  if (!existsSync(folder)) return;
  const dropped = join(paths.segments, DROPPED_NAME);
  for (const name of readdirSync(folder)) {
    const isOwn = name === id + ENDING;
    if (!isOwn && !name.endsWith(TOGETHER_ENDING)) continue;
    const records = readFile(join(folder, name));
    const meant = records?.find((record) => record.id === id);
    if (!records || !meant) continue;
    await placeDurable(dropped, id + ENDING, gzipSync(JSON.stringify(meant)));
    const others = records.filter((record) => record.id !== id);
    if (others.length > 0) await writeDurable(folder, name, gzipSync(JSON.stringify(others)));
    else {
      failpoint('remove file', name);
      rmSync(join(folder, name));
    }
    syncFolder(folder);
  }
}

/** Renames a damaged file; it keeps its content. */
export function putAside(damaged: string): void {
  failpoint('rename file', basename(damaged));
  renameSync(damaged, damaged + DAMAGED_ENDING);
}

function nameOf(records: readonly SegmentRecord[]): string {
  const hash = createHash('sha256');
  for (const { id } of records) hash.update(id);
  return hash.digest('hex') + TOGETHER_ENDING;
}

async function recordOf(
  paths: Pick<ModePaths, 'segments'>,
  segment: Fetched,
  { loadedMs, order, request, modified, staged }: KnownRecord & { request?: LocalRequest },
): Promise<SegmentRecord> {
  const id = idOf(segment);
  const isStaged =
    'facts' in segment || 'parquetPath' in segment || isStagedCandles(paths, segment);
  const known = isStaged ? stagedFrom(segment) : staged;
  const isFile = known !== undefined && known.kind !== 'facts';
  const path = isFile ? join(paths.segments, `${id}.parquet`) : undefined;
  const stagedAs = isFile ? known.parquetSha256 : undefined;
  const part = 'part' in segment ? segment.part : undefined;
  // The symbols of a first part are those that no check held.
  const heldId = part ? (part.isOnly ? part.of : '') : id;
  const held = readHeldRecord(paths, heldId);
  return {
    part,
    ...{ id, origin: segment.origin, loadedMs, order, modified, acceptedDespite: held?.reason },
    staged: known,
    sha256: path && (stagedAs ?? (await sha256OfFile(path))),
    question: request,
  };
}

/** Returns true for bars of a vendor, whose rows are all in one Parquet file. */
function isStagedCandles(
  { segments }: Pick<ModePaths, 'segments'>,
  segment: Exclude<Fetched, { facts: unknown }>,
): boolean {
  const path = join(segments, `${segment.id}.parquet`);
  const isOurs = (file: { path: string }) => file.path === path;
  if (!('files' in segment) || segment.kind !== 'parquet') return false;
  return segment.dataset === 'candles' && segment.files.every(isOurs);
}
