/** Bars of ZVZZT, with which Nasdaq tests its feed, once passed every screen of large volumes. */

import { expect, it } from 'vitest';
import { dateFromDay } from '../../../../src/base/time/dates.ts';
import { useFixtureServer } from '../../support/fixture-server.ts';
import { fixtureSymbols, LAST_DAY, publishMarket } from '../../support/market-fixture.ts';

const fixture = useFixtureServer({}, (folder) => {
  const symbols = fixtureSymbols();
  const tests = ['CTEST.A', 'ZVZZT'].map((symbol) => ({ ...symbols[3], symbol }));
  const all = [...symbols, ...tests].sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
  return publishMarket(folder, all);
});

async function symbolsOf(path: string): Promise<string[]> {
  const { status, json } = await fixture.server.get(`/v1/svc/${path}`);
  expect([path, status]).toEqual([path, 200]);
  return (json as { data: { symbol: string }[] }).data.map(({ symbol }) => symbol);
}

it('leaves test issues out of lists, screens and past universes', async () => {
  const listed = ['ABC', 'BRK.B', 'NEW', 'RAW'];
  expect(await symbolsOf('symbols')).toEqual([...listed, 'WAIT']);
  expect(await symbolsOf('symbols?search=z')).toEqual([]);
  const screened = await symbolsOf('screener?limit=100');
  expect(screened.sort()).toEqual(listed);
  const past = await symbolsOf(`screener?as_of=${dateFromDay(LAST_DAY - 7)}`);
  expect(past.sort()).toEqual(['ABC', 'BRK.B', 'RAW']);
});

it('gives one that is named', async () => {
  expect(await symbolsOf('symbols?search=zvzzt')).toEqual(['ZVZZT']);
  const { status, json } = await fixture.server.get('/v1/svc/quotes/ctest.a');
  expect([status, (json as { symbol: string }).symbol]).toEqual([200, 'CTEST.A']);
});
