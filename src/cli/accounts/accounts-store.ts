/** Store, modes and limits for `keys` and `accounts`. */

import { Option } from 'commander';
import { settingsFromEnv } from '../../base/config/config.ts';
import { accountsPlace, type Mode } from '../../base/config/data-dir.ts';
import type { RateLimit } from '../../base/config/values.ts';
import { process } from '../../base/world/process.ts';
import type { AccountRecords } from '../../store/accounts/records/contract.ts';

/** Runs work on the store, also while a server runs, and always closes it. */
export async function withAccounts<T>(use: (accounts: AccountRecords) => Promise<T>): Promise<T> {
  const store = await import('../../store/accounts/open.ts');
  return await store.withAccounts(accountsPlace(settingsFromEnv(process.env).dataDir), use);
}

/** Mode of a key, by the name in its prefix. */
export type KeyMode = 'live' | 'test';

export function keyModeOption(description: string): Option {
  return new Option('--mode <mode>', description).choices(['live', 'test']);
}

export const modeOfKey = (mode: KeyMode): Mode => (mode === 'live' ? 'live' : 'sandbox');

export function limitText(limit: RateLimit | null): string {
  return limit ? `${limit.requests} requests in ${limit.windowS} s` : 'none';
}

/** Returns a reader of options that may be `none`. Commander keeps no null. */
export function orNone<T>(read: (text: string) => T): (text: string) => T | 'none' {
  return (text) => (text === 'none' ? 'none' : read(text));
}
