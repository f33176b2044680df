/** Position of the outbox relay, in the table `relays`. */

import type { DatabaseSync } from 'node:sqlite';
import type { Mode } from '../../../base/config/data-dir.ts';

/** Position in one mode. */
export interface RelayPosition {
  /** Newest load of the market store whose events were relayed. */
  seq: number;
  /** Mark of that load, as `readStoreMark` gives it: a restored store numbers its loads again. */
  storeMark: string;
  /** `Snapshot.id` of the version published then; empty if none was. */
  version: string;
}

export function createRelayStore(db: DatabaseSync) {
  const select = db.prepare('SELECT seq, store_mark, version FROM relays WHERE mode = ?');
  const replace = db.prepare(
    'INSERT OR REPLACE INTO relays (mode, seq, store_mark, version) VALUES (?, ?, ?, ?)',
  );
  return {
    /** Returns the position; undefined if nothing was relayed yet. */
    relayPosition(mode: Mode): RelayPosition | undefined {
      const row = select.get(mode);
      if (!row) return undefined;
      const { seq, store_mark: storeMark, version } = row;
      return { seq: Number(seq), storeMark: String(storeMark), version: String(version) };
    },
    /** Moves the position, in the transaction that stores its events. */
    moveRelay: (mode: Mode, { seq, storeMark, version }: RelayPosition) =>
      void replace.run(mode, seq, storeMark, version),
  };
}
