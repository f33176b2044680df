/** The file `past.sqlite` next to published files: its tables. */

import { join } from 'node:path';
import type { Manifest } from './manifest-types.ts';

export const PAST_NAME = 'past.sqlite';

export function pastPath(folder: string): string {
  return join(folder, PAST_NAME);
}

/**
 * `versions`: the published version has no tables yet, those before it have. `tables`: bodies of
 * Arrow files by their names. `replaced`: rows of a series that version `until` was the last to
 * have. Its series was rows [0, prefix) of the next version, then `rows`, then those of the next
 * version from `resume` on, up to `count` rows.
 */
export const PAST_SCHEMA = `
  CREATE TABLE IF NOT EXISTS versions (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL, createdMs INTEGER NOT NULL, tables TEXT,
    ends BLOB) STRICT;
  CREATE TABLE IF NOT EXISTS tables (name TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS replaced (
    until INTEGER NOT NULL, symbol TEXT NOT NULL, interval TEXT NOT NULL, prefix INTEGER NOT NULL,
    resume INTEGER NOT NULL, count INTEGER NOT NULL, rows BLOB) STRICT;
  CREATE INDEX IF NOT EXISTS replaced_of_series ON replaced (symbol, interval, until);`;

/** Small tables of a version, from which its facts, names and quotes are read; and its newest load. */
export type KeptTables = { seq: number } & Pick<
  Manifest,
  'symbols' | 'actions' | 'quotes' | 'directory'
> & {
    series: NonNullable<Manifest['intraday']>['series'] | undefined;
  };

export interface VersionRow {
  number: number;
  id: string;
  createdMs: number;
  /** `KeptTables` as JSON; null for the published version, empty for one that is not kept. */
  tables: string | null;
  /**
   * Time of the newest bar of each series in microseconds, NaN without bars: of days by number of
   * the symbol, then of intraday series by theirs.
   */
  ends: Uint8Array | null;
}

export interface ReplacedRow {
  until: number;
  prefix: number;
  resume: number;
  count: number;
  rows: Uint8Array | null;
}
