import { describe, expect, it } from 'vitest';
import { isSession, newYorkDay, sessionCloseMs } from '../../src/base/time/calendar.ts';
import { dayFromDate } from '../../src/base/time/dates.ts';
import { currentTransactions } from '../../src/compute/companies/current-transactions.ts';
import { insiderSummary } from '../../src/compute/companies/insider-summary.ts';
import { sharesMultiplier } from '../../src/sandbox/events.ts';
import { sandboxInsiders } from '../../src/sandbox/insiders.ts';
import { sandboxBars } from '../../src/sandbox/prices.ts';
import { sandboxUniverse } from '../../src/sandbox/universe.ts';

const toDay = dayFromDate('2026-11-20');
const universe = sandboxUniverse({ fromDay: dayFromDate('2016-01-04'), toDay, stocks: 200 });
const stocks = universe.filter(({ type }) => type === 'stock');
const span = {
  afterMs: sessionCloseMs(dayFromDate('2015-12-31')),
  throughMs: sessionCloseMs(toDay),
};
const byStock = new Map(stocks.map((one) => [one, sandboxInsiders(one, span)]));
const all = [...byStock.values()].flat();

describe('insiders of the sandbox', () => {
  it('buy, sell, are awarded shares, exercise options, pay taxes and give shares away', () => {
    const types = Map.groupBy(all, ({ transactionType }) => transactionType);
    expect([...types.keys()].sort()).toEqual(['award', 'buy', 'exercise', 'gift', 'sell', 'tax']);
    const codes = new Set(all.map((row) => `${row.transactionCode} ${row.transactionType}`));
    expect([...codes].sort()).toEqual([
      'A award',
      'F tax',
      'G gift',
      'M exercise',
      'P buy',
      'S sell',
    ]);
    const perYear = types.get('buy')!.length / stocks.length / 10.9;
    expect(perYear).toBeGreaterThan(0.8);
    expect(perYear).toBeLessThan(3);
  });

  it('are officers, directors and owners of a tenth', () => {
    const titles = new Set(all.map(({ title }) => title));
    expect([...titles].sort()).toEqual([
      '10% Owner',
      'Chief Executive Officer',
      'Chief Financial Officer',
      'Chief Operating Officer',
      'Director',
      'General Counsel',
    ]);
  });

  it('own afterwards what they owned before and what they got, splits counted', () => {
    let steps = 0;
    for (const [{ model }, rows] of byStock) {
      const shares = rows.filter(({ isDerivative }) => isDerivative === 'false');
      for (const own of Map.groupBy(shares, ({ insiderName }) => insiderName).values()) {
        for (const [index, row] of own.entries()) {
          const before = own[index - 1];
          if (!before) continue;
          const split =
            sharesMultiplier(model.splits, row.transactionDate!) /
            sharesMultiplier(model.splits, before.transactionDate!);
          const gets = ['buy', 'award', 'exercise'].includes(row.transactionType);
          const expected = before.sharesOwnedAfter! * split + (gets ? 1 : -1) * row.shares!;
          // A split may leave parts of shares, which are paid out.
          const slack = split === 1 ? 0 : 4;
          expect(Math.abs(row.sharesOwnedAfter! - expected)).toBeLessThanOrEqual(slack);
          steps++;
        }
      }
    }
    expect(steps).toBeGreaterThan(5000);
  });

  it('trade at the close of a session and tell of it in the next days', () => {
    for (const [security, rows] of byStock) {
      for (const { transactionType, transactionDate, price, filedAt } of rows.slice(-20)) {
        expect(isSession(transactionDate!)).toBe(true);
        const isFirst = transactionDate === security.firstDay;
        const later = newYorkDay(filedAt) - transactionDate!;
        expect(later).toBeGreaterThanOrEqual(isFirst ? 0 : 1);
        expect(later).toBeLessThanOrEqual(7);
        if (transactionType !== 'buy' && transactionType !== 'sell') continue;
        const bars = sandboxBars(security, transactionDate!, transactionDate!);
        expect(price).toBe(bars.close[0]);
      }
    }
  });

  it('are worth price × shares, to the cent', () => {
    for (const { shares, price, totalValue } of all) {
      expect(Math.abs(totalValue! - shares! * price!)).toBeLessThan(0.006);
    }
  });

  it('add up to summaries with some activity', () => {
    const summaries = [...byStock].map(([, rows]) =>
      insiderSummary(currentTransactions(rows), toDay),
    );
    const active = summaries.filter((one) => one.buyCount90d + one.sellCount90d > 0);
    expect(active.length / summaries.length).toBeGreaterThan(0.3);
    expect(summaries.every(({ mostRecentTransaction }) => mostRecentTransaction)).toBe(true);
  });
});
