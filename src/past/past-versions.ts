/** Finds versions that were replaced, in the file next to the published one. */

import type { StatementSync } from 'node:sqlite';
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
  /** Rows that were replaced, by those of `after` from the same row up to `resume`. */
  start: number;
  end: number;
  resume: number;
}

/** @param folder The serving folder of one mode. */
export function pastVersions(folder: string): PastVersions {
  const path = pastPath(folder);
  let file: PastFile | undefined;
  /** By ids; those used last stay in memory. */
  const opened = new Map<string, BarsSnapshot>();
  /** Versions that were found while one was published. */
  let found: { publishedId: string; spans: VersionSpan[] } = { publishedId: '', spans: [] };
  const close = () => {
    file?.opened[Symbol.dispose]();
    file = undefined;
    opened.clear();
    found = { publishedId: '', spans: [] };
  };
  const hasFile = (published: Snapshot): boolean => {
    // Another file may have taken its place.
    if (file && !isOf(file, published)) close();
    file ??= existsSync(path) ? pastFile(openSqlite(path)) : undefined;
    return file !== undefined && isOf(file, published);
  };
  const find = (timeMs: number, published: Snapshot): BarsSnapshot => {
    if (found.publishedId !== published.id) found = { publishedId: published.id, spans: [] };
    const { spans } = found;
    const known = spans.find(({ createdMs, nextMs }) => createdMs <= timeMs && timeMs < nextMs);
    const kept = known && opened.get(keyOf(known, published));
    if (kept) return kept;
    const isKnown = hasFile(published);
    const span = isKnown ? findVersion(file!, timeMs, published) : undefined;
    if (!span) throw tooEarly(isKnown ? file!.opened : undefined, timeMs, published);
    if (span.isEmptied) throw emptied(file!.opened, span.number, timeMs);
    const version = openRow(span, published);
    found = { ...found, spans: [span, ...spans].slice(0, limits.past.versionsMax) };
    return version;
  };
  const keyOf = ({ id }: VersionName, published: Snapshot) => `${id} ${published.id}`;
  const openRow = (row: VersionName, published: Snapshot): BarsSnapshot => {
    const key = keyOf(row, published);
    const version = opened.get(key) ?? openPast(file!, row.number, published);
    opened.delete(key);
    opened.set(key, version);
    if (opened.size > limits.past.versionsMax) opened.delete(opened.keys().next().value!);
    return version;
  };
  return {
    replacements(symbol, interval, published) {
      if (!hasFile(published)) return [];
      const versionOf = (number: number) => file!.row.get(number) as VersionRow | undefined;
      const newest = numberInId(published.id);
      const rows = file!.opened.database
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

/** The file with the statements that each request needs: to prepare them takes most of their time. */
interface PastFile {
  opened: OpenSqlite;
  knows: StatementSync;
  newestBy: StatementSync;
  row: StatementSync;
}

function pastFile(opened: OpenSqlite): PastFile {
  const { database } = opened;
  return {
    opened,
    knows: database.prepare('SELECT 1 FROM versions WHERE id = ?'),
    // Without the tables, which a version in memory has read.
    newestBy: database.prepare(
      `SELECT number, id, createdMs, tables = '' AS isEmptied,
         (SELECT min(createdMs) FROM versions WHERE number > v.number) AS nextMs
       FROM versions v WHERE createdMs <= ? AND number < ? ORDER BY number DESC LIMIT 1`,
    ),
    row: database.prepare('SELECT * FROM versions WHERE number = ?'),
  };
}

/** Returns true if the file knows the published version, and so all changes up to it. */
function isOf({ knows }: PastFile, { id }: Snapshot): boolean {
  return knows.get(id) !== undefined;
}

type VersionName = Pick<VersionRow, 'number' | 'id'>;

/** A version with the time from which on a later one was served. */
interface VersionSpan extends VersionName {
  createdMs: number;
  nextMs: number;
  isEmptied: number;
}

function findVersion(
  { newestBy }: PastFile,
  timeMs: number,
  published: Snapshot,
): VersionSpan | undefined {
  return newestBy.get(timeMs, numberInId(published.id)) as VersionSpan | undefined;
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

function openPast(file: PastFile, number: number, published: Snapshot): PastVersion {
  const version = file.row.get(number) as unknown as VersionRow;
  const { id, createdMs } = version;
  const { database } = file.opened;
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
