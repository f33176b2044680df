import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CorruptDataError } from '../../../src/base/errors.ts';
import { openAccounts } from '../../../src/store/sqlite/accounts.ts';
import { damagedRows } from '../../../src/store/sqlite/row-mac.ts';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tapeworks-'));
  path = join(folder, 'accounts.sqlite');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Changes a row as damage would: past the triggers. */
function damage(sql: string): void {
  const db = new DatabaseSync(path);
  const triggers = db.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all();
  for (const { name } of triggers) db.exec(`DROP TRIGGER ${name}`);
  db.exec(sql);
  for (const trigger of triggers) db.exec(String(trigger.sql));
  db.close();
}

function damaged(): string[] {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    return damagedRows(db).map(({ table, id }) => `${table} ${id}`);
  } finally {
    db.close();
  }
}

function filled() {
  const accounts = openAccounts(path);
  accounts.createAccount({ id: 'a', label: 'A' });
  accounts.createAccount({ id: 'b', label: 'B' });
  const key = accounts.createKey({
    account: 'a',
    mode: 'live',
    label: 'k',
    scopes: ['quotes:read'],
  });
  const url = 'https://example.com/hook';
  const hook = { account: 'a', mode: 'live', url, events: ['data.ready'] } as const;
  const webhook = accounts.createWebhook({ ...hook, events: [...hook.events] });
  accounts.close();
  return { key, webhook };
}

describe('a row that does not match its MAC', () => {
  it.each(["url = 'https://evil.example/'", "account = 'b'"])(
    'of a webhook, or its account, gets nothing of what waits for it: %s',
    (change) => {
      for (const sql of [
        `UPDATE webhooks SET ${change}`,
        "UPDATE accounts SET suspended_at = NULL, label = 'other'",
      ]) {
        rmSync(folder, { recursive: true });
        mkdirSync(folder);
        filled();
        const accounts = openAccounts(path);
        const occurred = { occurredAtMs: 0, symbols: undefined, data: {} };
        accounts.addEvents('live', [{ id: 'e', type: 'data.ready', ...occurred }]);
        const later = openAccounts(path, () => Date.now() + 60_000);
        damage(sql);
        expect(later.claimDeliveries(10), sql).toEqual([]);
        later.close();
        accounts.close();
      }
    },
  );

  it('of a key grants nothing, whatever was changed, and is named', () => {
    const { key } = filled();
    for (const change of [
      "scopes = 'quotes:read candles:read'",
      "account = 'b'",
      "mode = 'sandbox'",
      'limit_requests = 1000000, limit_window_s = 1',
      'expires_at = 9999999999999',
      'mac = NULL',
    ]) {
      damage(`UPDATE keys SET ${change}`);
      expect(damaged(), change).toEqual([`keys ${key.id}`]);
      const accounts = openAccounts(path);
      expect(() => accounts.findKey(key.rawKey), change).toThrow(CorruptDataError);
      expect(() => accounts.listKeys(), change).toThrow(key.id);
      expect(() => accounts.revokeKey(key.id), change).toThrow(CorruptDataError);
      accounts.close();
    }
  });

  it('of an account grants nothing to its keys', () => {
    const { key } = filled();
    damage("UPDATE accounts SET tokens_per_day = 5 WHERE id = 'a'");
    const accounts = openAccounts(path);
    expect(() => accounts.findKey(key.rawKey)).toThrow('table accounts');
    expect(() => accounts.changeAccount('a', { label: 'other' })).toThrow(CorruptDataError);
    expect(accounts.findAccount('b')?.label).toBe('B');
    accounts.close();
    expect(damaged()).toEqual(['accounts a']);
  });

  it('of a webhook is sent nothing', () => {
    const { webhook } = filled();
    damage("UPDATE webhooks SET url = 'https://evil.example/'");
    const accounts = openAccounts(path);
    expect(() => accounts.findWebhook('a', 'live', webhook.id)).toThrow(CorruptDataError);
    expect(accounts.subscriptions('live')).toEqual([]);
    accounts.close();
    expect(damaged()).toEqual([`webhooks ${webhook.id}`]);
  });
});

it('rows that are changed as they should be stay whole', () => {
  const { key, webhook } = filled();
  const accounts = openAccounts(path);
  accounts.changeAccount('a', { label: 'other' });
  accounts.rotateSecret('a', 'live', webhook.id);
  accounts.revokeKey(key.id);
  accounts.close();
  expect(damaged()).toEqual([]);
});
