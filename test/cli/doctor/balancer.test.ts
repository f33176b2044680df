/** `doctor --balancer` behind proxies that lose something. The reports come from a real server. */

import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkBalancer } from '../../../src/cli/doctor/balancer.ts';
import { useFixtureServer } from '../../api/support/fixture-server.ts';

const TOKEN = 'operator-token-of-the-tests';
const fixture = useFixtureServer({ operatorToken: TOKEN });
const settings = { operatorToken: TOKEN };

interface Proxy {
  /** Ends its response well when that of the server breaks off. */
  hidesCut?: boolean;
  host?: string;
  /** Headers of the request and of the response that do not arrive. */
  drops?: string;
  /** Bytes after which the response ends. */
  endsAfter?: number;
  /** Default: the header is not set. */
  forwardedProto?: string;
}

const proxies: Server[] = [];
afterAll(() => {
  for (const proxy of proxies) proxy.close();
});

async function proxied({
  hidesCut,
  host,
  drops = '',
  endsAfter,
  forwardedProto,
}: Proxy): Promise<string> {
  const proxy = createServer((asked, response) => {
    const headers = {
      ...asked.headers,
      ...(host && { host }),
      ...(forwardedProto && { 'x-forwarded-proto': forwardedProto }),
    };
    Reflect.deleteProperty(headers, drops);
    const { address } = fixture.server;
    const sent = request(address + asked.url, { headers }, (received) => {
      delete received.headers[drops];
      response.writeHead(received.statusCode ?? 500, received.headers);
      if (endsAfter !== undefined) {
        received.once('data', (chunk) => response.end(chunk.subarray(0, endsAfter)));
        received.on('error', () => undefined);
        return;
      }
      received.on('data', (chunk) => response.write(chunk));
      received.on('end', () => response.end());
      received.on('error', () => (hidesCut ? response.end() : response.destroy()));
    });
    sent.end();
  });
  proxies.push(proxy);
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

describe('doctor --balancer', () => {
  let plain: string;
  beforeAll(async () => {
    plain = await proxied({});
  });

  it('accepts a server and a proxy that breaks off when the server does', async () => {
    for (const address of [fixture.server.address, plain]) {
      expect(await checkBalancer(address, settings)).toMatchObject({ state: 'ok' });
    }
  });

  it.each<[string, Proxy, string]>([
    ['hides a cut', { hidesCut: true }, 'passes on a cut response as a whole one'],
    ['changes the host', { host: 'inside:8787' }, 'changes Host to "inside:8787"'],
    ['drops the count of rows', { drops: 'x-svc-rows' }, 'drops the header X-SVC-Rows'],
    ['drops keys', { drops: 'x-api-key' }, 'drops the header X-API-Key'],
    ['ends early', { endsAfter: 10 }, 'returned 10 bytes "{"origin":", not the report of a server'],
    ['returns nothing', { endsAfter: 0 }, 'returned 0 bytes'],
    ['names another scheme', { forwardedProto: 'https' }, 'X-Forwarded-Proto'],
  ])('refuses a proxy that %s', async (_title, proxy, fault) => {
    const { state, detail } = await checkBalancer(await proxied(proxy), settings);
    expect([state, detail]).toEqual(['failed', expect.stringContaining(fault)]);
    expect(detail).not.toContain(';');
  });

  it('names the address that a redirect gives', async () => {
    const target = 'https://data.example.com/operator/balancer';
    const redirect = createServer((_asked, response) => {
      response.writeHead(301, { Location: target }).end();
    });
    proxies.push(redirect);
    await new Promise<void>((resolve) => redirect.listen(0, '127.0.0.1', resolve));
    const { port } = redirect.address() as AddressInfo;
    const { detail } = await checkBalancer(`http://127.0.0.1:${port}`, settings);
    expect(detail).toContain(`responds with 301 to "${target}": give the address that clients use`);
  });

  it.each<[string, string | undefined, string]>([
    ['ftp://data.example.com', TOKEN, 'must be an http or https address'],
    ['data.example.com', TOKEN, 'must be an http or https address'],
    ['http://127.0.0.1:1', TOKEN, "can't be reached"],
    ['', undefined, 'needs TAPEWORKS_ADMIN_TOKEN'],
    ['', 'operator-token-of-another', 'responds with 401'],
  ])('says what it lacks: "%s"', async (address, operatorToken, fault) => {
    const check = await checkBalancer(address || plain, { operatorToken });
    expect([check.state, check.detail]).toEqual(['failed', expect.stringContaining(fault)]);
  });
});
