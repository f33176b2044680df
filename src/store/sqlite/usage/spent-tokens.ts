/**
 * Tokens that accounts have used up in a day (UTC) and a mode: what the database had when it was
 * last looked at, and what the threads of this process have counted since.
 */

import type { DatabaseSync } from 'node:sqlite';
import { MODES, type Mode } from '../../../base/config/data-dir.ts';
import { limits } from '../../../base/limits/limits.ts';
import type { CountMemory } from './count-memory.ts';
import { createWindowCounters } from './window-counters.ts';

/** An account in one mode. */
export interface Spender {
  account: string;
  accountNumber: number;
  mode: Mode;
}

export interface SpentTokens {
  /** Counts tokens that are not written yet. */
  add(spender: Spender, day: number, tokens: number): void;
  used(spender: Spender, day: number): number;
  /** Tokens that `add` was told of are in the database now. */
  written(spender: Spender, day: number, tokens: number): void;
  /** Brings what the database has up to date where another process may have written. */
  refresh(): void;
}

/** Days are numbered in 20 bits; no account is allowed 2⁴⁴ tokens. */
const COUNT_BITS = 44;

export function createSpentTokens(db: DatabaseSync, memory: CountMemory): SpentTokens {
  const pending = createWindowCounters(memory.pendingTokens, COUNT_BITS);
  const stored = createWindowCounters(memory.storedTokens, COUNT_BITS);
  const sumTokens = db.prepare(
    `SELECT coalesce(sum(tokens), 0) AS tokens FROM usage
     WHERE account = ? AND mode = ? AND day = ?`,
  );
  // Counts what other connections commit.
  const dataVersion = db.prepare('PRAGMA data_version');
  let version = -1;
  /** Whose tokens this thread has written, with the day of the newest. */
  const known = new Map<number, { spender: Spender; day: number }>();

  const cellOf = ({ accountNumber, mode }: Spender) =>
    (accountNumber % limits.counts.accountsMax) * MODES.length + MODES.indexOf(mode);
  const sumOf = ({ account, mode }: Spender, day: number) =>
    Number(sumTokens.get(account, mode, day)?.tokens);

  return {
    add: (spender, day, tokens) => void pending.add(cellOf(spender), day, tokens),
    used(spender, day) {
      const cell = cellOf(spender);
      let storedCount = stored.get(cell, day);
      if (storedCount === undefined) {
        storedCount = sumOf(spender, day);
        stored.put(cell, day, storedCount);
      }
      return storedCount + (pending.get(cell, day) ?? 0);
    },
    written(spender, day, tokens) {
      const cell = cellOf(spender);
      known.set(cell, { spender, day });
      pending.add(cell, day, -tokens);
      // Nobody has asked where it is undefined, and who does reads the database.
      if (stored.get(cell, day) !== undefined) stored.add(cell, day, tokens);
    },
    refresh() {
      const newest = Number(dataVersion.get()?.data_version);
      if (newest === version) return;
      version = newest;
      for (const [cell, { spender, day }] of known) {
        if (stored.get(cell, day) === undefined) known.delete(cell);
        else stored.put(cell, day, sumOf(spender, day));
      }
    },
  };
}
