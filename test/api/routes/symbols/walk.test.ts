/** Walks through `/symbols` while other versions are published. */

import { beforeEach, describe, expect, it } from 'vitest';
import { symbolPageSchema } from '../../../../src/api/routes/symbols/schema.ts';
import { modePaths } from '../../../../src/base/config/data-dir.ts';
import { limits } from '../../../../src/base/limits.ts';
import { useFixtureServer } from '../../support/fixture-server.ts';
import {
  type FixtureSymbol,
  fixtureSymbols,
  NOW_MS,
  publishMarket,
} from '../../support/market-fixture.ts';

const fixture = useFixtureServer();
const [, , few] = fixtureSymbols();

/** A symbol of five bars. */
const like = (symbol: string): FixtureSymbol => ({ ...few, symbol });
const market = ['ABC', 'BRK.B', 'NEW', 'RAW'].map(like);

let createdMs = NOW_MS;

/** Waits until the server answers from it. */
async function publish(symbols: readonly FixtureSymbol[], laterMs = 0): Promise<void> {
  createdMs += laterMs;
  const names = symbols.map(({ symbol }) => symbol).sort();
  await publishMarket(modePaths(fixture.dataDir, 'sandbox').serving, symbols, createdMs);
  let shown: string[];
  do shown = (await ask('active=true')).symbols;
  while (`${shown}` !== `${names}`);
}

async function ask(query: string) {
  // A page is kept for a moment.
  fixture.server.clock.nowMs += limits.page.keptMs;
  const reply = await fixture.server.get(`/v1/svc/symbols?${query}`);
  const page = symbolPageSchema.parse(reply.json);
  return {
    symbols: page.data.map(({ symbol }) => symbol),
    total: page.total,
    cursor: page.cursor,
    isChanged: reply.headers.get('X-SVC-Snapshot-Changed'),
  };
}

beforeEach(() => publish(market));

describe('a walk through the directory', () => {
  it.each(['', '&active=true', '&search=inc'])('keeps its rows and total%s', async (filter) => {
    let page = await ask(`limit=2${filter}`);
    const { total } = page;
    const seen = [...page.symbols];
    // One comes before the walk, one behind it, and one of its rows goes.
    const other = [...market.filter(({ symbol }) => symbol !== 'RAW'), like('AAA'), like('QQQ')];
    await publish(other, 1);
    while (page.cursor) {
      page = await ask(`limit=2${filter}&cursor=${page.cursor}`);
      expect([page.total, page.isChanged]).toEqual([total, null]);
      seen.push(...page.symbols);
    }
    const waiting = filter === '&active=true' ? [] : ['WAIT'];
    expect(seen).toEqual(['ABC', 'BRK.B', 'NEW', 'RAW', ...waiting]);
    expect(total).toBe(seen.length);
    const csv = await fixture.server.get('/v1/svc/symbols?format=csv');
    expect(csv.headers.get('X-SVC-Total-Count')).toBe('6');
  });

  it('goes on in the newest version once its own is gone, and says so to the end', async () => {
    const begun = await ask('limit=2');
    for (let turn = 0; turn < 5; turn++) {
      await publish([...market, like('AAA'), like('CCC')], limits.serving.recentMs);
    }
    const second = await ask(`limit=2&cursor=${begun.cursor}`);
    expect(second).toMatchObject({ symbols: ['CCC', 'NEW'], total: 7, isChanged: '1' });
    const third = await ask(`limit=9&cursor=${second.cursor}`);
    expect(third).toMatchObject({ symbols: ['RAW', 'WAIT'], cursor: null, isChanged: '1' });
  });
});
