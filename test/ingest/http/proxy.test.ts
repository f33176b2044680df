/** The rules of `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`. */

import dns from 'node:dns';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { closeAgents, send } from '../../../src/base/http/send.ts';
import { proxiedAgents } from '../../../src/ingest/http/proxy.ts';

const NAMES = ['http_proxy', 'https_proxy', 'no_proxy'];

describe('proxies of the environment', () => {
  let proxy: Server;
  let proxyUrl: string;
  let seen: string[];

  beforeAll(async () => {
    proxy = createServer((asked, answer) => {
      seen.push(`${asked.method} ${asked.url}`);
      answer.end('from the proxy');
    });
    proxy.on('connect', (asked, socket) => {
      seen.push(`CONNECT ${asked.url}`);
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    proxyUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  });
  afterAll(() => proxy.close());

  beforeEach(() => {
    seen = [];
    for (const name of NAMES) {
      vi.stubEnv(name, '');
      vi.stubEnv(name.toUpperCase(), '');
    }
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });

  async function ask(address: string): Promise<string> {
    const agents = proxiedAgents();
    const { signal } = new AbortController();
    try {
      return await textOf(await send(new URL(address), { agents, signal }));
    } finally {
      closeAgents(agents);
    }
  }

  it('sends plain HTTP to the proxy as a request, and HTTPS through a tunnel', async () => {
    vi.stubEnv('HTTP_PROXY', proxyUrl);
    expect(await ask('http://vendor.test/x?y=1')).toBe('from the proxy');
    await expect(ask('https://vendor.test/x')).rejects.toThrow('502');
    expect(seen).toEqual(['GET http://vendor.test/x?y=1', 'CONNECT vendor.test:443']);
  });

  it('prints no warning', async () => {
    vi.stubEnv('https_proxy', proxyUrl);
    const warn = vi.spyOn(process, 'emitWarning');
    await expect(ask('https://vendor.test/x')).rejects.toThrow('502');
    expect(warn).not.toHaveBeenCalled();
  });

  it.each([
    ['', 'http://127.0.0.1/', true],
    ['', 'http://localhost/', true],
    ['', 'http://[::1]:8787/', true],
    ['', 'http://example.com/', false],
    ['example.com', 'http://example.com/', true],
    ['example.com', 'http://EXAMPLE.com./', true],
    ['example.com', 'http://api.example.com/', true],
    ['example.com', 'http://notexample.com/', false],
    ['.example.com', 'http://example.com/', true],
    ['*.example.com', 'http://example.com/', false],
    ['*.example.com', 'http://api.example.com/', true],
    ['other.test, example.com:8080', 'http://example.com:8080/', true],
    ['example.com:8080', 'http://example.com/', false],
    ['example.com:443', 'https://example.com/', true],
    ['::2', 'http://[::2]/', true],
    ['[::2]:81', 'http://[::2]:81/', true],
    ['none.test,*', 'https://example.com/', true],
  ])('with NO_PROXY "%s" asks %s directly: %s', async (noProxy, address, isDirect) => {
    vi.stubEnv('no_proxy', noProxy);
    vi.stubEnv('http_proxy', proxyUrl);
    vi.spyOn(dns, 'lookup').mockImplementation(((
      _: string,
      __: unknown,
      done: (e: Error) => void,
    ) => done(new Error('no name is looked up'))) as typeof dns.lookup);
    await ask(address).catch(() => undefined);
    expect(seen.length === 0).toBe(isDirect);
  });
});
