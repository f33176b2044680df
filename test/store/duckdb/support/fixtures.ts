/** Stores in folders of their own, and how to load and look into them. */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { type ModePaths, modePaths } from '../../../../src/base/config/data-dir.ts';
import { dayFromDate } from '../../../../src/base/time/dates.ts';
import type { CandleSegment } from '../../../../src/store/duckdb/connection/candle-segment.ts';
import {
  type MarketDb,
  openMarketForWriting,
} from '../../../../src/store/duckdb/connection/open.ts';
import { runReadOnlySql } from '../../../../src/store/duckdb/connection/query.ts';
import {
  type LoadResult,
  loadCandleBatch,
} from '../../../../src/store/duckdb/load/load-candles.ts';
import type { SecurityChange } from '../../../../src/store/duckdb/securities/change-securities.ts';
import { freshFolder } from '../../../support/folders.ts';
import { delistSecurity, renameSecurity } from '../../../support/state-facts.ts';

export * from './segments.ts';

export const NOW_MS = Date.parse('2026-07-01T12:00:00Z');

/** Paths of a mode in a folder of its own without a store, removed when the test ends. */
export function emptyPaths(): ModePaths {
  return modePaths(freshFolder(), 'live');
}

/** A copy of the bytes that a new store has: making its tables is most of what a small test takes. */
const NEW_STORE = await newStore();

async function newStore(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'tapeworks-'));
  const paths = modePaths(folder, 'live');
  (await openMarketForWriting(paths, { verb: 'test', nowMs: NOW_MS })).close();
  const bytes = readFileSync(paths.market);
  rmSync(folder, { recursive: true });
  return bytes;
}

/** Puts a store without data there. */
export function putNewStore(paths: ModePaths): ModePaths {
  mkdirSync(paths.root, { recursive: true });
  writeFileSync(paths.market, NEW_STORE);
  return paths;
}

/** Paths of a mode in a folder of its own with a store without data, removed when the test ends. */
export function freshPaths(): ModePaths {
  return putNewStore(emptyPaths());
}

/** One for all stores of a process: to open another takes three times as long as to attach a file. */
const INSTANCE = DuckDBInstance.create(':memory:', { threads: '1' }).then(async (instance) => {
  const connection = await instance.connect();
  // A checkpoint of a store that goes at once takes as long as to attach it.
  await connection.run('PRAGMA disable_checkpoint_on_shutdown');
  connection.closeSync();
  return instance;
});
let attachedCount = 0;

interface AttachedStore extends AsyncDisposable {
  db: MarketDb;
  paths: ModePaths;
}

/** Attaches a new store, which is not under the writer lock. */
async function attachedStore(): Promise<AttachedStore> {
  const folder = mkdtempSync(join(tmpdir(), 'tapeworks-'));
  const paths = putNewStore(modePaths(folder, 'live'));
  const instance = await INSTANCE;
  const name = `store${attachedCount++}`;
  const keeper = await instance.connect();
  await keeper.run(`ATTACH '${paths.market}' AS ${name}`);
  const connect = async () => {
    const connection = await instance.connect();
    await connection.run(`USE ${name}`);
    return connection;
  };
  const connection = await connect();
  const close = () => connection.closeSync();
  const db: MarketDb = { connection, connect, close, [Symbol.dispose]: close };
  const remove = async () => {
    close();
    await keeper.run(`DETACH ${name}`);
    keeper.closeSync();
    rmSync(folder, { recursive: true });
  };
  return { db, paths, [Symbol.asyncDispose]: remove };
}

/** An open store in a folder of its own, closed when the test ends. */
export async function freshStore(): Promise<MarketDb> {
  const store = await attachedStore();
  onTestFinished(() => store[Symbol.asyncDispose]());
  return store.db;
}

/** An open store for all tests of a file that only read it, filled before the first of them. */
export function useStore(fill: (db: MarketDb) => Promise<unknown>): () => MarketDb {
  let store: AttachedStore;
  beforeAll(async () => {
    store = await attachedStore();
    await fill(store.db);
  });
  afterAll(() => store[Symbol.asyncDispose]());
  return () => store.db;
}

/**
 * Returns the result of `work` for a store of its own, which is closed and removed right after it.
 */
export async function withStore<T>(
  work: (db: MarketDb, paths: ModePaths) => Promise<T>,
): Promise<T> {
  await using store = await attachedStore();
  return await work(store.db, store.paths);
}

export async function load(db: MarketDb, segment: CandleSegment): Promise<LoadResult> {
  return (await loadCandleBatch(db, [{ segment }], NOW_MS))[0];
}

/** Rows of a query as arrays. */
export async function query(db: MarketDb, sql: string): Promise<unknown[][]> {
  const { columns, rows } = await runReadOnlySql(db, sql);
  return rows.map((row) => columns.map((column) => row[column]));
}

/** Renames a security from a date on. */
export function rename(
  db: MarketDb,
  from: string,
  to: string,
  on: string,
): Promise<SecurityChange> {
  return renameSecurity(db, { from, to, day: dayFromDate(on), nowMs: NOW_MS });
}

/** Delists a security after a date. */
export function delist(db: MarketDb, symbol: string, on: string): Promise<SecurityChange> {
  return delistSecurity(db, { symbol, day: dayFromDate(on), nowMs: NOW_MS });
}
