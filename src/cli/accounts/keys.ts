/**
 * `keys create
 * list
 * revoke`: first keys and emergencies; works while a server runs.
 */

import type { Command } from 'commander';
import { settingsFromEnv } from '../../base/config/config.ts';
import { accountsPath } from '../../base/config/data-dir.ts';
import { type RateLimit, rateLimitFromText } from '../../base/config/values.ts';
import type { Plan } from '../../store/sqlite/keys/account-record.ts';
import type { OperatorKeyRow } from '../../store/sqlite/keys/key-record.ts';
import { createOutput, fittedTableLines } from '../output.ts';
import { keyMode, limitText, modeText, openAccountsStore } from './accounts-store.ts';

interface CreateOptions {
  mode: string;
  label: string;
  scopes: string;
  account: string;
  limit?: string;
  json?: boolean;
}

async function createKey(options: CreateOptions): Promise<void> {
  const mode = keyMode(options.mode);
  const accounts = await openAccountsStore();
  try {
    const { account } = options;
    const limit = limitFromOption(options.limit, accounts.findAccount(account)?.plan);
    const scopes = options.scopes.split(',').map((scope) => scope.trim());
    const key = accounts.createKey({ mode, label: options.label, scopes, account, limit });
    createOutput(options.json === true).result(key, [
      `key: ${key.rawKey}`,
      `id: ${key.id}`,
      `rate limit: ${limit === undefined ? 'that of the account' : limitText(limit)}`,
      'The key is shown this once; only its hash is kept.',
    ]);
  } finally {
    accounts.close();
  }
}

/** Reads the limit. Without the option the limit of the account's tier applies, if it has one. */
function limitFromOption(
  text: string | undefined,
  plan: Plan | undefined,
): RateLimit | null | undefined {
  if (text !== undefined) return text === 'none' ? null : rateLimitFromText(text, '--limit');
  return plan?.rateLimit ? undefined : null;
}

async function listKeys({ account, json }: { account?: string; json?: boolean }): Promise<void> {
  const { listStoredKeys } = await import('../../store/sqlite/keys/stored-keys.ts');
  const { dataDir } = settingsFromEnv(process.env);
  const keys = listStoredKeys(accountsPath(dataDir), account) ?? (await upgradedKeys(account));
  const rows = keys.map((key) => [
    key.id,
    modeText(key.mode),
    key.account,
    key.label,
    key.lastUsedAt?.slice(0, 10) ?? 'never',
    stateText(key),
  ]);
  const heading = ['ID', 'MODE', 'ACCOUNT', 'LABEL', 'LAST USED', 'STATE'];
  const lines = keys.length === 0 ? ['no keys'] : fittedTableLines([heading, ...rows], [2, 3]);
  createOutput(json === true).result(keys, lines);
}

/** Reads keys from a store opened for writing, which upgrades an older schema. */
async function upgradedKeys(account: string | undefined): Promise<OperatorKeyRow[]> {
  const accounts = await openAccountsStore();
  try {
    return accounts.listKeys(account);
  } finally {
    accounts.close();
  }
}

function stateText({ revokedAt, expiresAt }: OperatorKeyRow): string {
  if (revokedAt) return 'revoked';
  if (!expiresAt) return 'active';
  return Date.parse(expiresAt) <= Date.now() ? 'expired' : `to ${expiresAt.slice(0, 10)}`;
}

async function revokeKey(id: string, options: { json?: boolean }): Promise<void> {
  const accounts = await openAccountsStore();
  try {
    const key = accounts.revokeKey(id);
    createOutput(options.json === true).result(key, [`${id} is revoked`]);
  } finally {
    accounts.close();
  }
}

export function registerKeys(program: Command): void {
  const keys = program.command('keys').description('create, list and revoke API keys');
  keys
    .command('create')
    .description('create a key and print it (shown only once)')
    .requiredOption('--mode <mode>', 'live or test (sandbox data)')
    .requiredOption('--label <label>', 'what the key is for, 1 to 100 characters')
    .requiredOption('--scopes <scopes>', 'comma-separated scopes, or all')
    .option('--account <account>', 'account of the key; created if it does not exist', 'default')
    .option('--limit <limit>', 'rate limit REQUESTS/SECONDS, or none (default: none, or the plan)')
    .option('--json', 'print one JSON document')
    .action(createKey);
  keys
    .command('list')
    .description('list all keys, revoked ones too; --json has scopes, limits and times')
    .option('--account <account>', 'only keys of this account')
    .option('--json', 'print one JSON document')
    .action(listKeys);
  keys
    .command('revoke')
    .description('revoke a key by its id')
    .argument('<id>', 'key_…')
    .option('--json', 'print one JSON document')
    .action(revokeKey);
}
