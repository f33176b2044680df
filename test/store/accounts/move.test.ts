import { expect, it } from 'vitest';
import { accountsPlace } from '../../../src/base/config/data-dir.ts';
import { moveAccounts } from '../../../src/store/accounts/move.ts';
import { openAccounts } from '../../../src/store/accounts/open.ts';
import { freshFolder } from '../../support/folders.ts';
import { overDatabases } from './support/use-accounts.ts';

overDatabases((fixture) => {
  it.skipIf(fixture.database === 'SQLite')('accounts move there and back', async () => {
    const { accounts, clock } = fixture;
    const { rawKey, account } = { ...(await fixture.validKey()), rawKey: '' };
    const key = await accounts.createKey({ mode: 'live', label: 'kept', scopes: ['news:read'] });
    const screen = await accounts.createScreen({
      ...{ account, mode: 'live', name: 'x', query: 'where=close > 1' },
    });
    const event = { id: 'evt_1', type: 'data.ready', occurredAtMs: 0, data: {} } as const;
    const webhook = await accounts.createWebhook({
      ...{ account, mode: 'live', url: 'https://example.com/', events: ['data.ready'] },
    });
    await accounts.openStreams([{ account, mode: 'live', events: ['data.ready'] }]);
    await accounts.addEvents('live', [{ ...event, symbols: undefined }]);
    const used = accounts.findKey(key.rawKey)!;
    const use = { key: used, endpoint: '/svc/news', method: 'GET', isError: false, tokens: 3 };
    accounts.count({ ...use, atMs: clock.nowMs });
    await fixture.writeUsage();
    expect(rawKey).toBe('');
    const url = String(fixture.place.url);
    const path = `${fixture.folder}/accounts.sqlite`;
    const there = await moveAccounts('embedded', { path, url });
    expect(there).toMatchObject({ accounts: 1, keys: 2, usage: 1, webhooks: 2, deliveries: 1 });
    await expect(moveAccounts('embedded', { path, url })).rejects.toThrow('it must be empty');
    await expect(moveAccounts('postgres', { path, url })).rejects.toThrow('it must be empty');
    const embedded = openAccounts(accountsPlace(fixture.folder), () => clock.nowMs);
    expect(embedded.findKey(key.rawKey)?.id).toBe(key.id);
    expect(embedded.tokensUsed(used, clock.nowMs)).toBe(3);
    expect(await embedded.findScreen(account, 'live', screen.id)).toEqual(screen);
    expect(await embedded.webhookSecrets(webhook.id)).toEqual([webhook.secret]);
    expect(await embedded.streamedRange()).toEqual({ floor: 0, head: 1 });
    await embedded.close();
    const other = `${url}_back`;
    await fixture.query(`CREATE DATABASE ${new URL(other).pathname.slice(1)}`);
    expect(await moveAccounts('postgres', { path, url: other })).toEqual(there);
    const back = openAccounts(accountsPlace(freshFolder(), other), () => clock.nowMs);
    await back.refresh();
    expect(back.findKey(key.rawKey)?.id).toBe(key.id);
    expect(back.tokensUsed(used, clock.nowMs)).toBe(3);
    await back.addEvents('live', [{ ...event, id: 'evt_2', symbols: undefined }]);
    expect((await back.streamedAfter('live', 1)).events.map(({ seq }) => seq)).toEqual([2]);
    expect(
      (await back.createKey({ mode: 'live', label: 'new', scopes: ['all'] })).id,
    ).toBeDefined();
    await back.close();
  });
});
