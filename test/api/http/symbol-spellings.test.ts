/** Symbols of requests in the spellings of vendors. */

import { expect, it } from 'vitest';
import { useFixtureServer } from '../support/fixture-server.ts';

const fixture = useFixtureServer();

it.each(['BRK.B', 'brk-b', 'BRK/B', 'BRK%2FB', 'BRK%20B', 'BRKb', 'BRKb.N', 'BRK.B.US'])(
  'serves BRK.B under the path /%s',
  async (text) => {
    const path = `/v1/svc/quotes/${text.replace('/', '%2F')}`;
    const { status, json } = await fixture.server.get(path);
    expect([status, (json as { symbol?: string }).symbol]).toEqual([200, 'BRK.B']);
  },
);

it('reads the spellings in a list of symbols', async () => {
  const { json } = await fixture.server.get('/v1/svc/quotes/batch?symbols=BRK/B,BRKb,ABC.O');
  expect((json as { data: { symbol: string }[] }).data.map(({ symbol }) => symbol)).toEqual([
    'BRK.B',
    'ABC',
  ]);
});

it.each([
  [
    '/v1/svc/quotes/BRK_B',
    'symbol must name one security, got "BRK_B", which may be class B (BRK.B) or series B of a preferred share (BRK.PRB)',
  ],
  [
    '/v1/svc/quotes/batch?symbols=ABC,BRK_B',
    'symbols must name one security, got "BRK_B", which may be class B (BRK.B) or series B of a preferred share (BRK.PRB)',
  ],
  ['/v1/svc/quotes/batch?symbols=BRK+B', 'symbols must be tickers like AAPL,BRK.B, got "BRK B"'],
])('refuses %s', async (path, message) => {
  const { status, json } = await fixture.server.get(path);
  expect([status, JSON.stringify(json)]).toEqual([
    400,
    expect.stringContaining(JSON.stringify(message).slice(1, -1)),
  ]);
});
