import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { canonicalSymbol } from '../../src/base/symbols.ts';
import { isSession } from '../../src/base/time/calendar.ts';
import { dayFromDate } from '../../src/base/time/dates.ts';
import { SECTORS } from '../../src/ingest/directory/sectors.ts';
import { rootFromIndex } from '../../src/sandbox/names.ts';
import { sandboxUniverse } from '../../src/sandbox/universe.ts';
import { hasRealdata, realdata } from '../support/realdata.ts';

const days = { fromDay: dayFromDate('2021-01-04'), toDay: dayFromDate('2026-11-20') };
const universe = sandboxUniverse(days);
const stocks = universe.filter(({ type }) => type === 'stock');
const funds = universe.filter(({ type }) => type === 'etf');
const distinct = <T>(values: T[]) => [...new Set(values)].sort();

describe('sandboxUniverse', () => {
  it('has over 500 companies and over 70 funds on three exchanges, in eleven sectors', () => {
    expect(stocks.length).toBeGreaterThan(500);
    expect(funds.length).toBeGreaterThan(70);
    expect(distinct(universe.map(({ exchange }) => exchange))).toEqual(['AMEX', 'NASDAQ', 'NYSE']);
    expect(distinct(stocks.map(({ sector }) => sector))).toEqual([...SECTORS]);
    expect(distinct(stocks.map(({ industry }) => industry)).length).toBe(22);
    expect(distinct(funds.map(({ sector }) => sector))).toEqual([null]);
  });

  it('says in every name that it is synthetic', () => {
    expect(universe.filter(({ companyName }) => !companyName.endsWith(' (synthetic)'))).toEqual([]);
  });

  it('has canonical symbols, each once, some with two classes of one company', () => {
    const symbols = universe.map(({ symbol }) => symbol);
    expect(symbols.map((symbol) => canonicalSymbol(symbol))).toEqual(symbols);
    expect(new Set(symbols).size).toBe(symbols.length);
    const second = symbols.filter((symbol) => symbol.endsWith('.B'));
    expect(second.length).toBeGreaterThan(8);
    const name = (symbol: string) => universe.find((one) => one.symbol === symbol)?.companyName;
    for (const symbol of second) expect(name(symbol)).toBe(name(symbol.replace('.B', '.A')));
  });

  it.skipIf(!hasRealdata)('has no ticker that was ever listed', () => {
    const listed = ['nasdaqlisted', 'otherlisted'].flatMap((name) =>
      readFileSync(realdata(`reference/nasdaqtrader/${name}.txt`), 'latin1').split(/[\r\n|]+/),
    );
    const sec = JSON.parse(readFileSync(realdata('sec/company_tickers_exchange.json'), 'utf8'));
    const real = new Set([...listed, ...sec.data.map((row: string[]) => row[2])]);
    const roots = sandboxUniverse({ ...days, stocks: 9000 }).map(
      ({ symbol }) => symbol.split('.')[0],
    );
    expect(roots.filter((root) => real.has(root))).toEqual([]);
  });

  it('splits forward, 3:2 and in reverse', () => {
    const ratios = universe.flatMap(({ splits }) =>
      splits.map(({ numerator, denominator }) => `${numerator}:${denominator}`),
    );
    expect(distinct(ratios)).toEqual(expect.arrayContaining(['1:10', '2:1', '3:1', '3:2', '4:1']));
    expect(ratios.length).toBeGreaterThan(100);
  });

  it('pays dividends of a cent or more, though many companies pay none', () => {
    const amounts = universe.flatMap(({ dividends }) => dividends.map(({ amount }) => amount));
    expect(Math.min(...amounts)).toBeGreaterThanOrEqual(0.01);
    const payers = stocks.filter(({ dividends }) => dividends.length > 0).length;
    expect(payers / stocks.length).toBeGreaterThan(0.4);
    expect(payers / stocks.length).toBeLessThan(0.7);
  });

  it('knows only events of its days, on sessions while the security trades', () => {
    for (const { splits, dividends, firstDay, lastDay } of universe) {
      for (const { exDay } of [...splits, ...dividends]) {
        expect(isSession(exDay)).toBe(true);
        expect(exDay).toBeGreaterThan(Math.max(firstDay, days.fromDay - 1));
        expect(exDay).toBeLessThanOrEqual(Math.min(lastDay ?? days.toDay, days.toDay));
      }
    }
  });

  it('has some that were listed and some that were delisted in its days', () => {
    expect(universe.filter(({ firstDay }) => firstDay > days.fromDay).length).toBeGreaterThan(5);
    expect(universe.filter(({ lastDay }) => lastDay !== undefined).length).toBeGreaterThan(5);
    const others = universe.filter(
      ({ firstDay, lastDay }) => firstDay > days.toDay || (lastDay ?? days.toDay) < days.fromDay,
    );
    expect(others).toEqual([]);
  });

  it('describes a security alike in a larger universe and on another day, but for its events', () => {
    const identity = ({ symbol, companyName, exchange, sector, firstDay }: (typeof universe)[0]) =>
      [symbol, companyName, exchange, sector, firstDay].join(' ');
    const other = sandboxUniverse({ fromDay: days.fromDay, toDay: days.toDay + 30, stocks: 700 });
    const identities = new Set(other.map(identity));
    expect(universe.filter((security) => !identities.has(identity(security)))).toEqual([]);
  });

  it('keeps shares in step with splits', () => {
    const later = new Map(
      sandboxUniverse({ fromDay: days.toDay + 1, toDay: dayFromDate('2027-12-31') }).map(
        (security) => [security.symbol, security],
      ),
    );
    const growth = universe.flatMap((security) => {
      const after = later.get(security.symbol);
      if (!after) return [];
      const ratio = after.splits.reduce(
        (all, split) => (all * split.numerator) / split.denominator,
        1,
      );
      return [after.sharesOutstanding / security.sharesOutstanding / ratio];
    });
    expect(Math.min(...growth)).toBeGreaterThan(0.9999);
    expect(Math.max(...growth)).toBeLessThan(1.0001);
  });
});

// A universe of 10,000 companies once had 709 tickers twice: three letters ran out.
it('never gives a ticker twice', () => {
  const roots = Array.from({ length: 60_000 }, (_, index) => rootFromIndex(index));
  expect(new Set(roots).size).toBe(roots.length);
});
