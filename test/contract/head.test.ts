/** `HEAD` of every operation that reads: the answer of `GET`, without its body. */

import { expect, it } from 'vitest';
import { useContractMarket } from './contract-market.ts';
import { GOLDEN_READS } from './golden-requests.ts';

const market = useContractMarket();

it.each(Object.entries(GOLDEN_READS))('%s', async (_operation, paths) => {
  // Coded, two cursors of the same length may differ in theirs.
  const headers = { 'X-API-Key': market.operatorKey, 'Accept-Encoding': 'identity' };
  for (const path of paths) {
    const get = await market.server.request(`/v1${path}`, { headers });
    const head = await market.server.request(`/v1${path}`, { method: 'HEAD', headers });
    expect([path, head.status, head.text]).toEqual([path, get.status, '']);
    for (const name of ['Content-Type', 'Content-Length', 'ETag', 'Cache-Control', 'Vary']) {
      // Cursors and request ids have the same length in every answer.
      expect([path, name, head.headers.get(name)]).toEqual([path, name, get.headers.get(name)]);
    }
  }
});
