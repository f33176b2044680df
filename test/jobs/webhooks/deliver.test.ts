import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it, vi } from 'vitest';
import { openAccounts } from '../../../src/store/accounts/admission/sqlite-accounts.ts';
import { openssl } from '../../support/tools.ts';
import { newsEvent, START_MS, useDelivery } from './delivery-fixture.ts';
import { selfSigned, startReceiver } from './receiver.ts';

const CHILD = fileURLToPath(new URL('deliver-child.ts', import.meta.url));

const fixture = useDelivery();

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

describe('a delivery', () => {
  it('is a POST that the official library verifies', async () => {
    const { id, secret } = await fixture.newWebhook();
    await fixture.addNews();
    await fixture.deliver();
    const [{ headers, body, event, path }] = fixture.receiver.got;
    expect(new Webhook(secret).verify(body, headers)).toEqual(event);
    expect(event).toEqual({
      id: newsEvent(0).id,
      type: 'news.published',
      timestamp: new Date(START_MS - 1000).toISOString(),
      data: { row: { title: 'Story 0' } },
    });
    expect(path).toBe('/hook');
    expect(headers).toMatchObject({
      'webhook-id': newsEvent(0).id,
      'webhook-timestamp': String(START_MS / 1000),
      'content-type': 'application/json',
      'user-agent': 'tapeworks-webhooks',
    });
    expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow('No matching signature');
    expect(await fixture.deliveries(id)).toEqual([
      {
        eventId: newsEvent(0).id,
        type: 'news.published',
        status: 'delivered',
        attempts: 1,
        responseStatus: 204,
        error: null,
        createdAt: new Date(START_MS).toISOString(),
        lastAttemptAt: new Date(START_MS).toISOString(),
        nextAttemptAt: null,
      },
    ]);
    expect(fixture.failures).toEqual([]);
  });

  it.skipIf(openssl === undefined)('goes over https, to the name the certificate has', async () => {
    const certificate = selfSigned(String(openssl), 'receiver.test');
    const receiver = await startReceiver(certificate);
    let resolved = 0;
    const resolve = async () => {
      if (++resolved > 1) throw new Error('asked twice');
      return ['127.0.0.1'];
    };
    const { id, secret } = await fixture.newWebhook({
      url: `https://receiver.test:${receiver.port}/`,
    });
    await fixture.addNews();
    await fixture.deliver({ resolve, ca: certificate.cert });
    const [{ body, headers, event }] = receiver.got;
    expect(new Webhook(secret).verify(body, headers)).toEqual(event);
    const { id: other } = await fixture.newWebhook({ url: `https://other.test:${receiver.port}/` });
    await fixture.addNews();
    await fixture.deliver({ resolve: async () => ['127.0.0.1'], ca: certificate.cert });
    expect((await fixture.deliveries(other))[0]).toMatchObject({
      responseStatus: null,
      error: 'connection failed: ERR_TLS_CERT_ALTNAME_INVALID',
    });
    expect((await fixture.deliveries(id))[0].status).toBe('delivered');
    await receiver.close();
  });

  it('is signed with the old secret too for a day after a rotation', async () => {
    const { id, secret } = await fixture.newWebhook();
    const rotated = await fixture.accounts.rotateSecret('default', 'live', id);
    const verifies = async (key: string | undefined) => {
      const { body, headers } = fixture.receiver.got.at(-1) ?? {};
      try {
        return Boolean(new Webhook(String(key)).verify(String(body), headers ?? {}));
      } catch {
        return false;
      }
    };
    await fixture.addNews();
    await fixture.deliver();
    const { headers } = fixture.receiver.got[0];
    expect(headers['webhook-signature']).toMatch(/^v1,[\w+/]{43}= v1,[\w+/]{43}=$/);
    expect([await verifies(secret), await verifies(rotated?.secret)]).toEqual([true, true]);
    fixture.clock.nowMs += 24 * HOUR;
    await fixture.addNews();
    vi.setSystemTime(fixture.clock.nowMs);
    await fixture.deliver();
    expect([await verifies(secret), await verifies(rotated?.secret)]).toEqual([false, true]);
  });
});

describe('an answer that is no success', () => {
  it('is tried again as the specification’s example says, with the same id and bytes', async () => {
    const { id, secret } = await fixture.newWebhook();
    fixture.receiver.answer = async (response) => response.writeHead(500).end();
    await fixture.addNews();
    const times: number[] = [];
    for (;;) {
      await fixture.deliver();
      const [{ status, nextAttemptAt }] = await fixture.deliveries(id);
      times.push(fixture.clock.nowMs - START_MS);
      if (status !== 'pending') break;
      const nextMs = Date.parse(String(nextAttemptAt));
      fixture.clock.nowMs = nextMs - 1;
      await fixture.deliver();
      fixture.clock.nowMs = nextMs;
    }
    const waits = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR];
    const all = [0, ...waits, 14 * HOUR, 20 * HOUR, 24 * HOUR];
    let since = 0;
    expect(times).toEqual(all.map((wait) => (since += wait)));
    expect(times.at(-1)).toBe(((75 * 60 + 35) * 60 + 5) * SECOND);
    const { got } = fixture.receiver;
    expect(got).toHaveLength(10);
    expect(new Set(got.map(({ body }) => body)).size).toBe(1);
    expect(new Set(got.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(got.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(10);
    vi.setSystemTime(fixture.clock.nowMs);
    const last = got[9];
    expect(new Webhook(secret).verify(last.body, last.headers)).toEqual(last.event);
    expect((await fixture.deliveries(id))[0]).toMatchObject({
      status: 'failed',
      attempts: 10,
      responseStatus: 500,
      error: 'answered 500',
      nextAttemptAt: null,
    });
  });

  it.each([301, 302, 307, 308, 400, 401, 404, 500, 503])('is any but 2xx: %i', async (status) => {
    const { id } = await fixture.newWebhook();
    const elsewhere = await fixture.newReceiver();
    const location = `http://127.0.0.1:${elsewhere.port}/`;
    fixture.receiver.answer = async (response) => response.writeHead(status, { location }).end();
    await fixture.addNews();
    await fixture.deliver();
    expect((await fixture.deliveries(id))[0]).toMatchObject({
      status: 'pending',
      attempts: 1,
      responseStatus: status,
      error: `answered ${status}`,
      nextAttemptAt: new Date(START_MS + 5 * SECOND).toISOString(),
    });
    expect(elsewhere.got).toEqual([]);
    expect(fixture.failures).toEqual([
      { webhook: id, event: newsEvent(0).id, attempts: 1, status, error: `answered ${status}` },
    ]);
  });

  it.each([200, 201, 202, 299])('is none with %i', async (status) => {
    const { id } = await fixture.newWebhook();
    fixture.receiver.answer = async (response) => response.writeHead(status).end('thanks');
    await fixture.addNews();
    await fixture.deliver();
    expect((await fixture.deliveries(id))[0]).toMatchObject({
      status: 'delivered',
      responseStatus: status,
    });
  });

  it('may be missing: silence, a broken connection, no server', async () => {
    const breaking = await fixture.newReceiver();
    breaking.answer = async (response) => response.destroy();
    const gone = await fixture.newReceiver();
    await gone.close();
    const [broken, nobody] = await Promise.all(
      [breaking, gone].map(({ port }) => fixture.newWebhook({ url: `http://127.0.0.1:${port}/` })),
    );
    await fixture.addNews();
    await fixture.deliver();
    const errorOf = async ({ id }: { id: string }) => (await fixture.deliveries(id))[0].error;
    expect(await errorOf(broken)).toBe('connection failed: ECONNRESET');
    expect(await errorOf(nobody)).toBe('connection failed: ECONNREFUSED');
    // By itself: on a busy machine the others may take as long.
    const silent = await fixture.newWebhook();
    fixture.receiver.answer = () => undefined;
    await fixture.addNews();
    await fixture.deliver({ responseMs: 100 });
    expect(await errorOf(silent)).toBe('no answer within 0.1 s');
  });

  it('waits longer where the receiver asks for it, an hour at most', async () => {
    const { id } = await fixture.newWebhook();
    let retryAfter = '120';
    fixture.receiver.answer = async (response) =>
      response.writeHead(503, { 'Retry-After': retryAfter }).end();
    await fixture.addNews();
    const waited = async () => {
      await fixture.deliver();
      const nextMs = Date.parse(String((await fixture.deliveries(id))[0].nextAttemptAt));
      const waitMs = nextMs - fixture.clock.nowMs;
      fixture.clock.nowMs = nextMs;
      return waitMs;
    };
    expect(await waited()).toBe(2 * MINUTE);
    retryAfter = '1';
    expect(await waited()).toBe(5 * MINUTE);
    retryAfter = '999999999';
    expect(await waited()).toBe(HOUR);
    retryAfter = new Date(fixture.clock.nowMs + 3 * HOUR).toUTCString();
    expect(await waited()).toBe(2 * HOUR);
  });

  it('of overload gives all events of the webhook a rest', async () => {
    const { id } = await fixture.newWebhook();
    fixture.receiver.answer = async (response) => response.writeHead(429).end();
    await fixture.addNews();
    await fixture.deliver();
    await fixture.addNews(2);
    fixture.clock.nowMs += 29 * SECOND;
    await fixture.deliver();
    expect(fixture.receiver.got).toHaveLength(1);
    fixture.receiver.answer = async (response) => response.writeHead(200).end();
    fixture.clock.nowMs += SECOND;
    await fixture.deliver();
    expect((await fixture.deliveries(id)).map(({ status }) => status)).toEqual(
      Array(3).fill('delivered'),
    );
  });

  it('is tried again up to a tenth later, by chance', async () => {
    const { id } = await fixture.newWebhook();
    fixture.receiver.answer = async (response) => response.writeHead(500).end();
    await fixture.addNews();
    await fixture.deliver({ random: () => 0.5 });
    const { nextAttemptAt } = (await fixture.deliveries(id))[0];
    expect(nextAttemptAt).toBe(new Date(START_MS + 5250).toISOString());
  });

  it.each<[string, number | undefined, (response: ServerResponse) => void]>([
    ['never ends', 200, (response) => void response.write('a')],
    [
      'is endless',
      undefined,
      (response) => {
        const more = (): void => {
          while (!response.destroyed && response.write(Buffer.alloc(65_536)));
        };
        response.on('drain', more);
        more();
      },
    ],
  ])('is cut off where its body %s', async (_, responseMs, write) => {
    const { id } = await fixture.newWebhook();
    const closed = new Promise<void>((resolve) => {
      fixture.receiver.answer = (response) => {
        response.on('close', () => resolve());
        write(response.writeHead(200));
      };
    });
    await fixture.addNews();
    await fixture.deliver({ responseMs });
    expect((await fixture.deliveries(id))[0].status).toBe('delivered');
    await closed;
  });
});

describe('a webhook', () => {
  it('whose receiver answers 410 is disabled, and gets nothing but tests', async () => {
    const { id } = await fixture.newWebhook();
    fixture.receiver.answer = async (response) => response.writeHead(410).end();
    await fixture.addNews(8);
    await fixture.deliver();
    expect(fixture.receiver.got.length).toBeLessThanOrEqual(4);
    const webhook = await fixture.accounts.findWebhook('default', 'live', id);
    expect(webhook).toMatchObject({
      disabledAt: new Date(START_MS).toISOString(),
      disabledReason: 'the receiver answered 410 Gone',
    });
    expect((await fixture.deliveries(id)).every(({ status }) => status === 'failed')).toBe(true);
    expect((await fixture.deliveries(id))[0].error).toBe('the webhook was disabled');
    await fixture.addNews();
    expect(await fixture.deliveries(id)).toHaveLength(8);
    const test = { ...newsEvent(99), type: 'webhook.test', webhookId: id } as const;
    await fixture.accounts.addEvents('live', [test]);
    await fixture.deliver();
    expect((await fixture.deliveries(id))[0]).toMatchObject({ status: 'failed', attempts: 1 });
    fixture.receiver.answer = async (response) => response.writeHead(200).end();
    await fixture.accounts.addEvents('live', [{ ...test, id: 'evt_again' }]);
    await fixture.deliver();
    expect((await fixture.deliveries(id))[0].status).toBe('delivered');
    expect((await fixture.accounts.findWebhook('default', 'live', id))?.disabledAt).toBeNull();
  });

  /** Goes on to each next attempt of the newest event until there is none. */
  async function untilEnded(id: string, between: () => Promise<void> | void): Promise<void> {
    for (;;) {
      await fixture.deliver();
      const pending = (await fixture.deliveries(id)).filter(({ status }) => status === 'pending');
      if (pending.length === 0) return;
      fixture.clock.nowMs = Date.parse(String(pending[0].nextAttemptAt));
      await between();
    }
  }

  it('that has got nothing for five days is disabled when a delivery fails for good', async () => {
    const { id } = await fixture.newWebhook();
    fixture.receiver.answer = (response) => response.writeHead(500).end();
    const webhook = async () => await fixture.accounts.findWebhook('default', 'live', id);
    await fixture.addNews();
    await untilEnded(id, () => undefined);
    expect((await fixture.deliveries(id))[0]).toMatchObject({ status: 'failed', attempts: 10 });
    expect((await webhook())?.disabledAt).toBeNull();
    await fixture.addNews();
    await untilEnded(id, () => undefined);
    expect(fixture.clock.nowMs - START_MS).toBe(2 * ((75 * 60 + 35) * 60 + 5) * SECOND);
    expect(await webhook()).toMatchObject({
      disabledAt: new Date(fixture.clock.nowMs).toISOString(),
      disabledReason: 'nothing was delivered for 5 days',
    });
  });

  it('stays active where one event fails for good and others do not', async () => {
    const { id } = await fixture.newWebhook();
    fixture.receiver.answer = async (response, { event }) =>
      response.writeHead(event.id === newsEvent(0).id ? 500 : 200).end();
    fixture.clock.nowMs -= 6 * 24 * HOUR;
    await fixture.addNews();
    await untilEnded(id, () => fixture.addNews());
    expect((await fixture.deliveries(id)).at(-1)).toMatchObject({ status: 'failed', attempts: 10 });
    expect((await fixture.accounts.findWebhook('default', 'live', id))?.disabledAt).toBeNull();
  });

  it('that is slow delays no other', async () => {
    const slow = await fixture.newReceiver();
    slow.answer = async () => undefined;
    await fixture.newWebhook({ url: `http://127.0.0.1:${slow.port}/` });
    const fast = await fixture.newWebhook();
    await fixture.addNews(50);
    const deliverer = fixture.newDeliverer();
    deliverer.deliverDue();
    await fixture.receiver.until(50);
    await slow.until(4);
    const statuses = async () => (await fixture.deliveries(fast.id)).map(({ status }) => status);
    await expect.poll(statuses).toEqual(Array(50).fill('delivered'));
    expect(slow.got).toHaveLength(4);
  });

  it('of a suspended account waits until it is not', async () => {
    const { id } = await fixture.newWebhook();
    await fixture.addNews();
    await fixture.accounts.changeAccount('default', { isSuspended: true });
    await fixture.addNews();
    await fixture.deliver();
    expect(fixture.receiver.got).toEqual([]);
    await fixture.accounts.changeAccount('default', { isSuspended: false });
    await fixture.deliver();
    expect(fixture.receiver.got).toHaveLength(1);
    expect(await fixture.deliveries(id)).toHaveLength(1);
  });

  it('that is deleted while an attempt runs is gone with its deliveries', async () => {
    const { id } = await fixture.newWebhook();
    fixture.receiver.answer = async (response) => {
      await fixture.accounts.deleteWebhook('default', 'live', id);
      response.writeHead(500).end();
    };
    await fixture.addNews(2);
    await fixture.deliver();
    expect(await fixture.deliveries(id)).toEqual([]);
    expect(fixture.errors).toEqual([]);
  });
});

describe('a process that is killed in the middle', () => {
  it('has lost nothing: the next one sends the same events again', async () => {
    const { id } = await fixture.newWebhook();
    fixture.receiver.answer = async () => undefined;
    await fixture.addNews(3);
    const child = spawn(process.execPath, [CHILD, fixture.path], { stdio: 'inherit' });
    const exited = once(child, 'exit');
    await fixture.receiver.until(3);
    child.kill('SIGKILL');
    await exited;
    expect((await fixture.deliveries(id)).every(({ status }) => status === 'pending')).toBe(true);
    fixture.receiver.answer = async (response) => response.writeHead(200).end();
    fixture.clock.nowMs = Date.parse(String((await fixture.deliveries(id))[0].nextAttemptAt));
    await fixture.deliver();
    const ids = fixture.receiver.got.map(({ headers }) => headers['webhook-id']).sort();
    const news = [0, 1, 2].map((number) => newsEvent(number).id);
    expect(ids).toEqual([...news, ...news].sort());
    expect((await fixture.deliveries(id)).map(({ status }) => status)).toEqual(
      Array(3).fill('delivered'),
    );
  });
});

describe('several deliverers', () => {
  it('make each attempt once', async () => {
    await fixture.newWebhook();
    const second = await fixture.newReceiver();
    await fixture.newWebhook({ url: `http://127.0.0.1:${second.port}/` });
    await fixture.addNews(60);
    const other = openAccounts(fixture.path, () => fixture.clock.nowMs);
    await Promise.all([fixture.deliver(), fixture.deliver({ accounts: other }), fixture.deliver()]);
    await other.close();
    for (const { got } of [fixture.receiver, second]) {
      const ids = got.map(({ headers }) => headers['webhook-id']);
      expect(ids).toHaveLength(60);
      expect(new Set(ids).size).toBe(60);
    }
  });

  it('leave what one holds alone until its lease ends, and then send it again', async () => {
    const { id } = await fixture.newWebhook();
    fixture.receiver.answer = async () => undefined;
    await fixture.addNews();
    const first = fixture.newDeliverer();
    first.deliverDue();
    await fixture.receiver.until(1);
    fixture.clock.nowMs += 59_999;
    await fixture.deliver();
    expect(fixture.receiver.got).toHaveLength(1);
    await first.close(0);
    fixture.receiver.answer = async (response) => response.writeHead(200).end();
    fixture.clock.nowMs += 1;
    await fixture.deliver();
    const ids = fixture.receiver.got.map(({ headers }) => headers['webhook-id']);
    expect(ids).toEqual([newsEvent(0).id, newsEvent(0).id]);
    expect((await fixture.deliveries(id))[0]).toMatchObject({ status: 'delivered', attempts: 1 });
  });
});
