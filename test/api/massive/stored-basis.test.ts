/** Massive's paths for series whose splits cannot be undone: the stored basis, with its name. */

import { expect, it } from 'vitest';
import { useFixtureServer } from '../support/fixture-server.ts';

const fixture = useFixtureServer();

const paths = (ticker: string) => [
  `/v2/aggs/ticker/${ticker}/range/1/day/2025-06-02/2026-01-05`,
  `/v2/aggs/ticker/${ticker}/range/1/day/2025-06-02/2026-01-05?sort=desc`,
  `/v2/aggs/ticker/${ticker}/prev`,
  `/v1/open-close/${ticker}/2026-01-05`,
  `/v1/indicators/sma/${ticker}?window=5`,
];

it.each([
  ['ABC', undefined],
  ['BRK.B', 'all'],
  ['RAW', 'raw'],
])('%s has prices by default, and names the basis %s', async (ticker, adjustment) => {
  for (const path of paths(ticker)) {
    const { status, json } = await fixture.server.get(path);
    expect([path, status]).toEqual([path, 200]);
    expect((json as { adjustment?: string }).adjustment).toBe(adjustment);
  }
});

it('refuses prices as traded of bars that are stored adjusted', async () => {
  for (const path of paths('BRK.B')) {
    const { status, json } = await fixture.server.get(
      `${path}${path.includes('?') ? '&' : '?'}adjusted=false`,
    );
    expect([path, status]).toEqual([path, 400]);
    expect((json as { error: string }).error).toContain('adjustment');
  }
});
