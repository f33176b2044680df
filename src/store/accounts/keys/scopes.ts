/** Scopes of keys: one row each, in the order in which responses list them. */

import { ParameterError } from '../../../base/errors.ts';
import { quoted } from '../../../base/quoted.ts';

export const SCOPES = {
  'quotes:read': 'quotes, candles, symbols and corporate actions',
  'fundamentals:read': 'company financials, statements and the screener',
  'technicals:read': 'technical indicators',
  'news:read': 'news articles',
  'analyst:read': 'analyst consensus, price targets and rating changes',
  'earnings:read': 'earnings calendar',
  'insider:read': 'insider transactions',
  'options:read': 'option expirations',
  'sentiment:read': 'market sentiment',
  'etf:read': 'ETF profiles and holdings',
  'ai:read': 'can be granted; guards nothing',
  'developer:read': 'keys and usage of the account',
  'developer:write': 'creating and revoking keys',
  'webhooks:read': 'webhook subscriptions and deliveries',
  'webhooks:write': 'creating, changing and deleting webhook subscriptions',
  'screens:write': 'saving and deleting screens',
  'ingest:write': 'loading data from sources and files; never part of "all"',
  'accounts:write': 'operating the server: accounts and plans; never part of "all"',
} as const;

export type Scope = keyof typeof SCOPES;

export const SCOPE_NAMES = Object.keys(SCOPES) as readonly Scope[];

/** Scopes that `all` does not include: they spend money and disk, or operate the server. */
const NEVER_IN_ALL: readonly Scope[] = ['ingest:write', 'accounts:write'];

/**
 * Parses names of scopes into the order of the table; `all` is every scope except `ingest:write`
 * and `accounts:write`.
 *
 * @throws {ParameterError} `names` is empty or holds an unknown scope.
 */
export function scopesFromNames(names: readonly string[]): Scope[] {
  if (names.length === 0) throw new ParameterError('scopes', 'scopes must name at least one scope');
  const asked = new Set<Scope>();
  for (const name of names) {
    if (name === 'all') {
      for (const scope of SCOPE_NAMES) if (!NEVER_IN_ALL.includes(scope)) asked.add(scope);
    } else if (Object.hasOwn(SCOPES, name)) {
      asked.add(name as Scope);
    } else {
      const known = `all, ${SCOPE_NAMES.join(', ')}`;
      throw new ParameterError('scopes', `scopes must be among ${known}, got ${quoted(name)}`);
    }
  }
  return SCOPE_NAMES.filter((scope) => asked.has(scope));
}
