import { describe, expect, it } from 'vitest';
import { useFixtureServer } from './fixture-server.ts';

const QUOTE = '/v1/svc/quotes/ABC';
const APP = 'https://app.example.com';

const PREFLIGHT = {
  Origin: APP,
  'Access-Control-Request-Method': 'GET',
  'Access-Control-Request-Headers': 'x-api-key',
};

const corsNames = (headers: Headers) =>
  [...headers.keys()].filter((name) => name.startsWith('access-control-'));

describe('without the setting', () => {
  const fixture = useFixtureServer();

  it('pages of other origins read nothing', async () => {
    const answered = await fixture.server.get(QUOTE, { Origin: APP });
    expect(answered.status).toBe(200);
    expect(corsNames(answered.headers)).toEqual([]);
    expect(answered.headers.get('Vary')).toBe('Accept');
    const preflight = await fixture.server.request(QUOTE, {
      method: 'OPTIONS',
      headers: PREFLIGHT,
    });
    expect([preflight.status, corsNames(preflight.headers)]).toEqual([401, []]);
  });
});

describe('with an origin', () => {
  const fixture = useFixtureServer({ corsOrigins: [APP] });

  it('its preflight needs no key', async () => {
    const reply = await fixture.server.request(QUOTE, { method: 'OPTIONS', headers: PREFLIGHT });
    expect(reply.status).toBe(204);
    expect(reply.headers.get('Access-Control-Allow-Origin')).toBe(APP);
    expect(reply.headers.get('Access-Control-Allow-Methods')).toContain('DELETE');
    expect(reply.headers.get('Access-Control-Allow-Headers')).toContain('X-API-Key');
    expect(reply.headers.get('Vary')).toBe('Origin');
  });

  it('its pages read answers, errors and our headers', async () => {
    const replies = [
      await fixture.server.get(QUOTE, { Origin: APP }),
      await fixture.server.request(QUOTE, { headers: { Origin: APP } }),
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
      const reply = await fixture.server.get(QUOTE, { Origin: origin });
      expect(corsNames(reply.headers)).toEqual([]);
      expect(reply.headers.get('Vary')).toBe('Accept, Origin');
      const headers = { ...PREFLIGHT, Origin: origin };
      expect((await fixture.server.request(QUOTE, { method: 'OPTIONS', headers })).status).toBe(
        401,
      );
    }
  });
});

describe('with a star', () => {
  const fixture = useFixtureServer({ corsOrigins: ['*'] });

  it('every page reads answers', async () => {
    const reply = await fixture.server.get(QUOTE, { Origin: 'https://any.example' });
    expect(reply.headers.get('Access-Control-Allow-Origin')).toBe('https://any.example');
  });
});

describe('security headers', () => {
  const fixture = useFixtureServer();

  it('are on answers, errors and pages', async () => {
    for (const path of [QUOTE, '/nope', '/healthz', '/docs/errors/api_error']) {
      const { headers } = await fixture.server.get(path);
      expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
      expect(headers.get('X-Frame-Options')).toBe('DENY');
      expect(headers.get('Referrer-Policy')).toBe('no-referrer');
      expect(headers.get('Content-Security-Policy')).toMatch(/^default-src 'none'/);
    }
  });
});
