import { expect, it } from 'vitest';
import { openRelayAccounts } from '../../../../src/store/sqlite/webhooks/relay-accounts.ts';
import { START_MS, useAccounts } from '../support/open-accounts.ts';

const fixture = useAccounts();
const position = (seq: number) => ({ seq, storeMark: `m${seq}`, version: `v${seq}` });

it('the position of a mode moves with the relayed events, or both stay', () => {
  const relay = openRelayAccounts(fixture.path, () => START_MS);
  try {
    expect(relay.relayPosition('live')).toBeUndefined();
    relay.advanceRelay('live', position(1), () => {});
    const event = {
      id: 'evt_1',
      type: 'data.ready',
      occurredAtMs: START_MS,
      symbols: undefined,
      data: {},
    } as const;
    const told = () => {
      relay.addEvents('live', [event]);
      throw new Error('killed');
    };
    expect(() => relay.advanceRelay('live', position(2), told)).toThrow('killed');
    expect(relay.relayPosition('live')).toEqual(position(1));
    expect(relay.addEvents('live', [event])).toBe(1);
    relay.advanceRelay('sandbox', position(7), () => {});
    relay.advanceRelay('live', position(3), () => {});
    expect(fixture.accounts.relayPosition('live')).toEqual(position(3));
    expect(fixture.accounts.relayPosition('sandbox')).toEqual(position(7));
  } finally {
    relay[Symbol.dispose]();
  }
});

it('subscriptions are those of active webhooks of the mode', () => {
  const { accounts } = fixture;
  accounts.createAccount({ id: 'a', label: 'a' });
  const url = 'https://example.com/';
  const make = (mode: 'live' | 'sandbox', symbols?: string[]) =>
    accounts.createWebhook({ account: 'a', mode, url, events: ['quote.updated'], symbols }).id;
  const [all, some] = [make('live'), make('live', ['A', 'B'])];
  make('sandbox');
  const types = new Set(['quote.updated']);
  expect(accounts.subscriptions('live')).toMatchObject([
    { webhookId: all, types, symbols: undefined },
    { webhookId: some, types, symbols: new Set(['A', 'B']) },
  ]);
});
