/** Shared by `keys` and `accounts`: the store, and how modes and limits are spelled. */

import { settingsFromEnv } from '../config.ts';
import type { RateLimit } from '../config-values.ts';
import { accountsPath, type Mode } from '../data-dir.ts';
import { UsageError } from '../errors.ts';
import type { Accounts } from '../store/accounts/accounts.ts';

/** Opens it beside a running server too. */
export async function openAccountsStore(): Promise<Accounts> {
  const { openAccounts } = await import('../store/accounts/accounts.ts');
  return openAccounts(accountsPath(settingsFromEnv(process.env).dataDir));
}

/** The mode of a key, as its prefix says it. @throws {UsageError} `text` is no such mode. */
export function keyMode(text: string): Mode {
  if (text === 'live') return 'live';
  if (text === 'test') return 'sandbox';
  throw new UsageError(`--mode must be live or test, got "${text}"`);
}

export function modeText(mode: Mode): string {
  return mode === 'live' ? 'live' : 'test';
}

export function limitText(limit: RateLimit | null): string {
  return limit ? `${limit.requests} requests in ${limit.windowS} s` : 'none';
}
