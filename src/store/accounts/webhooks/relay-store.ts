/** Position of the outbox relay, in the table `relays`. */

import type { Mode } from '../../../base/config/data-dir.ts';
import type { Sql } from '../database/sql.ts';

/** Position in one mode. */
export interface RelayPosition {
  /** Newest load of the market store whose events were relayed. */
  seq: number;
  /** Mark of that load, as `readStoreMark` gives it: a restored store numbers its loads again. */
  storeMark: string;
  /** `Snapshot.id` of the version published then; empty if none was. */
  version: string;
}

interface RelayTableRow {
  seq: number;
  store_mark: string;
  version: string;
}

export function createRelayStore(sql: Sql) {
  const select = 'SELECT seq, store_mark, version FROM relays WHERE mode = ?';
  const replace = `INSERT INTO relays (mode, seq, store_mark, version) VALUES (?, ?, ?, ?)
    ON CONFLICT (mode) DO UPDATE SET
      seq = excluded.seq, store_mark = excluded.store_mark, version = excluded.version`;
  return {
    /** Returns the position; undefined if nothing was relayed yet. */
    async relayPosition(mode: Mode): Promise<RelayPosition | undefined> {
      const row = await sql.get<RelayTableRow>(select, mode);
      return row && { seq: row.seq, storeMark: row.store_mark, version: row.version };
    },
    /** Moves the position, in the transaction that stores its events. */
    async moveRelay(mode: Mode, { seq, storeMark, version }: RelayPosition): Promise<void> {
      await sql.run(replace, mode, seq, storeMark, version);
    },
  };
}
