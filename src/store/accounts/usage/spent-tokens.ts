/**
 * Tokens that accounts have spent on a day (UTC) in a mode, exact over all threads of a server.
 * Tokens that a thread has not posted when it dies stay counted until the day ends.
 */

import type { DatabaseSync } from 'node:sqlite';
import { MODES } from '../../../base/config/data-dir.ts';
import type { ValidKey } from '../keys/key-record.ts';
import type { CountMemory } from './count-memory.ts';
import { countLimits } from './limits.ts';
import { createWindowCounters } from './window-counters.ts';

type Spender = Pick<ValidKey, 'account' | 'accountNumber' | 'mode'>;

/** Days are numbered in 20 bits; no account is allowed 2⁴⁴ tokens. */
const COUNT_BITS = 44;

/** Tokens of an account in a mode on a day. */
const OWN_SUM = `SELECT coalesce(sum(tokens), 0) AS tokens FROM usage
     WHERE account = :account AND mode = :mode AND day = :day`;

/** @param sum Query of the tokens in the database, with the names of `OWN_SUM`. */
export function createSpentTokens(db: DatabaseSync, memory: CountMemory, sum = OWN_SUM) {
  const pending = createWindowCounters(memory.pendingTokens, COUNT_BITS);
  const stored = createWindowCounters(memory.storedTokens, COUNT_BITS);
  const sumTokens = db.prepare(sum);
  const dataVersion = db.prepare('PRAGMA data_version');
  let version = -1;
  /** Spenders whose tokens this thread has written, with the newest day. */
  const known = new Map<number, { spender: Spender; day: number }>();

  const cellOf = ({ accountNumber, mode }: Spender) =>
    (accountNumber % countLimits.accountsMax) * MODES.length + MODES.indexOf(mode);
  const sumOf = ({ account, mode }: Spender, day: number) =>
    Number(sumTokens.get({ account, mode, day })?.tokens);

  return {
    add: (spender: Spender, day: number, tokens: number) =>
      void pending.add(cellOf(spender), day, tokens),
    used(spender: Spender, day: number): number {
      const cell = cellOf(spender);
      let storedCount = stored.get(cell, day);
      if (storedCount === undefined) {
        storedCount = sumOf(spender, day);
        stored.put(cell, day, storedCount);
      }
      return storedCount + (pending.get(cell, day) ?? 0);
    },
    /** Moves counted tokens to those in the database, once they are written. */
    written(spender: Spender, day: number, tokens: number): void {
      const cell = cellOf(spender);
      known.set(cell, { spender, day });
      pending.add(cell, day, -tokens);
      // Undefined until the first `used` of the day, which reads the database.
      if (stored.get(cell, day) !== undefined) stored.add(cell, day, tokens);
    },
    /** Reads the database again if another process has written to it, or the caller has. */
    refresh(isChanged = false): void {
      const newest = Number(dataVersion.get()?.data_version);
      if (newest === version && !isChanged) return;
      version = newest;
      for (const [cell, { spender, day }] of known) {
        if (stored.get(cell, day) === undefined) known.delete(cell);
        else stored.put(cell, day, sumOf(spender, day));
      }
    },
  };
}
