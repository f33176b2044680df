/** Streams and requests of a server whose Postgres is killed and started again. */

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { modePaths } from '../../../src/base/config/data-dir.ts';
import { limits } from '../../../src/base/limits.ts';
import { sharedFolder } from '../../support/folders.ts';
import { type RunningPostgres, startPostgres } from '../../support/postgres-server.ts';
import { postgresFolder } from '../../support/tools.ts';
import { useLimits } from '../../support/use-limits.ts';
import { type EventReader, openEvents } from '../support/event-reader.ts';
import { publishFixtureMarket } from '../support/fixture-server.ts';
import { NOW_MS } from '../support/market-fixture.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

const dataDir = sharedFolder();
useLimits(limits.stream, { pollMs: 40, heartbeatMs: 40, renewMs: 40, keyCheckMs: 5 });
useLimits(limits.key, { cacheMs: 0 });

const SYMBOLS = '/v1/svc/symbols';
const { staleMs } = limits.postgres;

describe.skipIf(!postgresFolder)('a server without its Postgres', () => {
  let postgres: RunningPostgres;
  let url: string;
  let server: TestServer;
  const open: EventReader[] = [];

  const start = (rawKey?: string) =>
    startTestServer(dataDir, NOW_MS, { accountsUrl: url, ...(rawKey && { rawKey }) });

  beforeAll(async () => {
    postgres = await startPostgres();
    url = await postgres.create('away');
    await publishFixtureMarket(modePaths(dataDir, 'sandbox').serving);
    server = await start();
  });
  afterEach(async () => {
    for (const reader of open.splice(0)) reader.close();
    await postgres.restart();
    server.clock.nowMs = NOW_MS;
    await expect.poll(() => server.accounts.refresh().then(() => true, String)).toBe(true);
  });
  afterAll(async () => {
    await server?.close();
    await postgres?.stop();
  });

  async function stream(lastId?: string): Promise<EventReader> {
    const headers: Record<string, string> = { 'X-API-Key': server.rawKey };
    if (lastId !== undefined) headers['Last-Event-ID'] = lastId;
    const reader = await openEvents(server.address, 'events=data.ready', headers);
    open.push(reader);
    return reader;
  }

  let number = 0;
  async function emit(): Promise<string> {
    const id = `evt_${++number}`;
    const event = { type: 'data.ready', occurredAtMs: NOW_MS, symbols: undefined } as const;
    await server.accounts.addEvents('sandbox', [{ ...event, id, data: { number } }]);
    return id;
  }

  /** Waits for some more signs of life. */
  async function untilAlive(reader: EventReader): Promise<void> {
    const { length } = reader.text;
    await reader.until(({ text }) => text.slice(length).split('id: ').length > 3);
  }

  it('keeps streams open, and sends what they missed', async () => {
    const reader = await stream();
    await emit();
    await reader.next();
    await postgres.kill();
    await untilAlive(reader);
    await postgres.restart();
    const missed = await emit();
    expect((await reader.next()).lastId).toBe(missed);
    expect(reader.text).not.toContain('stream.reset');
  });

  it('opens streams of known keys, which continue where their clients were', async () => {
    const first = await stream();
    const last = await emit();
    await first.next();
    first.close();
    const missed = await emit();
    await postgres.kill();
    const again = await stream(last);
    expect(again.response.statusCode).toBe(200);
    await untilAlive(again);
    expect(again.lastId).toBe(last);
    const fresh = await stream();
    await untilAlive(fresh);
    expect(fresh.lastId).toBe('');
    await postgres.restart();
    expect((await again.next()).lastId).toBe(missed);
    expect(again.text).not.toContain('stream.reset');
    // Events may have been stored since it was opened.
    expect((await fresh.next()).body).toMatchObject({
      type: 'stream.reset',
      data: { lastEventId: '', reason: expect.stringContaining('the start of the stream') },
    });
    const next = await emit();
    expect((await again.next()).lastId).toBe(next);
    expect((await fresh.next()).lastId).toBe(next);
  });

  it('admits known keys for ten minutes, then responds with 503, and loses no count', async () => {
    const rawKey = await server.newKey();
    const { id } = server.accounts.findKey(rawKey)!;
    const revoked = await server.newKey();
    await server.accounts.revokeKey(server.accounts.findKey(revoked)!.id);
    const get = async (key: string) => (await server.get(SYMBOLS, { 'X-API-Key': key })).status;
    await postgres.kill();
    const reader = await stream();
    server.clock.nowMs += staleMs - 60_000;
    for (let i = 0; i < 5; i++) expect(await get(rawKey)).toBe(200);
    expect(await get(revoked)).toBe(401);
    await untilAlive(reader);
    server.clock.nowMs += 120_000;
    // Each request, also the next ones of a key that the thread has in its cache.
    Object.assign(limits.key, { cacheMs: 250 });
    for (let i = 0; i < 3; i++) expect(await get(rawKey)).toBe(503);
    Object.assign(limits.key, { cacheMs: 0 });
    expect(await get(revoked)).toBe(503);
    await reader.closed;
    // A server that starts now refuses them too, and recovers.
    const late = await start(rawKey);
    late.clock.nowMs = server.clock.nowMs;
    expect((await late.get(SYMBOLS)).status).toBe(503);
    await postgres.restart();
    await expect.poll(async () => (await late.get(SYMBOLS)).status).toBe(200);
    await late.close();
    server.writeCounts();
    const days = { mode: 'sandbox', fromDay: 0, toDay: 99_999, keyId: id, rowsMax: 99 } as const;
    const counted = async () => {
      const rows = await server.accounts.dailyKeyUsage(days).catch(() => []);
      return rows.reduce((sum, { callCount }) => sum + callCount, 0);
    };
    // Five before the ten minutes had passed, and the one that the late server admitted.
    await expect.poll(counted).toBe(6);
  });

  it('does not admit keys for longer if its clock is put back', async () => {
    await postgres.kill();
    server.clock.nowMs -= 2 * staleMs;
    expect((await server.get(SYMBOLS)).status).toBe(503);
  });

  it('says once that Postgres is away, however many requests need it', async () => {
    const of = () => server.log.filter(({ err }) => JSON.stringify(err)?.includes('Postgres of'));
    const before = of().length;
    await postgres.kill();
    for (let i = 0; i < 5; i++)
      expect((await server.get('/v1/svc/developer/keys')).status).toBe(503);
    expect(of().length - before).toBeLessThanOrEqual(1);
  });
});
