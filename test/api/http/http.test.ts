import { describe, expect, it } from 'vitest';
import { errorSchema } from '../../../src/api/http/error-types.ts';
import { freshFolder } from '../../support/folders.ts';
import { useFixtureServer } from '../support/fixture-server.ts';
import { NOW_MS } from '../support/market-fixture.ts';
import { type Reply, startTestServer } from '../support/test-server.ts';

const QUOTE = '/v1/svc/quotes/ABC';

const fixture = useFixtureServer();

function requestWith(method: string, path = QUOTE, headers = {}): Promise<Reply> {
  return fixture.server.request(path, {
    method,
    headers: { 'X-API-Key': fixture.server.rawKey, ...headers },
  });
}

describe('methods', () => {
  it('responds to OPTIONS with 204 and Allow', async () => {
    const reply = await requestWith('OPTIONS');
    expect(reply.status).toBe(204);
    expect(reply.headers.get('Allow')).toBe('GET, HEAD, OPTIONS');
    expect(reply.headers.has('X-SVC-RateLimit-Remaining')).toBe(true);
  });

  it('responds to a method on a path that does not exist with 404', async () => {
    expect((await requestWith('POST', '/v1/svc/nope')).status).toBe(404);
  });
});

describe('paths', () => {
  it.each(['/V1/SVC/quotes/ABC', '/DOCS', '//v1/svc/quotes/ABC'])(
    '%s is unknown and public',
    async (path) => {
      const reply = await fixture.server.request(path);
      expect(reply.status).toBe(404);
      expect(errorSchema.parse(reply.json).error.type).toBe('not_found_error');
    },
  );

  it('takes a slash at the end', async () => {
    expect((await requestWith('GET', `${QUOTE}/`)).status).toBe(200);
  });

  it('responds to a path that is not UTF-8 with 400', async () => {
    expect((await requestWith('GET', '/v1/svc/quotes/%ff')).status).toBe(400);
  });
});

describe('formats', () => {
  it('varies by Accept', async () => {
    const reply = await requestWith('GET', QUOTE, { Accept: 'text/csv' });
    expect(reply.headers.get('Content-Type')).toBe('text/csv; charset=utf-8');
    expect(reply.headers.get('Vary')).toBe('Accept');
  });
});

describe('ETag', () => {
  it('gets 304 without a body, and differs by query and format', async () => {
    const { headers } = await requestWith('GET');
    const etag = headers.get('ETag') as string;
    expect(etag).toMatch(/^"[\w-]+"$/);
    for (const ifNoneMatch of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const reply = await requestWith('GET', QUOTE, { 'If-None-Match': ifNoneMatch });
      expect([reply.status, reply.text]).toEqual([304, '']);
      expect(reply.headers.get('ETag')).toBe(etag);
      expect(reply.headers.get('Cache-Control')).toBe('private, no-cache');
    }
    const others = [`${QUOTE}?format=csv`, '/v1/svc/quotes/NEW', '/v1/svc/technical/ABC'];
    for (const path of others) {
      const reply = await requestWith('GET', path, { 'If-None-Match': etag });
      expect(reply.status).toBe(200);
    }
  });

  it('is the same for every spelling of a question', async () => {
    const etags = await Promise.all(
      ['abc?format=json', 'ABC', 'ABC/', 'a%62c?'].map(async (rest) => {
        const reply = await requestWith('GET', `/v1/svc/quotes/${rest}`);
        return reply.headers.get('ETag');
      }),
    );
    expect(new Set(etags).size).toBe(1);
  });

  it('is absent from errors, which no cache keeps', async () => {
    const reply = await requestWith('GET', '/v1/svc/quotes/ZZZ', { 'If-None-Match': '*' });
    expect(reply.status).toBe(404);
    expect(reply.headers.get('Cache-Control')).toBe('no-store');
    expect(reply.headers.has('ETag')).toBe(false);
  });
});

describe('request ids', () => {
  it('are equal in header, body and log', async () => {
    const reply = await requestWith('GET', '/v1/svc/quotes/ZZZ');
    const id = reply.headers.get('X-Request-Id');
    expect(errorSchema.parse(reply.json).request_id).toBe(id);
    expect(fixture.server.log.find((line) => line.request_id === id)).toMatchObject({
      method: 'GET',
      target: '/v1/svc/quotes/ZZZ',
      status: 404,
      key: expect.stringMatching(/^key_/),
    });
  });

  it('are never given twice', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => requestWith('GET')));
    expect(new Set(replies.map((reply) => reply.headers.get('X-Request-Id'))).size).toBe(20);
  });
});

describe('what responses and logs never show', () => {
  it('names no software', async () => {
    for (const reply of [await requestWith('GET'), await fixture.server.request('/nope')]) {
      expect(reply.headers.has('X-Powered-By')).toBe(false);
      expect(reply.headers.has('Server')).toBe(false);
      expect(reply.headers.get('X-Content-Type-Options')).toBe('nosniff');
    }
  });

  it('logs no key, in headers or in the URL', async () => {
    await requestWith('GET', `${QUOTE}?api_key=${fixture.server.rawKey}`);
    expect(JSON.stringify(fixture.server.log)).not.toContain(fixture.server.rawKey.slice(12));
  });

  it('responds to a bug with 500, whose stack is only in the log', async () => {
    const folder = freshFolder();
    const broken = await startTestServer(folder, NOW_MS);
    Object.defineProperty(broken.clock, 'nowMs', {
      get: () => {
        throw new TypeError('the clock is broken');
      },
    });
    const reply = await broken.get(QUOTE);
    const { error, request_id } = errorSchema.parse(reply.json);
    expect([reply.status, error.type]).toEqual([500, 'api_error']);
    expect(reply.text).not.toMatch(/clock|TypeError|\.ts/);
    expect(broken.log.find((line) => line.request_id === request_id)).toMatchObject({
      err: { type: 'TypeError', message: 'the clock is broken' },
    });
    await broken.close();
  });
});
