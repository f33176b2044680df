import { describe, expect, it } from 'vitest';
import { limits } from '../../../../src/base/limits.ts';
import { useAccounts } from '../support/open-accounts.ts';

const fixture = useAccounts();
const query = 'where=rsi(14) < 30&sector=Energy';
const screen = { account: 'a', mode: 'live' as const, name: 'Oversold', query };

function withAccounts() {
  const { accounts } = fixture;
  for (const id of ['a', 'b']) accounts.createAccount({ id, label: id });
  return accounts;
}

describe('a saved screen', () => {
  it('is found and listed with its query as it was written, after a restart too', () => {
    const saved = withAccounts().createScreen(screen);
    expect(saved).toMatchObject({ name: 'Oversold', query, createdAt: '2026-01-05T12:00:00.000Z' });
    expect(saved.id).toMatch(/^scr_[0-9a-f]{30}$/);
    fixture.reopen();
    expect(fixture.accounts.findScreen('a', 'live', saved.id)).toEqual(saved);
    const part = fixture.accounts.listScreenPart('a', 'live', { limit: 10 });
    expect(part).toMatchObject({ rows: [saved], hasMore: false, total: 1 });
  });

  it('belongs to one account and one mode', () => {
    const accounts = withAccounts();
    const { id } = accounts.createScreen(screen);
    for (const [account, mode] of [
      ['b', 'live'],
      ['a', 'sandbox'],
    ] as const) {
      expect(accounts.findScreen(account, mode, id)).toBeUndefined();
      expect(accounts.listScreenPart(account, mode, { limit: 10 }).total).toBe(0);
      expect(accounts.deleteScreen(account, mode, id)).toBe(false);
    }
    expect(accounts.deleteScreen('a', 'live', id)).toBe(true);
    expect(accounts.deleteScreen('a', 'live', id)).toBe(false);
    expect(accounts.findScreen('a', 'live', id)).toBeUndefined();
  });

  it('has a visible name', () => {
    const accounts = withAccounts();
    const create = (name: string) => () => accounts.createScreen({ ...screen, name });
    expect(create('')).toThrow(/^name must have 1 to 100 characters/);
    expect(create('a\nb')).toThrow('none of them a control character');
  });
});

it('an account has a bounded number of screens in each mode', () => {
  const accounts = withAccounts();
  const { perAccountMax } = limits.savedScreen;
  for (let i = 0; i < perAccountMax; i++) accounts.createScreen({ ...screen, name: `${i}` });
  expect(() => accounts.createScreen(screen)).toThrow(
    `account has ${perAccountMax} saved screens in live mode: delete some first`,
  );
  accounts.createScreen({ ...screen, mode: 'sandbox' });
  accounts.createScreen({ ...screen, account: 'b' });
  const [newest] = accounts.listScreenPart('a', 'live', { limit: 1 }).rows;
  expect(newest.name).toBe(`${perAccountMax - 1}`);
});
