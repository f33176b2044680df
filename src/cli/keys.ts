/** `keys create|list|revoke`: first keys and emergencies, beside a running server too. */

import type { Command } from 'commander';
import { settingsFromEnv } from '../config.ts';
import { type RateLimit, rateLimitFromText } from '../config-values.ts';
import { accountsPath } from '../data-dir.ts';
import { UsageError } from '../errors.ts';
import type { OperatorKeyRow } from '../store/accounts/key-record.ts';
import { createOutput, tableLines } from './output.ts';

interface CreateOptions {
  mode: string;
  label: string;
  scopes: string;
  account: string;
  limit?: string;
  json?: boolean;
}

async function openAccountsStore() {
  const { openAccounts } = await import('../store/accounts/accounts.ts');
  return openAccounts(accountsPath(settingsFromEnv(process.env).dataDir));
}

async function createKey(options: CreateOptions): Promise<void> {
  if (options.mode !== 'live' && options.mode !== 'test') {
    throw new UsageError(`--mode must be live or test, got "${options.mode}"`);
  }
  const accounts = await openAccountsStore();
  try {
    const key = accounts.createKey({
      mode: options.mode === 'live' ? 'live' : 'sandbox',
      label: options.label,
      scopes: options.scopes.split(',').map((scope) => scope.trim()),
      account: options.account,
      limit: limitFromOption(options.limit),
    });
    createOutput(options.json === true).result(key, [
      `key: ${key.rawKey}`,
      `id: ${key.id}`,
      'The key is shown this once; only its hash is kept.',
    ]);
  } finally {
    accounts.close();
  }
}

/** Without the option the server's own limit holds. */
function limitFromOption(text: string | undefined): RateLimit | null | undefined {
  if (text === undefined) return undefined;
  return text === 'none' ? null : rateLimitFromText(text, '--limit');
}

async function listKeys(options: { json?: boolean }): Promise<void> {
  const accounts = await openAccountsStore();
  try {
    const keys = accounts.listKeys();
    const rows = keys.map((key) => [
      key.id,
      `${key.keyPrefix}…`,
      key.account,
      key.label,
      key.scopes.join(','),
      key.createdAt,
      key.lastUsedAt ?? 'never used',
      stateText(key),
    ]);
    const heading = ['id', 'key', 'account', 'label', 'scopes', 'created', 'last used', 'state'];
    createOutput(options.json === true).result(keys, tableLines([heading, ...rows]));
  } finally {
    accounts.close();
  }
}

function stateText({ revokedAt, expiresAt }: OperatorKeyRow): string {
  if (revokedAt) return `revoked ${revokedAt}`;
  return expiresAt ? `until ${expiresAt}` : 'active';
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
    .option('--limit <limit>', 'rate limit REQUESTS/SECONDS, like 600/60, or none')
    .option('--json', 'print one JSON document')
    .action(createKey);
  keys
    .command('list')
    .description('list all keys, including revoked ones')
    .option('--json', 'print one JSON document')
    .action(listKeys);
  keys
    .command('revoke')
    .description('revoke a key by its id')
    .argument('<id>', 'key_…')
    .option('--json', 'print one JSON document')
    .action(revokeKey);
}
