import { describe, expect, it } from 'vitest';
import { onFailpoint } from '../../../../src/base/failpoints.ts';
import { limits } from '../../../../src/base/limits.ts';
import type { ValidKey } from '../../../../src/store/accounts/keys/key-record.ts';
import { useLimits } from '../../../support/use-limits.ts';
import { overDatabases, START_MS } from '../support/use-accounts.ts';

const KEYS_MAX = 10;
useLimits(limits.key, { perAccountMax: KEYS_MAX });

overDatabases((fixture) => {
  const OPEN_PLAN = { rateLimit: null, tokensPerDay: null, scopes: null, keyDays: null };

  describe('accounts', () => {
    it('have an id, a label and a plan that bounds nothing unless it says so', async () => {
      const account = await fixture.accounts.createAccount({ label: 'Acme' });
      expect(account).toEqual({
        id: expect.stringMatching(/^acct_[0-9A-Za-z]{20}$/),
        label: 'Acme',
        plan: OPEN_PLAN,
        createdAt: '2026-01-05T12:00:00.000Z',
        suspendedAt: null,
      });
      expect(await fixture.accounts.findAccount(account.id)).toEqual(account);
    });

    it('refuse an id that breaks its rule, and one that exists', async () => {
      const make = (id: string) => fixture.accounts.createAccount({ id, label: 'x' });
      for (const id of ['', '.x', 'a b', 'x'.repeat(65), 'ä', '../x']) {
        await expect(make(id), id).rejects.toThrow(/^id must be/);
      }
      await make('acme');
      await expect(make('acme')).rejects.toThrow('exists');
    });

    it('are made by a key that names a new one', async () => {
      await fixture.validKey({ account: 'acme' });
      expect(await fixture.accounts.findAccount('acme')).toMatchObject({
        label: 'acme',
        plan: OPEN_PLAN,
      });
      await expect(fixture.validKey({ account: 'no good' })).rejects.toThrow(/^account must be/);
    });

    it('raise the version for other threads after the commit, not before', async () => {
      const { accounts } = fixture;
      await accounts.createAccount({ id: 'acme', label: 'Acme' });
      const before = accounts.version();
      const atCommit: number[] = [];
      onFailpoint((name) => name === 'commit accounts' && atCommit.push(accounts.version()));
      try {
        await accounts.changeAccount('acme', { isSuspended: true });
      } finally {
        onFailpoint(undefined);
      }
      expect(atCommit).toEqual([before]);
      expect(accounts.version()).not.toBe(before);
    });

    it('change what is named and keep the rest', async () => {
      const plan = { tokensPerDay: 5, scopes: ['quotes:read' as const] };
      await fixture.accounts.createAccount({ id: 'acme', label: 'Acme', plan });
      const changed = await fixture.accounts.changeAccount('acme', {
        plan: { tokensPerDay: null, rateLimit: { requests: 2, windowS: 1 } },
      });
      expect(changed).toMatchObject({
        label: 'Acme',
        plan: { ...OPEN_PLAN, scopes: ['quotes:read'], rateLimit: { requests: 2, windowS: 1 } },
        suspendedAt: null,
      });
      expect(await fixture.accounts.changeAccount('nobody', {})).toBeUndefined();
    });

    it('keep the first time of suspension, and lose it when they are free again', async () => {
      await fixture.accounts.createAccount({ id: 'acme', label: 'Acme' });
      const times: unknown[] = [];
      for (const isSuspended of [true, true, undefined, false]) {
        const account = await fixture.accounts.changeAccount('acme', { isSuspended });
        fixture.clock.nowMs += 1000;
        times.push(account?.suspendedAt);
      }
      expect(times).toEqual([...Array(3).fill('2026-01-05T12:00:00.000Z'), null]);
    });

    it('are listed newest first, in parts that neither skip nor repeat', async () => {
      const ids = ['a', 'b', 'c', 'd', 'e'];
      for (const id of ids) await fixture.accounts.createAccount({ id, label: id });
      const first = await fixture.accounts.listAccounts({ limit: 2 });
      await fixture.accounts.createAccount({ id: 'f', label: 'f' });
      const second = await fixture.accounts.listAccounts({ limit: 2, beforeSeq: first.lastSeq });
      const third = await fixture.accounts.listAccounts({ limit: 2, beforeSeq: second.lastSeq });
      const parts = [first, second, third];
      expect(parts.flatMap(({ rows }) => rows.map(({ id }) => id))).toEqual([...ids].reverse());
      expect(parts.map(({ hasMore, total }) => [hasMore, total])).toEqual([
        [true, 5],
        [true, 6],
        [false, 6],
      ]);
    });
  });

  describe('the plan of an account', () => {
    const key = (change = {}) => fixture.validKey({ account: 'acme', ...change });

    it('gives its keys limit, tokens and an end', async () => {
      const plan = { rateLimit: { requests: 2, windowS: 1 }, tokensPerDay: 9, keyDays: 30 };
      await fixture.accounts.createAccount({ id: 'acme', label: 'Acme', plan });
      expect(await key()).toMatchObject({
        limit: { requests: 2, windowS: 1 },
        tokensPerDay: 9,
        isSuspended: false,
        expiresMs: START_MS + 30 * 86_400_000,
      });
      expect((await key({ limit: { requests: 7, windowS: 7 } })).limit).toEqual({
        requests: 7,
        windowS: 7,
      });
      expect((await fixture.accounts.listKeys('acme'))[0].expiresAt).toBe(
        '2026-02-04T12:00:00.000Z',
      );
    });

    it('bounds the scopes of its keys, also of those that exist', async () => {
      const before = await fixture.accounts.createKey({
        ...{ mode: 'live', account: 'acme', label: 'x', scopes: ['quotes:read', 'news:read'] },
      });
      await fixture.accounts.changeAccount('acme', { plan: { scopes: ['news:read', 'etf:read'] } });
      expect(fixture.accounts.findKey(before.rawKey)?.scopes).toEqual(new Set(['news:read']));
      expect((await key({ scopes: ['all'] })).scopes).toEqual(new Set(['news:read', 'etf:read']));
      await expect(key({ scopes: ['quotes:read'] })).rejects.toThrow("of the account's plan");
    });

    it('has an end to the number of keys, revoked ones apart', async () => {
      const made: ValidKey[] = [];
      for (let i = 0; i < KEYS_MAX; i++) made.push(await key());
      await expect(key()).rejects.toThrow(`has ${KEYS_MAX} keys`);
      expect(await key({ mode: 'sandbox' })).toBeDefined();
      await fixture.accounts.revokeKey(made[0].id);
      expect(await key()).toBeDefined();
    });

    it('is seen by other processes at once, and changes the version', async () => {
      const other = fixture.openOther();
      await other.refresh();
      const version = other.version();
      await fixture.accounts.createAccount({ id: 'acme', label: 'Acme' });
      await other.refresh();
      expect(other.version()).not.toBe(version);
      const { rawKey } = await other.createKey({
        ...{ mode: 'live', account: 'acme', label: 'x', scopes: ['all'] },
      });
      await fixture.accounts.changeAccount('acme', { isSuspended: true });
      await other.refresh();
      expect(other.findKey(rawKey)?.isSuspended).toBe(true);
    });
  });

  describe('own keys', () => {
    it('are revoked only by their account in their mode', async () => {
      const { id } = await fixture.validKey({ account: 'acme' });
      const { accounts } = fixture;
      expect(await accounts.revokeOwnKey('other', 'live', id)).toBe(false);
      expect(await accounts.revokeOwnKey('acme', 'sandbox', id)).toBe(false);
      expect(await accounts.revokeOwnKey('acme', 'live', 'key_none')).toBe(false);
      expect((await accounts.listKeys('acme'))[0].revokedAt).toBeNull();
      const revoke = () => accounts.revokeOwnKey('acme', 'live', id);
      expect([await revoke(), await revoke()]).toEqual([true, true]);
      expect((await accounts.listKeys('acme'))[0].revokedAt).toBe('2026-01-05T12:00:00.000Z');
    });

    it('show their labels as they were given, and refuse some', async () => {
      const labels = ['1', '𝒳'.repeat(100), 'مفتاح', 'नमस्ते', '👩\u200d🔧', 'e\u0301', '東京 2'];
      for (const label of labels) await fixture.validKey({ label });
      expect((await fixture.accounts.listKeys()).map(({ label }) => label)).toEqual(labels);
      for (const label of ['a\nb', 'مفتاح\u200f']) {
        await expect(fixture.validKey({ label })).rejects.toThrow(/^label must/);
      }
    });
  });
});
