/**
 * Which store the jobs of a Redis are loaded into. A worker on a machine without it, with an empty
 * data directory of its own, must not take loads.
 */

import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Redis } from 'ioredis';
import { storeIdPath } from '../../src/data-dir.ts';
import { KEY_PREFIX } from './connection.ts';

const STORE = `${KEY_PREFIX}:store:id`;

interface StoreId {
  id: string;
  /** Written by a restore: this store takes the place of the one that Redis knows. */
  takesOver?: boolean;
}

/** The first store that asks is the one; after it only itself, or its restored copy. */
export async function isStoreOf(redis: Redis, dataDir: string): Promise<boolean> {
  const known = readStoreId(dataDir);
  if (known?.takesOver) {
    await redis.set(STORE, known.id);
    writeStoreId(dataDir, { id: known.id });
    return true;
  }
  const id = known?.id ?? randomUUID();
  const isFirst = await redis.set(STORE, id, 'NX');
  if (isFirst) writeStoreId(dataDir, { id });
  return isFirst !== null || (await redis.get(STORE)) === known?.id;
}

/** Makes a restored store the one into which jobs are loaded, from its first worker on. */
export function markRestored(dataDir: string): void {
  writeStoreId(dataDir, { id: randomUUID(), takesOver: true });
}

function readStoreId(dataDir: string): StoreId | undefined {
  try {
    return JSON.parse(readFileSync(storeIdPath(dataDir), 'utf8')) as StoreId;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function writeStoreId(dataDir: string, id: StoreId): void {
  const path = storeIdPath(dataDir);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.new`, JSON.stringify(id));
  renameSync(`${path}.new`, path);
}
