import { describe, expect, it } from 'vitest';
import { onFailpoint } from '../../../../src/base/failpoints.ts';
import { openAccounts } from '../../../../src/store/sqlite/accounts.ts';
import { START_MS, useAccounts } from '../support/open-accounts.ts';

const fixture = useAccounts();

const OPEN_PLAN = { rateLimit: null, tokensPerDay: null, scopes: null, keyDays: null };

describe('accounts', () => {
  it('have an id, a label and a plan that bounds nothing unless it says so', () => {
    const account = fixture.accounts.createAccount({ label: 'Acme' });
    expect(account).toEqual({
      id: expect.stringMatching(/^acct_[0-9A-Za-z]{20}$/),
      label: 'Acme',
      plan: OPEN_PLAN,
      createdAt: '2026-01-05T12:00:00.000Z',
      suspendedAt: null,
    });
    expect(fixture.accounts.findAccount(account.id)).toEqual(account);
  });

  it.each(['', '.x', 'a b', 'x'.repeat(65), 'ä', '../x'])('refuse the id "%s"', (id) => {
    expect(() => fixture.accounts.createAccount({ id, label: 'x' })).toThrow(/^id must be/);
  });

  it('refuse an id that exists', () => {
    fixture.accounts.createAccount({ id: 'acme', label: 'x' });
    expect(() => fixture.accounts.createAccount({ id: 'acme', label: 'y' })).toThrow('exists');
  });

  it('are made by a key that names a new one', () => {
    fixture.validKey({ account: 'acme' });
    expect(fixture.accounts.findAccount('acme')).toMatchObject({ label: 'acme', plan: OPEN_PLAN });
    expect(() => fixture.validKey({ account: 'no good' })).toThrow(/^account must be/);
  });

  it('raise the version for other threads after the commit, not before', () => {
    const { accounts } = fixture;
    accounts.createAccount({ id: 'acme', label: 'Acme' });
    const before = accounts.version();
    const atCommit: number[] = [];
    onFailpoint((name) => name === 'commit accounts' && atCommit.push(accounts.version()));
    try {
      accounts.changeAccount('acme', { isSuspended: true });
    } finally {
      onFailpoint(undefined);
    }
    expect(atCommit).toEqual([before]);
    expect(accounts.version()).not.toBe(before);
  });

  it('change what is named and keep the rest', () => {
    const plan = { tokensPerDay: 5, scopes: ['quotes:read' as const] };
    fixture.accounts.createAccount({ id: 'acme', label: 'Acme', plan });
    const changed = fixture.accounts.changeAccount('acme', {
      plan: { tokensPerDay: null, rateLimit: { requests: 2, windowS: 1 } },
    });
    expect(changed).toMatchObject({
      label: 'Acme',
      plan: { ...OPEN_PLAN, scopes: ['quotes:read'], rateLimit: { requests: 2, windowS: 1 } },
      suspendedAt: null,
    });
    expect(fixture.accounts.changeAccount('nobody', {})).toBeUndefined();
  });

  it('keep the first time of suspension, and lose it when they are free again', () => {
    fixture.accounts.createAccount({ id: 'acme', label: 'Acme' });
    const times = [true, true, undefined, false].map((isSuspended) => {
      const account = fixture.accounts.changeAccount('acme', { isSuspended });
      fixture.clock.nowMs += 1000;
      return account?.suspendedAt;
    });
    expect(times).toEqual([...Array(3).fill('2026-01-05T12:00:00.000Z'), null]);
  });

  it('are listed newest first, in parts that neither skip nor repeat', () => {
    const ids = ['a', 'b', 'c', 'd', 'e'];
    for (const id of ids) fixture.accounts.createAccount({ id, label: id });
    const first = fixture.accounts.listAccounts({ limit: 2 });
    fixture.accounts.createAccount({ id: 'f', label: 'f' });
    const second = fixture.accounts.listAccounts({ limit: 2, beforeSeq: first.lastSeq });
    const third = fixture.accounts.listAccounts({ limit: 2, beforeSeq: second.lastSeq });
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

  it('gives its keys limit, tokens and an end', () => {
    const plan = { rateLimit: { requests: 2, windowS: 1 }, tokensPerDay: 9, keyDays: 30 };
    fixture.accounts.createAccount({ id: 'acme', label: 'Acme', plan });
    expect(key()).toMatchObject({
      limit: { requests: 2, windowS: 1 },
      tokensPerDay: 9,
      isSuspended: false,
      expiresMs: START_MS + 30 * 86_400_000,
    });
    expect(key({ limit: { requests: 7, windowS: 7 } }).limit).toEqual({ requests: 7, windowS: 7 });
    expect(fixture.accounts.listKeys('acme')[0].expiresAt).toBe('2026-02-04T12:00:00.000Z');
  });

  it('bounds the scopes of its keys, also of those that exist', () => {
    const before = fixture.accounts.createKey({
      ...{ mode: 'live', account: 'acme', label: 'x', scopes: ['quotes:read', 'news:read'] },
    });
    fixture.accounts.changeAccount('acme', { plan: { scopes: ['news:read', 'etf:read'] } });
    expect(fixture.accounts.findKey(before.rawKey)?.scopes).toEqual(new Set(['news:read']));
    expect(key({ scopes: ['all'] }).scopes).toEqual(new Set(['news:read', 'etf:read']));
    expect(() => key({ scopes: ['quotes:read'] })).toThrow("of the account's plan");
  });

  it('has an end to the number of keys, revoked ones apart', () => {
    fixture.accounts.createAccount({ id: 'acme', label: 'Acme' });
    const made = Array.from({ length: 1000 }, () => key());
    expect(() => key()).toThrow('has 1000 keys');
    expect(key({ mode: 'sandbox' })).toBeDefined();
    fixture.accounts.revokeKey(made[0].id);
    expect(key()).toBeDefined();
  });

  it('is seen by other processes at once, and changes the version', () => {
    const other = openAccounts(fixture.path);
    const version = other.version();
    fixture.accounts.createAccount({ id: 'acme', label: 'Acme' });
    expect(other.version()).not.toBe(version);
    const { rawKey } = other.createKey({
      ...{ mode: 'live', account: 'acme', label: 'x', scopes: ['all'] },
    });
    fixture.accounts.changeAccount('acme', { isSuspended: true });
    expect(other.findKey(rawKey)?.isSuspended).toBe(true);
    other.close();
  });
});

describe('own keys', () => {
  it('are revoked only by their account in their mode', () => {
    const { id } = fixture.validKey({ account: 'acme' });
    const { accounts } = fixture;
    expect(accounts.revokeOwnKey('other', 'live', id)).toBe(false);
    expect(accounts.revokeOwnKey('acme', 'sandbox', id)).toBe(false);
    expect(accounts.revokeOwnKey('acme', 'live', 'key_none')).toBe(false);
    expect(accounts.listKeys('acme')[0].revokedAt).toBeNull();
    expect([1, 2].map(() => accounts.revokeOwnKey('acme', 'live', id))).toEqual([true, true]);
    expect(accounts.listKeys('acme')[0].revokedAt).toBe('2026-01-05T12:00:00.000Z');
  });

  it.each([
    ['nothing', ''],
    ['101 characters', '𝒳'.repeat(101)],
    ['a line break', 'a\nb'],
    ['half a character', '\ud800'],
    ['blanks alone', ' \u00a0\u3000'],
    ['characters without width', '\u200b\u200d\ufeff\u2060'],
    ['fillers', '\u3164\u115f\u2800'],
    ['a mark without a letter', '\u0301'],
    ['an override of the direction', 'abc\u202egnp.exe'],
    ['an isolate', '\u2066abc\u2069'],
    ['a separator of lines', 'a\u2028b'],
    ['a control of the second block', 'a\u0085b'],
    ['an API key', `my svc_live_${'x'.repeat(33)}`],
  ])('refuse %s as label', (_what, label) => {
    expect(() => fixture.validKey({ label })).toThrow(/^label must/);
  });

  it.each(['1', '𝒳'.repeat(100), 'مفتاح\u200f', 'नमस्ते', '👩\u200d🔧', 'e\u0301', '東京 2'])(
    'take the label %s',
    (label) => {
      fixture.validKey({ label });
      expect(fixture.accounts.listKeys()[0].label).toBe(label);
    },
  );
});
