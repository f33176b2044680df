import { describe, expect, it } from 'vitest';
import type { ModePaths } from '../../../../src/base/config/data-dir.ts';
import { limits } from '../../../../src/base/limits.ts';
import { priceChange } from '../../../../src/base/prices/price-change.ts';
import { STORED_INTRADAY } from '../../../../src/base/time/intervals.ts';
import { resampleIntraday } from '../../../../src/compute/bars/resample-intraday.ts';
import { freshPaths, type TestBar } from '../../../store/duckdb/support/fixtures.ts';
import { useLimits } from '../../../support/use-limits.ts';
import { FOLD_EARLY } from '../../support/fold-early.ts';
import {
  daySegment,
  MONDAY,
  minuteSegment,
  minutes,
  minutesOf,
  minuteTs,
  sessions,
  TUESDAY,
} from '../../support/intraday-store.ts';
import { expectAsFromScratch, loadAll, published, publishOf, run } from '../../support/store.ts';

useLimits(limits.serving, FOLD_EARLY);

/** Everything that is published of intraday bars, and all quotes. */
function contentOf(paths: ModePaths) {
  const version = published(paths);
  const names = version.directory.sortedNames;
  return names.map((name) => ({
    name,
    quote: version.quote(name),
    facts: version.directory.facts(name),
    days: version.bars(name, '1d'),
    series: STORED_INTRADAY.map((interval) => ({
      info: version.intraday(name, interval),
      bars: version.bars(name, interval),
    })),
  }));
}

describe('minutes', () => {
  it('published one by one are those published at once, without those that are missing', async () => {
    const paths = freshPaths();
    const has = (symbol: number, minute: number) => (minute * 7 + symbol * 3) % 5 !== 0;
    const barsOf = (symbol: number, from: number, to: number) =>
      minutes(MONDAY, 0, to, 100 + symbol).filter((_, i) => i >= from && has(symbol, i));
    const names = ['A', 'B', 'C'];
    const compacted: unknown[] = [];
    for (let minute = 1; minute <= 9; minute++) {
      const files = names
        .map((symbol, i) => ({ symbol, bars: barsOf(i, minute - 1, minute) }))
        .filter(({ bars }) => bars.length > 0);
      if (files.length === 0) continue;
      await loadAll(paths, minuteSegment(files, { name: `minute ${minute}` }));
      const { compactedIntraday } = await run(paths);
      if (compactedIntraday) compacted.push(compactedIntraday);
    }
    expect(compacted).toEqual(['month', 'run', 'run']);
    const version = published(paths);
    names.forEach((symbol, i) => {
      expect([...version.bars(symbol, '1m').close]).toEqual(
        barsOf(i, 0, 9).map(([, close]) => close),
      );
    });
    await expectAsFromScratch(paths, contentOf);
  });

  it('of symbols without daily bars are quoted, and listed by their quote only', async () => {
    const paths = freshPaths();
    await loadAll(paths, minutesOf('A', minutes(MONDAY, 0, 390), 'monday'));
    expect(await run(paths)).toMatchObject({ kind: 'base', symbols: 1 });
    const version = published(paths);
    expect(version.symbols).toEqual([]);
    expect(version.symbol('A')).toBeUndefined();
    expect(version.intraday('A', '1m')).toMatchObject({ symbol: 'A', basis: 'raw' });
    expect(version.intraday('A', '5m')).toBeUndefined();
    expect(version.quote('A')).toMatchObject({
      price: 103.89,
      previousClose: null,
      timestampMs: Date.parse('2026-03-02T21:00:00Z'),
      volume: minutes(MONDAY, 0, 390).reduce((sum, [, , volume]) => sum + (volume ?? 0), 0),
    });
    expect(version.screener().symbols).toEqual(['A']);
  });

  it('of a corrected past, a longer past and a new symbol change what they say', async () => {
    const paths = freshPaths();
    const bars = [...minutes(MONDAY, 0, 390), ...minutes(TUESDAY, 0, 100)];
    await publishOf(
      paths,
      minuteSegment(
        ['A', 'B', 'C'].map((symbol) => ({ symbol, bars })),
        { name: 'first' },
      ),
    );
    const corrected = minutes(TUESDAY, 10, 12, 200);
    await loadAll(
      paths,
      minuteSegment([{ symbol: 'A', bars: corrected }], { name: 'correction', asOf: '2026-06-01' }),
    );
    expect(await run(paths)).toMatchObject({ kind: 'layer' });
    expect(published(paths).bars('A', '1m').close[400]).toBe(200.1);
    expect(published(paths).quote('A')?.dayHigh).toBeCloseTo(1.5 * 200.11, 10);
    const older = minutes('2026-02-27', 0, 390, 90);
    await publishOf(paths, minutesOf('B', older, 'older'));
    expect(published(paths).rowCount('B', '1m')).toBe(880);
    await publishOf(paths, minutesOf('D', minutes(TUESDAY, 0, 5), 'new'));
    await expectAsFromScratch(paths, contentOf);
  });
});

describe('stored five-minute bars', () => {
  const days = sessions('2026-02-17', 12);
  const five = (dates: string[], close = 100) =>
    dates.flatMap((date) => {
      const made = minutes(date, 0, 390, close);
      return made
        .filter((_, i) => i % 5 === 0)
        .map(([ts], i): TestBar => [ts, made[i * 5 + 4][1], 50]);
    });

  it('go on before and after the minutes where five sessions agree', async () => {
    const paths = freshPaths();
    const minuteDays = days.slice(3, 10);
    await publishOf(
      paths,
      minutesOf(
        'A',
        minuteDays.flatMap((date) => minutes(date, 0, 390)),
        'minutes',
      ),
      minuteSegment([{ symbol: 'A', bars: five(days) }], { name: 'five', interval: '5m' }),
    );
    const version = published(paths);
    const bars = version.bars('A', '5m');
    expect(bars.close.length).toBe(12 * 78);
    const made = resampleIntraday(version.bars('A', '1m'), '5m');
    expect(bars.open.subarray(3 * 78, 10 * 78)).toEqual(made.open);
    expect(bars.close[10 * 78]).toBe(100.04);
    await expectAsFromScratch(paths, contentOf);
  });

  it('give way to the minutes where they do not', async () => {
    const paths = freshPaths();
    await publishOf(
      paths,
      minutesOf('A', minutes(days[3], 0, 390), 'minutes'),
      minuteSegment([{ symbol: 'A', bars: five(days, 50) }], { name: 'five', interval: '5m' }),
    );
    expect(published(paths).rowCount('A', '5m')).toBe(78);
  });

  it('after the minutes give way to newer minutes', async () => {
    const paths = freshPaths();
    const first = days.slice(0, 6).flatMap((date) => minutes(date, 0, 390));
    await publishOf(
      paths,
      minutesOf('A', first),
      minuteSegment([{ symbol: 'A', bars: five(days.slice(0, 8)) }], { interval: '5m' }),
    );
    expect(published(paths).rowCount('A', '5m')).toBe(8 * 78);
    const newer = [{ symbol: 'A', bars: minutes(days[9], 0, 10) }];
    await publishOf(paths, minuteSegment(newer, { name: 'newer' }));
    expect(published(paths).rowCount('A', '5m')).toBe(6 * 78 + 2);
    await expectAsFromScratch(paths, contentOf);
  });

  it('go on with new minutes, corrected ones and new five-minute bars', async () => {
    const paths = freshPaths();
    const first = days.slice(0, 6);
    await publishOf(
      paths,
      minutesOf(
        'A',
        first.flatMap((date) => minutes(date, 0, 390)),
      ),
      minuteSegment(
        [
          { symbol: 'A', bars: five(first) },
          { symbol: 'B', bars: five(first) },
        ],
        {
          name: 'five',
          interval: '5m',
        },
      ),
    );
    for (const [from, to] of [
      [0, 3],
      [3, 4],
      [4, 12],
      [12, 13],
    ]) {
      const files = [{ symbol: 'A', bars: minutes(days[6], from, to) }];
      await publishOf(paths, minuteSegment(files, { name: `${from}` }));
    }
    await expectAsFromScratch(paths, contentOf);
    await publishOf(
      paths,
      minuteSegment([{ symbol: 'A', bars: minutes(days[5], 380, 385, 101) }], {
        name: 'correction',
        asOf: '2026-06-01',
      }),
    );
    await publishOf(
      paths,
      minuteSegment(
        [
          { symbol: 'A', bars: five(days.slice(6)) },
          { symbol: 'B', bars: five([days[6]]) },
        ],
        { name: 'more', interval: '5m' },
      ),
    );
    await expectAsFromScratch(paths, contentOf);
  });
});

describe('the quote', () => {
  it('follows the minutes until the daily bar of their session comes', async () => {
    const paths = freshPaths();
    const days: TestBar[] = sessions('2026-01-26', 25).map((date, i) => [date, 90 + i, 5000]);
    await publishOf(paths, daySegment('A', days));
    const lastDay = days[days.length - 1];
    expect(lastDay[0]).toBe(MONDAY);
    const before = published(paths).quote('A')!;
    await publishOf(paths, minutesOf('A', minutes(TUESDAY, 0, 2, 120), '1'));
    await publishOf(paths, minutesOf('A', minutes(TUESDAY, 2, 3, 110), '2'));
    const quote = published(paths).quote('A')!;
    expect(quote).toMatchObject({
      price: 110.02,
      previousClose: before.price,
      change: priceChange(110.02, before.price),
      dayOpen: 120,
      dayHigh: 120.01 * 1.5,
      dayLow: 110.02 / 2,
      volume: 10 + 11 + 12,
      timestampMs: Date.parse('2026-03-03T14:33:00Z'),
    });
    expect(quote.rsi14).not.toBe(before.rsi14);
    await expectAsFromScratch(paths, contentOf);
    await publishOf(paths, daySegment('A', [[TUESDAY, 111, 9000]], { name: 'tuesday' }));
    expect(published(paths).quote('A')).toMatchObject({
      price: 111,
      volume: 9000,
      previousClose: before.price,
      timestampMs: Date.parse('2026-03-03T21:00:00Z'),
    });
    await publishOf(paths, minutesOf('A', minutes(TUESDAY, 3, 390, 110), '3'));
    expect(published(paths).quote('A')).toMatchObject({ price: 111, volume: 9000 });
    await expectAsFromScratch(paths, contentOf);
  });

  it('previews the RSI that the daily series would have', async () => {
    const paths = freshPaths();
    const days: TestBar[] = sessions('2026-01-26', 25).map((date, i) => [date, 90 + (i % 4), 5000]);
    await loadAll(paths, daySegment('A', days));
    await publishOf(paths, minutesOf('A', minutes(TUESDAY, 0, 2, 95)));
    const { rsi14 } = published(paths).quote('A')!;
    await publishOf(paths, daySegment('A', [[TUESDAY, 95.01, 9000]], { name: 'tuesday' }));
    expect(published(paths).quote('A')?.rsi14).toBe(rsi14);
  });

  it('compares with the minutes of the session before where the daily bar is not there yet', async () => {
    const paths = freshPaths();
    await publishOf(
      paths,
      daySegment('A', [
        ['2026-02-26', 80],
        ['2026-02-27', 81],
      ]),
      minutesOf('A', minutes(MONDAY, 0, 390, 100), 'monday'),
    );
    expect(published(paths).quote('A')).toMatchObject({ price: 103.89, previousClose: 81 });
    await publishOf(paths, minutesOf('A', minutes(TUESDAY, 0, 1, 110), 'tuesday'));
    expect(published(paths).quote('A')).toMatchObject({ price: 110, previousClose: 103.89 });
    await publishOf(paths, daySegment('A', [[MONDAY, 105]], { name: 'late' }));
    expect(published(paths).quote('A')).toMatchObject({ price: 110, previousClose: 105 });
    await expectAsFromScratch(paths, contentOf);
  });

  it('ends with a short last bar: half days, and five-minute bars', async () => {
    const paths = freshPaths();
    const bars = minutes('2025-11-28', 200, 210);
    await loadAll(paths, minutesOf('A', bars));
    const five: TestBar[] = [[minuteTs('2025-11-28', 205), 100, 1]];
    await publishOf(
      paths,
      minuteSegment([{ symbol: 'B', bars: five }], {
        name: 'five',
        interval: '5m',
      }),
    );
    expect(published(paths).quote('A')?.timestampMs).toBe(Date.parse('2025-11-28T18:00:00Z'));
    expect(published(paths).quote('B')?.timestampMs).toBe(Date.parse('2025-11-28T18:00:00Z'));
  });
});
