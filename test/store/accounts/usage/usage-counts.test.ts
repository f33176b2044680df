import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { limits } from '../../../../src/base/limits.ts';
import { openAccounts } from '../../../../src/store/accounts/admission/sqlite-accounts.ts';
import type { ValidKey } from '../../../../src/store/accounts/keys/key-record.ts';
import type { KeyUse } from '../../../../src/store/accounts/usage/usage-counts.ts';
import { useLimits } from '../../../support/use-limits.ts';
import { START_DAY, START_MS, useAccounts } from '../support/use-accounts.ts';

// Before the accounts, whose timers they are.
beforeEach(() => void vi.useFakeTimers());
const fixture = useAccounts();
afterEach(() => void vi.useRealTimers());

const use = (key: ValidKey, change: Partial<KeyUse> = {}): KeyUse => ({
  key,
  atMs: START_MS,
  endpoint: '/svc/symbols',
  method: 'GET',
  isError: false,
  tokens: 1,
  ...change,
});

const usage = (account = 'default', mode: 'live' | 'sandbox' = 'live') =>
  fixture.accounts.dailyUsage({ account, mode, fromDay: 0, toDay: 99_999, rowsMax: 1000 });

describe('counts', () => {
  it('are kept per day, endpoint and method, with errors and tokens', async () => {
    const { accounts } = fixture;
    const key = await fixture.validKey();
    accounts.count(use(key));
    accounts.count(use(key, { tokens: 5 }));
    accounts.count(use(key, { isError: true, tokens: 0 }));
    accounts.count(use(key, { method: 'HEAD' }));
    accounts.count(use(key, { endpoint: '/svc/candles', atMs: START_MS + 86_400_000 }));
    accounts.flush();
    const row = { endpoint: '/svc/symbols', errorCount: 0 };
    expect(await usage()).toEqual([
      { ...row, day: START_DAY, method: 'GET', callCount: 3, errorCount: 1, tokensUsed: 6 },
      { ...row, day: START_DAY, method: 'HEAD', callCount: 1, tokensUsed: 1 },
      {
        ...{ day: START_DAY + 1, endpoint: '/svc/candles', method: 'GET' },
        ...{ callCount: 1, errorCount: 0, tokensUsed: 1 },
      },
    ]);
  });

  it('are written within a second, once', async () => {
    const key = await fixture.validKey();
    fixture.accounts.count(use(key));
    expect(await usage()).toEqual([]);
    vi.advanceTimersByTime(1000);
    expect(await usage()).toMatchObject([{ callCount: 1 }]);
    vi.advanceTimersByTime(5000);
    fixture.accounts.flush();
    expect(await usage()).toMatchObject([{ callCount: 1 }]);
  });

  it('are written by close, those of yesterday too', async () => {
    const key = await fixture.validKey();
    fixture.accounts.count(use(key, { atMs: START_MS - 86_400_000 }));
    fixture.accounts.count(use(key));
    await fixture.reopen();
    expect((await usage()).map(({ day }) => day)).toEqual([START_DAY - 1, START_DAY]);
  });

  it('wait, and are neither lost nor doubled, while another process writes', async () => {
    const key = await fixture.validKey();
    const other = new DatabaseSync(fixture.place.path);
    other.exec('BEGIN IMMEDIATE');
    for (let second = 0; second < 3; second++) {
      fixture.accounts.count(use(key));
      vi.advanceTimersByTime(1000);
    }
    expect(await usage()).toEqual([]);
    other.exec('COMMIT');
    await other.close();
    vi.advanceTimersByTime(1000);
    expect(await usage()).toMatchObject([{ callCount: 3, tokensUsed: 3 }]);
  });

  it('of two processes add up', async () => {
    const key = await fixture.validKey();
    const other = openAccounts(fixture.place.path);
    fixture.accounts.count(use(key));
    other.count(use(key));
    await other.close();
    fixture.accounts.flush();
    expect(await usage()).toMatchObject([{ callCount: 2 }]);
  });

  it('of modes, accounts and keys stay apart', async () => {
    const keys = [
      await fixture.validKey(),
      await fixture.validKey({ mode: 'sandbox' }),
      await fixture.validKey({ account: 'acme' }),
      await fixture.validKey({ account: 'acme' }),
    ];
    keys.forEach((key, i) => {
      for (let n = 0; n <= i; n++) fixture.accounts.count(use(key));
    });
    fixture.accounts.flush();
    expect((await usage('default'))[0].callCount).toBe(1);
    expect((await usage('default', 'sandbox'))[0].callCount).toBe(2);
    expect((await usage('acme'))[0].callCount).toBe(7);
    expect(await usage('acme', 'sandbox')).toEqual([]);
    const all = { mode: 'live', fromDay: 0, toDay: 99_999, rowsMax: 100 } as const;
    const rows = await fixture.accounts.dailyKeyUsage(all);
    expect(rows.map(({ account, keyId, callCount }) => [account, keyId, callCount])).toEqual(
      [
        ['acme', keys[2].id, 3],
        ['acme', keys[3].id, 4],
        ['default', keys[0].id, 1],
      ].sort((a, b) => (String(a) < String(b) ? -1 : 1)),
    );
    expect(await fixture.accounts.dailyKeyUsage({ ...all, keyId: keys[3].id })).toHaveLength(1);
    expect(
      await fixture.accounts.dailyKeyUsage({ ...all, account: 'acme', rowsMax: 1 }),
    ).toHaveLength(1);
  });
});

describe('the last use of a key', () => {
  const lastUsedAt = async () => (await fixture.accounts.listKeys())[0].lastUsedAt;

  it('is written within a second and never goes back', async () => {
    const key = await fixture.validKey();
    fixture.accounts.count(use(key, { atMs: START_MS + 60_000 }));
    expect(await lastUsedAt()).toBeNull();
    vi.advanceTimersByTime(1000);
    fixture.accounts.count(use(key, { atMs: START_MS + 30_000 }));
    vi.advanceTimersByTime(1000);
    expect(await lastUsedAt()).toBe('2026-01-05T12:01:00.000Z');
  });
});

describe('tokens of the day', () => {
  const plan = { tokensPerDay: 100 };

  it('are what was written and what was counted since, of all keys of the account', async () => {
    const { accounts } = fixture;
    await accounts.createAccount({ id: 'acme', label: 'Acme', plan });
    const [one, two] = [
      await fixture.validKey({ account: 'acme' }),
      await fixture.validKey({ account: 'acme' }),
    ];
    expect(one.tokensPerDay).toBe(100);
    expect(accounts.tokensUsed(one, START_MS)).toBe(0);
    accounts.count(use(one, { tokens: 7 }));
    expect(accounts.tokensUsed(two, START_MS)).toBe(7);
    accounts.flush();
    accounts.count(use(two, { tokens: 3 }));
    expect(accounts.tokensUsed(one, START_MS)).toBe(10);
    await fixture.reopen();
    expect(fixture.accounts.tokensUsed(one, START_MS)).toBe(10);
  });

  it('of the other mode and the next day begin at zero', async () => {
    const { accounts } = fixture;
    await accounts.createAccount({ id: 'acme', label: 'Acme', plan });
    const live = await fixture.validKey({ account: 'acme' });
    const sandbox = await fixture.validKey({ account: 'acme', mode: 'sandbox' });
    for (const key of [live, sandbox]) accounts.tokensUsed(key, START_MS);
    accounts.count(use(live, { tokens: 7 }));
    expect(accounts.tokensUsed(sandbox, START_MS)).toBe(0);
    expect(accounts.tokensUsed(live, START_MS + 86_400_000)).toBe(0);
  });

  it('that another process has used up are seen within a second', async () => {
    const { accounts } = fixture;
    await accounts.createAccount({ id: 'acme', label: 'Acme', plan });
    const key = await fixture.validKey({ account: 'acme' });
    expect(accounts.tokensUsed(key, START_MS)).toBe(0);
    accounts.count(use(key, { tokens: 1 }));
    vi.advanceTimersByTime(1000);
    const other = openAccounts(fixture.place.path);
    other.count(use(key, { tokens: 20 }));
    await other.close();
    vi.advanceTimersByTime(1000);
    expect(accounts.tokensUsed(key, START_MS + 1000)).toBe(21);
    accounts.flush();
    expect(accounts.tokensUsed(key, START_MS + 2000)).toBe(21);
  });
});

describe('counts that can not be written for long', () => {
  useLimits(limits.usage, { waitingMax: 3 });

  it('wait within a bound, and tokens beyond it are counted all the same', async () => {
    const { accounts } = fixture;
    const key = await fixture.validKey();
    for (let i = 0; i < 5; i++) accounts.count(use(key, { endpoint: `/svc/${i}` }));
    accounts.count(use(key, { endpoint: '/svc/0' }));
    expect(accounts.tokensUsed(key, START_MS)).toBe(6);
    accounts.flush();
    const rows = await usage();
    expect(rows.map(({ endpoint, callCount }) => [endpoint, callCount])).toEqual([
      ['/svc/0', 2],
      ['/svc/1', 1],
      ['/svc/2', 1],
    ]);
    expect(accounts.tokensUsed(key, START_MS)).toBe(6);
  });
});
