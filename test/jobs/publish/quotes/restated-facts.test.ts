/** Facts and quotes that a publish changes while the bars stay. */

import { describe, expect, it } from 'vitest';
import { dayFromDate } from '../../../../src/base/time/dates.ts';
import type { CandleSegment } from '../../../../src/store/duckdb/connection/candle-segment.ts';
import { freshPaths, risingBars, segmentOf } from '../../../store/duckdb/support/fixtures.ts';
import { long } from '../../../support/store-runs.ts';
import {
  daySegment,
  MONDAY,
  minuteSegment,
  minutes,
  minutesOf,
  TUESDAY,
} from '../../support/intraday-store.ts';
import { loadAll, published, publishOf, run } from '../../support/store.ts';

/** A statement that `symbol` had no splits and dividends up to a day. */
function vouched(symbol: string, to: string, name: string): CandleSegment {
  const coverage = {
    coverageFromDay: dayFromDate('2020-01-01'),
    coverageToDay: dayFromDate(to),
  };
  const actions = [{ symbol, splits: [], dividends: [], ...coverage }];
  return segmentOf([], { basis: 'raw', actions, name });
}

describe('a statement that only goes on', () => {
  long('is published for minutes without days', async () => {
    const paths = freshPaths();
    await publishOf(paths, minutesOf('A', minutes(MONDAY, 0, 5)), vouched('A', MONDAY, 'monday'));
    await publishOf(paths, minutesOf('A', minutes(TUESDAY, 0, 5), 'tuesday'));
    await loadAll(paths, vouched('A', TUESDAY, 'tuesday'));
    expect(await run(paths)).toMatchObject({ kind: 'layer' });
    const version = published(paths);
    expect(version.intraday('A', '1m')?.actionCoverage?.toDay).toBe(dayFromDate(TUESDAY));
    expect(version.quote('A')?.dividendYield).toBe(0);
    expect(version.rowCount('A', '1m')).toBe(10);
    expect(await run(paths)).toMatchObject({ kind: 'none' });
  });

  it('is published for days whose adjustment it does not change, next to others too', async () => {
    const paths = freshPaths();
    await publishOf(
      paths,
      daySegment('A', [
        ['2018-01-02', 5],
        [MONDAY, 10],
      ]),
      daySegment('B', [[MONDAY, 9]]),
    );
    expect(published(paths).quote('A')?.dividendYield).toBe(null);
    await loadAll(paths, vouched('A', MONDAY, 'a'), daySegment('C', [[MONDAY, 8]]));
    expect(await run(paths)).toMatchObject({ kind: 'base' });
    const version = published(paths);
    expect(version.symbol('A')?.actionCoverage?.toDay).toBe(dayFromDate(MONDAY));
    expect(version.quote('A')).toMatchObject({ price: 10, dividendYield: 0 });
  });
});

describe('a newer vintage of the same adjusted days', () => {
  // The published `as_of` stayed that of the first file, so that it depended on the way of loading.
  long('is published with its date, and its days as they are', async () => {
    const paths = freshPaths();
    const files = ['A', 'B'].map((symbol) => ({ symbol, bars: risingBars('2026-01-05', 30) }));
    const vintage = (asOf: string, name: string) => segmentOf(files, { basis: 'all', asOf, name });
    await publishOf(paths, vintage('2026-03-01', 'march'), daySegment('C', [[MONDAY, 9]]));
    const before = published(paths);
    await loadAll(paths, vintage('2026-05-01', 'may'));
    expect(await run(paths)).toMatchObject({ kind: 'layer', symbols: 0 });
    const version = published(paths);
    expect(version.manifest.layers).toEqual(before.manifest.layers);
    const scratch = { ...paths, serving: `${paths.serving}-from-scratch` };
    await run(scratch);
    for (const symbol of ['A', 'B', 'C']) {
      expect(version.symbol(symbol)).toEqual(published(scratch).symbol(symbol));
      expect(version.quote(symbol)).toEqual(before.quote(symbol));
    }
    expect(version.symbol('A')?.asOfUs).toBe(BigInt(Date.parse('2026-05-01')) * 1000n);
    expect(await run(paths)).toMatchObject({ kind: 'none' });

    // An older one changes nothing.
    await loadAll(paths, vintage('2026-02-01', 'february'));
    expect(await run(paths)).toMatchObject({ kind: 'none' });
  });
});

describe('a new symbol', () => {
  it('is listed with its first minutes, of extended hours too', async () => {
    const paths = freshPaths();
    await publishOf(paths, daySegment('A', [[MONDAY, 10]]));
    const bars = minutes(MONDAY, 0, 5);
    await publishOf(paths, minutesOf('M', bars));
    expect(published(paths).listings.symbol).toEqual(['A', 'M']);
    const early = minutes(MONDAY, -60, -50);
    await loadAll(paths, minuteSegment([{ symbol: 'X', bars: early }], { hours: 'extended' }));
    expect(await run(paths)).toMatchObject({ kind: 'layer' });
    expect(published(paths).listings.symbol).toEqual(['A', 'M', 'X']);
    expect(published(paths).intraday('X', '1m-extended')).toMatchObject({ basis: 'raw' });
    expect(published(paths).quote('X')).toBeUndefined();
  });
});
