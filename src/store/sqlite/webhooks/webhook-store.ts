/** Webhooks, in the table `webhooks`. */

import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { Mode } from '../../../base/config/data-dir.ts';
import { ParameterError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import { createLister, type ListPart, type ListPlace } from '../database/list-part.ts';
import { inDurableTransaction, inTransaction } from '../database/transaction.ts';
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

const ID_BYTES = 15;

/** All columns, and those of the saved screen that the webhook names. */
const COLUMNS = `webhooks.*,
  (SELECT id FROM screens WHERE screens.seq = webhooks.screen) AS screen_id,
  (SELECT name FROM screens WHERE screens.seq = webhooks.screen) AS screen_name`;

/** Returns the webhooks of accounts; in each call, ids of other accounts are unknown. */
export function createWebhookStore(db: DatabaseSync, now: () => number, vault: SecretVault) {
  const insert = db.prepare(
    `INSERT INTO webhooks (id, account, mode, url, events, symbols, description, screener, screen,
                           secret, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const selectScreen = db.prepare(
    'SELECT seq FROM screens WHERE id = ? AND account = ? AND mode = ?',
  );
  const isOwn = 'id = ? AND account = ? AND mode = ? AND stream_until IS NULL';
  const selectOwn = db.prepare(`SELECT ${COLUMNS} FROM webhooks WHERE ${isOwn}`);
  const select = db.prepare(`SELECT * FROM webhooks WHERE id = ?`);
  const own = 'FROM webhooks WHERE account = ? AND mode = ? AND stream_until IS NULL';
  const part = createLister(db, { columns: COLUMNS, list: own }, webhookFromRow);
  const count = db.prepare(`SELECT count(*) AS total ${own}`);
  const remove = db.prepare(`DELETE FROM webhooks WHERE ${isOwn}`);
  const replaceSecret = db.prepare(
    'UPDATE webhooks SET secret = ?, old_secret = ?, old_secret_until = ? WHERE id = ?',
  );
  const selectScreeners = db.prepare(
    `SELECT ${COLUMNS} FROM webhooks JOIN accounts ON accounts.id = webhooks.account
     WHERE mode = ? AND screener IS NOT NULL AND disabled_at IS NULL AND suspended_at IS NULL
       AND (stream_until IS NULL OR stream_until > ?)
     ORDER BY screened_at NULLS FIRST, webhooks.seq`,
  );
  const updateMatched = db.prepare('UPDATE webhooks SET matched = ? WHERE id = ?');
  const updateError = db.prepare('UPDATE webhooks SET screener_error = ? WHERE id = ?');
  const updateTried = db.prepare('UPDATE webhooks SET screened_at = ? WHERE id = ?');

  const findRow = (account: string, mode: Mode, id: string) =>
    selectOwn.get(id, account, mode) as unknown as WebhookTableRow | undefined;

  function create(webhook: NewWebhook): WebhookWithSecret {
    const { account, mode, url, events, symbols, description, screener, screen } = webhook;
    const max = limits.webhook.perAccountMax;
    if (Number(count.get(account, mode)?.total) >= max) {
      throw new ParameterError(
        'url',
        `account has ${max} webhooks in ${mode} mode: delete some first`,
      );
    }
    const id = `wh_${randomBytes(ID_BYTES).toString('hex')}`;
    const secret = randomWebhookSecret();
    const saved = screen === undefined ? null : selectScreen.get(screen, account, mode)?.seq;
    if (saved === undefined) {
      throw new ParameterError(
        'screen',
        `screen must be the id of a saved screen, got "${screen}"`,
      );
    }
    insert.run(
      ...[id, account, mode, url, events.join(' '), symbols?.join(' ') ?? null],
      ...[description ?? null, screener ? JSON.stringify(screener) : null, saved],
      ...[vault.seal(id, secret), now()],
    );
    return { ...webhookFromRow(findRow(account, mode, id)!), secret };
  }

  function rotate(account: string, mode: Mode, id: string): WebhookWithSecret | undefined {
    const row = findRow(account, mode, id);
    if (!row) return undefined;
    const secret = randomWebhookSecret();
    const untilMs = now() + limits.webhook.oldSecretMs;
    replaceSecret.run(vault.seal(id, secret), row.secret, untilMs, id);
    return { ...webhookFromRow(row), secret };
  }

  function secrets(id: string): string[] | undefined {
    const row = select.get(id) as unknown as WebhookTableRow | undefined;
    if (!row) return undefined;
    const opened = [vault.open(id, row.secret)];
    const hasOld = row.old_secret !== null && Number(row.old_secret_until) > now();
    const old = hasOld ? openOrNothing(vault, id, row.old_secret as Uint8Array) : undefined;
    return old === undefined ? opened : [...opened, old];
  }

  function setState({ webhookId, matched, error, triedMs }: ScreenerState): void {
    if (matched) updateMatched.run(matched.join(' '), webhookId);
    if (error !== undefined) updateError.run(error, webhookId);
    if (triedMs !== undefined) updateTried.run(triedMs, webhookId);
  }

  return {
    /**
     * @throws {ParameterError} the account has too many webhooks.
     * @throws {SecretKeyError} the key file is there and holds no key.
     */
    createWebhook: (webhook: NewWebhook): WebhookWithSecret =>
      inDurableTransaction(db, () => create(webhook)),
    findWebhook(account: string, mode: Mode, id: string): Webhook | undefined {
      const row = findRow(account, mode, id);
      return row && webhookFromRow(row);
    },
    listWebhookPart: (account: string, mode: Mode, place: ListPlace): ListPart<Webhook> =>
      part([account, mode], place),
    /** Deletes a webhook and its deliveries. @returns false if there is none. */
    deleteWebhook: (account: string, mode: Mode, id: string): boolean =>
      inDurableTransaction(db, () => remove.run(id, account, mode).changes > 0),
    /**
     * Replaces its secret. The old one also signs for `limits.webhook.oldSecretMs`, if it can be
     * read.
     *
     * @throws {SecretKeyError} the key file is there and holds no key.
     */
    rotateSecret: (account: string, mode: Mode, id: string): WebhookWithSecret | undefined =>
      inDurableTransaction(db, () => rotate(account, mode, id)),
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
    screenerWebhooks: (mode: Mode): ScreenerWebhook[] =>
      selectScreeners
        .all(mode, now())
        .map((row) => screenerFromRow(row as unknown as WebhookTableRow)),
    /** Stores results of screeners in one transaction. */
    setScreenerStates: (states: readonly ScreenerState[]): void =>
      inTransaction(db, () => states.forEach(setState)),
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
    disabledAt: row.disabled_at === null ? null : new Date(row.disabled_at).toISOString(),
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
  const { conditions, ...screener }: WebhookScreener = JSON.parse(text);
  const ranges = conditions.ranges.map(({ column, min, max }) => ({
    column,
    min: min ?? Number.NEGATIVE_INFINITY,
    max: max ?? Number.POSITIVE_INFINITY,
  }));
  return { ...screener, conditions: { ...conditions, ranges } };
}
