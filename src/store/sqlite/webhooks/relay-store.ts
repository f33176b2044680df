/** How far publishing has handed events over, in the table `relays`. */

import type { DatabaseSync } from 'node:sqlite';
import type { Mode } from '../../../base/config/data-dir.ts';
import { inTransaction } from '../transaction.ts';

/** What was told of one mode. */
export interface RelayPosition {
  /** The newest load of the market store whose events were handed over. */
  seq: number;
  /** Names that load, as `readStoreMark` does: a store that was restored counts anew. */
  storeMark: string;
  /** `Snapshot.id` of the version that was published then; empty where none was. */
  version: string;
}

export interface RelayStore {
  /** Undefined: nothing was ever handed over. */
  relayPosition(mode: Mode): RelayPosition | undefined;
  /** Does `work` and moves the position: both or neither. */
  advanceRelay(mode: Mode, position: RelayPosition, work: () => void): void;
}

export function createRelayStore(db: DatabaseSync): RelayStore {
  const select = db.prepare('SELECT seq, store_mark, version FROM relays WHERE mode = ?');
  const replace = db.prepare(
    'INSERT OR REPLACE INTO relays (mode, seq, store_mark, version) VALUES (?, ?, ?, ?)',
  );
  return {
    relayPosition(mode) {
      const row = select.get(mode);
      if (!row) return undefined;
      const { seq, store_mark: storeMark, version } = row;
      return { seq: Number(seq), storeMark: String(storeMark), version: String(version) };
    },
    advanceRelay(mode, { seq, storeMark, version }, work) {
      inTransaction(db, () => {
        work();
        replace.run(mode, seq, storeMark, version);
      });
    },
  };
}
