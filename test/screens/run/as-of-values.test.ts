/** A screen as of a past day has the values of a store that holds nothing later. */

import { beforeAll, describe, expect, it } from 'vitest';
import { DAILY_INTERVALS } from '../../../src/base/time/intervals.ts';
import { bar, type Column } from '../../../src/compute/columns/column.ts';
import { defaultParams, indicatorCatalogue } from '../../../src/compute/indicators/catalogue.ts';
import { ScreenMemory } from '../../../src/screens/run/screen-memory.ts';
import type { Snapshot } from '../../../src/store/arrow/snapshot/snapshot.ts';
import { LAST_DAY } from '../../api/support/market-fixture.ts';
import { freshFolder, sharedFolder } from '../../support/folders.ts';
import { someOf } from '../../support/store-runs.ts';
import { marketUpTo, published, runAll, screenMarket } from './market.ts';

const folder = sharedFolder();
let snapshot: Snapshot;

beforeAll(async () => {
  snapshot = await published(folder, screenMarket());
});

const columns: readonly Column[] = [
  bar.open,
  bar.volume,
  ...indicatorCatalogue.flatMap((spec) => spec.expressions(defaultParams(spec))),
];

const bars = DAILY_INTERVALS.map((interval) => ({ interval, columns }));

/** Days around splits, of running weeks and months, without session, and after the newest bar. */
const DAYS = [-800, -301, -300, -200, -100, -62, -60, -42, -41, -40, -9, -8, -5, -2, -1, 0, 3];

it.each(someOf(DAYS, 3))(
  'a screen of %i days after the newest bar sees what was known then',
  async (days) => {
    const asOfDay = LAST_DAY + days;
    const then = marketUpTo(screenMarket(), asOfDay);
    // The stored prices of a vendor's series know of later splits.
    const raw = then.filter(({ basis }) => basis === 'raw');
    const before = await published(freshFolder(), raw);
    const series = snapshot.symbols.filter((symbol) => !symbol.startsWith('X'));
    const memory = new ScreenMemory(1e8);
    const seen = runAll(snapshot, bars, memory, { series, asOfDay });
    const known = runAll(before, bars, new ScreenMemory(1e8), { series });
    for (const [i, { interval }] of bars.entries()) {
      for (const [place, values] of known[i].entries()) {
        expect([interval, place, ...seen[i][place]]).toEqual([interval, place, ...values]);
      }
    }
  },
);

describe('a series that a vendor adjusted', () => {
  const closeOn = (symbol: string, asOfDay: number) => {
    const plan = [{ interval: '1d' as const, columns: [bar.close, bar.volume] }];
    const values = runAll(snapshot, plan, new ScreenMemory(1e8), {
      series: [symbol],
      asOfDay,
    });
    return { close: values[0][0][0], volume: values[0][1][0] };
  };
  const stored = (symbol: string, day: number) => {
    const row = snapshot.rowAt(symbol, '1d', BigInt(day + 1) * 86_400_000_000n) - 1;
    const { close, volume } = snapshot.bars(symbol, '1d', { start: row, end: row + 1 });
    return { close: close[0], volume: volume[0] };
  };

  it('for splits loses those after the day', () => {
    for (const days of [-61, -90]) {
      const day = LAST_DAY + days;
      const { close, volume } = stored('X_SPLIT', day);
      const seen = closeOn('X_SPLIT', day);
      expect(Math.abs(seen.close / (close * 3) - 1)).toBeLessThan(1e-12);
      expect(Math.abs(seen.volume / (volume / 3) - 1)).toBeLessThan(1e-12);
    }
    for (const days of [-60, 0]) {
      const day = LAST_DAY + days;
      expect(closeOn('X_SPLIT', day)).toMatchObject(stored('X_SPLIT', day));
    }
  });

  it('for dividends is used as it is', () => {
    const day = LAST_DAY - 100;
    expect(closeOn('X_ALL', day)).toEqual(stored('X_ALL', day));
  });
});
