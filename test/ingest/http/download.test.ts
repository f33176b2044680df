/** Downloads against a local server that breaks off, forgets and changes its mind. */

import { access, readFile, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { limits } from '../../../src/base/limits.ts';
import { HttpClient } from '../../../src/ingest/http/client.ts';
import { download } from '../../../src/ingest/http/download.ts';
import { vendor as tiingo } from '../../../src/ingest/vendors/tiingo/vendor.ts';
import { freshFolder } from '../../support/folders.ts';
import {
  type AskedRequest,
  startVendorServer,
  type VendorServer,
} from '../support/vendor-server.ts';

const CONTENT = Buffer.from('0123456789'.repeat(1000));

describe('a download', () => {
  let root: string;
  let path: string;
  let server: VendorServer;
  let client: HttpClient;
  let answer: (request: AskedRequest, response: ServerResponse, nth: number) => void;

  beforeEach(async () => {
    root = freshFolder();
    path = join(root, 'all.zip');
    server = await startVendorServer((...args) => answer(...args));
    const settings = {
      dataDir: root,
      contact: undefined,
      vendorUrls: { TIINGO: server.url },
      vendorKeys: {},
      vendorLimits: {},
    };
    client = new HttpClient(settings, { sleep: async () => undefined });
  });
  afterEach(async () => {
    await client.close();
    await server.close();
  });

  /** Broken off once its bytes have come. */
  let halfSent: ServerResponse | undefined;

  const run = (seen?: (number | undefined)[]) =>
    download(client, {
      request: { host: tiingo.host, path: '/all.zip' },
      path,
      onProgress(bytes, total) {
        seen?.push(bytes, total);
        halfSent?.destroy();
      },
    });

  /** Sends the range that is asked for, as servers of files do. */
  function serve(
    { headers }: AskedRequest,
    response: ServerResponse,
    etag = '"v1"',
    upTo?: number,
  ) {
    const start =
      headers['if-range'] === etag ? Number(/bytes=(\d+)-/.exec(headers.range ?? '')?.[1]) : 0;
    const size = CONTENT.length;
    if (start >= size) response.writeHead(416, { 'content-range': `bytes */${size}` }).end();
    else {
      const range = { 'content-range': `bytes ${start}-${size - 1}/${size}` };
      response.writeHead(start > 0 ? 206 : 200, {
        etag,
        'content-length': size - start,
        ...(start > 0 && range),
      });
      if (upTo === undefined) response.end(CONTENT.subarray(start));
      else {
        response.write(CONTENT.subarray(start, upTo));
        halfSent = response;
      }
    }
  }

  it('writes the file whole, and tells how far it is', async () => {
    answer = (request, response) => serve(request, response);
    const seen: (number | undefined)[] = [];
    await run(seen);
    expect((await readFile(path)).equals(CONTENT)).toBe(true);
    expect(seen.slice(-2)).toEqual([CONTENT.length, CONTENT.length]);
    await expect(access(`${path}.part`)).rejects.toThrow();
  });

  it('goes on where it was broken off, in the same run', async () => {
    answer = (request, response, nth) =>
      serve(request, response, '"v1"', nth < 2 ? 3000 * (nth + 1) : undefined);
    await run();
    expect((await readFile(path)).equals(CONTENT)).toBe(true);
    expect(server.asked.map(({ headers }) => headers.range)).toEqual([
      undefined,
      'bytes=3000-',
      'bytes=6000-',
    ]);
  });

  it('goes on in a later run, and finishes a part that was whole', async () => {
    await writeFile(`${path}.part`, CONTENT);
    await writeFile(`${path}.mark`, JSON.stringify({ etag: '"v1"' }));
    answer = (request, response) => serve(request, response);
    await run();
    expect((await readFile(path)).equals(CONTENT)).toBe(true);
    expect(server.asked).toHaveLength(1);
  });

  it('starts anew when the file has changed, or nothing tells whether it has', async () => {
    await writeFile(`${path}.part`, 'of yesterday');
    await writeFile(`${path}.mark`, JSON.stringify({ etag: '"v0"' }));
    answer = (request, response) => serve(request, response);
    await run();
    expect((await readFile(path)).equals(CONTENT)).toBe(true);
    await rm(path);
    await rm(`${path}.mark`);
    await writeFile(`${path}.part`, 'of nobody');
    await run();
    expect((await readFile(path)).equals(CONTENT)).toBe(true);
    expect(server.asked.at(-1)?.headers.range).toBeUndefined();
  });

  it('keeps a file that has not changed', async () => {
    answer = (request, response) => {
      if (request.headers['if-none-match'] === '"v1"') response.writeHead(304).end();
      else serve(request, response);
    };
    await run();
    await run();
    expect(server.asked).toHaveLength(2);
    expect((await readFile(path)).equals(CONTENT)).toBe(true);
  });

  it('gives up when try after try brings nothing', async () => {
    answer = (request, response, nth) => {
      if (nth === 0) serve(request, response, '"v1"', 100);
      else response.destroy();
    };
    await expect(run()).rejects.toThrow('Could not reach Tiingo');
    expect((await readFile(`${path}.part`)).length).toBe(100);
  });

  it('refuses a file that is too large before it is on the disk', async () => {
    answer = (_request, response) => {
      response.writeHead(200, { 'content-length': limits.http.downloadBytesMax + 1 });
      response.write('x');
    };
    await expect(run()).rejects.toThrow(/larger than/);
    await expect(access(`${path}.part`)).rejects.toThrow();
  });
});
