import { describe, expect, it } from 'vitest';
import type { ModePaths } from '../../../../src/base/config/data-dir.ts';
import { limits } from '../../../../src/base/limits.ts';
import { priceChange } from '../../../../src/base/prices/price-change.ts';
import { STORED_INTRADAY } from '../../../../src/base/time/intervals.ts';
import { resampleIntraday } from '../../../../src/compute/bars/resample-intraday.ts';
import { freshPaths, type TestBar, type TestFile } from '../../../store/duckdb/support/fixtures.ts';
import { long } from '../../../support/store-runs.ts';
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
  long(
    'published one by one are those published at once, without those that are missing',
    async () => {
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
    },
  );

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

  const five5 = (files: TestFile[], name: string) => minuteSegment(files, { name, interval: '5m' });
  const daysOf = (dates: string[]) => dates.flatMap((date) => minutes(date, 0, 390));

  long(
    'go on before and after the minutes where five sessions agree, else give way to them',
    async () => {
      const paths = freshPaths();
      const first = days.slice(0, 6);
      await publishOf(
        paths,
        minuteSegment([
          { symbol: 'AGREE', bars: daysOf(days.slice(3, 10)) },
          { symbol: 'DIFFER', bars: daysOf([days[3]]) },
          { symbol: 'LATER', bars: daysOf(first) },
          { symbol: 'MORE', bars: daysOf(first) },
        ]),
        five5(
          [
            { symbol: 'AGREE', bars: five(days) },
            { symbol: 'DIFFER', bars: five(days, 50) },
            { symbol: 'LATER', bars: five(days.slice(0, 8)) },
            { symbol: 'MORE', bars: five(first) },
            { symbol: 'ALONE', bars: five(first) },
          ],
          'five',
        ),
      );
      const version = published(paths);
      const bars = version.bars('AGREE', '5m');
      expect(bars.close.length).toBe(12 * 78);
      const made = resampleIntraday(version.bars('AGREE', '1m'), '5m');
      expect(bars.open.subarray(3 * 78, 10 * 78)).toEqual(made.open);
      expect(bars.close[10 * 78]).toBe(100.04);
      expect(version.rowCount('DIFFER', '5m')).toBe(78);
      expect(version.rowCount('LATER', '5m')).toBe(8 * 78);
      for (const [from, to] of [
        [0, 3],
        [3, 4],
        [4, 12],
        [12, 13],
      ]) {
        const files = [{ symbol: 'MORE', bars: minutes(days[6], from, to) }];
        // Bars of five minutes after the minutes give way to newer minutes.
        if (from === 0) files.push({ symbol: 'LATER', bars: minutes(days[9], 0, 10) });
        await publishOf(paths, minuteSegment(files, { name: `${from}` }));
      }
      expect(published(paths).rowCount('LATER', '5m')).toBe(6 * 78 + 2);
      await expectAsFromScratch(paths, contentOf);
      const correction = { name: 'correction', asOf: '2026-06-01' };
      await publishOf(
        paths,
        minuteSegment([{ symbol: 'MORE', bars: minutes(days[5], 380, 385, 101) }], correction),
      );
      const more = [
        { symbol: 'MORE', bars: five(days.slice(6)) },
        { symbol: 'ALONE', bars: five([days[6]]) },
      ];
      await publishOf(paths, five5(more, 'more'));
      await expectAsFromScratch(paths, contentOf);
    },
  );
});

describe('the quote', () => {
  const before25 = sessions('2026-01-26', 25);
  const daysOf = (closeOf: (i: number) => number) =>
    before25.map((date, i): TestBar => [date, closeOf(i), 5000]);

  it('follows the minutes until the daily bar of their session comes', async () => {
    const paths = freshPaths();
    const quote = (symbol: string) => published(paths).quote(symbol)!;
    expect(before25.at(-1)).toBe(MONDAY);
    const halfDay: TestBar[] = [[minuteTs('2025-11-28', 205), 100, 1]];
    await publishOf(
      paths,
      daySegment(
        'A',
        daysOf((i) => 90 + i),
      ),
      daySegment(
        'RSI',
        daysOf((i) => 90 + (i % 4)),
      ),
      daySegment('LATE', [
        ['2026-02-26', 80],
        ['2026-02-27', 81],
      ]),
      minuteSegment([
        { symbol: 'RSI', bars: minutes(TUESDAY, 0, 2, 95) },
        { symbol: 'LATE', bars: minutes(MONDAY, 0, 390, 100) },
        { symbol: 'HALF', bars: minutes('2025-11-28', 200, 210) },
      ]),
      minuteSegment([{ symbol: 'FIVE', bars: halfDay }], { name: 'five', interval: '5m' }),
    );
    const before = quote('A');
    const { rsi14 } = quote('RSI');
    expect(quote('LATE')).toMatchObject({ price: 103.89, previousClose: 81 });
    // Both end with a short last bar.
    expect(quote('HALF').timestampMs).toBe(Date.parse('2025-11-28T18:00:00Z'));
    expect(quote('FIVE').timestampMs).toBe(Date.parse('2025-11-28T18:00:00Z'));

    await publishOf(
      paths,
      minuteSegment([
        { symbol: 'A', bars: minutes(TUESDAY, 0, 2, 120) },
        { symbol: 'LATE', bars: minutes(TUESDAY, 0, 1, 110) },
      ]),
      daySegment('RSI', [[TUESDAY, 95.01, 9000]], { name: 'tuesday' }),
    );
    // The preview is the RSI that the daily series has then.
    expect(quote('RSI').rsi14).toBe(rsi14);
    // The session before has no daily bar yet.
    expect(quote('LATE')).toMatchObject({ price: 110, previousClose: 103.89 });

    await publishOf(
      paths,
      minutesOf('A', minutes(TUESDAY, 2, 3, 110), '2'),
      daySegment('LATE', [[MONDAY, 105]], { name: 'late' }),
    );
    expect(quote('LATE')).toMatchObject({ price: 110, previousClose: 105 });
    expect(quote('A')).toMatchObject({
      price: 110.02,
      previousClose: before.price,
      change: priceChange(110.02, before.price),
      dayOpen: 120,
      dayHigh: 120.01 * 1.5,
      dayLow: 110.02 / 2,
      volume: 10 + 11 + 12,
      timestampMs: Date.parse('2026-03-03T14:33:00Z'),
    });
    expect(quote('A').rsi14).not.toBe(before.rsi14);
    await expectAsFromScratch(paths, contentOf);

    await publishOf(paths, daySegment('A', [[TUESDAY, 111, 9000]], { name: 'tuesday' }));
    expect(quote('A')).toMatchObject({
      price: 111,
      volume: 9000,
      previousClose: before.price,
      timestampMs: Date.parse('2026-03-03T21:00:00Z'),
    });
    await publishOf(paths, minutesOf('A', minutes(TUESDAY, 3, 390, 110), '3'));
    expect(quote('A')).toMatchObject({ price: 111, volume: 9000 });
    await expectAsFromScratch(paths, contentOf);
  });
});
