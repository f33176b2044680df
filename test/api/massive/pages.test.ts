/** Pages of Massive's bars while other versions are published, and volumes with fractions. */

import { beforeEach, describe, expect, it } from 'vitest';
import { modePaths } from '../../../src/base/config/data-dir.ts';
import { limits } from '../../../src/base/limits.ts';
import { long } from '../../support/store-runs.ts';
import { useFixtureServer } from '../support/fixture-server.ts';
import {
  type FixtureSymbol,
  fixtureSymbols,
  NOW_MS,
  publishMarket,
} from '../support/market-fixture.ts';

const fixture = useFixtureServer();
const [abc, ...others] = fixtureSymbols();

/** Waits until the server answers from the version: the first close is that before the split. */
async function publish(symbol: FixtureSymbol, laterMs: number): Promise<void> {
  const folder = modePaths(fixture.dataDir, 'sandbox').serving;
  await publishMarket(folder, [symbol, ...others], NOW_MS + laterMs);
  const path = '/v1/svc/candles?symbols=ABC&format=csv&limit=700';
  const [close] = symbol.bars.close;
  let shown: number;
  do shown = Number((await fixture.server.get(path)).text.split('\r\n')[1].split(',')[6]);
  while (Math.abs(shown * symbol.splits[0].numerator - close) > 1e-9);
}

beforeEach(() => publish(abc, 0));

interface Page {
  results: { t: number; c: number }[];
  next_url?: string;
}

async function page(path: string): Promise<Page> {
  const { status, json } = await fixture.server.get(path.replace(/^http:\/\/[^/]+/, ''));
  expect([path, status]).toEqual([path, 200]);
  return json as Page;
}

async function walked(path: string): Promise<Page['results']> {
  const all: Page['results'] = [];
  for (let next: string | undefined = path; next; ) {
    const { results, next_url } = await page(next);
    all.push(...results);
    next = next_url;
  }
  return all;
}

// Each page ends before the split.
describe.each([
  ['asc', 100],
  ['desc', 300],
])('pages in the order %s', (sort, size) => {
  const path = `/v2/aggs/ticker/ABC/range/1/day/2024-01-01/2026-12-31?sort=${sort}`;

  long('are the same bars at any size', async () => {
    const whole = await page(`${path}&limit=50000`);
    expect(whole.next_url).toBeUndefined();
    for (const limit of [300, whole.results.length - 1, whole.results.length]) {
      expect(await walked(`${path}&limit=${limit}`)).toEqual(whole.results);
    }
    const few = `/v2/aggs/ticker/NEW/range/1/day/2024-01-01/2026-12-31?sort=${sort}`;
    expect(await walked(`${few}&limit=1`)).toEqual((await page(few)).results);
  });

  it('go on over a version with the same past', async () => {
    const whole = await page(`${path}&limit=50000`);
    const first = await page(`${path}&limit=${size}`);
    await publish(abc, 1);
    const rest = await walked(String(first.next_url));
    expect([...first.results, ...rest]).toEqual(whole.results);
  });

  const splitBy = (numerator: number) => ({
    ...abc,
    splits: [{ ...abc.splits[0], numerator }],
  });

  it('stay on their version after a split has changed all bars', async () => {
    const whole = await page(`${path}&limit=50000`);
    const first = await page(`${path}&limit=${size}`);
    await publish(splitBy(7), 1);
    await publish(splitBy(8), 2);
    const rest = await walked(String(first.next_url));
    expect([...first.results, ...rest]).toEqual(whole.results);
    expect((await page(`${path}&limit=50000`)).results).not.toEqual(whole.results);
  });

  long(
    'end with an error once their version is gone and the bars between them have changed',
    async () => {
      const { next_url } = await page(`${path}&limit=${size}`);
      const { versionsMax } = limits.serving.heldVersions;
      for (let later = 1; later <= versionsMax + 1; later++)
        await publish(splitBy(6 + later), later);
      const { status, json } = await fixture.server.get(
        String(next_url).replace(/^http:\/\/[^/]+/, ''),
      );
      expect(status).toBe(409);
      expect(json).toMatchObject({
        status: 'ERROR',
        error:
          'The bars have changed since the page before this one: read all pages again from the first one',
      });
    },
  );

  it('refuse a place that no page gave', async () => {
    for (const after of ['x', 'x.', '.1-2', '../etc', 'x.1']) {
      const { status, json } = await fixture.server.get(`${path}&after=${after}`);
      expect([after, status]).toEqual([after, 400]);
      expect(json).toMatchObject({ error: `after must be that of a next_url, got "${after}"` });
    }
  });
});
