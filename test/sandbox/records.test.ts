/** Records of each dataset: their identities, and their agreement with other datasets and prices. */

import { describe, expect, it } from 'vitest';
import {
  analystConsensus,
  RATING_ACTIONS,
  upgradesDowngrades,
} from '../../src/base/datasets/analysts.ts';
import { balanceSheet, insider, shares, statements } from '../../src/base/datasets/filings.ts';
import { earningsCalendar, expirations, news } from '../../src/base/datasets/market.ts';
import { isSession, newYorkDay, sessionCloseMs } from '../../src/base/time/calendar.ts';
import { dateFromDay, dayFromDate } from '../../src/base/time/dates.ts';
import { insiderSummary } from '../../src/compute/companies/insider-summary.ts';
import { sharesMultiplier } from '../../src/sandbox/actions.ts';
import { sandboxBars } from '../../src/sandbox/prices.ts';
import { sandboxUniverse } from '../../src/sandbox/universe.ts';
import { FROM_DAY, recordsOf, TO_DAY } from './market.ts';

const universe = sandboxUniverse({ fromDay: FROM_DAY, toDay: TO_DAY, stocks: 200 });
const securities = new Map(universe.map((one) => [one.symbol, one]));
const stocks = universe.filter(({ type, lastDay }) => type === 'stock' && lastDay > TO_DAY);
const closeOf = (symbol: string, day: number) =>
  sandboxBars(securities.get(symbol)!, day, day).close[0];
const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;
const share = <T>(values: readonly T[], is: (one: T) => boolean) =>
  values.filter(is).length / values.length;

const filed = recordsOf(statements);
const periodKey = (row: { symbol: string; date: number; period: string; filedAt: number }) =>
  [row.symbol, row.date, row.period, row.filedAt].join(' ');

describe('statements', () => {
  const quarterly = filed.filter(({ period }) => period === 'quarterly');
  const annual = filed.filter(({ period }) => period === 'annual');

  it('cover five years and twenty quarters of an old company', () => {
    const old = stocks.filter(({ firstDay }) => firstDay < FROM_DAY);
    for (const { symbol } of old) {
      expect(annual.filter((row) => row.symbol === symbol).length).toBeGreaterThanOrEqual(5);
      expect(quarterly.filter((row) => row.symbol === symbol).length).toBeGreaterThanOrEqual(22);
    }
  });

  it('have gross profit = revenue − cost, and earnings per share = income / shares', () => {
    for (const row of filed) {
      expect(row.grossProfit).toBe(row.revenue! - row.costOfRevenue!);
      expect(row.revenue).toBeGreaterThan(0);
      expect(row.operatingIncome).toBeLessThanOrEqual(row.grossProfit! + 1000);
      const rounding = Math.abs(row.eps!) >= 1 ? 0.005001 : 0.000051;
      expect(Math.abs(row.eps! - row.netIncome! / row.sharesBasic!)).toBeLessThan(rounding);
      const diluted = row.netIncome! / row.sharesDiluted!;
      expect(Math.abs(row.epsDiluted! - diluted)).toBeLessThan(rounding);
      expect(row.sharesDiluted).toBeGreaterThanOrEqual(row.sharesBasic!);
    }
  });

  it('have years that are the sums of their quarters', () => {
    const keyOf = (row: (typeof filed)[0]) => `${row.symbol} ${row.fiscalYear}`;
    const quarters = Map.groupBy(quarterly, keyOf);
    const whole = annual.filter((year) => quarters.get(keyOf(year))?.length === 4);
    for (const year of whole) {
      for (const name of ['revenue', 'costOfRevenue', 'operatingIncome', 'netIncome'] as const) {
        const parts = quarters.get(keyOf(year))!.map((row) => row[name]!);
        expect(year[name]).toBe(parts.reduce((a, b) => a + b));
      }
    }
    expect(whole.length).toBeGreaterThan(700);
  });

  it('are filed two to ten weeks after the period', () => {
    const days = quarterly.map(({ filedAt, date }) => newYorkDay(filedAt) - date);
    expect(Math.min(...days)).toBeGreaterThanOrEqual(14);
    expect(Math.max(...days)).toBeLessThanOrEqual(70);
  });

  it('give prices that are some multiple of earnings, with losses among them', () => {
    const ratios = stocks.flatMap(({ symbol }) => {
      const last = quarterly.filter((row) => row.symbol === symbol).slice(-4);
      const eps = last.reduce((sum, row) => sum + row.netIncome! / row.sharesDiluted!, 0);
      return last.length === 4 ? [closeOf(symbol, TO_DAY) / eps] : [];
    });
    const profitable = ratios.filter((ratio) => ratio > 0).sort((a, b) => a - b);
    const middle = profitable[Math.floor(profitable.length / 2)];
    expect(middle).toBeGreaterThan(12);
    expect(middle).toBeLessThan(28);
    expect(profitable.length / ratios.length).toBeGreaterThan(0.65);
    expect(profitable.length / ratios.length).toBeLessThan(0.88);
  });

  it('are the same of both classes of a company', () => {
    const of = (symbol: string) =>
      filed.filter((row) => row.symbol === symbol).map((row) => ({ ...row, symbol: '' }));
    const { symbol } = stocks.find((one) => one.symbol.endsWith('.A'))!;
    expect(of(symbol).length).toBeGreaterThan(25);
    expect(of(symbol.replace('.A', '.B'))).toEqual(of(symbol));
  });
});

it('balance sheets have assets = liabilities + equity, on the dates of the statements', () => {
  const sheets = recordsOf(balanceSheet);
  for (const { totalAssets, totalLiabilities, totalEquity, ...row } of sheets) {
    expect(totalAssets).toBe(totalLiabilities! + totalEquity!);
    expect(row.netDebt).toBe(row.totalDebt! - row.cash!);
    expect(row.cash).toBeLessThan(totalAssets!);
    expect(row.totalDebt).toBeLessThanOrEqual(totalLiabilities!);
  }
  expect(sheets.map(periodKey)).toEqual(filed.map(periodKey));
});

it('share counts become those of today by splits alone', () => {
  const newest = new Map(recordsOf(shares).map((row) => [row.symbol, row]));
  for (const row of recordsOf(shares)) {
    const { splits } = securities.get(row.symbol)!;
    const last = newest.get(row.symbol)!;
    const since = sharesMultiplier(splits, last.date) / sharesMultiplier(splits, row.date);
    expect(Math.abs(row.shares * since - last.shares)).toBeLessThanOrEqual(since + 1);
  }
});

describe('the earnings calendar', () => {
  const calendar = recordsOf(earningsCalendar);

  it('has the next two reports of every stock, on sessions', () => {
    for (const security of stocks) {
      const dates = calendar
        .filter(({ symbol }) => symbol === security.symbol)
        .map(({ date }) => date);
      expect(dates.every((date) => isSession(date))).toBe(true);
      const coming = dates.filter((date) => date > TO_DAY);
      if (security.lastDay < TO_DAY + 200) continue;
      expect([1, 2]).toContain(coming.length);
      expect(coming[0]).toBeLessThanOrEqual(TO_DAY + 110);
    }
  });

  it('expects of a quarter about what its statement reports, and misses both ways', () => {
    const reported = new Map(
      filed
        .filter(({ period }) => period === 'quarterly')
        .map((row) => [`${row.symbol} ${row.fiscalYear}-Q${row.fiscalQuarter}`, row]),
    );
    const surprises = calendar.flatMap(({ symbol, fiscalQuarter, revenueEstimate, date }) => {
      const row = reported.get(`${symbol} ${fiscalQuarter}`);
      if (!row) return [];
      const filedLater = newYorkDay(row.filedAt) - date;
      expect(filedLater).toBeGreaterThanOrEqual(0);
      expect(filedLater).toBeLessThan(16);
      return [row.revenue! / revenueEstimate! - 1];
    });
    expect(surprises.length).toBeGreaterThan(700);
    expect(share(surprises, (one) => Math.abs(one) > 0.08)).toBeLessThan(0.01);
    expect(share(surprises, (one) => one > 0)).toBeGreaterThan(0.3);
    expect(share(surprises, (one) => one < 0)).toBeGreaterThan(0.3);
  });
});

describe('analysts', () => {
  const ratings = recordsOf(upgradesDowngrades);
  const consensus = recordsOf(analystConsensus);

  it('upgrade, downgrade, initiate, maintain and reiterate', () => {
    const actions = new Set(ratings.map(({ action }) => action));
    expect([...actions].sort()).toEqual([...RATING_ACTIONS].sort());
    const byFirm = Map.groupBy(ratings, ({ symbol, firm }) => `${symbol} ${firm}`);
    for (const rows of byFirm.values()) {
      for (const [index, { action, fromGrade, toGrade }] of rows.entries()) {
        expect(fromGrade === null).toBe(action === 'initiate');
        const isChange = action === 'upgrade' || action === 'downgrade';
        if (fromGrade !== null) expect(toGrade !== fromGrade).toBe(isChange);
        if (index > 0) expect(fromGrade).toBe(rows[index - 1].toGrade);
      }
    }
  });

  it('are counted once each, the latest review of every firm', () => {
    const newest = new Map(consensus.map((row) => [row.symbol, row]));
    const firmsOf = Map.groupBy(ratings, ({ symbol }) => symbol);
    for (const [symbol, row] of newest) {
      const firms = new Set(
        firmsOf.get(symbol)!.flatMap((one) => (one.publishedAt <= row.asOf ? [one.firm] : [])),
      );
      const counts = [row.strongBuy, row.buy, row.hold, row.sell, row.strongSell];
      expect(counts.reduce((sum: number, count) => sum + count!, 0)).toBe(firms.size);
    }
    const sizes = [...newest.values()].map((row) => row.strongBuy! + row.buy! + row.hold!);
    expect(Math.max(...sizes)).toBeGreaterThan(10);
  });

  it('expect prices around that of the day', () => {
    const upsides = consensus.map(
      ({ symbol, targetMean, asOf }) => targetMean! / closeOf(symbol, newYorkDay(asOf)) - 1,
    );
    expect(mean(upsides)).toBeGreaterThan(0);
    expect(mean(upsides)).toBeLessThan(0.3);
    for (const row of consensus) {
      expect(row.targetLow).toBeLessThanOrEqual(row.targetMedian!);
      expect(row.targetHigh).toBeGreaterThanOrEqual(row.targetMean!);
    }
  });
});

describe('insiders', () => {
  const all = recordsOf(insider);

  it('buy, sell, are awarded shares, exercise options, pay taxes and give shares away', () => {
    const codes = new Set(all.map((row) => `${row.transactionCode} ${row.transactionType}`));
    const expected = ['A award', 'F tax', 'G gift', 'M exercise', 'P buy', 'S sell'];
    expect([...codes].sort()).toEqual(expected);
    expect(new Set(all.map(({ title }) => title)).size).toBe(5);
  });

  it('own afterwards what they owned before and what they got, splits counted', () => {
    let steps = 0;
    const byOwner = Map.groupBy(all, (row) => `${row.symbol} ${row.insiderName} ${row.title}`);
    for (const trades of byOwner.values()) {
      const { splits } = securities.get(trades[0].symbol)!;
      for (const [index, row] of trades.slice(1).entries()) {
        const before = trades[index];
        const split =
          sharesMultiplier(splits, row.transactionDate!) /
          sharesMultiplier(splits, before.transactionDate!);
        const gets = ['buy', 'award', 'exercise'].includes(row.transactionType);
        const expected = before.sharesOwnedAfter! * split + (gets ? 1 : -1) * row.shares!;
        // A split leaves parts of shares.
        const slack = split === 1 ? 1 : 2 + split;
        expect(Math.abs(row.sharesOwnedAfter! - expected)).toBeLessThanOrEqual(slack);
        steps++;
      }
    }
    expect(steps).toBeGreaterThan(700);
  });

  it('trade at the close of a session and file in the next days', () => {
    for (const { symbol, transactionType, transactionDate, price, filedAt } of all) {
      expect(isSession(transactionDate!)).toBe(true);
      const later = newYorkDay(filedAt) - transactionDate!;
      expect(later).toBeGreaterThanOrEqual(1);
      expect(later).toBeLessThanOrEqual(6);
      const isTrade = transactionType === 'buy' || transactionType === 'sell';
      if (isTrade) expect(price).toBe(closeOf(symbol, transactionDate!));
    }
  });

  it('add up to summaries with some activity', () => {
    const bySymbol = Map.groupBy(all, ({ symbol }) => symbol);
    const summaries = [...bySymbol.values()].map((rows) => insiderSummary(rows, TO_DAY));
    const isActive = (one: (typeof summaries)[0]) => one.buyCount90d + one.sellCount90d > 0;
    expect(share(summaries, isActive)).toBeGreaterThan(0.3);
  });
});

describe('news', () => {
  const articles = recordsOf(news);

  it('names the company and its other class', () => {
    for (const { symbols, title } of articles) {
      expect(title).toContain(securities.get(symbols[0])!.companyName);
    }
    expect(new Set(articles.map(({ symbols }) => symbols.length))).toEqual(new Set([1, 2]));
    const classes = articles.filter(({ symbols }) => symbols[1]?.endsWith('.B'));
    expect(classes.some(({ symbols }) => symbols[0] === symbols[1].replace('.B', '.A'))).toBe(true);
  });

  it('reports the earnings of the statements before they are filed', () => {
    let matched = 0;
    for (const { title, symbols, publishedAt } of articles) {
      const [, eps, quarter, year] = /earns \$([\d.]+) a share in Q(\d) (\d{4})/.exec(title) ?? [];
      const row = filed.find(
        (one) =>
          one.symbol === symbols[0] &&
          one.fiscalQuarter === Number(quarter) &&
          one.fiscalYear === Number(year),
      );
      if (!row) continue;
      expect(row.eps).toBeCloseTo(Number(eps), 6);
      expect(publishedAt).toBeLessThan(row.filedAt);
      matched++;
    }
    expect(matched).toBeGreaterThan(400);
  });

  it('has every sentiment, and addresses that lead nowhere', () => {
    for (const rows of Map.groupBy(articles, ({ sentiment }) => sentiment).values()) {
      expect(rows.length / articles.length).toBeGreaterThan(0.05);
    }
    expect(new Set(articles.map(({ url }) => new URL(url).hostname))).toEqual(
      new Set(['news.sandbox.invalid']),
    );
  });
});

describe('expirations', () => {
  const datesOf = (rows: { symbol: string; date: number }[]) =>
    [...Map.groupBy(rows, ({ symbol }) => symbol).values()]
      .map((own) => own.map(({ date }) => dateFromDay(date)))
      .sort((a, b) => a.length - b.length);
  const lists = datesOf(
    recordsOf(expirations).filter(({ asOf }) => asOf > (TO_DAY - 7) * 86_400_000),
  );

  it('are every third Friday for a year, the session before where that is a holiday', () => {
    expect(lists[0]).toEqual([
      '2026-11-20',
      '2026-12-18',
      '2027-01-15',
      '2027-02-19',
      '2027-03-19',
      '2027-04-16',
      '2027-05-21',
      // The 18th is the holiday of Juneteenth.
      '2027-06-17',
      '2027-07-16',
      '2027-08-20',
      '2027-09-17',
      '2027-10-15',
      '2027-11-19',
    ]);
  });

  it('are every week too for large companies', () => {
    expect(lists.at(-1)).toEqual(
      expect.arrayContaining(['2026-11-27', '2026-12-04', '2026-12-24']),
    );
  });

  it('change with the week, on its first session', () => {
    const asOf = (from: string, to: string) => {
      const afterMs = sessionCloseMs(dayFromDate(from));
      const rows = recordsOf(expirations, { afterMs, toDay: dayFromDate(to) });
      return [...new Set(rows.map((row) => new Date(row.asOf).toISOString()))];
    };
    expect(asOf('2026-11-18', '2026-11-20')).toEqual([]);
    // Labor Day: the week begins on Tuesday.
    expect(asOf('2026-09-04', '2026-09-09')).toContain('2026-09-08T13:30:00.000Z');
  });
});
