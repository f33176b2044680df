import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { errorSchema } from '../../../src/api/http/error-types.ts';
import { readinessSchema } from '../../../src/api/operator/health.ts';
import { modePaths } from '../../../src/base/config/data-dir.ts';
import { freshFolder } from '../../support/folders.ts';
import { publishFixtureMarket } from '../support/fixture-server.ts';
import { NOW_MS, publishMarket } from '../support/market-fixture.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

const MILLIS_PER_DAY = 86_400_000;

let dataDir: string;
let server: TestServer;

beforeEach(() => {
  dataDir = freshFolder();
});

afterEach(() => server.close());

async function start(): Promise<void> {
  server = await startTestServer(dataDir, NOW_MS);
}

async function readiness() {
  const reply = await server.request('/readyz');
  expect(reply.status).toBe(200);
  return readinessSchema.parse(reply.json);
}

it('/healthz says ok without key or data', async () => {
  await start();
  const reply = await server.request('/healthz');
  expect([reply.status, reply.json]).toEqual([200, { status: 'ok' }]);
  expect(reply.headers.get('Cache-Control')).toBe('no-store');
});

describe('/readyz', () => {
  it('is 503 while no mode has data, in the envelope of errors', async () => {
    await start();
    const reply = await server.request('/readyz');
    expect(reply.status).toBe(503);
    const { error, request_id, ...details } = reply.json as Record<string, unknown>;
    expect(errorSchema.parse({ error, request_id }).error.type).toBe('overloaded_error');
    expect(readinessSchema.parse(details)).toEqual({
      status: 'empty',
      modes: { live: 'empty', sandbox: 'empty' },
      newestBars: { live: null, sandbox: null },
      diskFull: false,
    });
  });

  it('reports the modes separately', async () => {
    await publishFixtureMarket(modePaths(dataDir, 'live').serving);
    await start();
    expect(await readiness()).toEqual({
      status: 'ready',
      modes: { live: 'ready', sandbox: 'empty' },
      newestBars: { live: '2026-01-05T21:00:00.000Z', sandbox: null },
      diskFull: false,
    });
  });

  it('calls symbols without any bars ready: nothing of them is old', async () => {
    await publishMarket(modePaths(dataDir, 'live').serving, []);
    await start();
    expect((await readiness()).modes.live).toBe('ready');
  });

  it('calls data stale, and still serves it, when two sessions are missing', async () => {
    await publishFixtureMarket(modePaths(dataDir, 'sandbox').serving);
    await start();
    // The newest bar is of Monday. Wednesday noon: Tuesday's session is missing.
    server.clock.nowMs = NOW_MS + MILLIS_PER_DAY;
    expect((await readiness()).modes.sandbox).toBe('ready');
    server.clock.nowMs = NOW_MS + 2 * MILLIS_PER_DAY;
    expect((await readiness()).modes.sandbox).toBe('stale');
    expect((await server.get('/v1/svc/quotes/ABC')).status).toBe(200);
  });
});

it('a mode without data responds as an empty one, and says so of a symbol', async () => {
  await start();
  const quote = await server.get('/v1/svc/quotes/ABC');
  expect([quote.status, quote.json]).toMatchObject([
    404,
    {
      error: {
        message:
          'Unknown symbol "ABC" in sandbox data, which is empty: the first start fills it within a minute',
      },
    },
  ]);
  expect((await server.get('/v1/svc/quotes/batch?symbols=ABC')).json).toEqual({
    data: [],
    notFound: ['ABC'],
  });
});
