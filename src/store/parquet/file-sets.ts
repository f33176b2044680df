/**
 * `files.json`: the one file that names the Parquet files of the newest version and of some before
 * it. It is replaced by a rename, so a reader sees the old sets or the new ones.
 */

import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { ifExists } from '../../base/copy-file.ts';
import { fileDatasets, type RowFile } from '../../base/datasets/datasets.ts';
import { placeDurable, UNFINISHED_ENDING } from '../../base/durable-file.ts';
import { CorruptDataError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { readAgain } from '../../base/read-again.ts';
import type { StoredIntraday } from '../../base/time/intervals.ts';
import { monotonicMs } from '../../base/world/clock.ts';
import { readdirSync, readFileSync, statSync } from '../../base/world/files.ts';
import type { Scope } from '../accounts/keys/scopes.ts';

const NAME = 'files.json';
const FORMAT = 1;
const REMEDY = 'delete its folder, and the files are made again';

const PRICE_FILES = ['candles', 'adjustments', 'corporate-actions', 'symbols', 'quotes'] as const;

export type FileDataset = (typeof PRICE_FILES)[number] | RowFile;

/** Scope that reads each dataset of files. */
export const FILE_SCOPES = Object.fromEntries([
  ...PRICE_FILES.map((name) => [name, 'quotes:read']),
  ...fileDatasets.map(({ name, scope }) => [name, scope]),
]) as Record<FileDataset, Scope>;

export const FILE_DATASETS = Object.keys(FILE_SCOPES) as [FileDataset, ...FileDataset[]];

/** The part of a dataset that one file holds; null: all of it. */
export interface FilePart {
  dataset: FileDataset;
  interval: '1d' | StoredIntraday | null;
  year: number | null;
  /** 1 to 12; files of intraday bars have one. */
  month: number | null;
}

export interface ParquetFile extends FilePart {
  /** Name in the folder: that of its part, and a hash of its content. */
  name: string;
  bytes: number;
  /** SHA-256 of its bytes; sets that older programs made have none. */
  sha256?: string;
}

/** Files of one published version. */
export interface FileSet {
  /** Id of the version. */
  version: string;
  /** Time of the publish, milliseconds since the epoch. */
  createdMs: number;
  /** Ids of the inputs of parts that are kept as long as these are equal. */
  inputs: Record<string, string>;
  files: ParquetFile[];
}

/** Returns the error of a file that does not match its SHA-256. */
export function damagedFile(path: string): CorruptDataError {
  return new CorruptDataError(`"${path}" does not match its SHA-256: ${REMEDY}`);
}

/** Returns the name by which clients request a file: `candles-1d-2024.parquet`. */
export function requestedName({ dataset, interval, year, month }: FilePart): string {
  // Disks that ignore case, and people, would mix 1m with 1M.
  const length = interval === '1m' ? '1min' : interval;
  const parts = [dataset, length, year, month === null ? null : String(month).padStart(2, '0')];
  return `${parts.filter((part) => part !== null).join('-')}.parquet`;
}

/**
 * Reads the sets, newest first; none while no file has been made.
 *
 * @throws {CorruptDataError} `files.json` is damaged.
 */
export function readFileSets(folder: string): FileSet[] {
  return readAgain(() => readSetsOnce(folder));
}

function readSetsOnce(folder: string): FileSet[] {
  const path = join(folder, NAME);
  const text = ifExists(() => readFileSync(path, 'utf8'));
  if (text === undefined) return [];
  try {
    const { crc32: stored, ...content } = JSON.parse(text);
    // An older or newer program wrote another format: its files are made again.
    if (crc32(JSON.stringify(content)) === stored)
      return content.format === FORMAT ? content.sets : [];
  } catch (cause) {
    throw new CorruptDataError(`"${path}" is not JSON: ${REMEDY}`, { cause });
  }
  throw new CorruptDataError(`"${path}" does not match its checksum: ${REMEDY}`);
}

/** Returns a text that changes with the sets; empty without any. */
export function fileSetsStamp(folder: string): string {
  const stats = statSync(join(folder, NAME), { bigint: true, throwIfNoEntry: false });
  return stats ? `${stats.ino}:${stats.mtimeNs}` : '';
}

/** Publishes sets, newest first, whose files are durable, and removes all other files. */
export async function swapFileSets(folder: string, sets: readonly FileSet[]): Promise<void> {
  const content = { format: FORMAT, sets };
  const checked = { ...content, crc32: crc32(JSON.stringify(content)) };
  await placeDurable(folder, NAME, Buffer.from(JSON.stringify(checked)));
}

/** Returns the names of files that no set has: left by a killed run, or of older sets. */
export function unneededFiles(folder: string, sets: readonly FileSet[]): string[] {
  const needed = new Set(sets.flatMap(({ files }) => files.map(({ name }) => name)));
  return readdirSync(folder).filter((name) => {
    const isOurs = name.endsWith('.parquet') || name.endsWith(UNFINISHED_ENDING);
    return isOurs && !needed.has(name);
  });
}

/** Sets of a mode as a server sees them. */
export interface FileSetReader {
  /** Newest first. @throws {CorruptDataError} `files.json` is damaged. */
  sets(): readonly FileSet[];
  /** Returns a file of a set and its path; undefined if the set or the file is unknown. */
  find(
    version: string,
    requested: string,
  ): { set: FileSet; file: ParquetFile; path: string } | undefined;
  /** Returns true if a replica may get files of the version, or its first ones, later. */
  isAwaited(version?: string): boolean;
}

/**
 * Follows the sets of a folder, which need not exist yet.
 *
 * @param isReplica Returns true if the files come from another machine.
 */
export function openFileSets(folder: string, isReplica = () => false): FileSetReader {
  let stamp = '';
  let lookedMs = Number.NEGATIVE_INFINITY;
  let sets: FileSet[] = [];
  let byName = new Map<string, { set: FileSet; file: ParquetFile }>();
  const look = (isForced = false) => {
    const nowMs = monotonicMs();
    if (!isForced && nowMs - lookedMs < limits.serving.pollMs) return;
    const newStamp = fileSetsStamp(folder);
    if (newStamp !== stamp) {
      sets = readFileSets(folder);
      byName = new Map(
        sets.flatMap((set) =>
          set.files.map(
            (file) => [`${set.version}/${requestedName(file)}`, { set, file }] as const,
          ),
        ),
      );
      stamp = newStamp;
    }
    lookedMs = nowMs;
  };
  return {
    isAwaited(version) {
      if (!isReplica()) return false;
      look(true);
      if (stamp === '') return true;
      const newestMs = Math.max(0, ...sets.map(({ createdMs }) => createdMs));
      const [, createdMs = ''] = /^[0-9a-z]+-([0-9a-z]{1,10})$/.exec(version ?? '') ?? [];
      return createdMs !== '' && Number.parseInt(createdMs, 36) > newestMs;
    },
    sets() {
      look();
      return sets;
    },
    find(version, requested) {
      look();
      const name = `${version}/${requested}`;
      // Another thread may have seen newer sets first and listed their files.
      if (!byName.has(name)) look(true);
      const found = byName.get(name);
      return found && { ...found, path: join(folder, found.file.name) };
    },
  };
}
