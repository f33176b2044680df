/** `keys create`, `keys list`, `keys revoke`: first keys and emergencies; works while a server runs. */

import type { Command } from 'commander';
import { settingsFromEnv } from '../../base/config/config.ts';
import { accountsPlace } from '../../base/config/data-dir.ts';
import { type RateLimit, rateLimitFromText } from '../../base/config/values.ts';
import { wallMs } from '../../base/world/clock.ts';
import { process } from '../../base/world/process.ts';
import type { OperatorKeyRow } from '../../store/accounts/keys/key-record.ts';
import type { AccountRecords } from '../../store/accounts/records/contract.ts';
import { createOutput, tableLines } from '../output.ts';
import {
  type KeyMode,
  keyModeOption,
  limitText,
  modeOfKey,
  orNone,
  withAccounts,
} from './accounts-store.ts';

interface CreateOptions {
  mode: KeyMode;
  label: string;
  scopes: string;
  account: string;
  limit?: RateLimit | 'none';
  json?: boolean;
}

async function createKey(options: CreateOptions): Promise<void> {
  const { label, account, json } = options;
  const scopes = options.scopes.split(',').map((scope) => scope.trim());
  await withAccounts(async (accounts) => {
    // Without the option the limit of the account's plan applies, if it has one.
    const plan = (await accounts.findAccount(account))?.plan;
    const { limit: given = plan?.rateLimit ? undefined : 'none' } = options;
    const limit = given === 'none' ? null : given;
    const key = await accounts.createKey({
      mode: modeOfKey(options.mode),
      label,
      scopes,
      account,
      limit,
    });
    createOutput(json).result(key, [
      `key: ${key.rawKey}`,
      `id: ${key.id}`,
      `rate limit: ${limit === undefined ? 'that of the account' : limitText(limit)}`,
      'The key is shown this once; only its hash is kept.',
    ]);
  });
}

async function listKeys({ account, json }: { account?: string; json?: boolean }): Promise<void> {
  const { readAccounts } = await import('../../store/accounts/open.ts');
  const { dataDir } = settingsFromEnv(process.env);
  // An older schema is upgraded by opening the store for writing.
  const list = (accounts: AccountRecords) => accounts.listKeys(account);
  const keys = (await readAccounts(accountsPlace(dataDir), list)) ?? (await withAccounts(list));
  const rows = keys.map((key) => [
    key.id,
    key.mode === 'live' ? 'live' : 'test',
    key.account,
    key.label,
    key.lastUsedAt?.slice(0, 10) ?? 'never',
    stateText(key),
  ]);
  const heading = ['ID', 'MODE', 'ACCOUNT', 'LABEL', 'LAST USED', 'STATE'];
  const lines = keys.length === 0 ? ['no keys'] : tableLines([heading, ...rows], [2, 3]);
  createOutput(json).result(keys, lines);
}

function stateText({ revokedAt, expiresAt }: OperatorKeyRow): string {
  if (revokedAt) return 'revoked';
  if (!expiresAt) return 'active';
  return Date.parse(expiresAt) <= wallMs() ? 'expired' : `to ${expiresAt.slice(0, 10)}`;
}

async function revokeKey(id: string, options: { json?: boolean }): Promise<void> {
  const key = await withAccounts((accounts) => accounts.revokeKey(id));
  createOutput(options.json).result(key, [`${id} is revoked`]);
}

export function registerKeys(program: Command): void {
  const keys = program.command('keys').description('create, list and revoke API keys');
  keys
    .command('create')
    .description('create a key and print it (shown only once)')
    .addOption(keyModeOption('live or test (sandbox data)').makeOptionMandatory())
    .requiredOption('--label <label>', 'what the key is for, 1 to 100 characters')
    .requiredOption('--scopes <scopes>', 'comma-separated scopes, or all')
    .option('--account <account>', 'account of the key; created if it does not exist', 'default')
    .option(
      '--limit <limit>',
      'rate limit REQUESTS/SECONDS, or none (default: none, or the plan)',
      orNone((text) => rateLimitFromText(text, '--limit')),
    )
    .action(createKey);
  keys
    .command('list')
    .description('list all keys, revoked ones too; --json has scopes, limits and times')
    .option('--account <account>', 'only keys of this account')
    .action(listKeys);
  keys
    .command('revoke')
    .description('revoke a key by its id')
    .argument('<id>', 'key_…')
    .action(revokeKey);
}
