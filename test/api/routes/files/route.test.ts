import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { modePaths } from '../../../../src/base/config/data-dir.ts';
import { limits } from '../../../../src/base/limits.ts';
import { readFileSets, requestedName } from '../../../../src/store/parquet/file-sets.ts';
import { madeFiles } from '../../../cli/files/made-market.ts';
import { useFixtureServer } from '../../support/fixture-server.ts';
import { fixtureSymbols, NOW_MS, publishMarket } from '../../support/market-fixture.ts';
import type { TestServer } from '../../support/test-server.ts';

const DAY_MS = 86_400_000;
const fixture = useFixtureServer();
const { dataDir } = fixture;
const { serving, files: folder } = modePaths(dataDir, 'sandbox');
let server: TestServer;

beforeAll(() => {
  server = fixture.server;
});

interface Listed {
  dataset: string;
  interval: string | null;
  year: number | null;
  month: number | null;
  url: string;
  bytes: number;
  version: string;
}

async function listed(rawKey = server.rawKey): Promise<Listed[]> {
  const { json } = await server.get('/v1/svc/files', { 'X-API-Key': rawKey });
  return (json as { data: Listed[] }).data;
}

/** Path and bytes of the daily bars of 2024. */
async function year2024() {
  const row = (await listed()).find(({ year }) => year === 2024)!;
  const [set] = readFileSets(folder);
  const stored = set.files.find((file) => requestedName(file) === 'candles-1d-2024.parquet')!;
  return {
    path: `/v1/svc/files/${row.version}/candles-1d-2024.parquet`,
    link: new URL(row.url).pathname,
    bytes: readFileSync(join(folder, stored.name)),
  };
}

describe('the list', () => {
  it('is empty until files are made', async () => {
    expect(await listed()).toEqual([]);
    await madeFiles(dataDir);
    await expect.poll(listed).not.toEqual([]);
  });

  it('has a row for each file of the newest version', async () => {
    const rows = await listed();
    const [set] = readFileSets(folder);
    expect(rows).toHaveLength(set.files.length);
    expect(new Set(rows.map(({ version }) => version))).toEqual(new Set([set.version]));
    const { url, ...row } = rows.find(({ year }) => year === 2024)!;
    const bytes = set.files.find(({ year }) => year === 2024)?.bytes;
    const { version } = set;
    const part = { dataset: 'candles', interval: '1d', year: 2024, month: null };
    expect(row).toEqual({ ...part, bytes, version });
    expect(url).toMatch(
      /^http:\/\/127\.0\.0\.1:\d+\/v1\/svc\/files\/\S+\/candles-1d-2024\.parquet$/,
    );
  });

  it('has only datasets that the scopes of the key allow', async () => {
    const rawKey = await server.newKey({ scopes: ['quotes:read'] });
    expect((await listed(rawKey)).map(({ dataset }) => dataset)).toContain('quotes');
    const keyless = await server.newKey({ scopes: ['news:read'] });
    const { status } = await server.get('/v1/svc/files', { 'X-API-Key': keyless });
    expect(status).toBe(403);
  });

  it('of the other mode is its own', async () => {
    expect(await listed(await server.newKey({ mode: 'live' }))).toEqual([]);
  });
});

describe('a file', () => {
  it('has its bytes, length and validators', async () => {
    const { path, bytes } = await year2024();
    const whole = await server.get(path);
    expect(whole.status).toBe(200);
    expect(Buffer.from(whole.bytes).equals(bytes)).toBe(true);
    const { headers } = whole;
    expect(headers.get('Content-Length')).toBe(String(bytes.length));
    expect(headers.get('Content-Type')).toBe('application/vnd.apache.parquet');
    expect(headers.get('Accept-Ranges')).toBe('bytes');
    expect(headers.get('Cache-Control')).toBe('private, max-age=86400, immutable');
    expect(headers.get('ETag')).toMatch(/^"[0-9a-f]{16}"$/);
    expect(Date.parse(headers.get('Last-Modified')!)).toBeGreaterThan(0);
    const head = await server.request(path, {
      method: 'HEAD',
      headers: { 'X-API-Key': server.rawKey },
    });
    expect([head.status, head.text]).toEqual([200, '']);
    for (const name of ['Content-Length', 'ETag', 'Accept-Ranges', 'Last-Modified']) {
      expect(head.headers.get(name)).toBe(headers.get(name));
    }
  });

  it.each([
    ['bytes=0-3', 0, 4],
    ['bytes=4-', 4, undefined],
    ['bytes=-8', -8, undefined],
    ['bytes=10-999999999', 10, undefined],
    ['bytes=-999999999', 0, undefined],
  ])('sends the range %s', async (range, start, end) => {
    const { path, bytes } = await year2024();
    const part = await server.get(path, { Range: range });
    expect(part.status).toBe(206);
    const expected = bytes.subarray(start, end);
    expect(Buffer.from(part.bytes).equals(expected)).toBe(true);
    const first = bytes.length - bytes.subarray(start).length;
    expect(part.headers.get('Content-Range')).toBe(
      `bytes ${first}-${first + expected.length - 1}/${bytes.length}`,
    );
  });

  it.each(['bytes=0-1,5-6', 'bytes=9-4', 'bytes=x-', 'lines=1-2'])(
    'is sent whole for %s',
    async (range) => {
      const { path, bytes } = await year2024();
      const whole = await server.get(path, { Range: range });
      expect([whole.status, whole.bytes.length]).toEqual([200, bytes.length]);
    },
  );

  it.each(['bytes=999999999-', 'bytes=-0'])('refuses the range %s with its size', async (range) => {
    const { path, bytes } = await year2024();
    const { status, headers } = await server.get(path, { Range: range });
    expect([status, headers.get('Content-Range')]).toEqual([416, `bytes */${bytes.length}`]);
  });

  it('is not sent again to a client that has it', async () => {
    const { path } = await year2024();
    const etag = (await server.get(path)).headers.get('ETag')!;
    for (const headers of [
      { 'If-None-Match': etag },
      { 'If-None-Match': etag, Range: 'bytes=0-3' },
    ]) {
      const { status, text } = await server.get(path, headers as Record<string, string>);
      expect([status, text]).toEqual([304, '']);
    }
    const part = { Range: 'bytes=0-3' };
    expect((await server.get(path, { ...part, 'If-Range': etag })).status).toBe(206);
    expect((await server.get(path, { ...part, 'If-Range': '"other"' })).status).toBe(200);
    expect((await server.get(path, { 'If-Match': etag })).status).toBe(200);
    expect((await server.get(path, { 'If-Match': '"other"' })).status).toBe(412);
  });

  it('is never compressed, as its ranges must be those of one form', async () => {
    const { path } = await year2024();
    const { headers } = await server.get(path, { 'Accept-Encoding': 'gzip, identity;q=0' });
    expect(headers.get('Content-Encoding')).toBeNull();
  });

  it('of an unknown version or name is 404, wherever the name leads', async () => {
    const { path } = await year2024();
    const [version] = path.split('/').slice(-2);
    for (const place of [
      `${version}/candles-1d-1901.parquet`,
      `${version}/..%2f..%2faccounts.sqlite`,
      `${version}/files.json`,
      '0-0/candles-1d-2024.parquet',
      '../serving/manifest.json',
    ]) {
      const { status } = await server.get(`/v1/svc/files/${place}`);
      expect([place, status]).toEqual([place, 404]);
    }
  });

  it('of a set before the newest stays readable', async () => {
    const { path, bytes } = await year2024();
    const symbols = fixtureSymbols(9);
    await publishMarket(serving, symbols, NOW_MS + 1);
    await madeFiles(dataDir);
    // Found at once, also by a thread that has not looked at the list since.
    const next = path.replace(/[^/]+(?=\/[^/]+$)/, readFileSets(folder)[0].version);
    expect((await server.get(next)).status).toBe(200);
    const newest = async () => (await listed())[0].version;
    await expect.poll(newest).toBe(readFileSets(folder)[0].version);
    expect((await year2024()).path).not.toBe(path);
    expect(Buffer.from((await server.get(path)).bytes).equals(bytes)).toBe(true);
  });
});

describe('a signed link', () => {
  it('needs no key', async () => {
    const { link, bytes } = await year2024();
    const { status, bytes: sent } = await server.request(link);
    expect([status, sent.length]).toEqual([200, bytes.length]);
  });

  it('is refused once altered, expired, or with a revoked key', async () => {
    const { link } = await year2024();
    const signed = link.split('/').at(-2)!;
    const [version, key, day, signature] = signed.split('.');
    const flipped = signature.startsWith('0') ? `1${signature.slice(1)}` : `0${signature.slice(1)}`;
    for (const other of [
      [version, key, day, flipped],
      [version, key, 'zzzz', signature],
      ['0-0', key, day, signature],
      [version, key, day],
      [version, key, day, signature, 'x'],
    ]) {
      const { status } = await server.request(link.replace(signed, other.join('.')));
      expect([other, status]).toEqual([other, 401]);
    }
    server.clock.nowMs += 2 * DAY_MS;
    expect((await server.request(link)).status).toBe(401);
    server.clock.nowMs -= 2 * DAY_MS;
    const rawKey = await server.newKey();
    const own = new URL((await listed(rawKey))[0].url).pathname;
    expect((await server.request(own)).status).toBe(200);
    await server.accounts.revokeKey(server.accounts.findKey(rawKey)!.id);
    server.clock.nowMs += limits.key.cacheMs;
    expect((await server.request(own)).status).toBe(401);
  });

  // A cache held keys by their text and by the ids in links, so that an id passed for its key.
  it('does not let the id of its key stand for the key', async () => {
    const { link } = await year2024();
    expect((await server.request(link)).status).toBe(200);
    const keyId = link.split('/').at(-2)!.split('.')[1];
    for (const headers of [{ 'X-API-Key': keyId }, { Authorization: `Bearer ${keyId}` }]) {
      expect((await server.request('/v1/svc/files', { headers })).status).toBe(401);
    }
  });

  it('is the same for a day, and masked in the log', async () => {
    const { link } = await year2024();
    server.clock.nowMs += 3_600_000;
    expect((await year2024()).link).toBe(link);
    server.clock.nowMs -= 3_600_000;
    const targets = server.log.map(({ target }) => String(target));
    expect(targets.filter((target) => target.includes(link.split('.')[3].slice(0, 40)))).toEqual(
      [],
    );
  });
});

describe('requests for files', () => {
  it('have a window of their own, twenty times the rate limit', async () => {
    const rawKey = await server.newKey({ limit: { requests: 3, windowS: 60 } });
    const key = { 'X-API-Key': rawKey };
    const { path } = await year2024();
    for (let i = 1; i <= 60; i++) {
      const { status, headers } = await server.get(path, { ...key, Range: 'bytes=0-3' });
      expect(status).toBe(206);
      expect(headers.get('X-SVC-RateLimit-Remaining')).toBe(String(60 - i));
    }
    expect((await server.get(path, key)).status).toBe(429);
    const { headers } = await server.get('/v1/svc/files', key);
    expect(headers.get('X-SVC-RateLimit-Remaining')).toBe('2');
  });

  it('count once each, and cost a token', async () => {
    const rawKey = await server.newKey({ account: 'scanner' });
    const { path } = await year2024();
    for (const range of ['bytes=0-3', 'bytes=-8']) {
      await server.get(path, { 'X-API-Key': rawKey, Range: range });
    }
    server.writeCounts();
    const { json } = await server.get('/v1/svc/developer/usage/daily', { 'X-API-Key': rawKey });
    expect(json).toMatchObject({
      data: [
        { endpoint: '/svc/files/{version}/{name}', callCount: 2, errorCount: 0, tokensUsed: 2 },
      ],
    });
  });
});
