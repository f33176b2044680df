/** Records what a publish replaces, before it is published: see `src/past/README.md`. */

import { DatabaseSync } from 'node:sqlite';
import { BAR_FIELDS, type BarColumns, barRows } from '../../../base/bars.ts';
import { CorruptDataError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import { newYorkDay, newYorkMidnightMs } from '../../../base/time/calendar.ts';
import {
  SERVED_INTERVALS,
  STORED_INTERVALS,
  type StoredInterval,
} from '../../../base/time/intervals.ts';
import { renameSync, rmSync } from '../../../base/world/files.ts';
import { snapshotId } from '../format/manifest.ts';
import type { Manifest } from '../format/manifest-types.ts';
import { packed, packedBars, packedNumbers } from '../format/packed.ts';
import { type KeptTables, PAST_SCHEMA, pastPath } from '../format/past-file.ts';
import { readBody } from '../format/table-file.ts';
import type { OpenLayer } from '../read/layer.ts';
import { openVersion } from '../read/open-version.ts';
import type { PublishedVersion } from '../read/published-version.ts';

interface Replacement {
  folder: string;
  /** Undefined if there is none, or if it is damaged. */
  published: Manifest | undefined;
  next: Manifest;
  /** True if the next version has the same rows in other places. */
  isCompaction: boolean;
  /** The published version, if it is open: its files are shared and stay open. */
  open: PublishedVersion | undefined;
}

/**
 * Keeps what the next version replaces in the published one. History begins anew if the published
 * version is not the one that was recorded last, or can't be read.
 */
export function recordPast(replacement: Replacement): void {
  const path = pastPath(replacement.folder);
  try {
    record(path, replacement);
  } catch (error) {
    if (error instanceof CorruptDataError) {
      record(path, { ...replacement, published: undefined });
      return;
    }
    // SQLITE_CORRUPT and SQLITE_NOTADB: a damaged history must not stop what is published.
    const { errcode = 0 } = error as { errcode?: number };
    if (![11, 26].includes(errcode & 0xff)) throw error;
    for (const ending of ['-wal', '-shm']) rmSync(path + ending, { force: true });
    renameSync(path, `${path}.damaged`);
    record(path, replacement);
  }
}

function record(path: string, replacement: Replacement): void {
  const { published, next } = replacement;
  const database = new DatabaseSync(path, { timeout: limits.accounts.busyTimeoutMs });
  try {
    database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; ${PAST_SCHEMA}`);
    database.exec('BEGIN IMMEDIATE');
    if (published) recordReplaced(database, { ...replacement, published });
    else forget(database);
    insertVersion(database, next);
    if (published && newYorkDay(published.createdMs) !== newYorkDay(next.createdMs)) {
      thin(database, next.createdMs);
    }
    database.exec('COMMIT');
  } finally {
    // A transaction that did not end is rolled back.
    database.close();
  }
}

function forget(database: DatabaseSync): void {
  database.exec('DELETE FROM versions; DELETE FROM tables; DELETE FROM replaced');
}

/**
 * Empties the versions of old days, but for the last one of each day and those between which rows
 * changed. Minutes publish hundreds of times a day, and each time with other quotes.
 */
function thin(database: DatabaseSync, nowMs: number): void {
  const beforeMs = newYorkMidnightMs(newYorkDay(nowMs) - limits.past.wholeDays);
  const old = database
    .prepare(
      "SELECT number, createdMs FROM versions WHERE createdMs < ? AND tables <> '' ORDER BY 1",
    )
    .all(beforeMs) as { number: number; createdMs: number }[];
  const changed = database.prepare('SELECT 1 FROM replaced WHERE until IN (?, ?)');
  const empty = database.prepare("UPDATE versions SET tables = '', ends = NULL WHERE number = ?");
  for (const [i, { number, createdMs }] of old.entries()) {
    const next = old[i + 1];
    const isLast = next === undefined || newYorkDay(next.createdMs) !== newYorkDay(createdMs);
    if (!isLast && !changed.get(number, number - 1)) empty.run(number);
  }
  database.exec(`DELETE FROM tables WHERE name NOT IN (
    SELECT json_extract(part.value, '$.name') FROM versions, json_each(versions.tables) AS part
    WHERE versions.tables <> '' AND part.type = 'object')`);
}

function insertVersion(database: DatabaseSync, { version, createdMs, ...rest }: Manifest): void {
  database
    .prepare('INSERT INTO versions (number, id, createdMs) VALUES (?, ?, ?)')
    .run(version, snapshotId({ version, createdMs, ...rest }), createdMs);
}

function recordReplaced(
  database: DatabaseSync,
  { folder, published, next, isCompaction, open }: Replacement & { published: Manifest },
): void {
  const { version } = published;
  // Remains of a publish that was killed before its swap.
  database.prepare('DELETE FROM versions WHERE number > ?').run(version);
  database.prepare('DELETE FROM replaced WHERE until >= ?').run(version);
  const known = database.prepare('SELECT id FROM versions WHERE number = ?').get(version);
  if (known?.id !== snapshotId(published)) {
    forget(database);
    insertVersion(database, published);
  }
  const before = openVersion(folder, published, open).requireWhole();
  const after = openVersion(folder, next, before);
  try {
    keepTables(database, folder, before);
    if (isCompaction) return;
    const insert = database.prepare('INSERT INTO replaced VALUES (?, ?, ?, ?, ?, ?, ?)');
    for (const { symbol, interval } of changedSeries(before, after)) {
      const gone = replacedRows(before, after, symbol, interval);
      if (!gone) continue;
      const { prefix, resume, count, rows } = gone;
      const bytes = rows.close.length > 0 ? packedBars(rows) : null;
      insert.run(version, symbol, interval, prefix, resume, count, bytes);
    }
  } finally {
    if (!open) {
      after.close();
      before.close();
    }
  }
}

/** Keeps the small tables of a version, and the time of the newest bar of each series. */
function keepTables(database: DatabaseSync, folder: string, before: PublishedVersion): void {
  const { symbols, actions, quotes, directory, intraday, version, seq } = before.manifest;
  const refs = { symbols, actions, quotes, directory, series: intraday?.series };
  const tables: KeptTables = { seq, ...refs };
  const isKept = database.prepare('SELECT 1 FROM tables WHERE name = ?');
  const keep = database.prepare('INSERT INTO tables VALUES (?, ?)');
  for (const ref of Object.values(refs)) {
    if (!ref || isKept.get(ref.name)) continue;
    keep.run(ref.name, packed(new Uint8Array(readBody(folder, ref))));
  }
  database
    .prepare('UPDATE versions SET tables = ?, ends = ? WHERE number = ?')
    .run(JSON.stringify(tables), packedNumbers(endsOf(before)), version);
}

function endsOf(version: PublishedVersion): Float64Array {
  const { names } = version.directory;
  const part = version.intradayPart;
  const ends = new Float64Array(names.length + (part?.seriesCount ?? 0)).fill(Number.NaN);
  const endUs = (symbol: string, interval: StoredInterval) =>
    Number(version.lastTimestamp(symbol, interval) ?? Number.NaN);
  for (const [number, name] of names.entries()) {
    if (name !== '') ends[number] = endUs(name, '1d');
  }
  for (const { number } of part?.series() ?? []) {
    const { symbol, interval } = part!.facts(number)!;
    ends[names.length + number] = endUs(symbol, interval);
  }
  return ends;
}

interface SeriesName {
  symbol: string;
  interval: StoredInterval;
}

/** Yields the series of a version whose rows may differ in the next one. */
function* changedSeries(before: PublishedVersion, after: PublishedVersion): Generator<SeriesName> {
  for (const interval of STORED_INTERVALS) {
    const names = namesOf(before, interval);
    const fresh = freshLayers(before, after, interval);
    for (const [symbol, number] of names) {
      const now = namesOf(after, interval).get(symbol);
      const isSame = now === number && fresh !== undefined;
      const place = SERVED_INTERVALS.indexOf(interval);
      if (isSame && !fresh.some((layer) => layer.hasParts(place, number))) continue;
      yield { symbol, interval };
    }
  }
}

/** Returns the numbers of the symbols of an interval. */
function namesOf(
  { directory, intradayPart }: PublishedVersion,
  interval: StoredInterval,
): Pick<ReadonlyMap<string, number>, 'get'> & Iterable<[string, number]> {
  if (interval !== '1d') return intradayPart?.symbols(interval) ?? new Map();
  return directory.numbers;
}

/** Returns the layers over those of before; undefined if these were written again. */
function freshLayers(
  before: PublishedVersion,
  after: PublishedVersion,
  interval: StoredInterval,
): readonly OpenLayer[] | undefined {
  const [older, newer] = [before, after].map((version) =>
    interval === '1d' ? version.layers : (version.intradayPart?.layers ?? []),
  );
  const isKept = older.every((layer, i) => newer[i] === layer);
  return isKept ? newer.slice(older.length) : undefined;
}

interface GoneRows {
  prefix: number;
  resume: number;
  count: number;
  rows: BarColumns;
}

/** Returns the rows that the next version has no more; undefined if it has all, from the first on. */
function replacedRows(
  before: PublishedVersion,
  after: PublishedVersion,
  symbol: string,
  interval: StoredInterval,
): GoneRows | undefined {
  const [count, countNow] = [before, after].map((version) => version.rowCount(symbol, interval));
  // Appended rows leave the others in their place, so that nothing is read.
  const start = before.sharedRows(after, symbol, interval);
  if (start === count) return undefined;
  const old = before.bars(symbol, interval, { start, end: count });
  const now = after.bars(symbol, interval, { start, end: countNow });
  const shared = Math.min(count, countNow) - start;
  const [oldColumns, nowColumns] = [bitsOf(old), bitsOf(now)];
  const isEqual = (row: number, other: number) =>
    oldColumns.every((column, i) => column[row] === nowColumns[i][other]);
  let prefix = 0;
  while (prefix < shared && isEqual(prefix, prefix)) prefix++;
  if (start + prefix === count) return undefined;
  const [last, lastNow] = [count - start - 1, countNow - start - 1];
  let behind = 0;
  while (behind < shared - prefix && isEqual(last - behind, lastNow - behind)) behind++;
  const rows = barRows(old, prefix, last + 1 - behind);
  return { prefix: start + prefix, resume: countNow - behind, count, rows };
}

/** Returns the columns as integers: equal bits are equal, also of NaN and of zeros. */
function bitsOf(bars: BarColumns): BigInt64Array[] {
  const others = BAR_FIELDS.map((name) => bars[name]);
  return [
    bars.timestampUs,
    ...others.map(
      ({ buffer, byteOffset, length }) => new BigInt64Array(buffer, byteOffset, length),
    ),
  ];
}
