/** Store, modes and limits for `keys` and `accounts`. */

import { settingsFromEnv } from '../../base/config/config.ts';
import { accountsPath, type Mode } from '../../base/config/data-dir.ts';
import type { RateLimit } from '../../base/config/values.ts';
import { UsageError } from '../../base/errors.ts';
import type { Accounts } from '../../store/sqlite/accounts.ts';

/** Opens the store, also while a server runs. */
export async function openAccountsStore(): Promise<Accounts> {
  const { openAccounts } = await import('../../store/sqlite/accounts.ts');
  return openAccounts(accountsPath(settingsFromEnv(process.env).dataDir));
}

/**
 * Reads the mode of a key by the name in its prefix. @throws {UsageError} `text` is not such a
 * mode.
 */
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
