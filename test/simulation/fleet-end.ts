/** The state of a simulated fleet, and what must hold when its night is over. */

import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import type { ModePaths } from '../../src/base/config/data-dir.ts';
import {
  objectOf,
  SHARED_NAME,
  type SharedManifest,
} from '../../src/fleet/replicas/shared-manifest.ts';
import { SETS_NAME } from '../../src/fleet/replicas/shared-sets.ts';
import {
  filesOf,
  MANIFEST_NAME,
  manifestFromText,
  readManifest,
  snapshotId,
} from '../../src/store/arrow/format/manifest.ts';
import type { Manifest } from '../../src/store/arrow/format/manifest-types.ts';
import type { PublishedVersion } from '../../src/store/arrow/read/published-version.ts';
import { openPublished } from '../../src/store/arrow/read/reader.ts';
import type { Disk } from './disk.ts';
import type { Log } from './log.ts';
import type { Bucket } from './object-store.ts';
import type { Published } from './publisher.ts';
import type { Random } from './random.ts';
import type { Process, Simulation } from './simulation.ts';

/** A machine whose readers serve a folder. */
export interface Place {
  disk: Disk;
  paths: ModePaths;
  /** Returns the log of a version that is served here. */
  logOf: (version: PublishedVersion) => Log;
  /** Newest version that was acknowledged here. */
  newest: Published | undefined;
  /** Versions that were swapped in since the last failure of the power, and when. */
  swaps: { manifest: Manifest; atMs: number }[];
  /** Id of the version that each reader has seen last. */
  seen: Map<string, string>;
}

/** A data folder whose log is published. */
export interface Folder extends Place {
  log: Log;
  /** Has the lock of its publishers; undefined: each takes the next epoch. */
  redis: Redis | undefined;
  epoch: number;
  /** Processes in the middle of a publish. */
  publishing: Set<Process | undefined>;
  /** A process has said that files are damaged, so that the operator publishes all again. */
  isDamaged: boolean;
  acknowledged: Map<number, Published>;
}

/** All must be whole, equal and clean. */
export function checkFleet(
  now: Simulation,
  bucket: Bucket,
  folders: readonly Folder[],
  replicas: readonly Place[],
): void {
  for (const folder of folders) {
    const { disk, log, newest } = folder;
    if (disk.flips === 0 && newest?.seq !== log.seq) {
      now.violate('work ends', `${newest?.seq} of ${log.seq} are published`);
    }
    checkClean(now, folder);
  }
  const winner = sharedManifest(bucket);
  for (const replica of replicas) checkReplica(now, replica, winner);
  if (!winner || !folders.some(({ newest }) => newest?.id === winner.id)) {
    now.violate('replicas follow', `version ${winner?.version} is shared`);
  }
  if (winner) checkObjects(now, bucket, winner);
}

function checkReplica(now: Simulation, replica: Place, winner: SharedManifest | undefined): void {
  const { serving } = replica.paths;
  const damaged = winner?.files.filter((file) => !isWhole(serving, file)) ?? [];
  const names = damaged.map(({ name }) => name);
  if (filesIn(serving).length === 0) names.push(MANIFEST_NAME);
  if (names.length > 0) {
    now.violate('replicas mend damage', `${names}`);
    return;
  }
  using served = openPublished(serving);
  if (served?.id !== winner?.id) {
    now.violate('replicas follow', `${served?.manifest.version} of ${winner?.version}`);
  }
  checkClean(now, replica);
}

function sharedManifest(bucket: Bucket): SharedManifest | undefined {
  const text = String(bucket.objects.get('bucket/live/manifest.json')?.bytes ?? '');
  return text === '' ? undefined : JSON.parse(text.slice(text.indexOf('\n') + 1));
}

/** The storage has what its manifests name, and nothing else. */
function checkObjects(now: Simulation, bucket: Bucket, { files, retired }: SharedManifest): void {
  const named = new Set([SHARED_NAME, ...files.map(objectOf), ...retired.map((one) => one.object)]);
  const keys = bucket.keysBelow('bucket/live/');
  const missing = files.map(objectOf).filter((key) => !keys.includes(key));
  if (missing.length > 0) now.violate('what is shared is there', `${missing}`);
  const strays = keys.filter((key) => !named.has(key) && key !== SETS_NAME);
  if (strays.length > 0) now.violate('nothing is left over', `objects ${strays}`);
}

/** Checks that a folder has the published version whole, and no remains. */
export function checkClean(
  now: Simulation,
  { disk, paths: { serving, root }, seen }: Pick<Place, 'disk' | 'paths' | 'seen'>,
): void {
  const manifest = existsSync(serving) ? readManifest(serving) : undefined;
  if (!manifest) return;
  const late = [...seen].filter(([, id]) => id !== snapshotId(manifest));
  if (seen.size === 0 || late.length > 0) {
    now.violate('readers follow', `version ${manifest.version} is not seen: ${late}`);
  }
  const files = filesOf(manifest);
  const names = [...readdirSync(serving), ...readdirSync(root)];
  const strays = names.filter((name) => name.endsWith('.tmp') || name.endsWith('.new'));
  if (strays.length > 0) now.violate('nothing is left over', `files ${strays}`);
  const arrows = readdirSync(serving).filter((name) => name.endsWith('.arrow'));
  const missing = [...files].filter((name) => !existsSync(join(serving, name)));
  if (missing.length > 0) now.violate('what is published is whole', `${missing}`);
  // Readers still open those of the version before, however many a compaction has replaced.
  const replaced = disk.replaced.get(join(serving, MANIFEST_NAME));
  const kept = replaced ? namesIn(String(replaced)) : files;
  const old = arrows.filter((name) => !files.has(name) && kept?.has(name) === false);
  if (old.length > 0) now.violate('nothing is left over', `files ${old}`);
}

function isWhole(folder: string, { name, sha256 }: SharedManifest['files'][number]): boolean {
  const path = join(folder, name);
  return existsSync(path) && hash('sha256', readFileSync(path), 'hex') === sha256;
}

/** Flips a bit of the published version: of its manifest, of a table or of bars. */
export function flip({ disk, paths: { serving } }: Place, random: Random): void {
  const names = filesIn(serving);
  const kind = random.pick([
    /^manifest/,
    /^(symbols|quotes|actions|directory|index|batches)/,
    /^(candles|indicators|slices|patches)/,
  ]);
  disk.flipBit(names.filter((name) => kind.test(name)).map((name) => join(serving, name)));
}

/** Returns the files of the published version; none if its manifest is damaged. */
function filesIn(serving: string): string[] {
  const path = join(serving, MANIFEST_NAME);
  return existsSync(path) ? [...(namesIn(readFileSync(path, 'utf8')) ?? [])] : [];
}

/** Returns the files that a manifest names; undefined if it is damaged. */
function namesIn(text: string): Set<string> | undefined {
  try {
    const manifest = manifestFromText(text);
    return manifest && filesOf(manifest);
  } catch {
    return undefined;
  }
}
