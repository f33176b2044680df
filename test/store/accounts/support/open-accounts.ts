/** A fresh `accounts.sqlite` for each test of a file, with a clock that tests move. */

import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { openAccounts } from '../../../../src/store/accounts/admission/sqlite-accounts.ts';
import type { NewKey, ValidKey } from '../../../../src/store/accounts/keys/key-record.ts';
import type { Accounts } from '../../../../src/store/accounts/records/contract.ts';
import { freshFolder } from '../../../support/folders.ts';

export const START_MS = Date.UTC(2026, 0, 5, 12);
export const START_DAY = Date.UTC(2026, 0, 5) / 86_400_000;

export interface AccountsFixture {
  path: string;
  clock: { nowMs: number };
  accounts: Accounts;
  /** A new key as authentication finds it. */
  validKey(key?: Partial<NewKey>): Promise<ValidKey>;
  /** Closes and opens again. */
  reopen(): Promise<void>;
}

export function useAccounts(): AccountsFixture {
  const fixture = {} as AccountsFixture;
  let folder: string;
  const open = () => openAccounts(fixture.path, () => fixture.clock.nowMs);
  beforeEach(() => {
    folder = freshFolder();
    fixture.path = join(folder, 'accounts.sqlite');
    fixture.clock = { nowMs: START_MS };
    fixture.accounts = open();
    fixture.validKey = async (key = {}) => {
      const { rawKey } = await fixture.accounts.createKey({
        mode: 'live',
        label: 'x',
        scopes: ['all'],
        ...key,
      });
      return fixture.accounts.findKey(rawKey) as ValidKey;
    };
    fixture.reopen = async () => {
      await fixture.accounts.close();
      fixture.accounts = open();
    };
  });
  afterEach(() => fixture.accounts.close());
  return fixture;
}
