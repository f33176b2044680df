import { describe, expect, it } from 'vitest';
import { limits } from '../../../../src/base/limits.ts';
import { useLimits } from '../../../support/use-limits.ts';
import { overDatabases } from '../support/use-accounts.ts';

useLimits(limits.savedScreen, { perAccountMax: 5 });

overDatabases((fixture) => {
  const query = 'where=rsi(14) < 30&sector=Energy';
  const screen = { account: 'a', mode: 'live' as const, name: 'Oversold', query };

  async function withAccounts() {
    const { accounts } = fixture;
    for (const id of ['a', 'b']) await accounts.createAccount({ id, label: id });
    return accounts;
  }

  describe('a saved screen', () => {
    it('is found and listed with its query as it was written, after a restart too', async () => {
      const accounts = await withAccounts();
      const saved = await accounts.createScreen(screen);
      expect(saved).toMatchObject({
        name: 'Oversold',
        query,
        createdAt: '2026-01-05T12:00:00.000Z',
      });
      expect(saved.id).toMatch(/^scr_[0-9a-f]{30}$/);
      await fixture.reopen();
      expect(await fixture.accounts.findScreen('a', 'live', saved.id)).toEqual(saved);
      const part = await fixture.accounts.listScreenPart('a', 'live', { limit: 10 });
      expect(part).toMatchObject({ rows: [saved], hasMore: false, total: 1 });
    });

    it('belongs to one account and one mode', async () => {
      const accounts = await withAccounts();
      const { id } = await accounts.createScreen(screen);
      for (const [account, mode] of [
        ['b', 'live'],
        ['a', 'sandbox'],
      ] as const) {
        expect(await accounts.findScreen(account, mode, id)).toBeUndefined();
        expect((await accounts.listScreenPart(account, mode, { limit: 10 })).total).toBe(0);
        expect(await accounts.deleteScreen(account, mode, id)).toBe(false);
      }
      expect(await accounts.deleteScreen('a', 'live', id)).toBe(true);
      expect(await accounts.deleteScreen('a', 'live', id)).toBe(false);
      expect(await accounts.findScreen('a', 'live', id)).toBeUndefined();
    });

    it('has a visible name', async () => {
      const accounts = await withAccounts();
      const create = (name: string) => accounts.createScreen({ ...screen, name });
      await expect(create('')).rejects.toThrow(/^name must have 1 to 100 characters/);
      await expect(create('a\nb')).rejects.toThrow('none of them a control character');
    });
  });

  it('an account has a bounded number of screens in each mode', async () => {
    const accounts = await withAccounts();
    const { perAccountMax } = limits.savedScreen;
    for (let i = 0; i < perAccountMax; i++)
      await accounts.createScreen({ ...screen, name: `${i}` });
    await expect(accounts.createScreen(screen)).rejects.toThrow(
      `account has ${perAccountMax} saved screens in live mode: delete some first`,
    );
    await accounts.createScreen({ ...screen, mode: 'sandbox' });
    await accounts.createScreen({ ...screen, account: 'b' });
    const [newest] = (await accounts.listScreenPart('a', 'live', { limit: 1 })).rows;
    expect(newest.name).toBe(`${perAccountMax - 1}`);
  });
});
