/** `doctor` on object storage. */

import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { checkObjects } from '../../../src/cli/doctor/objects.ts';
import { freshFolder } from '../../support/folders.ts';
import { s3Env } from '../../support/s3-server.ts';
import { long } from '../../support/store-runs.ts';

const segmentsAt = (folder: string, redisUrl?: string) =>
  checkObjects({
    dataDir: freshFolder(),
    snapshotsUrl: undefined,
    segmentsUrl: { kind: 'file', folder },
    redisUrl,
  });

it('tries the storage, and leaves nothing there', async () => {
  const folder = freshFolder();
  expect(await segmentsAt(folder, 'redis://x')).toEqual([
    { name: 'segments', state: 'ok', detail: `${folder}/` },
  ]);
  expect(readdirSync(folder)).toEqual([]);
});

it('says that a setting without Redis is not used', async () => {
  expect(await segmentsAt(freshFolder())).toMatchObject([{ state: 'note' }]);
});

it('names the setting of a storage that fails', async () => {
  const file = join(freshFolder(), 'file');
  writeFileSync(file, '');
  expect(await segmentsAt(join(file, 'below'), 'redis://x')).toMatchObject([
    { state: 'failed', detail: expect.stringContaining('(TAPEWORKS_SEGMENTS_URL)') },
  ]);
});

/**
 * Starts an S3-compatible store.
 *
 * @param known The conditions that it compares.
 * @param racy Those that it compares when a request arrives, and forgets when it writes: here once
 *   that many requests have arrived.
 * @returns its port.
 */
async function startStore(
  known: readonly string[],
  racy: Readonly<Record<string, number>> = {},
): Promise<number> {
  const objects = new Map<string, { etag: string; body: Buffer }>();
  const arrived = new Map<string, (() => void)[]>();
  let writes = 0;
  /** Resolves for all together once `count` of them wait, or no other comes for a while. */
  async function together(key: string, count: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiting = [...(arrived.get(key) ?? []), resolve];
    arrived.set(key, waiting);
    const release = () => {
      for (const one of waiting) one();
      arrived.delete(key);
    };
    if (waiting.length === count) release();
    else if (waiting.length === 1) setImmediate(() => setTimeout(() => resolve(), 50));
    await promise;
  }
  const server = createServer(async (request, response) => {
    const { method, url = '', headers } = request;
    const body = Buffer.concat(await Array.fromAsync(request));
    const path = url.split('?')[0];
    const there = objects.get(path);
    const isBroken = {
      'if-none-match': there !== undefined,
      'if-match': there?.etag !== headers['if-match'],
    };
    if (method === 'DELETE') {
      // A writer that lost ends its upload, which leaves the object of the one that won.
      if (!url.includes('uploadId=')) objects.delete(path);
      response.writeHead(204).end();
    } else if (method === 'GET' && path === '/old') {
      response.writeHead(200).end('<ListBucketResult><Name>old</Name></ListBucketResult>');
    } else if (method === 'GET') {
      const length = { 'content-length': there?.body.length };
      response.writeHead(200, { etag: there?.etag, ...length }).end(there?.body);
    } else if (url.endsWith('?uploads=')) {
      const id = `<UploadId>${++writes}</UploadId>`;
      const name = 'InitiateMultipartUploadResult';
      response.writeHead(200).end(`<${name}>${id}</${name}>`);
    } else if (url.includes('partNumber=')) {
      response.writeHead(200, { etag: '"part"' }).end();
    } else if (Object.entries(isBroken).some((one) => one[1] && isAsked(one[0], headers))) {
      response.writeHead(412).end();
    } else {
      const kind = method === 'POST' ? 'parts' : Object.keys(racy).find((one) => headers[one]);
      if (kind && racy[kind]) await together(path, racy[kind]);
      else if (objects.get(path) !== there) return void response.writeHead(412).end();
      const etag = `"${++writes}"`;
      objects.set(path, { etag, body });
      const name = 'CompleteMultipartUploadResult';
      const joined = method === 'POST' ? `<${name}><ETag>${writes}</ETag></${name}>` : '';
      response.writeHead(200, { etag }).end(joined);
    }
  });
  const isAsked = (name: string, headers: IncomingHttpHeaders) =>
    known.includes(name) && headers[name] !== undefined;
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

async function checkOf(port: number) {
  for (const [name, value] of Object.entries(s3Env(port))) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  const [check] = await checkObjects({
    dataDir: freshFolder(),
    snapshotsUrl: { kind: 's3', bucket: 'old', prefix: 'snapshots/' },
    segmentsUrl: undefined,
    redisUrl: undefined,
  });
  return check;
}

const BOTH = ['if-none-match', 'if-match'];

it.each([
  [[], 'ignores If-None-Match'],
  [['if-match'], 'ignores If-None-Match'],
  [['if-none-match'], 'ignores If-Match'],
])('refuses a storage that knows no conditional writes but %j', async (known, fault) => {
  expect(await checkOf(await startStore(known))).toMatchObject({
    state: 'failed',
    detail: expect.stringContaining(`the object storage ${fault}`),
  });
});

it('accepts a storage of which one of many writers wins', async () => {
  expect(await checkOf(await startStore(BOTH))).toMatchObject({ state: 'ok' });
});

it.each([
  ['if-none-match', 2],
  ['if-none-match', 8],
  ['if-match', 2],
  ['if-match', 6],
])('refuses a storage of which %s admits %i writers at once', async (condition, count) => {
  const check = await checkOf(await startStore(BOTH, { [condition]: count }));
  expect(check).toMatchObject({ state: 'failed' });
  expect(check.detail).toMatch(
    /it admits [2-8] of 8 simultaneous writers with If-(None-)?Match, so/i,
  );
});

long('notes one that is not atomic for objects in parts alone', async () => {
  const check = await checkOf(await startStore(BOTH, { parts: 3 }));
  expect(check).toMatchObject({ state: 'note' });
  expect(check.detail).toMatch(/^s3:.*; it admits \d of 8 .* at the end of an upload in parts/);
});
