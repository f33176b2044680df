/** Identity of the store of a Redis: a worker with an empty data folder must not take loads. */

import { once } from 'node:events';
import { basename, dirname, join } from 'node:path';
import type { Redis } from 'ioredis';
import { storeIdPath } from '../../src/base/config/data-dir.ts';
import { ifExists } from '../../src/base/copy-file.ts';
import { makeFolders } from '../../src/base/data-folder.ts';
import { syncFolder, writeDurable } from '../../src/base/durable-file.ts';
import { limits } from '../../src/base/limits.ts';
import { randomUUID } from '../../src/base/world/chance.ts';
import { clearInterval, setInterval } from '../../src/base/world/clock.ts';
import { link } from '../../src/base/world/file-promises.ts';
import { readFileSync, rmSync } from '../../src/base/world/files.ts';
import { KEY_PREFIX } from './connection.ts';
import type { LoadWorkerOptions } from './take-jobs.ts';

const STORE = `${KEY_PREFIX}:store:id`;

interface StoreId {
  id: string;
  /** Set by a restore: this store replaces the one that Redis knows. */
  takesOver?: boolean;
}

/**
 * Returns true if this folder is the store of Redis: the first one, or its restored copy. The
 * folder gets its id before Redis does, so that a process that dies in between keeps it.
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

/** Marks a restored store; its first worker makes it the store of Redis. */
export async function markRestored(dataDir: string): Promise<void> {
  await writeStoreId(dataDir, { id: randomUUID(), takesOver: true });
}

/** Gives a folder its id; of processes that start together, the first decides. */
async function firstStoreId(dataDir: string): Promise<StoreId> {
  const path = storeIdPath(dataDir);
  const candidate = { id: randomUUID() };
  const name = `${basename(path)}.${candidate.id}`;
  const unnamed = join(dirname(path), name);
  makeFolders(dirname(path));
  await writeDurable(dirname(path), name, Buffer.from(JSON.stringify(candidate)));
  try {
    // Unlike a rename, a link replaces nothing.
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
  return ifExists(() => JSON.parse(readFileSync(storeIdPath(dataDir), 'utf8')) as StoreId);
}

async function writeStoreId(dataDir: string, id: StoreId): Promise<void> {
  const path = storeIdPath(dataDir);
  makeFolders(dirname(path));
  await writeDurable(dirname(path), basename(path), Buffer.from(JSON.stringify(id)));
  syncFolder(dirname(path));
}

export interface StoreWatch {
  /** Aborts when the worker stops, or when Redis belongs to another store. */
  end: AbortSignal;
  /**
   * Checks before a job starts.
   *
   * @throws if Redis belongs to another store; `stop` is aborted by then.
   */
  requireOurs(stop: AbortSignal): Promise<void>;
  close(): void;
}

export function watchStore(
  redis: Redis,
  { settings, log, signal }: Pick<LoadWorkerOptions, 'settings' | 'log' | 'signal'>,
): StoreWatch {
  const replaced = new AbortController();
  const look = async () => {
    // While Redis is away no other store can take it.
    const isOurs = await isStoreOf(redis, settings.dataDir).catch(() => true);
    if (isOurs || replaced.signal.aborted) return;
    log.note('Redis belongs to another store now: this worker stops its loads');
    replaced.abort(new Error('Redis belongs to another store now'));
  };
  const timer = setInterval(look, limits.redis.storeRenewMs);
  return {
    end: AbortSignal.any([signal, replaced.signal]),
    async requireOurs(stop) {
      await look();
      if (!replaced.signal.aborted) return;
      if (!stop.aborted) await once(stop, 'abort');
      stop.throwIfAborted();
    },
    close: () => clearInterval(timer),
  };
}
