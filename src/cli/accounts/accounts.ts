/**
 * `accounts …`: manages accounts, their plans and usage as over HTTP; works while a server runs.
 */

import { type Command, Option } from 'commander';
import { jsonFromAccount } from '../../api/routes/accounts/route.ts';
import { settingsFromEnv } from '../../base/config/config.ts';
import { accountsPath } from '../../base/config/data-dir.ts';
import { type RateLimit, rateLimitFromText } from '../../base/config/values.ts';
import { countText } from '../../base/count-text.ts';
import { TapeworksError, UsageError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { dateFromDay, dayFromMillis } from '../../base/time/dates.ts';
import { wallMs } from '../../base/world/clock.ts';
import { process } from '../../base/world/process.ts';
import type { Account, AccountChange, Plan } from '../../store/accounts/keys/account-record.ts';
import { type Scope, scopesFromNames } from '../../store/accounts/keys/scopes.ts';
import type { KeyUsageRow } from '../../store/accounts/usage/usage-report.ts';
import { dayFor, requireOrder, wholeNumberFor } from '../options.ts';
import { createOutput, tableLines } from '../output.ts';
import {
  type KeyMode,
  keyModeOption,
  limitText,
  modeOfKey,
  orNone,
  withAccounts,
} from './accounts-store.ts';

interface ChangeOptions {
  limit?: RateLimit | 'none';
  tokens?: number | 'none';
  scopes?: Scope[] | 'none';
  keyDays?: number | 'none';
  label?: string;
  json?: boolean;
}

interface CreateOptions extends ChangeOptions {
  label: string;
  id?: string;
}

/** Row of usage with a date. */
type DatedUsage = Omit<KeyUsageRow, 'day'> & { day: string };

interface UsageOptions {
  mode: KeyMode;
  account?: string;
  key?: string;
  /** Day numbers. */
  from?: number;
  to?: number;
  json?: boolean;
}

/** Returns the named limits; `none` removes one. */
function planFromOptions({ limit, tokens, scopes, keyDays }: ChangeOptions): Partial<Plan> {
  const plan = { rateLimit: limit, tokensPerDay: tokens, scopes, keyDays };
  const named = Object.entries(plan).filter(([, value]) => value !== undefined);
  return Object.fromEntries(named.map(([name, value]) => [name, value === 'none' ? null : value]));
}

function planRate(text: string) {
  const rate = rateLimitFromText(text, '--limit');
  const { requestsMax, windowMaxS } = limits.plan;
  if (rate.requests <= requestsMax && rate.windowS <= windowMaxS) return rate;
  throw new UsageError(
    `--limit must be at most ${requestsMax} requests in at most ${windowMaxS} s, got "${text}"`,
  );
}

function found(account: Account | undefined, id: string): Account {
  if (account) return account;
  throw new TapeworksError(`no account "${id}": accounts list shows all`);
}

function tell(account: Account, json: boolean | undefined): void {
  createOutput(json).result(jsonFromAccount(account), accountLines(account));
}

function accountLines({ id, label, plan, createdAt, suspendedAt }: Account): string[] {
  const { rateLimit, tokensPerDay, scopes, keyDays } = plan;
  return [
    `account: ${id}`,
    `label: ${label}`,
    `state: ${suspendedAt ? `suspended since ${suspendedAt}` : 'active'}`,
    `created: ${createdAt}`,
    ...(rateLimit
      ? [`rate limit of each key: ${limitText(rateLimit)}`]
      : [
          "rate limit of each key made over HTTP: the server's own",
          'rate limit of each key made on this machine: none, unless keys create sets one',
        ]),
    `tokens a day: ${tokensPerDay === null ? 'no bound' : countText(tokensPerDay)}`,
    `scopes: ${scopes?.join(', ') ?? 'all that a key is given'}`,
    `new keys expire: ${keyDays === null ? 'never' : `after ${countText(keyDays)} days`}`,
  ];
}

async function listAccounts({ json }: { json?: boolean }): Promise<void> {
  const all = await withAccounts(async (accounts) => {
    const rows: Account[] = [];
    for (let beforeSeq: number | undefined; ; ) {
      const part = await accounts.listAccounts({ beforeSeq, limit: 100 });
      rows.push(...part.rows);
      if (!part.hasMore) return rows;
      beforeSeq = part.lastSeq;
    }
  });
  const rows = all.map(({ id, label, plan, suspendedAt }) => [
    id,
    label,
    plan.rateLimit ? `${plan.rateLimit.requests}/${plan.rateLimit.windowS}` : '-',
    plan.tokensPerDay === null ? '-' : String(plan.tokensPerDay),
    plan.scopes ? String(plan.scopes.length) : 'all',
    plan.keyDays === null ? '-' : String(plan.keyDays),
    suspendedAt ? 'suspended' : 'active',
  ]);
  const heading = ['ID', 'LABEL', 'LIMIT', 'TOKENS', 'SCOPES', 'KEY DAYS', 'STATE'];
  const lines = all.length === 0 ? ['no accounts'] : tableLines([heading, ...rows], [0, 1]);
  createOutput(json).result(all.map(jsonFromAccount), lines);
}

async function createAccount(options: CreateOptions): Promise<void> {
  const { id, label, json } = options;
  const plan = planFromOptions(options);
  tell(await withAccounts((accounts) => accounts.createAccount({ id, label, plan })), json);
}

async function showAccount(id: string, { json }: { json?: boolean }): Promise<void> {
  tell(found(await withAccounts((accounts) => accounts.findAccount(id)), id), json);
}

async function changeAccount(id: string, change: AccountChange, json?: boolean): Promise<void> {
  tell(found(await withAccounts((accounts) => accounts.changeAccount(id, change)), id), json);
}

async function updateAccount(id: string, options: ChangeOptions): Promise<void> {
  const { label, json } = options;
  const plan = planFromOptions(options);
  if (label === undefined && Object.keys(plan).length === 0) {
    throw new UsageError(
      'accounts update needs --label, --limit, --tokens, --scopes or --key-days',
    );
  }
  await changeAccount(id, { label, plan }, json);
}

interface MoveOptions {
  to: 'postgres' | 'embedded';
  json?: boolean;
}

async function moveAll({ to, json }: MoveOptions): Promise<void> {
  const { dataDir, accountsUrl: url } = settingsFromEnv(process.env);
  if (url === undefined) {
    throw new UsageError('accounts move needs TAPEWORKS_ACCOUNTS_URL, the address of Postgres');
  }
  const { moveAccounts } = await import('../../store/accounts/move.ts');
  const moved = await moveAccounts(to, { path: accountsPath(dataDir), url });
  const rows = Object.entries(moved).map(([table, count]) => [table, countText(count)]);
  const next =
    to === 'postgres'
      ? 'Start the servers with TAPEWORKS_ACCOUNTS_URL.'
      : 'Start the server without TAPEWORKS_ACCOUNTS_URL.';
  createOutput(json).result(moved, [...tableLines([['TABLE', 'ROWS'], ...rows], [0]), next]);
}

async function showUsage(options: UsageOptions): Promise<void> {
  const { account, key, to: toDay = dayFromMillis(wallMs()), json } = options;
  const { rowsMax, daysDefault } = limits.usage;
  const { from: fromDay = toDay - daysDefault + 1 } = options;
  requireOrder(fromDay, toDay);
  const mode = modeOfKey(options.mode);
  const filter = { mode, fromDay, toDay, account, keyId: key, rowsMax: rowsMax + 1 };
  const found = await withAccounts((accounts) => accounts.dailyKeyUsage(filter));
  if (found.length > rowsMax) {
    throw new UsageError(`--from and --to must span at most ${rowsMax} rows of usage`);
  }
  const usage = found.map((row) => ({ ...row, day: dateFromDay(row.day) }));
  const lines = usage.length === 0 ? ['no usage'] : usageLines(usage);
  createOutput(json).result(usage, lines);
}

/**
 * Formats usage: a line for each day and key above its requests, as one table would be too wide.
 */
function usageLines(usage: readonly DatedUsage[]): string[] {
  const rows = [['REQUEST', 'CALLS', 'ERRORS', 'TOKENS']];
  let last = '';
  for (const { day, account, keyId, method, endpoint, ...counts } of usage) {
    const heading = `${day}  ${account}  ${keyId}`;
    if (heading !== last) rows.push([heading, '', '', '']);
    last = heading;
    const { callCount, errorCount, tokensUsed } = counts;
    const numbers = [callCount, errorCount, tokensUsed].map(String);
    rows.push([`  ${method} ${endpoint}`, ...numbers]);
  }
  return tableLines(rows, [0]);
}

/** Adds the options that limit an account. */
function withPlan(command: Command): Command {
  const rate = 'REQUESTS/SECONDS of each key without a limit of its own, or none';
  const tokens = wholeNumberFor('--tokens', 0, limits.plan.tokensMax);
  const scopes = (text: string) => scopesFromNames(text.split(',').map((name) => name.trim()));
  const days = wholeNumberFor('--key-days', 1, limits.key.daysMax);
  return command
    .option('--limit <limit>', rate, orNone(planRate))
    .option(
      '--tokens <count>',
      'tokens of all keys together in a day (UTC), or none',
      orNone(tokens),
    )
    .option(
      '--scopes <scopes>',
      'comma list of what its keys may do at most, or none',
      orNone(scopes),
    )
    .option(
      '--key-days <days>',
      'days that a key made from now on is valid, or none',
      orNone(days),
    );
}

export function registerAccounts(program: Command): void {
  const accounts = program
    .command('accounts')
    .description('manage accounts, their plans and usage');
  accounts.command('list').description('list all accounts, newest first').action(listAccounts);
  withPlan(
    accounts
      .command('create')
      .description('create an account; limits that are not given do not apply')
      .requiredOption('--label <label>', 'what people call it, 1 to 100 characters')
      .option('--id <id>', 'letters, digits, ".", "_", "-"; default a random one'),
  ).action(createAccount);
  accounts
    .command('show')
    .description('show one account with its plan')
    .argument('<id>', 'of the account')
    .action(showAccount);
  withPlan(
    accounts
      .command('update')
      .description('change an account; options that are not given stay as they are')
      .argument('<id>', 'of the account')
      .option('--label <label>', 'what people call it, 1 to 100 characters'),
  ).action(updateAccount);
  for (const [verb, description, isSuspended] of [
    ['suspend', 'refuse requests of its keys with 403', true],
    ['resume', 'end a suspension', false],
  ] as const) {
    accounts
      .command(verb)
      .description(description)
      .argument('<id>', 'of the account')
      .action((id: string, { json }: { json?: boolean }) =>
        changeAccount(id, { isSuspended }, json),
      );
  }
  accounts
    .command('move')
    .description('copy all accounts to another database; stop servers and workers first')
    .addOption(
      new Option('--to <database>', 'postgres (of TAPEWORKS_ACCOUNTS_URL) or embedded')
        .choices(['postgres', 'embedded'])
        .makeOptionMandatory(),
    )
    .action(moveAll);
  accounts
    .command('usage')
    .description('show requests, errors and tokens by day and key')
    .addOption(keyModeOption('live or test').default('live'))
    .option('--account <account>', 'only of this account')
    .option('--key <id>', 'only of this key')
    .option('--from <date>', 'first day (UTC); default 30 days up to --to', dayFor('--from'))
    .option('--to <date>', 'last day (UTC); default today', dayFor('--to'))
    .action(showUsage);
}
