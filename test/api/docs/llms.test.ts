/** `/llms.txt`: short, and without a link or a request that fails. */

import { expect, it } from 'vitest';
import { STOCK, useContractMarket } from '../../contract/contract-market.ts';

const market = useContractMarket();

it('links to paths that this server has', async () => {
  const { status, text, headers } = await market.server.request('/llms.txt');
  expect([status, headers.get('Content-Type')]).toEqual([200, 'text/markdown; charset=utf-8']);
  expect(text.length).toBeLessThan(4096);
  const links = [...text.matchAll(/\]\((\/[^)]*)\)/g)].map(([, path]) => path);
  expect(links).toEqual(['/mcp', '/v1/openapi.json', '/docs', '/readyz', '/healthz']);
  const statuses = await Promise.all(
    links.map(async (path) => (await market.server.get(path)).status),
  );
  // Clients of MCP send POST.
  expect(statuses).toEqual([405, 200, 200, 200, 200]);
});

it('has requests that work', async () => {
  const { text } = await market.server.request('/llms.txt');
  const requests = [...text.matchAll(/`GET (\/v1[^`]*)`/g)].map(([, path]) => path);
  expect(requests.length).toBe(5);
  for (const path of requests) {
    const { status } = await market.server.get(encodeURI(path.replace('AAPL', STOCK)));
    expect([path, status]).toEqual([path, 200]);
  }
});
