import { describe, expect, it } from 'vitest';
import { newYorkDay, sessionCloseMs } from '../../src/base/time/calendar.ts';
import { dayFromDate } from '../../src/base/time/dates.ts';
import { SECTORS } from '../../src/ingest/directory/sectors.ts';
import { sandboxBalanceSheets } from '../../src/sandbox/balance-sheets.ts';
import { sharesMultiplier } from '../../src/sandbox/events.ts';
import { sandboxBars } from '../../src/sandbox/prices.ts';
import { sandboxShares } from '../../src/sandbox/shares.ts';
import { sandboxStatements } from '../../src/sandbox/statements.ts';
import { sandboxUniverse } from '../../src/sandbox/universe.ts';

const fromDay = dayFromDate('2021-01-04');
const toDay = dayFromDate('2026-11-20');
const universe = sandboxUniverse({ fromDay, toDay });
const stocks = universe.filter(({ type, lastDay }) => type === 'stock' && lastDay === undefined);
const span = {
  afterMs: sessionCloseMs(dayFromDate('2020-12-31')),
  throughMs: sessionCloseMs(toDay),
};
const statements = new Map(stocks.map((one) => [one, sandboxStatements(one, span)]));
const all = [...statements.values()].flat();
const yearOf = new Map(
  all
    .filter(({ period }) => period === 'annual')
    .map((row) => [`${row.symbol} ${row.fiscalYear} ${row.filedAt}`, row]),
);

/** Market value and twelve months' diluted earnings per share on the last day. */
const valued = stocks.map((security) => {
  const price = sandboxBars(security, toDay, toDay).close[0];
  const quarters = statements
    .get(security)!
    .filter(({ period, form }) => period === 'quarterly' && form !== '10-K/A')
    .slice(-4);
  const income = quarters.reduce((sum, { netIncome }) => sum + netIncome!, 0);
  const eps = income / quarters.at(-1)!.sharesDiluted!;
  return { security, cap: price * security.sharesOutstanding, priceToEarnings: price / eps };
});

describe('filings of the sandbox', () => {
  it('tell of at least five years and twenty quarters of an old company', () => {
    const old = stocks.filter(({ firstDay }) => firstDay < dayFromDate('2019-01-01'));
    expect(old.length).toBeGreaterThan(450);
    for (const security of old) {
      const ends = (period: string) =>
        new Set(
          statements
            .get(security)!
            .filter((row) => row.period === period)
            .map(({ date }) => date),
        ).size;
      expect(ends('annual')).toBeGreaterThanOrEqual(5);
      expect(ends('quarterly')).toBeGreaterThanOrEqual(22);
    }
  });

  it('have gross profit = revenue − cost, and earnings per share of their shares', () => {
    for (const row of all) {
      const { revenue, costOfRevenue, grossProfit, netIncome, eps, epsDiluted } = row;
      expect(grossProfit).toBe(revenue! - costOfRevenue!);
      expect(revenue).toBeGreaterThan(0);
      const rounding = (value: number) => (Math.abs(value) >= 1 ? 0.005001 : 0.000051);
      const basic = netIncome! / row.sharesBasic!;
      const diluted = netIncome! / row.sharesDiluted!;
      expect(Math.abs(eps! - basic)).toBeLessThan(rounding(basic));
      expect(Math.abs(epsDiluted! - diluted)).toBeLessThan(rounding(diluted));
      expect(row.sharesDiluted).toBeGreaterThanOrEqual(row.sharesBasic!);
    }
  });

  it('have years that are the sums of their quarters, amended ones too', () => {
    let years = 0;
    for (const rows of statements.values()) {
      const quarters = rows.filter(({ period }) => period === 'quarterly');
      for (const last of quarters.filter(({ fiscalQuarter }) => fiscalQuarter === 4)) {
        const earlier = [3, 2, 1].map((quarter) =>
          quarters.find(
            ({ fiscalYear, fiscalQuarter }) =>
              fiscalYear === last.fiscalYear && fiscalQuarter === quarter,
          ),
        );
        const year = yearOf.get(`${last.symbol} ${last.fiscalYear} ${last.filedAt}`);
        if (!year || earlier.includes(undefined)) continue;
        for (const name of ['revenue', 'costOfRevenue', 'operatingIncome', 'netIncome'] as const) {
          const sum = [last, ...earlier].reduce((total, row) => total + row![name]!, 0);
          expect(year[name]).toBe(sum);
        }
        years++;
      }
    }
    expect(years).toBeGreaterThan(2000);
  });

  it('restate a year now and then, and leave what was filed before', () => {
    const amended = all.filter(({ form, period }) => form === '10-K/A' && period === 'annual');
    const originals = all.filter(({ form, period }) => form === '10-K' && period === 'annual');
    expect(amended.length / originals.length).toBeGreaterThan(0.02);
    expect(amended.length / originals.length).toBeLessThan(0.07);
    for (const row of amended) {
      const original = originals.find(
        ({ symbol, date }) => symbol === row.symbol && date === row.date,
      );
      if (!original) continue;
      expect(row.filedAt).toBeGreaterThan(original.filedAt);
      expect(row.revenue).toBeLessThan(original.revenue!);
    }
  });

  it('are filed two to ten weeks after the period, but for a prospectus', () => {
    const days = all
      .filter(({ form }) => form === '10-Q' || form === '10-K')
      .map(({ filedAt, date }) => newYorkDay(filedAt) - date);
    expect(Math.min(...days)).toBeGreaterThanOrEqual(14);
    expect(Math.max(...days)).toBeLessThanOrEqual(70);
  });

  it('have assets = liabilities + equity and netDebt = totalDebt − cash, on the same dates', () => {
    for (const security of stocks) {
      const sheets = sandboxBalanceSheets(security, span);
      for (const { totalAssets, totalLiabilities, totalEquity, ...row } of sheets) {
        expect(totalAssets).toBe(totalLiabilities! + totalEquity!);
        expect(row.netDebt).toBe(row.totalDebt! - row.cash!);
        expect(row.cash).toBeLessThan(totalAssets!);
        expect(row.totalDebt).toBeLessThanOrEqual(totalLiabilities!);
      }
      const keys = (rows: readonly { date: number; period: string; filedAt: number }[]) =>
        rows.map(({ date, period, filedAt }) => `${date} ${period} ${filedAt}`);
      expect(keys(sheets)).toEqual(keys(statements.get(security)!));
    }
  });

  it('count shares that become those of today by splits alone', () => {
    for (const security of stocks) {
      const { splits } = security.model;
      for (const { shares, date } of sandboxShares(security, span)) {
        const since = sharesMultiplier(splits, toDay) / sharesMultiplier(splits, date);
        const today = shares * since;
        expect(Math.abs(today - security.sharesOutstanding)).toBeLessThanOrEqual(since + 1);
      }
    }
  });

  it('give caps from tens of millions to trillions in eleven sectors on three exchanges', () => {
    const caps = valued.map(({ cap }) => cap).sort((a, b) => a - b);
    expect(caps[0]).toBeLessThan(1e8);
    expect(caps.at(-1)).toBeGreaterThan(1e12);
    expect(new Set(stocks.map(({ sector }) => sector))).toEqual(new Set(SECTORS));
    expect(new Set(stocks.map(({ exchange }) => exchange)).size).toBe(3);
  });

  it('give earnings that prices are some multiple of, with losses among them', () => {
    const ratios = valued
      .map(({ priceToEarnings }) => priceToEarnings)
      .filter((ratio) => ratio > 0)
      .sort((a, b) => a - b);
    const middle = ratios[Math.floor(ratios.length / 2)];
    expect(middle).toBeGreaterThan(12);
    expect(middle).toBeLessThan(28);
    const losses = 1 - ratios.length / valued.length;
    expect(losses).toBeGreaterThan(0.12);
    expect(losses).toBeLessThan(0.35);
    const payers = stocks.filter(({ dividends }) => dividends.length > 0).length / stocks.length;
    expect(payers).toBeGreaterThan(0.4);
    expect(payers).toBeLessThan(0.75);
  });

  it('have companies that grow and companies that shrink', () => {
    const growth = [...statements.values()].flatMap((rows) => {
      const years = rows.filter(({ form, period }) => form === '10-K' && period === 'annual');
      const [before, last] = years.slice(-2);
      return last ? [last.revenue! / before.revenue! - 1] : [];
    });
    const part = (is: (one: number) => boolean) => growth.filter(is).length / growth.length;
    expect(part((one) => one > 0.05)).toBeGreaterThan(0.2);
    expect(part((one) => one < -0.05)).toBeGreaterThan(0.2);
    expect(part((one) => Math.abs(one) > 0.6)).toBeLessThan(0.02);
  });

  it('are the same of both classes of a company', () => {
    const first = stocks.find(({ symbol }) => symbol.endsWith('.A'))!;
    const second = stocks.find(({ symbol }) => symbol === first.symbol.replace('.A', '.B'))!;
    const ofFirst = statements.get(second)!.map((row) => ({ ...row, symbol: first.symbol }));
    expect(ofFirst).toEqual(statements.get(first));
  });

  it('begin with a prospectus of three years on the first day', () => {
    const young = stocks.find(({ firstDay }) => firstDay > dayFromDate('2022-01-01'))!;
    const rows = statements.get(young)!;
    const { firstDay } = young;
    expect(newYorkDay(rows[0].filedAt)).toBe(firstDay);
    const prospectus = rows.filter(({ form }) => form === '424B4');
    expect(prospectus.filter(({ period }) => period === 'quarterly')).toHaveLength(12);
    expect(prospectus.filter(({ period }) => period === 'annual').length).toBeGreaterThan(1);
    const next = rows.find(({ form, period }) => form !== '424B4' && period === 'quarterly')!;
    const newest = Math.max(...prospectus.map(({ date }) => date));
    expect(next.date - newest).toBeGreaterThan(85);
    expect(next.date - newest).toBeLessThan(95);
  });
});
