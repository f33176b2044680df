import { describe, expect, it } from 'vitest';
import { launchBrowser } from '../../support/browser.ts';
import { chromium } from '../../support/tools.ts';
import { useFixtureServer } from '../support/fixture-server.ts';
import type { TestServer } from '../support/test-server.ts';

const QUOTE = '/v1/svc/quotes/ABC';
const APP = 'https://app.example.com';

const PREFLIGHT = {
  Origin: APP,
  'Access-Control-Request-Method': 'GET',
  'Access-Control-Request-Headers': 'x-api-key',
};

const corsNames = (headers: Headers) =>
  [...headers.keys()].filter((name) => name.startsWith('access-control-'));

const plain = useFixtureServer();
const listed = useFixtureServer({ corsOrigins: [APP] });
const open = useFixtureServer({ corsOrigins: ['*'] });

it('without the setting pages of other origins read nothing', async () => {
  const answered = await plain.server.get(QUOTE, { Origin: APP });
  expect(answered.status).toBe(200);
  expect(corsNames(answered.headers)).toEqual([]);
  expect(answered.headers.get('Vary')).toBe('Accept');
  const preflight = await plain.server.request(QUOTE, { method: 'OPTIONS', headers: PREFLIGHT });
  expect([preflight.status, corsNames(preflight.headers)]).toEqual([204, []]);
});

it('with a star every page reads responses', async () => {
  const reply = await open.server.get(QUOTE, { Origin: 'https://any.example' });
  expect(reply.headers.get('Access-Control-Allow-Origin')).toBe('https://any.example');
});

describe('with an origin', () => {
  it('its preflight needs no key', async () => {
    const reply = await listed.server.request(QUOTE, { method: 'OPTIONS', headers: PREFLIGHT });
    expect(reply.status).toBe(204);
    expect(reply.headers.get('Access-Control-Allow-Origin')).toBe(APP);
    expect(reply.headers.get('Access-Control-Allow-Methods')).toContain('DELETE');
    expect(reply.headers.get('Access-Control-Allow-Headers')).toContain('X-API-Key');
    expect(reply.headers.get('Vary')).toBe('Origin');
  });

  it('its pages read responses, errors and headers', async () => {
    const replies = [
      await listed.server.get(QUOTE, { Origin: APP }),
      await listed.server.request(QUOTE, { headers: { Origin: APP } }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([200, 401]);
    for (const { headers } of replies) {
      expect(headers.get('Access-Control-Allow-Origin')).toBe(APP);
      expect(headers.get('Access-Control-Expose-Headers')).toContain('X-SVC-RateLimit-Remaining');
      expect(headers.has('Access-Control-Allow-Credentials')).toBe(false);
    }
  });

  it('pages of others read nothing, and caches know that it depends', async () => {
    for (const origin of ['https://evil.example', `${APP}.evil.example`, 'null']) {
      const reply = await listed.server.get(QUOTE, { Origin: origin });
      expect(corsNames(reply.headers)).toEqual([]);
      expect(reply.headers.get('Vary')).toBe('Accept, Origin');
      const headers = { ...PREFLIGHT, Origin: origin };
      const refused = await listed.server.request(QUOTE, { method: 'OPTIONS', headers });
      expect([refused.status, corsNames(refused.headers)]).toEqual([204, []]);
    }
  });
});

describe('an origin that is refused', () => {
  const lines = () => listed.server.log.filter(({ origin }) => origin !== undefined);

  it('is named in the log once a minute, with the setting', async () => {
    const { server } = listed;
    server.clock.nowMs += 60_000;
    const before = lines().length;
    const named = () => lines().slice(before);
    const ask = (origin: string) => server.get(QUOTE, { Origin: origin });
    await ask('https://one.example');
    await ask('https://one.example');
    await server.request(QUOTE, { method: 'OPTIONS', headers: { ...PREFLIGHT, Origin: 'null' } });
    expect(named().map(({ origin }) => origin)).toEqual(['https://one.example', 'null']);
    expect(named()[0].msg).toContain('TAPEWORKS_CORS_ORIGINS');
    server.clock.nowMs += 60_000;
    await ask('https://one.example');
    expect(named()).toHaveLength(3);
  });

  it('is not the server itself, nor one that is allowed', async () => {
    const before = lines().length;
    await listed.server.get(QUOTE, { Origin: APP });
    await listed.server.get(QUOTE, { Origin: listed.server.address });
    expect(lines()).toHaveLength(before);
  });

  it('does not fill the log with names that a client makes up', async () => {
    listed.server.clock.nowMs += 60_000;
    const before = lines().length;
    for (let i = 0; i < 50; i++) await listed.server.get(QUOTE, { Origin: `https://${i}.example` });
    expect(lines()).toHaveLength(before + 20);
  });
});

it.skipIf(!chromium)(
  'a browser reads responses if its origin is allowed, coded ones too; else the log names it',
  async () => {
    const browser = await launchBrowser();
    try {
      const opened = await browser.newPage({ bypassCSP: true });
      // Another port is another origin.
      await opened.goto(`${listed.server.address}/docs/errors/not_found_error`);
      const read = (server: TestServer) =>
        opened.evaluate(
          async ([url, key]) => {
            try {
              const answer = await fetch(url, { headers: { 'X-API-Key': key } });
              return `${answer.status} ${Object.keys((await answer.json()) as object)}`;
            } catch (error) {
              return String(error);
            }
          },
          [`${server.address}/v1/svc/technical/ABC?indicators=rsi`, server.rawKey],
        );
      expect(await read(open.server)).toBe('200 symbol,interval,indicators,candles');
      plain.server.clock.nowMs += 60_000;
      const before = plain.server.log.length;
      expect(await read(plain.server)).toBe('TypeError: Failed to fetch');
      const named = plain.server.log.slice(before).flatMap(({ origin }) => origin ?? []);
      expect(named).toEqual([listed.server.address]);
    } finally {
      await browser.close();
    }
  },
  60_000,
);

it('security headers are on responses, errors and pages', async () => {
  for (const path of [QUOTE, '/nope', '/healthz', '/docs/errors/api_error']) {
    const { headers } = await plain.server.get(path);
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(headers.get('X-Frame-Options')).toBe('DENY');
    expect(headers.get('Referrer-Policy')).toBe('no-referrer');
    expect(headers.get('Content-Security-Policy')).toMatch(/^default-src 'none'/);
  }
});
