import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import { ParameterError, TapeworksError } from '../../../src/base/errors.ts';
import { type Accounts, openAccounts } from '../../../src/store/sqlite/accounts.ts';
import { SCOPE_NAMES } from '../../../src/store/sqlite/keys/scopes.ts';
import { useAccounts } from './support/open-accounts.ts';

const fixture = useAccounts();
let path: string;
let accounts: Accounts;

beforeEach(() => {
  ({ path, accounts } = fixture);
});

const newKey = { mode: 'live', label: 'laptop', scopes: ['quotes:read'] } as const;

describe('createKey', () => {
  it('answers the fields of the specification and no others', () => {
    const key = accounts.createKey(newKey);
    expect(key).toEqual({
      id: expect.stringMatching(/^key_[0-9A-Za-z]{20}$/),
      keyPrefix: key.rawKey.slice(0, 12),
      label: 'laptop',
      scopes: ['quotes:read'],
      rawKey: expect.stringMatching(/^svc_live_[0-9A-Za-z]{33}$/),
      createdAt: '2026-01-05T12:00:00.000Z',
    });
  });

  it('names the sandbox svc_test_', () => {
    const key = accounts.createKey({ ...newKey, mode: 'sandbox' });
    expect(key.rawKey).toMatch(/^svc_test_/);
    expect(accounts.findKey(key.rawKey)?.mode).toBe('sandbox');
  });

  it.each([
    [['all'], SCOPE_NAMES.filter((name) => !['ingest:write', 'accounts:write'].includes(name))],
    [['accounts:write', 'ingest:write', 'all'], SCOPE_NAMES],
    [
      ['news:read', 'quotes:read', 'news:read'],
      ['quotes:read', 'news:read'],
    ],
  ])('grants for the scopes %j those in the order of the table', (scopes, granted) => {
    expect(accounts.createKey({ ...newKey, scopes }).scopes).toEqual(granted);
  });

  it.each([[['quotes:write']], [['']], [['toString']], [[]]])('refuses scopes %j', (scopes) => {
    expect(() => accounts.createKey({ ...newKey, scopes })).toThrow(ParameterError);
  });

  it('leaves the raw key in no file', () => {
    const { rawKey } = accounts.createKey(newKey);
    const random = rawKey.slice('svc_live_'.length + 3);
    for (const name of readdirSync(dirname(path))) {
      const bytes = readFileSync(join(dirname(path), name)).toString('latin1');
      expect(bytes.includes(rawKey) || bytes.includes(random)).toBe(false);
    }
  });
});

describe('findKey', () => {
  it('gives account, mode, scopes and limit', () => {
    const { id, rawKey } = accounts.createKey({
      ...newKey,
      account: 'acme',
      limit: { requests: 5, windowS: 10 },
    });
    expect(accounts.findKey(rawKey)).toEqual({
      ...{ number: 1, accountNumber: 1 },
      id,
      account: 'acme',
      mode: 'live',
      scopes: new Set(['quotes:read']),
      limit: { requests: 5, windowS: 10 },
      ownLimit: { requests: 5, windowS: 10 },
      tokensPerDay: undefined,
      isSuspended: false,
      expiresMs: Number.POSITIVE_INFINITY,
    });
  });

  it('leaves the limit to the server unless the key has one', () => {
    expect(accounts.findKey(accounts.createKey(newKey).rawKey)?.limit).toBeUndefined();
  });

  it('gives a key without limit one that no client reaches', () => {
    const { rawKey } = accounts.createKey({ ...newKey, limit: null });
    expect(accounts.findKey(rawKey)?.limit?.requests).toBe(2 ** 31 - 1);
  });

  it('refuses to revoke a key that does not exist', () => {
    expect(() => accounts.revokeKey('key_none')).toThrow('got "key_none"');
  });

  it('knows neither other texts nor revoked keys', () => {
    const { id, rawKey } = accounts.createKey(newKey);
    expect(accounts.findKey(`${rawKey}x`)).toBeUndefined();
    accounts.revokeKey(id);
    expect(accounts.findKey(rawKey)).toBeUndefined();
  });
});

describe('listKeys', () => {
  it('shows keys oldest first, without hash or raw key', () => {
    const first = accounts.createKey(newKey);
    fixture.clock.nowMs += 1000;
    accounts.createKey({ ...newKey, label: 'server', limit: null });
    const rows = accounts.listKeys();
    expect(rows.map((row) => row.label)).toEqual(['laptop', 'server']);
    expect(rows[0]).toEqual({
      id: first.id,
      account: 'default',
      mode: 'live',
      keyPrefix: first.keyPrefix,
      label: 'laptop',
      scopes: ['quotes:read'],
      limit: null,
      createdAt: '2026-01-05T12:00:00.000Z',
      expiresAt: null,
      lastUsedAt: null,
      revokedAt: null,
    });
  });

  it('keeps revoked keys with the first time of revocation', () => {
    const { id } = accounts.createKey(newKey);
    accounts.revokeKey(id);
    fixture.clock.nowMs += 5000;
    expect(accounts.revokeKey(id)).toEqual(accounts.listKeys()[0]);
    expect(accounts.listKeys()[0].revokedAt).toBe('2026-01-05T12:00:00.000Z');
  });

  it('shows one account where asked', () => {
    accounts.createKey(newKey);
    accounts.createKey({ ...newKey, account: 'acme' });
    expect(accounts.listKeys('acme').map((row) => row.account)).toEqual(['acme']);
  });
});

describe('the file', () => {
  it('is shared: another connection sees a new key at once', () => {
    const other = openAccounts(path);
    const { id, rawKey } = other.createKey(newKey);
    expect(accounts.findKey(rawKey)?.id).toBe(id);
    other.close();
  });

  it('has a version that changes with every revocation, here or elsewhere', () => {
    const other = openAccounts(path);
    const [first, second] = [accounts.createKey(newKey), accounts.createKey(newKey)];
    const versions = [accounts.version(), accounts.version()];
    expect(versions[0]).toBe(versions[1]);
    other.revokeKey(first.id);
    versions.push(accounts.version());
    accounts.revokeKey(second.id);
    versions.push(accounts.version());
    expect(new Set(versions).size).toBe(3);
    other.close();
  });

  it('is refused when a newer version wrote it', () => {
    const db = new DatabaseSync(path);
    db.exec('INSERT INTO schema_migrations (version, applied_at) VALUES (99, 0)');
    db.close();
    expect(() => openAccounts(path)).toThrow(TapeworksError);
  });

  it('is created once by processes that start together', async () => {
    const fresh = join(dirname(path), 'fresh', 'accounts.sqlite');
    const module = new URL('../../../src/store/sqlite/accounts.ts', import.meta.url).href;
    const code = `
      const { openAccounts } = await import(process.argv[1]);
      const accounts = openAccounts(process.argv[2]);
      accounts.createKey({ mode: 'live', label: 'twin', scopes: ['all'] });
      accounts.close();`;
    const run = () =>
      promisify(execFile)(process.execPath, ['--input-type=module', '-e', code, module, fresh]);
    await Promise.all([run(), run(), run(), run()]);
    const opened = openAccounts(fresh);
    expect(opened.listKeys()).toHaveLength(4);
    opened.close();
  });
});

describe('cursorSecret', () => {
  it('is the same 32 bytes for every process and after a restart', () => {
    const secret = accounts.cursorSecret();
    expect(secret).toHaveLength(32);
    const other = openAccounts(path);
    expect(other.cursorSecret()).toEqual(secret);
    other.close();
    expect(accounts.cursorSecret()).toEqual(secret);
  });
});
