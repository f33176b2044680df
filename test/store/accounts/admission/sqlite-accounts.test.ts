import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import { ParameterError, TapeworksError } from '../../../../src/base/errors.ts';
import { openAccounts } from '../../../../src/store/accounts/admission/sqlite-accounts.ts';
import { SCOPE_NAMES } from '../../../../src/store/accounts/keys/scopes.ts';
import type { Accounts } from '../../../../src/store/accounts/records/contract.ts';
import { useAccounts } from '../support/use-accounts.ts';

const fixture = useAccounts();
let path: string;
let accounts: Accounts;

beforeEach(() => {
  ({ accounts } = fixture);
  ({ path } = fixture.place);
});

const newKey = { mode: 'live', label: 'laptop', scopes: ['quotes:read'] } as const;

describe('createKey', () => {
  it('answers the fields of the specification and no others', async () => {
    const key = await accounts.createKey(newKey);
    expect(key).toEqual({
      id: expect.stringMatching(/^key_[0-9A-Za-z]{20}$/),
      keyPrefix: key.rawKey.slice(0, 12),
      label: 'laptop',
      scopes: ['quotes:read'],
      rawKey: expect.stringMatching(/^svc_live_[0-9A-Za-z]{33}$/),
      createdAt: '2026-01-05T12:00:00.000Z',
    });
  });

  it('names the sandbox svc_test_', async () => {
    const key = await accounts.createKey({ ...newKey, mode: 'sandbox' });
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
  ])('grants for the scopes %j those in the order of the table', async (scopes, granted) => {
    expect((await accounts.createKey({ ...newKey, scopes })).scopes).toEqual(granted);
  });

  it.each([[['quotes:write']], [['']], [['toString']], [[]]])(
    'refuses scopes %j',
    async (scopes) => {
      await expect(accounts.createKey({ ...newKey, scopes })).rejects.toThrow(ParameterError);
    },
  );

  it('leaves the raw key in no file', async () => {
    const { rawKey } = await accounts.createKey(newKey);
    const random = rawKey.slice('svc_live_'.length + 3);
    for (const name of readdirSync(dirname(path))) {
      const bytes = readFileSync(join(dirname(path), name)).toString('latin1');
      expect(bytes.includes(rawKey) || bytes.includes(random)).toBe(false);
    }
  });
});

describe('findKey', () => {
  it('gives account, mode, scopes and limit', async () => {
    const { id, rawKey } = await accounts.createKey({
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

  it('leaves the limit to the server unless the key has one', async () => {
    expect(accounts.findKey((await accounts.createKey(newKey)).rawKey)?.limit).toBeUndefined();
  });

  it('gives a key without limit one that no client reaches', async () => {
    const { rawKey } = await accounts.createKey({ ...newKey, limit: null });
    expect(accounts.findKey(rawKey)?.limit?.requests).toBe(2 ** 31 - 1);
  });

  it('refuses to revoke a key that does not exist', async () => {
    await expect(accounts.revokeKey('key_none')).rejects.toThrow('got "key_none"');
  });

  it('knows neither other texts nor revoked keys', async () => {
    const { id, rawKey } = await accounts.createKey(newKey);
    expect(accounts.findKey(`${rawKey}x`)).toBeUndefined();
    await accounts.revokeKey(id);
    expect(accounts.findKey(rawKey)).toBeUndefined();
  });
});

describe('listKeys', () => {
  it('shows keys oldest first, without hash or raw key', async () => {
    const first = await accounts.createKey(newKey);
    fixture.clock.nowMs += 1000;
    await accounts.createKey({ ...newKey, label: 'server', limit: null });
    const rows = await accounts.listKeys();
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

  it('keeps revoked keys with the first time of revocation', async () => {
    const { id } = await accounts.createKey(newKey);
    await accounts.revokeKey(id);
    fixture.clock.nowMs += 5000;
    expect(await accounts.revokeKey(id)).toEqual((await accounts.listKeys())[0]);
    expect((await accounts.listKeys())[0].revokedAt).toBe('2026-01-05T12:00:00.000Z');
  });

  it('shows one account where asked', async () => {
    await accounts.createKey(newKey);
    await accounts.createKey({ ...newKey, account: 'acme' });
    expect((await accounts.listKeys('acme')).map((row) => row.account)).toEqual(['acme']);
  });
});

describe('the file', () => {
  it('is shared: another connection sees a new key at once', async () => {
    const other = openAccounts(path);
    const { id, rawKey } = await other.createKey(newKey);
    expect(accounts.findKey(rawKey)?.id).toBe(id);
    await other.close();
  });

  it('has a version that changes with every revocation, here or elsewhere', async () => {
    const other = openAccounts(path);
    const [first, second] = [await accounts.createKey(newKey), await accounts.createKey(newKey)];
    const versions = [accounts.version(), accounts.version()];
    expect(versions[0]).toBe(versions[1]);
    await other.revokeKey(first.id);
    versions.push(accounts.version());
    await accounts.revokeKey(second.id);
    versions.push(accounts.version());
    expect(new Set(versions).size).toBe(3);
    await other.close();
  });

  it('is refused when a newer version wrote it', () => {
    const db = new DatabaseSync(path);
    db.exec('INSERT INTO schema_migrations (version, applied_at) VALUES (99, 0)');
    db.close();
    expect(() => openAccounts(path)).toThrow(TapeworksError);
  });

  it('is created once by processes that start together', async () => {
    const fresh = join(dirname(path), 'fresh', 'accounts.sqlite');
    const module = new URL(
      '../../../../src/store/accounts/admission/sqlite-accounts.ts',
      import.meta.url,
    ).href;
    const code = `
      const { openAccounts } = await import(process.argv[1]);
      const accounts = openAccounts(process.argv[2]);
      await accounts.createKey({ mode: 'live', label: 'twin', scopes: ['all'] });
      await accounts.close();`;
    const run = () =>
      promisify(execFile)(process.execPath, ['--input-type=module', '-e', code, module, fresh]);
    await Promise.all([run(), run(), run()]);
    const opened = openAccounts(fresh);
    expect(await opened.listKeys()).toHaveLength(3);
    await opened.close();
  });
});

describe('cursorSecret', () => {
  it('is the same 32 bytes for every process and after a restart', async () => {
    const secret = accounts.cursorSecret();
    expect(secret).toHaveLength(32);
    const other = openAccounts(path);
    expect(other.cursorSecret()).toEqual(secret);
    await other.close();
    expect(accounts.cursorSecret()).toEqual(secret);
  });
});
