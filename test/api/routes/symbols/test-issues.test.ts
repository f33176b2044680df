/** Bars of ZVZZT, with which Nasdaq tests its feed, once passed every screen of large volumes. */

import { join } from 'node:path';
import { expect, it } from 'vitest';
import { dateFromDay } from '../../../../src/base/time/dates.ts';
import { runPython } from '../../../support/python-package.ts';
import { python } from '../../../support/tools.ts';
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

it.skipIf(!python)('is left out of lists and universes of the Python package alike', async () => {
  const { address, rawKey } = fixture.server;
  const args = [address, rawKey, join(fixture.dataDir, 'sandbox')];
  const printed = await runPython(
    `
import json, sys, tapeworks
address, key, folder = sys.argv[1:]
print(json.dumps([
    [tw.symbols(search).pd()["symbol"].tolist() for search in (None, "z", "zvzzt", "CTEST-A")]
    + [tw.members(name).pd()["symbol"].tolist() for name in ("all", "active")]
    + [tw.universes().pd()["members"].tolist()]
    + [sorted(set(tw.bars("@all").pd()["symbol"]))]
    for tw in (tapeworks.connect(address, key, progress=False), tapeworks.open(folder))
]))`,
    { args },
  );
  const [served, read] = JSON.parse(printed);
  expect(read).toEqual(served);
  expect(read.slice(1, 4)).toEqual([[], ['ZVZZT'], ['CTEST.A']]);
});
