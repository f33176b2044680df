/** Accounts with a deliverer and receivers, for each test of a file; time and chance stand still. */

import { join } from 'node:path';
import { afterEach, beforeEach, vi } from 'vitest';
import { createDeliverer, type Deliverer } from '../../../jobs/webhooks/deliver.ts';
import type { DeliveryOptions, FailedAttempt } from '../../../jobs/webhooks/deliver-one.ts';
import { openAccounts } from '../../../src/store/accounts/admission/sqlite-accounts.ts';
import type { Accounts } from '../../../src/store/accounts/records/contract.ts';
import type { MarketEvent } from '../../../src/store/accounts/webhooks/event-record.ts';
import type {
  Delivery,
  NewWebhook,
  WebhookWithSecret,
} from '../../../src/store/accounts/webhooks/webhook-record.ts';
import { freshFolder } from '../../support/folders.ts';
import { type Receiver, startReceiver } from './receiver.ts';

export const START_MS = Date.UTC(2026, 0, 5, 12);

export interface DeliveryFixture {
  folder: string;
  path: string;
  clock: { nowMs: number };
  accounts: Accounts;
  /** Attempts that did not succeed, and failures of our own. */
  failures: FailedAttempt[];
  errors: unknown[];
  receiver: Receiver;
  /** Another one, closed after the test. */
  newReceiver(): Promise<Receiver>;
  /** Closed after the test. */
  newDeliverer(options?: Partial<DeliveryOptions>): Deliverer;
  /**
   * Adds a webhook of the account `default` in live mode, to `receiver`, for news unless it says
   * otherwise.
   */
  newWebhook(webhook?: Partial<NewWebhook>): Promise<WebhookWithSecret>;
  /** Adds so many news. */
  addNews(count?: number): Promise<void>;
  /** One round of a deliverer of its own. */
  deliver(options?: Partial<DeliveryOptions>): Promise<void>;
  /** Lists the deliveries of a webhook, newest first. */
  deliveries(id: string): Promise<Delivery[]>;
}

export function newsEvent(number: number): MarketEvent {
  return {
    id: `evt_${String(number).padStart(32, '0')}`,
    type: 'news.published',
    occurredAtMs: START_MS - 1000,
    symbols: ['AAPL'],
    data: { row: { title: `Story ${number}` } },
  };
}

export function useDelivery(): DeliveryFixture {
  const fixture = {} as DeliveryFixture;
  const closing: (() => Promise<void>)[] = [];
  let newsCount = 0;
  beforeEach(async () => {
    const clock = { nowMs: START_MS };
    const folder = freshFolder();
    const path = join(folder, 'accounts.sqlite');
    const accounts = openAccounts(path, () => clock.nowMs);
    await accounts.createKey({ mode: 'live', label: 'x', scopes: ['all'] });
    newsCount = 0;
    const newReceiver = async () => {
      const receiver = await startReceiver();
      closing.push(receiver.close);
      return receiver;
    };
    const failures: FailedAttempt[] = [];
    const errors: unknown[] = [];
    const newDeliverer = (options: Partial<DeliveryOptions> = {}) => {
      const deliverer = createDeliverer({
        accounts,
        settings: { webhookPrivate: true },
        log: {
          delivery: (line) => void failures.push(line),
          failure: (_id, error) => void errors.push(error),
        },
        now: () => clock.nowMs,
        random: () => 0,
        ...options,
      });
      closing.unshift(() => deliverer.close(0));
      return deliverer;
    };
    // The official library compares the signed time with the clock.
    vi.useFakeTimers({ toFake: ['Date'], now: START_MS });
    Object.assign(fixture, { clock, folder, path, accounts, failures, errors });
    Object.assign(fixture, { newReceiver, newDeliverer, receiver: await newReceiver() });
  });
  fixture.newWebhook = (webhook = {}) =>
    fixture.accounts.createWebhook({
      account: 'default',
      mode: 'live',
      url: `http://127.0.0.1:${fixture.receiver.port}/hook`,
      events: ['news.published'],
      ...webhook,
    });
  fixture.addNews = async (count = 1) => {
    const events = Array.from({ length: count }, () => newsEvent(newsCount++));
    await fixture.accounts.addEvents('live', events);
  };
  fixture.deliver = async (options) => {
    const deliverer = fixture.newDeliverer(options);
    deliverer.deliverDue();
    await deliverer.idle();
  };
  fixture.deliveries = async (id) =>
    (await fixture.accounts.listDeliveryPart(id, { limit: 100 })).rows;
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
    await fixture.accounts.close();
    vi.useRealTimers();
  });
  return fixture;
}
