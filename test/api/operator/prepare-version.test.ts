import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { prepareVersion } from '../../../src/api/operator/prepare-version.ts';
import { memberRows, newestDayOf } from '../../../src/api/responses/universes.ts';
import { BAR_UNIVERSES } from '../../../src/base/datasets/universes.ts';
import { dayFromDate } from '../../../src/base/time/dates.ts';
import { EVERYTHING } from '../../../src/store/arrow/lists/specs.ts';
import { openServing } from '../../../src/store/arrow/read/reader.ts';
import type { ServingReader, Snapshot } from '../../../src/store/arrow/snapshot/snapshot.ts';
import { universeNamed, universesOf } from '../../../src/store/arrow/snapshot/universes.ts';
import { freshFolder } from '../../support/folders.ts';
import { publishFixtureMarket } from '../support/fixture-server.ts';
import { fixtureSymbols, publishMarket } from '../support/market-fixture.ts';

let dir: string;
let reader: ServingReader | undefined;

beforeEach(() => {
  dir = freshFolder();
});
afterEach(() => {
  vi.restoreAllMocks();
  reader?.close();
});

it('lets other work through while it prepares a version', async () => {
  await publishFixtureMarket(dir);
  reader = openServing(dir);
  const snapshot = reader.current();
  let turnCount = 0;
  let isDone = false;
  const countTurn = () => {
    turnCount++;
    if (!isDone) setImmediate(countTurn);
  };
  setImmediate(countTurn);
  await prepareVersion(snapshot);
  isDone = true;
  expect(turnCount).toBeGreaterThan(10);
});

it('reads the members of universes, so that their first request reads no list', async () => {
  await publishFixtureMarket(dir);
  reader = openServing(dir);
  const snapshot = reader.current();
  const list = vi.spyOn(snapshot, 'list');
  await prepareVersion(snapshot);
  expect(list).toHaveBeenCalledWith('members', EVERYTHING);
  list.mockClear();
  expect(universesOf(snapshot).map(({ name }) => name)).toContain('all');
  expect(list).not.toHaveBeenCalled();
});

// Rows under former names were written again for each day: half of an answer's time.
it('writes the rows of members under all of their names', async () => {
  await publishFixtureMarket(dir);
  reader = openServing(dir);
  const current = reader.current();
  const [first] = current.symbols;
  const onlyFirst = (text: string) =>
    current.listings.symbol.map((one) => (one === first ? text : ''));
  const listings = {
    ...current.listings,
    formerTickers: onlyFirst('WAS 2025-06-30'),
    formerNames: onlyFirst(JSON.stringify([['Was Inc.', 'NYSE', 'NYSE', '2025-06-30']])),
  };
  const snapshot = new Proxy(current, {
    get(target, name) {
      const value = name === 'listings' ? listings : Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  await prepareVersion(snapshot);
  const stringify = vi.spyOn(JSON, 'stringify');
  const universe = universeNamed(snapshot, 'active')!;
  const before = memberRows(snapshot, universe, dayFromDate('2025-06-30'));
  const after = memberRows(snapshot, universe, dayFromDate('2025-07-01'));
  expect(stringify).not.toHaveBeenCalled();
  const namesOf = (rows: readonly string[], symbol: string) =>
    rows.map((row) => JSON.parse(row)).filter((row) => row.symbol === symbol);
  expect(namesOf(before, 'WAS')).toMatchObject([{ companyName: 'Was Inc.' }]);
  expect(namesOf(before, first)).toEqual([]);
  expect(namesOf(after, first)).toMatchObject([{ companyName: `${first} Incorporated` }]);
  expect(before.map((row) => JSON.parse(row).symbol)).toEqual(
    before.map((row) => JSON.parse(row).symbol).toSorted(),
  );
});

// The first request of a store with statements alone was answered by 500.
it('prepares a version without bars', async () => {
  await publishMarket(dir, []);
  reader = openServing(dir);
  await prepareVersion(reader.current());
  const [name] = BAR_UNIVERSES;
  const universe = universeNamed(reader.current(), name)!;
  expect(memberRows(reader.current(), universe, newestDayOf(reader.current()))).toEqual([]);
});

it('ends before a newer version is used, but not before the first', async () => {
  await publishFixtureMarket(dir);
  const prepared: Snapshot[] = [];
  const finish: (() => void)[] = [];
  const prepare = (version: Snapshot) => {
    prepared.push(version);
    return new Promise<void>((resolve) => finish.push(resolve));
  };
  reader = openServing(dir, { pollMs: 1, prepare });
  const first = reader.current();
  expect(prepared).toEqual([first]);
  await publishMarket(dir, fixtureSymbols(2));
  await expect.poll(() => prepared).toHaveLength(2);
  expect(reader.current()).toBe(first);
  for (const end of finish) end();
  await expect.poll(() => reader?.current()).toBe(prepared[1]);
});

it('that fails is reported, and the version before stays in use', async () => {
  await publishFixtureMarket(dir);
  const errors: Error[] = [];
  const failed = new Error('no');
  let count = 0;
  const prepare = async () => {
    if (count++ > 0) throw failed;
  };
  reader = openServing(dir, { pollMs: 1, prepare, onError: (error) => errors.push(error) });
  const first = reader.current();
  await publishMarket(dir, fixtureSymbols(2));
  await expect.poll(() => errors).toEqual([failed]);
  expect(reader.current()).toBe(first);
});
