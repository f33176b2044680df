import { describe, expect, it } from 'vitest';
import { newYorkDay, sessionCloseMs } from '../../src/base/time/calendar.ts';
import { dayFromDate } from '../../src/base/time/dates.ts';
import {
  sandboxConsensus,
  sandboxRatings,
  sandboxReviews,
  sandboxTargets,
} from '../../src/sandbox/analysts.ts';
import { sandboxCloses } from '../../src/sandbox/closes.ts';
import { sharesMultiplier } from '../../src/sandbox/events.ts';
import { sandboxBars } from '../../src/sandbox/prices.ts';
import { sandboxUniverse } from '../../src/sandbox/universe.ts';

const fromDay = dayFromDate('2021-01-04');
const toDay = dayFromDate('2026-11-20');
const universe = sandboxUniverse({ fromDay, toDay, stocks: 200 });
const stocks = universe.filter(({ type }) => type === 'stock');
const span = {
  afterMs: sessionCloseMs(dayFromDate('2020-12-31')),
  throughMs: sessionCloseMs(toDay),
};

describe('analysts of the sandbox', () => {
  it('are of the consensus what each of them said last', () => {
    let checked = 0;
    for (const security of stocks) {
      const { splits } = security.model;
      const reviews = sandboxReviews(security, span);
      for (const row of sandboxConsensus(security, span).slice(-3)) {
        const known = reviews.filter(({ publishedAt }) => publishedAt <= row.asOf);
        const latest = [...Map.groupBy(known, ({ firm }) => firm).values()].map(
          (own) => own.at(-1)!,
        );
        const count = (rating: number) => latest.filter((one) => one.rating === rating).length;
        const { strongSell, sell, hold, buy, strongBuy } = row;
        expect([strongSell, sell, hold, buy, strongBuy]).toEqual([0, 1, 2, 3, 4].map(count));
        const targets = latest.map(
          ({ target, day }) =>
            (target * sharesMultiplier(splits, day)) /
            sharesMultiplier(splits, newYorkDay(row.asOf)),
        );
        expect(row.targetHigh).toBeCloseTo(Math.max(...targets), 1);
        expect(row.targetLow).toBeCloseTo(Math.min(...targets), 1);
        expect(row.targetMean).toBeLessThanOrEqual(row.targetHigh!);
        expect(row.targetMedian).toBeGreaterThanOrEqual(row.targetLow!);
        checked++;
      }
    }
    expect(checked).toBeGreaterThan(400);
  });

  it('are two at small companies and more at large ones', () => {
    const counts = stocks.map((security) => {
      const { strongSell, sell, hold, buy, strongBuy } = sandboxConsensus(security, span).at(-1)!;
      return strongSell! + sell! + hold! + buy! + strongBuy!;
    });
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(1);
    expect(Math.max(...counts)).toBeGreaterThan(12);
  });

  it('upgrade to a better grade and downgrade to a worse one, in the words of their firm', () => {
    const ratings = stocks.flatMap((security) => sandboxReviews(security, span));
    const actions = new Set(ratings.map(({ action }) => action));
    expect([...actions].sort()).toEqual([
      'downgrade',
      'initiate',
      'maintain',
      'reiterate',
      'upgrade',
    ]);
    for (const { action, grade, fromGrade } of ratings) {
      expect(fromGrade === undefined).toBe(action === 'initiate');
      const isChange = action === 'upgrade' || action === 'downgrade';
      if (fromGrade !== undefined) expect(grade !== fromGrade).toBe(isChange);
    }
    const [security] = stocks;
    const own = sandboxRatings(security, span);
    for (const firm of new Set(own.map((row) => row.firm))) {
      const rows = own.filter((row) => row.firm === firm);
      for (const [index, row] of rows.entries()) {
        if (index > 0) expect(row.fromGrade).toBe(rows[index - 1].toGrade);
      }
    }
  });

  it('expect a price in reach of that of the day, higher for better ratings', () => {
    const upsides = stocks.flatMap((security) => {
      const close = sandboxCloses(security);
      return sandboxReviews(security, span).map(({ rating, target, day }) => ({
        rating,
        upside: target / close(day) - 1,
      }));
    });
    const mean = (rating: number) => {
      const own = upsides.filter((one) => one.rating === rating).map(({ upside }) => upside);
      return own.reduce((sum, one) => sum + one, 0) / own.length;
    };
    expect(mean(0)).toBeLessThan(mean(2));
    expect(mean(2)).toBeLessThan(mean(4));
    expect(mean(4)).toBeGreaterThan(0.2);
  });

  it('state targets and ratings together', () => {
    const [security] = stocks;
    const keyOf = ({ firm, publishedAt }: { firm: string; publishedAt: number }) =>
      `${firm} ${publishedAt}`;
    expect(sandboxTargets(security, span).map(keyOf)).toEqual(
      sandboxRatings(security, span).map(keyOf),
    );
  });

  it('go by closes that are those of the bars', () => {
    for (const security of universe.slice(0, 30)) {
      const close = sandboxCloses(security);
      const bars = sandboxBars(security, toDay - 700, toDay);
      const days = [...bars.timestampUs].map((us) => Number(us / 86_400_000_000n));
      expect(days.map(close)).toEqual([...bars.close]);
    }
  });
});
