/** Deliveries while the Postgres of the accounts is killed and started again. */

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startDelivery } from '../../../jobs/webhooks/deliver.ts';
import { accountsPlace } from '../../../src/base/config/data-dir.ts';
import { limits } from '../../../src/base/limits.ts';
import { openAccounts } from '../../../src/store/accounts/open.ts';
import { freshFolder } from '../../support/folders.ts';
import { type RunningPostgres, startPostgres } from '../../support/postgres-server.ts';
import { postgresFolder } from '../../support/tools.ts';
import { useLimits } from '../../support/use-limits.ts';
import { newsEvent } from './delivery-fixture.ts';
import { startReceiver } from './receiver.ts';

useLimits(limits.webhook, { pollMs: 20, leaseMs: 300 });

const COUNT = 40;

describe.skipIf(!postgresFolder)('deliveries of accounts in Postgres', () => {
  let postgres: RunningPostgres;
  beforeAll(async () => {
    postgres = await startPostgres(['fsync=on']);
  });
  afterAll(() => postgres?.stop());

  it('wait while it is away, and lose nothing', async () => {
    const place = accountsPlace(freshFolder(), await postgres.create('deliveries'));
    const accounts = openAccounts(place);
    const receiver = await startReceiver();
    const webhook = {
      ...{ account: 'default', mode: 'live' as const, events: ['news.published' as const] },
      url: `http://127.0.0.1:${receiver.port}/`,
    };
    await accounts.createKey({ mode: 'live', label: 'x', scopes: ['all'] });
    const { id } = await accounts.createWebhook(webhook);
    const events = Array.from({ length: COUNT }, (_, i) => newsEvent(i));
    await accounts.addEvents('live', events);
    // Postgres dies while some are delivered, and before that is recorded.
    const { promise: isKilled, resolve } = Promise.withResolvers<void>();
    receiver.answer = async (response) => {
      if (receiver.got.length === 3) await postgres.kill().then(resolve);
      await isKilled;
      response.writeHead(204).end();
    };
    const stop = new AbortController();
    const failures: unknown[] = [];
    const log = {
      delivery: () => {},
      failure: (_id: string, error: unknown) => void failures.push(error),
    };
    const settings = { webhookPrivate: true };
    const { signal } = stop;
    const delivering = startDelivery({ accounts, settings, log, signal, lateMs: 0 });
    onTestFinished(async () => {
      stop.abort();
      await delivering;
      await accounts.close();
      await receiver.close();
    });
    await isKilled;
    await expect.poll(() => failures.length).toBeGreaterThan(3);
    await postgres.restart();
    const waiting = async () => {
      const list = await accounts.listDeliveryPart(id, { limit: 100 }).catch(() => undefined);
      return list?.rows.filter(({ status }) => status !== 'delivered');
    };
    await expect.poll(waiting).toEqual([]);
    expect(new Set(receiver.got.map(({ event }) => event.id)).size).toBe(COUNT);
  });
});
