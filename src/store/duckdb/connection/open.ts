/**
 * Connections to `market.duckdb`: for writing under the writer lock, or for reading.
 *
 * DuckDB allows one writing process or many reading ones. A writer waits for readers, since they
 * are short; readers wait for a writer up to a limit. `DuckDBInstance.fromCache` keeps one instance
 * per file in a process: with two, closing one would drop the kernel's lock of the other.
 */

import { basename, join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { ModePaths } from '../../../base/config/data-dir.ts';
import { readerScratch, scratchName } from '../../../base/config/scratch-names.ts';
import { makeFolders } from '../../../base/data-folder.ts';
import { syncFolder } from '../../../base/durable-file.ts';
import { StoreBusyError, StoreVersionError } from '../../../base/errors.ts';
import { failpoint } from '../../../base/failpoints.ts';
import { limits } from '../../../base/limits.ts';
import { delay, wallMs } from '../../../base/world/clock.ts';
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
} from '../../../base/world/files.ts';
import { availableParallelism, totalmem } from '../../../base/world/machine.ts';
import { process } from '../../../base/world/process.ts';
import { assertKnownVersion, migrate, STORE_VERSION, schemaVersion } from './migrations.ts';
import { missingStore, requireStoreNotLost } from './missing-store.ts';
import {
  acquireWriterLock,
  holderText,
  readWriterHolder,
  reportChanges,
  type WaitOptions,
  type WriterLock,
  type WriterOptions,
} from './writer-lock.ts';

/** An open store. Close it soon: while one process has it, others wait. */
export interface MarketDb extends Disposable {
  readonly connection: DuckDBConnection;
  /**
   * Returns another connection, for a streamed result, which ends without an error when its
   * connection runs another statement. The caller disconnects it.
   */
  connect(): Promise<DuckDBConnection>;
  /** A second call has no effect. */
  close(): void;
}

interface OpenForWriting {
  nowMs?: number;
  lock?: WriterLock;
}

/**
 * Takes the writer lock, waits for readers to leave, and creates or upgrades the schema. Closing
 * releases the lock.
 *
 * @param lock A lock that the caller holds and keeps.
 * @throws {StoreVersionError} the store was written by a newer Tapeworks.
 * @throws {CorruptDataError} the store is missing, but its published files exist.
 */
export async function openMarketForWriting(
  paths: ModePaths,
  { verb, onWaiting, nowMs = wallMs(), lock: held }: WriterOptions & OpenForWriting,
): Promise<MarketDb> {
  const lock = held ? { release() {} } : await acquireWriterLock(paths, { verb, onWaiting });
  try {
    requireStoreNotLost(paths);
    if (!existsSync(paths.market)) await createStore(paths);
    const config = { access_mode: 'READ_WRITE', ...sharedConfig(paths.scratch) };
    const instance = await openWhenFree(paths, config, Number.POSITIVE_INFINITY, onWaiting);
    return await checked(instance, (connection) => migrate(connection, nowMs), {
      before: () => failpoint('close store'),
      after: lock.release,
    });
  } catch (error) {
    lock.release();
    throw error;
  }
}

/**
 * Opens the store for reading only: no writes, no files but the store's own, no network.
 *
 * @param waitMs Longest wait for a writer; default: `limits.store.readerWaitMs`.
 * @param megabytesMax Memory of DuckDB; default: `limits.store.duckdbMegabytesMax`.
 * @throws {StoreMissingError} nothing was ever loaded.
 * @throws {CorruptDataError} the store is missing, but its published files exist.
 * @throws {StoreBusyError} a writer still has it; `holder` names it.
 * @throws {StoreVersionError} the store has another schema version.
 */
export async function openMarketForReading(
  paths: ModePaths,
  {
    onWaiting,
    waitMs = limits.store.readerWaitMs,
    megabytesMax,
  }: WaitOptions & { waitMs?: number; megabytesMax?: number } = {},
): Promise<MarketDb> {
  if (!existsSync(paths.market)) throw missingStore(paths);
  const config = {
    access_mode: 'READ_ONLY',
    ...sharedConfig(readerScratch(paths.scratch), megabytesMax),
    autoload_known_extensions: 'false',
    // The order matters: each of the last two refuses later settings.
    enable_external_access: 'false',
    lock_configuration: 'true',
  };
  const instance = await openWhenFree(paths, config, wallMs() + waitMs, onWaiting);
  return checked(instance, assertCurrentVersion);
}

/** Reads the schema version of a store of any version. As `readAnyVersion`. */
export function storedSchemaVersion(paths: ModePaths): Promise<number> {
  return readAnyVersion(paths, async (_, version) => version);
}

/**
 * Reads from a store of any schema version, without a wait.
 *
 * @throws {StoreBusyError} a writer has it; `holder` names it.
 */
export async function readAnyVersion<T>(
  paths: ModePaths,
  read: (connection: DuckDBConnection, version: number) => Promise<T>,
): Promise<T> {
  const config = { access_mode: 'READ_ONLY', ...sharedConfig(readerScratch(paths.scratch)) };
  const instance = await openWhenFree(paths, config, 0);
  using market = await checked(instance, async () => {});
  return await read(market.connection, await schemaVersion(market.connection));
}

async function assertCurrentVersion(connection: DuckDBConnection): Promise<void> {
  const version = await schemaVersion(connection);
  assertKnownVersion(version);
  if (version < STORE_VERSION) {
    throw new StoreVersionError(
      `The store has schema version ${version} and reading needs ${STORE_VERSION}: the next backfill upgrades it`,
    );
  }
}

function sharedConfig(scratch: string, megabytesMax?: number): Record<string, string> {
  makeFolders(scratch);
  return {
    memory_limit: memoryLimit(megabytesMax),
    threads: String(availableParallelism()),
    // One folder per process: DuckDB's spill files have fixed names.
    temp_directory: join(scratch, scratchName('duckdb')),
    autoinstall_known_extensions: 'false',
  };
}

/** Returns DuckDB's bound: fixed, and half of the memory that the machine or the container has. */
export function memoryLimit(megabytesMax: number = limits.store.duckdbMegabytesMax): string {
  const half = Math.min(totalmem(), process.constrainedMemory() || totalmem()) / 2;
  return `${Math.min(megabytesMax, Math.floor(half / 2 ** 20))}MiB`;
}

async function openWhenFree(
  paths: ModePaths,
  config: Record<string, string>,
  deadlineMs: number,
  onWaiting?: (holder: string) => void,
): Promise<DuckDBInstance> {
  const report = reportChanges(onWaiting);
  for (;;) {
    try {
      return await DuckDBInstance.fromCache(paths.market, config);
    } catch (error) {
      const holder = conflictingHolder(paths, error as Error);
      if (holder === undefined) throw error;
      if (wallMs() >= deadlineMs) {
        throw new StoreBusyError(holder, `The store is in use by ${holder}`, { cause: error });
      }
      report(holder);
      await delay(limits.store.writerPollMs);
    }
  }
}

/** Returns the holder of the file from DuckDB's error; undefined for another kind of error. */
function conflictingHolder(paths: ModePaths, error: Error): string | undefined {
  if (error.message.includes('different configuration than existing connections')) {
    return 'a reader or writer of this process';
  }
  const conflict = /Could not set lock on file|being used by another process/;
  if (!conflict.test(error.message)) return undefined;
  const pid = Number(/PID (\d+)/.exec(error.message)?.[1]);
  const writer = readWriterHolder(paths);
  if (writer && (writer.pid === pid || Number.isNaN(pid))) return holderText(writer);
  return Number.isNaN(pid) ? 'a reader' : `a reader (process ${pid})`;
}

/** Returns a connection that `check` accepts; closes everything if it throws. */
async function checked(
  instance: DuckDBInstance,
  check: (connection: DuckDBConnection) => Promise<void>,
  closing: { before?: () => void; after?: () => void } = {},
): Promise<MarketDb> {
  const connection = await instance.connect();
  const close = () => {
    try {
      closing.before?.();
    } finally {
      connection.disconnectSync();
      instance.closeSync();
    }
  };
  try {
    await check(connection);
  } catch (error) {
    close();
    throw error;
  }
  let isOpen = true;
  const end = () => {
    if (!isOpen) return;
    isOpen = false;
    try {
      close();
    } finally {
      closing.after?.();
    }
  };
  return { connection, connect: () => instance.connect(), close: end, [Symbol.dispose]: end };
}

/**
 * Ending of the file while it is written; the next run removes what an interrupted one has left.
 */
const CREATED_ENDING = '.created';

/**
 * Makes `market.duckdb` whole or not at all: DuckDB refuses for ever a file whose headers a kill or
 * a full disk left half written. The caller has the writer lock.
 */
export async function createStore({ root, market }: ModePaths): Promise<void> {
  const unfinished = market + CREATED_ENDING;
  for (const path of [unfinished, `${unfinished}.wal`]) {
    failpoint('remove file', basename(path));
    rmSync(path, { force: true });
  }
  failpoint('write file', basename(unfinished));
  const instance = await DuckDBInstance.create(unfinished);
  instance.closeSync();
  const file = openSync(unfinished, 'r+');
  try {
    failpoint('fsync file', basename(unfinished));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  failpoint('rename file', basename(market));
  renameSync(unfinished, market);
  syncFolder(root);
}
