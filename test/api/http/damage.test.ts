/** Files that decay while they are served, over HTTP. */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readinessSchema } from '../../../src/api/operator/health.ts';
import { modePaths } from '../../../src/base/config/data-dir.ts';
import { STATUS_NAME } from '../../../src/store/arrow/read/serving-status.ts';
import { freshFolder } from '../../support/folders.ts';
import { publishFixtureMarket } from '../support/fixture-server.ts';
import { fixtureSymbols, NOW_MS, publishMarket } from '../support/market-fixture.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

let dataDir: string;
let serving: string;
let server: TestServer;

beforeEach(async () => {
  dataDir = freshFolder();
  ({ serving } = modePaths(dataDir, 'sandbox'));
  await publishFixtureMarket(serving);
});
afterEach(() => server.close());

async function readiness(): Promise<unknown> {
  const reply = await server.request('/readyz');
  expect(reply.status).toBe(200);
  return readinessSchema.parse(reply.json).modes.sandbox;
}

function flipBit(name: string, place: number): void {
  const bytes = readFileSync(join(serving, name));
  bytes[place] ^= 1;
  writeFileSync(join(serving, name), bytes);
}

describe('a bit that flips in a published file before its first read', () => {
  it('makes requests for its data 503, until a newer version is whole', async () => {
    server = await startTestServer(dataDir, NOW_MS);
    // Answers that are kept are right; each of these is made anew.
    let day = 0;
    const ask = (symbol: string) =>
      server.get(`/v1/svc/candles?symbols=${symbol}&format=csv&from=2024-01-0${++day}`);
    expect(await readiness()).toBe('ready');
    const file = readdirSync(serving).find((name) => name.startsWith('candles-1d-closed'))!;
    const { close } = fixtureSymbols()[0].bars;
    const number = Buffer.from(Float64Array.of(close[0]).buffer);
    flipBit(file, readFileSync(join(serving, file)).indexOf(number));
    const refused = await ask('ABC');
    expect([refused.status, refused.text]).toEqual([
      503,
      expect.stringContaining('The data for this response is damaged'),
    ]);
    expect(server.log.some(({ err }) => JSON.stringify(err ?? '').includes(file))).toBe(true);
    expect(await readiness()).toBe('damaged');
    // What is whole is served on.
    expect((await ask('RAW')).status).toBe(200);
    expect((await server.get('/v1/svc/quotes/ABC')).status).toBe(200);

    await publishMarket(serving, fixtureSymbols());
    await expect.poll(readiness).toBe('ready');
    expect((await ask('ABC')).status).toBe(200);
    expect(await readiness()).toBe('ready');
  });

  it('is damaged where it is in the status, until the next publish writes that', async () => {
    server = await startTestServer(dataDir, NOW_MS);
    expect(await readiness()).toBe('ready');
    const text = readFileSync(join(serving, STATUS_NAME), 'utf8');
    flipBit(STATUS_NAME, text.indexOf('newestBarEnd') + 'newestBarEnd": "202'.length);
    expect(await readiness()).toBe('damaged');
    writeFileSync(join(serving, STATUS_NAME), text.slice(0, 100));
    expect(await readiness()).toBe('damaged');
    expect((await server.get('/v1/svc/quotes/ABC')).status).toBe(200);
    await publishMarket(serving, fixtureSymbols());
    expect(await readiness()).toBe('ready');
  });

  it('is unknown in the status of an older program, which has no checksum', async () => {
    const { crc32, ...status } = JSON.parse(readFileSync(join(serving, STATUS_NAME), 'utf8'));
    expect(crc32).toEqual(expect.any(Number));
    writeFileSync(join(serving, STATUS_NAME), JSON.stringify(status));
    server = await startTestServer(dataDir, NOW_MS);
    expect(await readiness()).toBe('ready');
  });
});
