import { expect, it } from 'vitest';
import type { StoredRecords } from '../../../../src/store/accounts/records/contract.ts';
import { overDatabases, START_MS } from '../support/use-accounts.ts';

overDatabases((fixture) => {
  const position = (seq: number) => ({ seq, storeMark: `m${seq}`, version: `v${seq}` });

  it('the position of a mode moves with the relayed events, or both stay', async () => {
    const relay = fixture.accounts;
    expect(await relay.relayPosition('live')).toBeUndefined();
    await relay.advanceRelay('live', position(1), async () => {});
    const told = { id: 'evt_1', type: 'data.ready', occurredAtMs: START_MS } as const;
    const event = { ...told, symbols: undefined, data: {} };
    const failing = async (within: StoredRecords) => {
      await within.addEvents('live', [event]);
      throw new Error('killed');
    };
    await expect(relay.advanceRelay('live', position(2), failing)).rejects.toThrow('killed');
    expect(await relay.relayPosition('live')).toEqual(position(1));
    expect(await relay.addEvents('live', [event])).toBe(1);
    await relay.advanceRelay('sandbox', position(7), async () => {});
    await relay.advanceRelay('live', position(3), async () => {});
    expect(await fixture.accounts.relayPosition('live')).toEqual(position(3));
    expect(await fixture.accounts.relayPosition('sandbox')).toEqual(position(7));
  });

  it('subscriptions are those of active webhooks of the mode', async () => {
    const { accounts } = fixture;
    await accounts.createAccount({ id: 'a', label: 'a' });
    const own = { account: 'a', url: 'https://example.com/', events: ['quote.updated'] } as const;
    const make = async (mode: 'live' | 'sandbox', symbols?: string[]) =>
      (await accounts.createWebhook({ ...own, mode, symbols })).id;
    const [all, some] = [await make('live'), await make('live', ['A', 'B'])];
    await make('sandbox');
    const types = new Set(['quote.updated']);
    expect(await accounts.subscriptions('live')).toMatchObject([
      { webhookId: all, types, symbols: undefined },
      { webhookId: some, types, symbols: new Set(['A', 'B']) },
    ]);
  });
});
