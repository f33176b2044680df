import { describe, expect, it } from 'vitest';
import { createGuardedAgents, PrivateAddressError } from '../../../jobs/webhooks/guarded-agent.ts';
import { closeAgents, send } from '../../../src/base/http/send.ts';
import { useDelivery } from './delivery-fixture.ts';

const fixture = useDelivery();

/** The operator's setting is off, and names lead where the test says. */
function guarded(resolve: (hostname: string) => Promise<readonly string[]>) {
  return { settings: { webhookPrivate: false }, resolve };
}

const NO_CONNECTION =
  'no connection: the name is unknown, leads to no public address, or nothing answers there';

const PRIVATE = [
  '127.0.0.1',
  '10.1.2.3',
  '169.254.169.254',
  '100.64.0.1',
  '::1',
  'fd00::1',
  '168.63.129.16',
];
const EMBEDDED = ['::ffff:127.0.0.1', '::ffff:8.8.8.8', '64:ff9b::7f00:1', '2002:7f00:1::'];

describe('a name', () => {
  it.each([...PRIVATE, ...EMBEDDED])('that leads to %s is not called', async (address) => {
    const url = `https://receiver.test:${fixture.receiver.port}/`;
    const { id } = await fixture.newWebhook({ url });
    await fixture.addNews();
    await fixture.deliver(guarded(async () => [address]));
    expect((await fixture.deliveries(id))[0]).toMatchObject({
      status: 'pending',
      attempts: 1,
      responseStatus: null,
      error: NO_CONNECTION,
    });
    expect(fixture.receiver.got).toEqual([]);
  });

  it('that leads to both kinds is not called at all', async () => {
    const url = `https://receiver.test:${fixture.receiver.port}/`;
    const { id } = await fixture.newWebhook({ url });
    await fixture.addNews();
    await fixture.deliver(guarded(async () => ['8.8.8.8', '127.0.0.1']));
    expect((await fixture.deliveries(id))[0].error).toBe(NO_CONNECTION);
    expect(fixture.receiver.got).toEqual([]);
  });

  it('is resolved for each connection, once, and what was checked is what is called', async () => {
    const { port } = fixture.receiver;
    const { id } = await fixture.newWebhook({ url: `http://receiver.test:${port}/` });
    const asked: string[] = [];
    const resolve = async (hostname: string) => {
      asked.push(hostname);
      if (asked.length > 1) throw new Error('asked again');
      return ['127.0.0.1'];
    };
    await fixture.addNews();
    await fixture.deliver({ resolve });
    expect(asked).toEqual(['receiver.test']);
    expect((await fixture.deliveries(id))[0].status).toBe('delivered');
    await fixture.addNews();
    await fixture.deliver({ resolve });
    expect(asked).toHaveLength(2);
  });

  it('that led elsewhere before is checked as if it never had', async () => {
    const { id } = await fixture.newWebhook({
      url: `https://receiver.test:${fixture.receiver.port}/`,
    });
    const answers = [[], ['127.0.0.1']];
    await fixture.addNews();
    const resolve = async () => answers.shift() ?? [];
    const deliverer = fixture.newDeliverer(guarded(resolve));
    for (const _ of [...answers]) {
      deliverer.deliverDue();
      await deliverer.idle();
      expect((await fixture.deliveries(id))[0].error).toBe(NO_CONNECTION);
      fixture.clock.nowMs += 5000;
    }
    expect(fixture.receiver.got).toEqual([]);
  });

  it.each(['ENOTFOUND', 'ENODATA', 'ESERVFAIL', 'ETIMEOUT', 'ECONNREFUSED', 'EHOSTUNREACH'])(
    'that fails with %s reads like one that leads to a private network',
    async (code) => {
      const { id } = await fixture.newWebhook({ url: 'https://receiver.test/' });
      await fixture.addNews();
      const error = Object.assign(new Error(`queryA ${code} receiver.test`), { code });
      await fixture.deliver(guarded(() => Promise.reject(error)));
      expect((await fixture.deliveries(id))[0].error).toBe(NO_CONNECTION);
    },
  );

  it.each(['169.254.169.254', '::ffff:169.254.169.254', 'fd00:ec2::254', '168.63.129.16'])(
    "that leads to a cloud's platform, %s, is not called where private networks are meant",
    async (address) => {
      const { id } = await fixture.newWebhook({ url: 'http://receiver.test/' });
      await fixture.addNews();
      await fixture.deliver({ resolve: async () => [address] });
      expect((await fixture.deliveries(id))[0].error).toBe(
        '"receiver.test" leads to this machine, a private network or a cloud\'s platform',
      );
    },
  );
});

describe('an address', () => {
  const hosts = ['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]'];

  it.each([...hosts, '2130706433', '0x7f.1'])(
    '%s is not called, however the webhook came to have it',
    async (host) => {
      const { id } = await fixture.newWebhook({ url: `https://${host}:${fixture.receiver.port}/` });
      await fixture.addNews();
      await fixture.deliver(guarded(() => Promise.reject(new Error('must not be asked'))));
      expect((await fixture.deliveries(id))[0].error).toMatch(
        /lead to this machine or a private network/,
      );
      expect(fixture.receiver.got).toEqual([]);
    },
  );

  it.each(hosts)('%s is refused by the connector itself', async (host) => {
    const agents = createGuardedAgents({ allowPrivate: false });
    const url = new URL(`http://${host}:${fixture.receiver.port}/`);
    const { signal } = new AbortController();
    await expect(send(url, { agents, signal })).rejects.toThrow(PrivateAddressError);
    closeAgents(agents);
  });

  it('without https is not called once the operator has taken that back', async () => {
    const { id } = await fixture.newWebhook({ url: 'http://example.com/' });
    await fixture.addNews();
    await fixture.deliver(guarded(() => Promise.reject(new Error('must not be asked'))));
    expect((await fixture.deliveries(id))[0].error).toMatch(/^url must be an https address/);
  });
});

it('a redirect to a private address is not followed', async () => {
  const inside = await fixture.newReceiver();
  const { id } = await fixture.newWebhook();
  fixture.receiver.answer = async (response) =>
    response.writeHead(307, { Location: `http://127.0.0.1:${inside.port}/` }).end();
  await fixture.addNews();
  await fixture.deliver();
  expect((await fixture.deliveries(id))[0].error).toBe('answered 307');
  expect(inside.got).toEqual([]);
});
