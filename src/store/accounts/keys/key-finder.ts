import type { DatabaseSync } from 'node:sqlite';
import type { ValidKey } from './key-record.ts';
import { type ValidKeyRow, validKey } from './key-rows.ts';
import { hashFromRawKey } from './raw-key.ts';

/** Returns the look-up of keys for admission, which is synchronous. */
export function createKeyFinder(db: DatabaseSync) {
  // Each column is named: a key whose row lacks `expires_at` would never expire.
  const selectValid = (column: 'hash' | 'keys.id') =>
    db.prepare(
      `SELECT keys.seq AS seq, keys.id AS id, account AS account, mode AS mode,
            keys.scopes AS scopes, keys.limit_requests AS limit_requests,
            keys.limit_window_s AS limit_window_s, expires_at AS expires_at,
            accounts.seq AS account_seq, accounts.limit_requests AS plan_requests,
            accounts.limit_window_s AS plan_window_s, tokens_per_day AS tokens_per_day,
            accounts.scopes AS plan_scopes, suspended_at AS suspended_at
     FROM keys JOIN accounts ON accounts.id = keys.account
     WHERE ${column} = ? AND revoked_at IS NULL`,
    );
  const selectByHash = selectValid('hash');
  const selectById = selectValid('keys.id');

  return {
    /** Finds the key with this text unless it is unknown or revoked. */
    findKey(rawKey: string): ValidKey | undefined {
      const row = selectByHash.get(hashFromRawKey(rawKey));
      return row && validKey(row as unknown as ValidKeyRow);
    },
    /** Finds the key with this id unless it is unknown or revoked. */
    findKeyById(id: string): ValidKey | undefined {
      const row = selectById.get(id);
      return row && validKey(row as unknown as ValidKeyRow);
    },
  };
}
