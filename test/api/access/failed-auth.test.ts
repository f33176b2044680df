import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clientFromAddress, createFailureCounter } from '../../../src/api/access/failed-auth.ts';
import { errorSchema } from '../../../src/api/http/error-types.ts';
import { settingsFromEnv } from '../../../src/base/config/config.ts';
import { newCountMemory } from '../../../src/store/accounts/usage/count-memory.ts';
import { countLimits } from '../../../src/store/accounts/usage/limits.ts';
import { createRequestCounts } from '../../../src/store/accounts/usage/request-counts.ts';
import { useFixtureServer } from '../support/fixture-server.ts';

const QUOTE = '/v1/svc/quotes/ABC';
const WINDOW_START_MS = 1_767_614_400_000;

describe('clientFromAddress', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::', 'fe80:0:0:0::/64'],
    ['::ffff:c000:201', '192.0.2.1'],
    ['192.0.2.1:50123', '192.0.2.1'],
    ['[2001:db8:1:2::9]:50123', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::9]', '2001:db8:1:2::/64'],
    ['unknown', ''],
    ['_hidden7', ''],
    ['', ''],
  ])('%s counts as %s', (address, client) => {
    expect(clientFromAddress(address)).toBe(client);
  });
});

const createCounter = () => createFailureCounter(createRequestCounts(newCountMemory()));

describe('createFailureCounter', () => {
  it('counts addresses apart, in windows of a minute', () => {
    const count = createCounter();
    for (let i = 0; i < 59; i++) count('192.0.2.1', WINDOW_START_MS + i);
    expect(count('192.0.2.1', WINDOW_START_MS + 59).remaining).toBe(0);
    expect(count('192.0.2.1', WINDOW_START_MS + 60).remaining).toBe(-1);
    expect(count('192.0.2.2', WINDOW_START_MS).remaining).toBe(59);
    const next = count('192.0.2.1', WINDOW_START_MS + 60_000);
    expect(next).toEqual({
      requests: 60,
      windowS: 60,
      remaining: 59,
      resetS: WINDOW_START_MS / 1000 + 120,
    });
  });

  it('counts any number of addresses in memory of one size', () => {
    const count = createCounter();
    const address = (i: number) => `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`;
    for (let i = 0; i < countLimits.addressesMax / 10; i++) count(address(i), WINDOW_START_MS);
    // Some few of them share a count with another one.
    const remaining = Array.from({ length: 100 }, (_, i) => count(address(i), WINDOW_START_MS));
    expect(remaining.filter((quota) => quota.remaining === 58).length).toBeGreaterThan(75);
  });
});

/** A proxy that says whose request it forwards, each client having an address of its own. */
function startProxy(target: () => string): Promise<Server> {
  const server = createServer((incoming, outgoing) => {
    const given = incoming.headers['x-forwarded-for'];
    const client = incoming.headers['x-test-client'] as string;
    const forwarded = given === undefined ? client : `${given}, ${client}`;
    const headers = { ...incoming.headers, 'x-forwarded-for': forwarded };
    const { hostname, port } = new URL(target());
    const options = { hostname, port, path: incoming.url, method: incoming.method, headers };
    incoming.pipe(
      httpRequest(options, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      }),
    );
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

function describeBehindProxy(
  what: string,
  trust: string,
  check: (ask: (client: string, headers?: Record<string, string>) => Promise<Response>) => unknown,
): void {
  describe(what, () => {
    const { trustProxy } = settingsFromEnv({ TAPEWORKS_TRUST_PROXY: trust });
    const fixture = useFixtureServer({ trustProxy });
    let proxy: Server;
    beforeEach(async () => {
      proxy = await startProxy(() => fixture.server.address);
    });
    afterEach(() => void proxy.close());

    it('limits failures by address', async () => {
      const { port } = proxy.address() as AddressInfo;
      await check((client, headers = {}) =>
        fetch(`http://127.0.0.1:${port}${QUOTE}`, {
          headers: { 'X-Test-Client': client, ...headers },
        }),
      );
    });
  });
}

const ALICE = '198.51.100.1';
const BOB = '203.0.113.9';

for (const trust of ['on', '1', 'loopback', '127.0.0.0/8']) {
  describeBehindProxy(`behind a proxy, with ${trust}`, trust, async (ask) => {
    for (let i = 0; i < 60; i++) expect((await ask(ALICE)).status).toBe(401);
    const refused = await ask(ALICE);
    expect(refused.status).toBe(429);
    expect(errorSchema.parse(await refused.json()).error.type).toBe('rate_limit_error');
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThanOrEqual(1);
    expect(refused.headers.get('X-SVC-RateLimit-Limit')).toBe('60');
    expect(refused.headers.get('X-SVC-RateLimit-Remaining')).toBe('0');
    expect((await ask(BOB)).status).toBe(401);
    // What a client writes itself stands before what the proxy says, and is not believed.
    expect((await ask(ALICE, { 'X-Forwarded-For': BOB })).status).toBe(429);
    expect((await ask(BOB, { 'X-Forwarded-For': ALICE })).status).toBe(401);
  });
}

for (const trust of ['off', '192.0.2.7']) {
  describeBehindProxy(`behind a proxy that is not trusted, with ${trust}`, trust, async (ask) => {
    for (let i = 0; i < 30; i++) {
      expect((await ask(ALICE)).status).toBe(401);
      expect((await ask(BOB)).status).toBe(401);
    }
    expect((await ask(BOB)).status).toBe(429);
  });
}

describe('without a proxy', () => {
  const fixture = useFixtureServer();

  it('60 failures a minute are 401, then 429, and after Retry-After 401 again', async () => {
    fixture.server.clock.nowMs = WINDOW_START_MS + 15_500;
    const wrong = { 'X-API-Key': `svc_live_${'x'.repeat(33)}` };
    const ask = async (headers: Record<string, string>) =>
      fixture.server.request(QUOTE, { headers });
    for (let i = 0; i < 60; i++) expect((await ask(i % 2 ? wrong : {})).status).toBe(401);
    // The header of a client that is no proxy says nothing.
    const refused = await ask({ ...wrong, 'X-Forwarded-For': BOB });
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '45']);
    // A valid key works all the same, and is not counted.
    expect((await ask({ 'X-API-Key': await fixture.server.newKey() })).status).toBe(200);
    fixture.server.clock.nowMs += 45_000;
    expect((await ask(wrong)).status).toBe(401);
  });
});
