/**
 * Which store the jobs of a Redis are loaded into. A worker on a machine without it, with an empty
 * data directory of its own, must not take loads.
 */

import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { link } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Redis } from 'ioredis';
import { storeIdPath } from '../../src/base/config/data-dir.ts';
import { makeFolders } from '../../src/base/data-folder.ts';
import { syncFolder, writeDurable } from '../../src/base/durable-file.ts';
import { KEY_PREFIX } from './connection.ts';

const STORE = `${KEY_PREFIX}:store:id`;

interface StoreId {
  id: string;
  /** Written by a restore: this store takes the place of the one that Redis knows. */
  takesOver?: boolean;
}

/**
 * The first store that asks is the one; after it only itself, or its restored copy. The folder has
 * its id before Redis hears of it: who dies in between is the same store when it asks again.
 */
export async function isStoreOf(redis: Redis, dataDir: string): Promise<boolean> {
  const { id, takesOver } = readStoreId(dataDir) ?? (await firstStoreId(dataDir));
  if (takesOver) {
    await redis.set(STORE, id);
    await writeStoreId(dataDir, { id });
    return true;
  }
  await redis.set(STORE, id, 'NX');
  return (await redis.get(STORE)) === id;
}

/** Makes a restored store the one into which jobs are loaded, from its first worker on. */
export async function markRestored(dataDir: string): Promise<void> {
  await writeStoreId(dataDir, { id: randomUUID(), takesOver: true });
}

/** An id for a folder without one; of processes that start together all get that of the first. */
async function firstStoreId(dataDir: string): Promise<StoreId> {
  const path = storeIdPath(dataDir);
  const candidate = { id: randomUUID() };
  const name = `${basename(path)}.${candidate.id}`;
  const unnamed = join(dirname(path), name);
  makeFolders(dirname(path));
  await writeDurable(dirname(path), name, Buffer.from(JSON.stringify(candidate)));
  try {
    // Unlike a rename this replaces nothing.
    await link(unnamed, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(unnamed);
  }
  syncFolder(dirname(path));
  return readStoreId(dataDir) ?? candidate;
}

function readStoreId(dataDir: string): StoreId | undefined {
  try {
    return JSON.parse(readFileSync(storeIdPath(dataDir), 'utf8')) as StoreId;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function writeStoreId(dataDir: string, id: StoreId): Promise<void> {
  const path = storeIdPath(dataDir);
  makeFolders(dirname(path));
  await writeDurable(dirname(path), basename(path), Buffer.from(JSON.stringify(id)));
  syncFolder(dirname(path));
}
