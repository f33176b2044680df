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

/** Starts an S3-compatible store that knows no conditions but the named ones. @returns its port. */
async function startOldStore(known: readonly string[]): Promise<number> {
  const objects = new Map<string, { etag: string; body: Buffer }>();
  let writes = 0;
  const server = createServer(async (request, response) => {
    const { method, url = '', headers } = request;
    const body = Buffer.concat(await Array.fromAsync(request));
    const there = objects.get(url);
    const isBroken = {
      'if-none-match': there !== undefined,
      'if-match': there?.etag !== headers['if-match'],
    };
    if (method === 'DELETE') {
      objects.delete(url);
      response.writeHead(204).end();
    } else if (method === 'GET') {
      const length = { 'content-length': there?.body.length };
      response.writeHead(200, { etag: there?.etag, ...length }).end(there?.body);
    } else if (Object.entries(isBroken).some((one) => one[1] && isAsked(one[0], headers))) {
      response.writeHead(412).end();
    } else {
      const etag = `"${++writes}"`;
      objects.set(url, { etag, body });
      response.writeHead(200, { etag }).end();
    }
  });
  const isAsked = (name: string, headers: IncomingHttpHeaders) =>
    known.includes(name) && headers[name] !== undefined;
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

it.each([
  [[], 'ignores If-None-Match'],
  [['if-match'], 'ignores If-None-Match'],
  [['if-none-match'], 'ignores If-Match'],
  [['if-none-match', 'if-match'], undefined],
])('refuses a storage that knows no conditional writes but %j', async (known, fault) => {
  const port = await startOldStore(known);
  for (const [name, value] of Object.entries(s3Env(port))) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  const [check] = await checkObjects({
    dataDir: freshFolder(),
    snapshotsUrl: { kind: 's3', bucket: 'old', prefix: 'snapshots/' },
    segmentsUrl: undefined,
    redisUrl: undefined,
  });
  expect(check).toMatchObject(
    fault === undefined
      ? { state: 'ok' }
      : { state: 'failed', detail: expect.stringContaining(`the object storage ${fault}`) },
  );
});
