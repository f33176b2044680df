/** Webhooks, in the table `webhooks`. */

import type { Mode } from '../../../base/config/data-dir.ts';
import { ParameterError } from '../../../base/errors.ts';
import {
  type FilterName,
  filterOfColumn,
  type ScreenerNumber,
  type ScreenerText,
} from '../../../base/fields.ts';
import { limits } from '../../../base/limits.ts';
import type { SymbolExpression } from '../../../base/symbol-expression.ts';
import { isoOrNull } from '../../../base/time/dates.ts';
import { countOf, createLister, type ListPlace } from '../database/list-part.ts';
import type { Sql } from '../database/sql.ts';
import { randomRecordId } from '../keys/raw-key.ts';
import { screenSeq } from '../screens/screen-store.ts';
import type { EventType } from './event-record.ts';
import type {
  NewWebhook,
  ScreenerState,
  ScreenerWebhook,
  Webhook,
  WebhookScreener,
  WebhookWithSecret,
} from './webhook-record.ts';
import { randomWebhookSecret, type SecretVault } from './webhook-secret.ts';

interface WebhookTableRow {
  seq: number;
  id: string;
  account: string;
  url: string;
  events: string;
  symbols: string | null;
  description: string | null;
  screener: string | null;
  matched: string | null;
  secret: Uint8Array;
  old_secret: Uint8Array | null;
  old_secret_until: number | null;
  created_at: number;
  disabled_at: number | null;
  disabled_reason: string | null;
  screener_error: string | null;
  screen_id: string | null;
  screen_name: string | null;
}

/** All columns, and those of the saved screen that the webhook names. */
const COLUMNS = `webhooks.*,
  (SELECT id FROM screens WHERE screens.seq = webhooks.screen) AS screen_id,
  (SELECT name FROM screens WHERE screens.seq = webhooks.screen) AS screen_name`;

/** Returns the webhooks of accounts; in each call, ids of other accounts are unknown. */
export function createWebhookStore(sql: Sql, now: () => number, vault: SecretVault) {
  const insert = `INSERT INTO webhooks (id, account, mode, url, events, symbols, description, screener, screen,
                           secret, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
  const isOwn = 'id = ? AND account = ? AND mode = ? AND stream_until IS NULL';
  const selectOwn = `SELECT ${COLUMNS} FROM webhooks WHERE ${isOwn}`;
  const select = `SELECT * FROM webhooks WHERE id = ?`;
  const own = 'FROM webhooks WHERE account = ? AND mode = ? AND stream_until IS NULL';
  const part = createLister(sql, { columns: COLUMNS, list: own }, webhookFromRow);
  const remove = `DELETE FROM webhooks WHERE ${isOwn}`;
  const replaceSecret =
    'UPDATE webhooks SET secret = ?, old_secret = ?, old_secret_until = ? WHERE id = ?';
  const selectScreeners = `SELECT ${COLUMNS} FROM webhooks JOIN accounts ON accounts.id = webhooks.account
     WHERE mode = ? AND screener IS NOT NULL AND disabled_at IS NULL AND suspended_at IS NULL
       AND (stream_until IS NULL OR stream_until > ?)
     ORDER BY screened_at NULLS FIRST, webhooks.seq`;
  const selectNewest =
    'SELECT * FROM webhooks WHERE stream_until IS NULL ORDER BY seq DESC LIMIT 1';
  const updateMatched = 'UPDATE webhooks SET matched = ? WHERE id = ?';
  const updateError = 'UPDATE webhooks SET screener_error = ? WHERE id = ?';
  const rules = { lock: 'records', isDurable: true } as const;
  const updateTried = 'UPDATE webhooks SET screened_at = ? WHERE id = ?';

  const findRow = (tx: Sql, account: string, mode: Mode, id: string) =>
    tx.get<WebhookTableRow>(selectOwn, id, account, mode);

  async function create(tx: Sql, webhook: NewWebhook): Promise<WebhookWithSecret> {
    const { account, mode, url, events, symbols, description, screener, screen } = webhook;
    const max = limits.webhook.perAccountMax;
    if ((await countOf(tx, own, account, mode)) >= max) {
      throw new ParameterError(
        'url',
        `account has ${max} webhooks in ${mode} mode: delete some first`,
      );
    }
    // Each machine must sign with the key of the others, and not make one.
    const other = vault.isShared ? await tx.get<WebhookTableRow>(selectNewest) : undefined;
    if (other) vault.open(other.id, other.secret);
    const id = randomRecordId('wh');
    const secret = randomWebhookSecret();
    const saved = screen === undefined ? null : await screenSeq(tx, account, mode, screen);
    if (saved === undefined) {
      throw new ParameterError(
        'screen',
        `screen must be the id of a saved screen, got "${screen}"`,
      );
    }
    await tx.run(
      insert,
      ...[id, account, mode, url, events.join(' '), symbols?.join(' ') ?? null],
      ...[description ?? null, screener ? JSON.stringify(screener) : null, saved],
      ...[vault.seal(id, secret), now()],
    );
    return { ...webhookFromRow((await findRow(tx, account, mode, id))!), secret };
  }

  async function rotate(
    tx: Sql,
    account: string,
    mode: Mode,
    id: string,
  ): Promise<WebhookWithSecret | undefined> {
    const row = await findRow(tx, account, mode, id);
    if (!row) return undefined;
    const secret = randomWebhookSecret();
    const untilMs = now() + limits.webhook.oldSecretMs;
    await tx.run(replaceSecret, vault.seal(id, secret), row.secret, untilMs, id);
    return { ...webhookFromRow(row), secret };
  }

  async function secrets(id: string): Promise<string[] | undefined> {
    const row = await sql.get<WebhookTableRow>(select, id);
    if (!row) return undefined;
    const opened = [vault.open(id, row.secret)];
    const hasOld = row.old_secret !== null && Number(row.old_secret_until) > now();
    const old = hasOld ? openOrNothing(vault, id, row.old_secret as Uint8Array) : undefined;
    return old === undefined ? opened : [...opened, old];
  }

  async function setState(tx: Sql, state: ScreenerState): Promise<void> {
    const { webhookId, matched, error, triedMs } = state;
    if (matched) await tx.run(updateMatched, matched.join(' '), webhookId);
    if (error !== undefined) await tx.run(updateError, error, webhookId);
    if (triedMs !== undefined) await tx.run(updateTried, triedMs, webhookId);
  }

  return {
    /**
     * @throws {ParameterError} the account has too many webhooks.
     * @throws {SecretKeyError} the key file is there and holds no key.
     */
    createWebhook: (webhook: NewWebhook): Promise<WebhookWithSecret> =>
      sql.transaction((tx) => create(tx, webhook), rules),
    async findWebhook(account: string, mode: Mode, id: string): Promise<Webhook | undefined> {
      const row = await findRow(sql, account, mode, id);
      return row && webhookFromRow(row);
    },
    listWebhookPart: (account: string, mode: Mode, place: ListPlace) =>
      part([account, mode], place),
    /** Deletes a webhook and its deliveries. @returns false if there is none. */
    deleteWebhook: (account: string, mode: Mode, id: string): Promise<boolean> =>
      sql.transaction(async (tx) => (await tx.run(remove, id, account, mode)) > 0, rules),
    /**
     * Replaces its secret. The old one also signs for `limits.webhook.oldSecretMs`, if it can be
     * read.
     *
     * @throws {SecretKeyError} the key file is there and holds no key.
     */
    rotateSecret: (account: string, mode: Mode, id: string) =>
      sql.transaction((tx) => rotate(tx, account, mode, id), rules),
    /**
     * Returns the secrets that sign it now, newest first; undefined if there is no such webhook.
     *
     * @throws {SecretKeyError} the newest can't be read.
     */
    webhookSecrets: secrets,
    /**
     * Lists active webhooks and streams with a screener, of accounts that are not suspended: first those that
     * have waited longest since they were last tried.
     */
    screenerWebhooks: async (mode: Mode): Promise<ScreenerWebhook[]> =>
      (await sql.all<WebhookTableRow>(selectScreeners, mode, now())).map(screenerFromRow),
    /** Stores results of screeners in one transaction. */
    setScreenerStates: (states: readonly ScreenerState[]): Promise<void> =>
      sql.transaction(async (tx) => {
        for (const state of states) await setState(tx, state);
      }),
  };
}

/** Decrypts an old secret; undefined if the key file was replaced since. */
function openOrNothing(vault: SecretVault, id: string, sealed: Uint8Array): string | undefined {
  try {
    return vault.open(id, sealed);
  } catch {
    return undefined;
  }
}

function webhookFromRow(row: WebhookTableRow): Webhook {
  return {
    id: row.id,
    url: row.url,
    events: row.events.split(' ') as EventType[],
    symbols: row.symbols === null ? null : row.symbols.split(' '),
    description: row.description,
    screener: row.screener === null ? null : screenerFromText(row.screener).query,
    screen: row.screen_id,
    screenerError: row.screener_error,
    createdAt: new Date(row.created_at).toISOString(),
    disabledAt: isoOrNull(row.disabled_at),
    disabledReason: row.disabled_reason,
  };
}

/** @param row A row whose `screener` is not null. */
function screenerFromRow(row: WebhookTableRow): ScreenerWebhook {
  const { id, account, screener, symbols, matched, screen_id: screenId } = row;
  return {
    id,
    account,
    screener: screenerFromText(String(screener)),
    screen: screenId === null ? null : { id: screenId, name: String(row.screen_name) },
    symbols: symbols === null ? null : symbols.split(' '),
    matched: matched === null ? undefined : matched.split(' ').filter((symbol) => symbol !== ''),
    error: row.screener_error,
  };
}

/** Parses a screener; JSON has null for its infinite bounds. */
function screenerFromText(text: string): WebhookScreener {
  const { conditions, filters, ...screener }: StoredScreener = JSON.parse(text);
  const bounded = (filters ?? filtersOf(conditions!)).map((filter) =>
    filter.kind === 'range'
      ? { ...filter, min: filter.min ?? -Infinity, max: filter.max ?? Infinity }
      : filter,
  );
  return { ...screener, filters: bounded };
}

/** Filters as accounts of earlier programs have them. */
interface StoredConditions {
  ranges: { column: ScreenerNumber; min: number; max: number }[];
  texts: { column: ScreenerText; accepted: string[] }[];
  activeSinceDay?: number;
}

type StoredScreener = Omit<WebhookScreener, 'filters'> & {
  filters?: WebhookScreener['filters'];
  conditions?: StoredConditions;
};

function filtersOf({ ranges, texts, activeSinceDay }: StoredConditions): SymbolExpression[] {
  const range = (name: FilterName, min: number, max: number) =>
    ({ kind: 'range', name, min, max }) as const;
  return [
    ...ranges.map(({ column, min, max }) => range(filterOfColumn(column), min, max)),
    ...texts.map(({ column: name, accepted }) => ({ kind: 'text', name, accepted }) as const),
    ...(activeSinceDay === undefined ? [] : [range('last_bar_day', activeSinceDay, Infinity)]),
  ];
}
