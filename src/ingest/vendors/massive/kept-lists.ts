/**
 * Lists of splits and dividends of the whole market, kept between runs beside the pace of requests.
 *
 * A run of one evening may ask two questions only, and the bars are one of them: so each evening
 * one of the two lists is asked again, and the other is the one kept. What is kept can be lost: it
 * is then asked anew, whole.
 */

import { DatabaseSync } from 'node:sqlite';
import type { Dividend, Split } from '../../../base/bars.ts';
import { limits } from '../../../base/limits/limits.ts';

/** All that a vendor says of one kind of action from a day on, announced ones included. */
export interface KeptList<Row extends Split | Dividend> {
  /** The list is complete from here on. */
  fromDay: number;
  askedMs: number;
  /** By the vendor's symbol. */
  rows: Map<string, Row[]>;
}

export interface KeptLists {
  read<Row extends Split | Dividend>(name: string): KeptList<Row> | undefined;
  write<Row extends Split | Dividend>(name: string, list: KeptList<Row>): void;
  close(): void;
}

/** @param path From `requestsPath`. */
export function openKeptLists(path: string): KeptLists {
  const database = new DatabaseSync(path, { timeout: limits.accounts.busyTimeoutMs });
  database.exec('CREATE TABLE IF NOT EXISTS kept_lists (name TEXT PRIMARY KEY, list TEXT)');
  const select = database.prepare('SELECT list FROM kept_lists WHERE name = ?');
  const replace = database.prepare('INSERT OR REPLACE INTO kept_lists VALUES (?, ?)');
  return {
    read(name) {
      const row = select.get(name) as { list: string } | undefined;
      if (!row) return undefined;
      const { rows, ...list } = JSON.parse(row.list);
      return { ...list, rows: new Map(rows) };
    },
    write(name, { rows, ...list }) {
      replace.run(name, JSON.stringify({ ...list, rows: [...rows] }));
    },
    close() {
      database.close();
    },
  };
}
