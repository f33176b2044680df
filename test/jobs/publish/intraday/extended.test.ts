import { expect, it } from 'vitest';
import type { ModePaths } from '../../../../src/base/config/data-dir.ts';
import { INTRADAY_SERIES } from '../../../../src/base/time/intervals.ts';
import { freshPaths } from '../../../store/duckdb/support/fixtures.ts';
import { long } from '../../../support/store-runs.ts';
import {
  MONDAY,
  minuteSegment,
  minutes,
  minutesOf,
  TUESDAY,
} from '../../support/intraday-store.ts';
import { expectAsFromScratch, loadAll, published, publishOf, run } from '../../support/store.ts';

function contentOf(paths: ModePaths) {
  const version = published(paths);
  return version.directory.sortedNames.map((name) => ({
    name,
    quote: version.quote(name),
    series: INTRADAY_SERIES.map((interval) => [
      version.intraday(name, interval),
      version.bars(name, interval),
    ]),
  }));
}

long('bars of other hours are published beside regular ones, and change no quote', async () => {
  const paths = freshPaths();
  await publishOf(paths, minutesOf('A', minutes(MONDAY, 0, 390)));
  const quote = published(paths).quote('A');
  const early = minutes(TUESDAY, -60, -50, 500);
  await loadAll(paths, minuteSegment([{ symbol: 'A', bars: early }], { hours: 'extended' }));
  expect(await run(paths)).toMatchObject({ kind: 'layer', symbols: 1 });
  expect(published(paths).quote('A')).toEqual(quote);
  expect([...published(paths).bars('A', '1m-extended').close]).toEqual(
    early.map(([, close]) => close),
  );
  expect(published(paths).rowCount('A', '1m')).toBe(390);
  await expectAsFromScratch(paths, contentOf);
});

it('bars of other hours are appended and corrected one by one', async () => {
  const paths = freshPaths();
  const load = async (from: number, to: number, price: number, name: string) => {
    const bars = minutes(MONDAY, from, to, price);
    const options = { hours: 'extended' as const, name };
    await loadAll(paths, minuteSegment([{ symbol: 'A', bars }], options));
    await run(paths);
  };
  await load(-60, -50, 10, 'early');
  await load(-50, -48, 20, 'later');
  await load(395, 396, 30, 'after the close');
  expect(published(paths).rowCount('A', '1m-extended')).toBe(13);
  expect(published(paths).symbols).toEqual([]);
  await expectAsFromScratch(paths, contentOf);
});
