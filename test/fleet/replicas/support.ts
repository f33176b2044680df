/** Publishers and replicas over one object storage, of each kind that the machine has. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { type ModePaths, modePaths } from '../../../src/base/config/data-dir.ts';
import { objectPlace, s3Access } from '../../../src/base/config/object-place.ts';
import { s3Objects } from '../../../src/fleet/objects/s3-objects.ts';
import { readShared, type SeenManifest } from '../../../src/fleet/replicas/shared-manifest.ts';
import { filesOf, MANIFEST_NAME, readManifest } from '../../../src/store/arrow/format/manifest.ts';
import { fileObjects } from '../../../src/store/objects/file-objects.ts';
import type { ObjectStore } from '../../../src/store/objects/object-store.ts';
import { freshFolder, sharedFolder } from '../../support/folders.ts';
import { BUCKET, type RunningS3, type STORAGES, startS3 } from '../../support/s3-server.ts';

export const SETTING = 'TAPEWORKS_SNAPSHOTS_URL';

export interface Storage {
  /** Opens a place of its own for each test; `port` leads to a proxy before the server. */
  open(place: string, port?: number): ObjectStore;
  /** Value of the setting for a place. */
  url(place: string): string;
  /** Settings of the server. */
  env(): Record<string, string>;
  server(): RunningS3 | undefined;
}

export function useStorage(kind: (typeof STORAGES)[number]): Storage {
  const folder = sharedFolder();
  let server: RunningS3 | undefined;
  beforeAll(async () => {
    if (kind !== 'file') server = await startS3();
  });
  afterAll(() => server?.remove());
  return {
    open(place, port) {
      if (!server) return fileObjects(join(folder, place), SETTING);
      const parsed = objectPlace(SETTING, `s3://${BUCKET}/${place}`);
      if (parsed.kind !== 's3') throw new Error('not a bucket');
      const access = s3Access(SETTING, server.env);
      const endpoint = port === undefined ? access.endpoint : `http://127.0.0.1:${port}`;
      return s3Objects(parsed, { ...access, endpoint }, SETTING);
    },
    url: (place) => (server ? `s3://${BUCKET}/${place}` : `file://${join(folder, place)}`),
    env: () => server?.env ?? {},
    server: () => server,
  };
}

/** Makes the paths of a data folder for the running test. */
export function freshPaths(): ModePaths {
  return modePaths(freshFolder(), 'live');
}

/** Returns the bytes of all files of the published version, its manifest included. */
export function publishedBytes({ serving }: ModePaths): Record<string, string> {
  const manifest = readManifest(serving);
  const names = manifest ? [...filesOf(manifest)].sort() : [];
  return Object.fromEntries(
    names.map((name) => [name, readFileSync(join(serving, name)).toString('base64')]),
  );
}

/** Returns the names of files that are neither published nor notes. */
export function strayFiles({ serving }: ModePaths): string[] {
  const manifest = readManifest(serving);
  const needed = manifest ? filesOf(manifest) : new Set([MANIFEST_NAME]);
  if (!existsSync(serving)) return [];
  const isNote = (name: string) => name === 'status.json' || name.endsWith('.mark');
  return readdirSync(serving).filter((name) => !needed.has(name) && !isNote(name));
}

/** Reads the shared manifest, which must be there. */
export async function seenManifest(objects: ObjectStore): Promise<SeenManifest> {
  const seen = await readShared(objects);
  if (!seen) throw new Error('nothing is shared');
  return seen;
}

export async function keysOf(objects: ObjectStore, prefix = ''): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of objects.list(prefix)) keys.push(key);
  return keys.sort();
}
