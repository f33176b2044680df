/** The rules of `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`. */

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { send } from '../../../src/base/http/send.ts';
import { ProxiedAgents } from '../../../src/ingest/http/proxy.ts';

const NAMES = ['http_proxy', 'https_proxy', 'no_proxy'];

describe('proxies of the environment', () => {
  let proxy: Server;
  let proxyUrl: string;
  let seen: string[];
  let agents: ProxiedAgents | undefined;

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
    agents?.close();
    agents = undefined;
  });

  async function ask(address: string): Promise<string> {
    agents ??= new ProxiedAgents();
    const url = new URL(address);
    const signal = new AbortController().signal;
    return textOf(await send(url, { agents: agents.for(url), signal }));
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
    warn.mockRestore();
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
  ])('with NO_PROXY "%s" asks %s directly: %s', (noProxy, address, isDirect) => {
    vi.stubEnv('no_proxy', noProxy);
    vi.stubEnv('http_proxy', proxyUrl);
    agents = new ProxiedAgents();
    const direct = agents.for(new URL('http://127.0.0.1/'));
    expect(agents.for(new URL(address)) === direct).toBe(isDirect);
  });
});
