/** Writes over HTTP on a disk without a free byte. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorSchema } from '../../../src/api/http/error-types.ts';
import { modePaths } from '../../../src/base/config/data-dir.ts';
import { mountSmallDisk } from '../../support/small-disk.ts';
import { publishFixtureMarket } from '../support/fixture-server.ts';
import { NOW_MS } from '../support/market-fixture.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

const disk = mountSmallDisk(16 * 1024 * 1024);

describe.skipIf(!disk)('on a full disk', () => {
  let server: TestServer;
  const { folder, fill, free, remove } = disk ?? ({} as NonNullable<typeof disk>);
  beforeAll(async () => {
    await publishFixtureMarket(modePaths(folder, 'sandbox').serving);
    server = await startTestServer(folder, NOW_MS);
    fill();
  });
  afterAll(async () => {
    await server.close();
    remove();
  });

  const post = (path: string, body: object, headers = {}) =>
    server.request(`/v1/svc/${path}`, {
      method: 'POST',
      headers: {
        ...{ 'X-API-Key': server.rawKey, 'Content-Type': 'application/json' },
        ...headers,
      },
      body: JSON.stringify(body),
    });
  const key = { label: 'laptop', scopes: ['quotes:read'] };
  const webhook = { url: 'https://example.com/hook', events: ['news.published'] };

  /** Until the free pages of the files that are open are used up. */
  async function firstRefused(path: string, body: object, headers: () => object = () => ({})) {
    for (let i = 0; i < 500; i++) {
      const reply = await post(path, body, headers());
      if (reply.status !== 201) return reply;
    }
    throw new Error('500 were written');
  }

  it.each([
    ['developer/keys', key],
    ['webhooks', webhook],
  ])('POST /svc/%s is 503 and names the disk', async (path, body) => {
    const reply = await firstRefused(path, body);
    expect(reply.status).toBe(503);
    expect(errorSchema.parse(reply.json).error).toMatchObject({
      type: 'overloaded_error',
      message: expect.stringContaining('disk of the server is full'),
    });
    expect(Number(reply.headers.get('Retry-After'))).toBeGreaterThan(0);
  });

  it('so is an idempotent request, whose key can be used again afterwards', async () => {
    let count = 0;
    const refused = await firstRefused('developer/keys', key, () => ({
      'Idempotency-Key': `again-${count++}`,
    }));
    expect(refused.status).toBe(503);
    free();
    const again = { 'Idempotency-Key': `again-${count - 1}` };
    expect((await post('developer/keys', key, again)).status).toBe(201);
    fill();
  });

  it('requests that only read succeed', async () => {
    expect((await server.get('/v1/svc/quotes/ABC')).status).toBe(200);
    expect((await server.get('/v1/svc/developer/keys')).status).toBe(200);
    const { json, status } = await server.request('/readyz');
    expect([status, json]).toMatchObject([200, { diskFull: true, modes: { sandbox: 'ready' } }]);
  });

  it('writes work again once there is room', async () => {
    free();
    expect((await post('developer/keys', key)).status).toBe(201);
    expect((await post('webhooks', webhook)).status).toBe(201);
  });
});
