/** Finds versions that were replaced, in the file next to the published one. */

import { CorruptDataError, ParameterError } from '../base/errors.ts';
import { limits } from '../base/limits.ts';
import { type OpenSqlite, openSqlite } from '../base/read-sqlite.ts';
import type { StoredInterval } from '../base/time/intervals.ts';
import { existsSync } from '../base/world/files.ts';
import { numberInId } from '../store/arrow/format/manifest.ts';
import type { TableRef } from '../store/arrow/format/manifest-types.ts';
import { unpacked, unpackedBars, unpackedNumbers } from '../store/arrow/format/packed.ts';
import {
  type KeptTables,
  pastPath,
  type ReplacedRow,
  type VersionRow,
} from '../store/arrow/format/past-file.ts';
import { type TableData, tableFromBody } from '../store/arrow/format/table-file.ts';
import {
  ACTION_TABLE,
  DIRECTORY_TABLE,
  INTRADAY_SERIES_TABLE,
  QUOTE_TABLE,
  SYMBOL_TABLE,
  type TableSpec,
} from '../store/arrow/format/tables.ts';
import type { BarsSnapshot, Snapshot } from '../store/arrow/snapshot/snapshot.ts';
import { SymbolDirectory } from '../store/arrow/snapshot/symbol-directory.ts';
import { PastVersion } from './past-version.ts';

export interface PastVersions {
  /**
   * Returns the version that was served at a moment: the published one, or one before it.
   *
   * @throws {ParameterError} `as_of`: it lies before the versions that are kept.
   * @throws {CorruptDataError} The file is damaged.
   */
  at(timeMs: number, published: Snapshot): BarsSnapshot;
  /** Returns the publishes that replaced rows of a series, the newest first. */
  replacements(symbol: string, interval: StoredInterval, published: Snapshot): Replacement[];
  [Symbol.dispose](): void;
}

/** A publish that replaced rows of a series: the version before, and the one with other rows. */
export interface Replacement {
  before: BarsSnapshot;
  after: BarsSnapshot;
  /** Newest loads of both; undefined for that of the published version. */
  seqs: readonly [before: number, after: number | undefined];
  /** Rows that were replaced, by those of `after` from the same row up to `resume`. */
  start: number;
  end: number;
  resume: number;
}

/** @param folder The serving folder of one mode. */
export function pastVersions(folder: string): PastVersions {
  const path = pastPath(folder);
  let file: OpenSqlite | undefined;
  /** By ids; those used last stay in memory. */
  const opened = new Map<string, BarsSnapshot>();
  const close = () => {
    file?.[Symbol.dispose]();
    file = undefined;
    opened.clear();
  };
  const hasFile = (published: Snapshot): boolean => {
    // Another file may have taken its place.
    if (file && !isOf(file, published)) close();
    file ??= existsSync(path) ? openSqlite(path) : undefined;
    return file !== undefined && isOf(file, published);
  };
  const find = (timeMs: number, published: Snapshot): BarsSnapshot => {
    const isKnown = hasFile(published);
    const row = isKnown ? findVersion(file!, timeMs, published) : undefined;
    if (!row) throw tooEarly(isKnown ? file : undefined, timeMs, published);
    if (row.tables === '') throw emptied(file!, row.number, timeMs);
    return openRow(row, published);
  };
  const openRow = (row: VersionRow, published: Snapshot): BarsSnapshot => {
    const key = `${row.id} ${published.id}`;
    const version = opened.get(key) ?? openPast(file!, row, published);
    opened.delete(key);
    opened.set(key, version);
    if (opened.size > limits.past.versionsMax) opened.delete(opened.keys().next().value!);
    return version;
  };
  return {
    replacements(symbol, interval, published) {
      if (!hasFile(published)) return [];
      const versionOf = (number: number) =>
        file!.database.prepare('SELECT * FROM versions WHERE number = ?').get(number) as
          | VersionRow
          | undefined;
      const newest = numberInId(published.id);
      const rows = file!.database
        .prepare(
          `SELECT until, prefix, resume, count, rows FROM replaced
           WHERE symbol = ? AND interval = ? AND until < ? ORDER BY until DESC`,
        )
        .all(symbol, interval, newest) as unknown as ReplacedRow[];
      return rows.map(({ until, prefix, resume, rows: bytes }): Replacement => {
        const [row, next] = [versionOf(until)!, versionOf(until + 1)];
        const isNewest = until + 1 === newest;
        return {
          before: openRow(row, published),
          after: isNewest ? published : openRow(next!, published),
          seqs: [seqOf(row), isNewest ? undefined : seqOf(next!)],
          start: prefix,
          end: prefix + unpackedBars(bytes).close.length,
          resume,
        };
      });
    },
    at(timeMs, published) {
      if (published.createdMs <= timeMs) return published;
      try {
        return find(timeMs, published);
      } catch (error) {
        if ((error as { code?: string }).code !== 'ERR_SQLITE_ERROR') throw error;
        close();
        throw new CorruptDataError(`"${path}" can't be read`, { cause: error });
      }
    },
    [Symbol.dispose]: close,
  };
}

/** Returns true if the file knows the published version, and so all changes up to it. */
function isOf({ database }: OpenSqlite, { id }: Snapshot): boolean {
  return database.prepare('SELECT 1 FROM versions WHERE id = ?').get(id) !== undefined;
}

function seqOf({ tables }: VersionRow): number {
  return (JSON.parse(tables!) as KeptTables).seq;
}

function findVersion(
  file: OpenSqlite,
  timeMs: number,
  published: Snapshot,
): VersionRow | undefined {
  const found = file.database
    .prepare(
      `SELECT number, id, createdMs, tables, ends FROM versions
       WHERE createdMs <= ? AND number < ? ORDER BY number DESC LIMIT 1`,
    )
    .get(timeMs, numberInId(published.id));
  return found as VersionRow | undefined;
}

function tooEarly(
  file: OpenSqlite | undefined,
  timeMs: number,
  published: Snapshot,
): ParameterError {
  const known = file?.database.prepare('SELECT min(createdMs) AS ms FROM versions').get();
  const firstMs = Number(known?.ms ?? published.createdMs);
  return new ParameterError(
    'as_of',
    `as_of must not lie before ${new Date(firstMs).toISOString()}, the first version that is ` +
      `kept here, got "${new Date(timeMs).toISOString()}"`,
  );
}

function emptied({ database }: OpenSqlite, number: number, timeMs: number): ParameterError {
  const next = database
    .prepare("SELECT min(createdMs) AS ms FROM versions WHERE number > ? AND tables <> ''")
    .get(number);
  return new ParameterError(
    'as_of',
    `as_of must be a moment whose version is kept: of days more than ${limits.past.wholeDays} days ` +
      `ago it is the last one, here that of ${new Date(Number(next!.ms)).toISOString()}, got ` +
      `"${new Date(timeMs).toISOString()}"`,
  );
}

function openPast(file: OpenSqlite, version: VersionRow, published: Snapshot): PastVersion {
  const { number, id, createdMs } = version;
  const { database } = file;
  const refs: KeptTables = JSON.parse(version.tables!);
  const bytesOf = database.prepare('SELECT bytes FROM tables WHERE name = ?');
  const table = <T extends TableSpec>(ref: TableRef, spec: T): TableData<T> => {
    const { bytes } = bytesOf.get(ref.name) as { bytes: Uint8Array };
    return tableFromBody(unpacked(bytes).buffer, ref, spec);
  };
  const replaced = database.prepare(
    `SELECT until, prefix, resume, count, rows FROM replaced
     WHERE symbol = ? AND interval = ? AND until BETWEEN ? AND ? ORDER BY until DESC`,
  );
  const newest = numberInId(published.id) - 1;
  return new PastVersion(published, {
    id,
    createdMs,
    directory: new SymbolDirectory(
      table(refs.symbols, SYMBOL_TABLE),
      table(refs.actions, ACTION_TABLE),
    ),
    listings: table(refs.directory, DIRECTORY_TABLE),
    quotes: table(refs.quotes, QUOTE_TABLE),
    series: refs.series && table(refs.series, INTRADAY_SERIES_TABLE),
    ends: unpackedNumbers(version.ends!),
    replaced: (symbol, interval) =>
      replaced.all(symbol, interval, number, newest) as unknown as ReplacedRow[],
  });
}
