/** Deliveries while the Postgres of the accounts is killed and started again. */

import pg from 'pg';
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

const NEWS = 'news.published' as const;

describe.skipIf(!postgresFolder)('deliveries of accounts in Postgres', () => {
  let postgres: RunningPostgres;
  beforeAll(async () => {
    postgres = await startPostgres(['fsync=on']);
  });
  afterAll(() => postgres?.stop());

  /** Opens new accounts with a webhook for news. */
  async function accountsWithWebhook(database: string, url: string) {
    const accounts = openAccounts(accountsPlace(freshFolder(), await postgres.create(database)));
    await accounts.createKey({ mode: 'live', label: 'x', scopes: ['all'] });
    const webhook = { account: 'default', mode: 'live' as const, events: [NEWS] };
    const { id } = await accounts.createWebhook({ ...webhook, url });
    return { accounts, id };
  }

  it('are not claimed again while their result is written', async () => {
    const { accounts } = await accountsWithWebhook('settling', 'http://127.0.0.1:9/');
    onTestFinished(() => accounts.close());
    await accounts.addEvents('live', [newsEvent(0)]);
    const settling = new pg.Client(postgres.url('settling'));
    await settling.connect();
    await settling.query(`BEGIN;
      UPDATE deliveries SET status = 'delivered', next_at = NULL; UPDATE events SET body = NULL`);
    // The delivery is due by what is committed, so the claim waits for this transaction.
    const claiming = accounts.claimDeliveries(1);
    const waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
    await expect.poll(() => postgres.query(waiting)).toHaveLength(1);
    await settling.query('COMMIT');
    await settling.end();
    expect(await claiming).toEqual([]);
  });

  it('wait while it is away, and lose nothing', async () => {
    const receiver = await startReceiver();
    const url = `http://127.0.0.1:${receiver.port}/`;
    const { accounts, id } = await accountsWithWebhook('deliveries', url);
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
