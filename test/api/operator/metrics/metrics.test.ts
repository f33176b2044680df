import { request as httpRequest } from 'node:http';
import { describe, expect, it } from 'vitest';
import { settingsFromEnv } from '../../../../src/base/config/config.ts';
import { useFixtureServer } from '../../support/fixture-server.ts';
import { parseMetrics } from '../../support/prometheus-text.ts';
import { raw, rawReplies } from '../../support/raw-socket.ts';

const TOKEN = 'operator-token-of-the-test';
const fixture = useFixtureServer({ operatorToken: TOKEN });
const closed = useFixtureServer();

const bearer = { Authorization: `Bearer ${TOKEN}` };

const ask = () => fixture.server.request('/metrics', { headers: bearer });
const read = async () => parseMetrics((await ask()).text);

/** Status of a request whose Host is not what the address says, which `fetch` can't send. */
function statusOf(address: string, headers: Record<string, string>, method = 'GET') {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  httpRequest(`${address}/metrics`, { headers, method, agent: false }, (response) => {
    response.resume();
    resolve(response.statusCode);
  })
    .on('error', reject)
    .end();
  return promise;
}

describe('/metrics', () => {
  it('is text as Prometheus reads it', async () => {
    const { status, headers, text } = await ask();
    expect(status).toBe(200);
    expect(headers.get('Content-Type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(headers.get('Cache-Control')).toBe('no-store');
    // The parser takes every line to be a comment or a finite sample of a known type.
    expect(parseMetrics(text).size).toBeGreaterThan(5);
  });

  it('counts requests by route, method and status class', async () => {
    const { server } = fixture;
    const name = 'tapeworks_http_request_duration_seconds';
    const quotes = { route: '/v1/svc/quotes/{symbol}', method: 'GET' };
    const before = await read();
    await server.get('/v1/svc/quotes/ABC');
    await server.get('/v1/svc/quotes/ABC');
    await server.get('/v1/svc/quotes/UNKNOWN');
    await server.request('/v1/svc/quotes/ABC');
    await server.request('/nowhere/at-all');
    await server.request('/healthz', { method: 'PUT' });
    const after = await read();
    const more = (labels: Record<string, string>) =>
      (after.get(name)?.value('_count', labels) ?? 0) -
      (before.get(name)?.value('_count', labels) ?? 0);
    expect(more({ ...quotes, status: '2xx' })).toBe(2);
    expect(more({ ...quotes, status: '4xx' })).toBe(2);
    expect(more({ route: '(none)', method: 'GET', status: '4xx' })).toBe(1);
    expect(more({ route: '/healthz', method: 'other', status: '4xx' })).toBe(1);
    expect(after.get(name)?.type).toBe('histogram');
  });

  it('has histograms whose buckets rise to their count', async () => {
    await fixture.server.get('/v1/svc/quotes/ABC');
    const histogram = (await read()).get('tapeworks_http_request_duration_seconds');
    const labels = { route: '/v1/svc/quotes/{symbol}', method: 'GET', status: '2xx' };
    const buckets = histogram?.samples.filter(
      ({ suffix, labels: l }) =>
        suffix === '_bucket' && l.route === labels.route && l.status === '2xx',
    );
    const counts = buckets?.map(({ value }) => value) ?? [];
    expect(counts).toEqual([...counts].sort((a, b) => a - b));
    expect(buckets?.at(-1)?.labels.le).toBe('+Inf');
    expect(counts.at(-1)).toBe(histogram?.value('_count', labels));
    expect(histogram?.value('_sum', labels)).toBeGreaterThan(0);
  });

  it('counts limited requests and those without a valid key', async () => {
    const { server } = fixture;
    const key = await server.newKey({ limit: { requests: 1, windowS: 3600 } });
    const before = await read();
    const ask = () => server.request('/v1/svc/quotes/ABC', { headers: { 'X-API-Key': key } });
    await ask();
    expect((await ask()).status).toBe(429);
    expect((await server.request('/v1/svc/quotes/ABC')).status).toBe(401);
    const after = await read();
    const more = (name: string, labels = {}) =>
      (after.get(name)?.value('', labels) ?? 0) - (before.get(name)?.value('', labels) ?? 0);
    expect(more('tapeworks_http_limited_total', { by: 'key' })).toBe(1);
    expect(more('tapeworks_http_limited_total', { by: 'address' })).toBe(0);
    expect(more('tapeworks_http_failed_authentications_total')).toBe(1);
  });

  it('reports age and rows of the published data', async () => {
    const metrics = await read();
    const sandbox = { mode: 'sandbox' };
    const days = { ...sandbox, dataset: 'candles', interval: '1d' };
    expect(metrics.get('tapeworks_published_version')?.value('', sandbox)).toBe(1);
    expect(metrics.get('tapeworks_dataset_rows')?.value('', days)).toBeGreaterThan(0);
    expect(metrics.get('tapeworks_dataset_age_seconds')?.value('', days)).toBeGreaterThan(0);
    const modes = metrics.get('tapeworks_dataset_rows')?.samples.map(({ labels }) => labels.mode);
    expect(new Set(modes)).toEqual(new Set(['sandbox']));
  });
});

describe('access', () => {
  const basic = (password: string) => ({
    Authorization: `Basic ${Buffer.from(`anyone:${password}`).toString('base64')}`,
  });

  it('is off without a token in the settings, for any address and token', async () => {
    const { server } = closed;
    const tried: Record<string, string>[] = [{}, bearer, basic(TOKEN), { Host: 'localhost' }];
    for (const headers of tried) {
      expect(await statusOf(server.address, headers)).toBe(404);
      // Another method tells no more.
      expect(await statusOf(server.address, headers, 'POST')).toBe(404);
    }
    expect((await server.request('/metrics')).json).toMatchObject({
      error: { message: 'This path is off: it needs the setting TAPEWORKS_ADMIN_TOKEN' },
    });
  });

  it('is granted to the token, as Bearer or as a password, from anywhere', async () => {
    const { address } = fixture.server;
    expect(await statusOf(address, bearer)).toBe(200);
    expect(await statusOf(address, basic(TOKEN))).toBe(200);
    expect(await statusOf(address, { ...bearer, Host: 'data.example.com' })).toBe(200);
    expect(await statusOf(address, {})).toBe(401);
    expect(await statusOf(address, { Host: 'localhost' })).toBe(401);
  });

  it.each(['bearer', 'basic'])(
    'is denied to two tokens, even if the first is right: %s',
    async (kind) => {
      const { Authorization: good } = kind === 'bearer' ? bearer : basic(TOKEN);
      const lines = ['GET /metrics HTTP/1.1', 'Host: x', 'Connection: close'];
      for (const second of [good, 'Bearer other-token-of-some-length', 'Basic b3RoZXI6b3RoZXI=']) {
        const head = [...lines, `Authorization: ${good}`, `Authorization: ${second}`, '', ''];
        const [{ status }] = rawReplies(await raw(fixture.server.address, head.join('\r\n')));
        expect(status).toBe(401);
      }
    },
  );

  const navigated = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' };
  const framed = { ...navigated, 'Sec-Fetch-Dest': 'iframe' };

  it('is granted to a browser from its own pages, its address bar and followed links', async () => {
    const { address } = fixture.server;
    for (const site of ['none', 'same-origin']) {
      expect(await statusOf(address, { ...bearer, 'Sec-Fetch-Site': site })).toBe(200);
    }
    const followed = { ...bearer, ...navigated, 'Sec-Fetch-Dest': 'document' };
    expect(await statusOf(address, followed)).toBe(200);
  });

  // A browser that was told the password once sends it with the requests of every page.
  it.each([
    ["a page of somebody else's", { Origin: 'https://pages.example.com' }],
    ['a page without an origin', { Origin: 'null' }],
    ['an image in a page of somebody else', { 'Sec-Fetch-Site': 'cross-site' }],
    ["another program's page on this machine", { 'Sec-Fetch-Site': 'same-site' }],
    ['a frame in a page of somebody else', framed],
  ])('is denied from %s: the path is unknown', async (_, headers) => {
    const { address } = fixture.server;
    expect(await statusOf(address, { ...bearer, ...headers })).toBe(404);
    expect(await statusOf(address, { ...bearer, ...headers }, 'POST')).toBe(404);
  });

  it('requires the token otherwise, and limits guesses', async () => {
    const { server } = fixture;
    const guess = (headers = {}) => server.request('/metrics', { headers });
    const { status, headers, json } = await guess();
    expect(status).toBe(401);
    expect(headers.get('WWW-Authenticate')).toMatch(/^Basic realm=/);
    expect(json).toMatchObject({ error: { message: 'Operator token is missing' } });
    let last = 0;
    for (let count = 0; count < 60; count++) last = (await guess(basic(`guess ${count}`))).status;
    expect(last).toBe(429);
    expect((await guess(bearer)).status).toBe(200);
  });

  it('a weak token is rejected, and never shown', () => {
    expect(() => settingsFromEnv({ TAPEWORKS_ADMIN_TOKEN: 'short' })).toThrow(
      /^TAPEWORKS_ADMIN_TOKEN must be at least 16 characters of printable ASCII without blanks$/,
    );
    expect(settingsFromEnv({ TAPEWORKS_ADMIN_TOKEN: '' }).operatorToken).toBeUndefined();
  });
});
