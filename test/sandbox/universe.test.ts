import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { canonicalSymbol } from '../../src/base/symbols.ts';
import { isSession } from '../../src/base/time/calendar.ts';
import { SECTORS } from '../../src/ingest/directory/sectors.ts';
import { dividendsBetween } from '../../src/sandbox/actions.ts';
import { tickerAt } from '../../src/sandbox/names.ts';
import { sandboxUniverse, sharesOn } from '../../src/sandbox/universe.ts';
import { hasRealdata, realdata } from '../support/realdata.ts';
import { FROM_DAY, TO_DAY } from './market.ts';

const days = { fromDay: FROM_DAY, toDay: TO_DAY };
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

  it('marks every name as synthetic', () => {
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

  it('splits on sessions: forward, 3:2 and in reverse', () => {
    const splits = universe.flatMap((one) => one.splits);
    const ratios = splits.map(({ numerator, denominator }) => `${numerator}:${denominator}`);
    expect(distinct(ratios)).toEqual(expect.arrayContaining(['1:10', '2:1', '3:1', '3:2', '4:1']));
    expect(splits.filter(({ exDay }) => !isSession(exDay))).toEqual([]);
  });

  it('pays dividends of a cent or more on sessions, though many companies pay none', () => {
    const paid = stocks.map((one) => dividendsBetween(one, FROM_DAY, TO_DAY));
    const dividends = paid.flat();
    expect(Math.min(...dividends.map(({ amount }) => amount))).toBeGreaterThanOrEqual(0.01);
    expect(dividends.filter(({ exDay }) => !isSession(exDay))).toEqual([]);
    const payers = paid.filter(({ length }) => length > 0).length / stocks.length;
    expect(payers).toBeGreaterThan(0.4);
    expect(payers).toBeLessThan(0.7);
  });

  it('holds the securities that are listed in its days, some of them for a part', () => {
    expect(universe.filter(({ firstDay }) => firstDay > FROM_DAY).length).toBeGreaterThan(5);
    expect(universe.filter(({ lastDay }) => lastDay <= TO_DAY).length).toBeGreaterThan(5);
    expect(universe.filter((one) => one.firstDay > TO_DAY || one.lastDay < FROM_DAY)).toEqual([]);
  });

  it('holds the same security in a larger universe of other days', () => {
    const other = sandboxUniverse({ fromDay: FROM_DAY, toDay: TO_DAY + 30, stocks: 700 });
    expect(other).toEqual(expect.arrayContaining(universe.slice(0, 50)));
  });

  it('keeps shares in step with splits', () => {
    for (const security of universe) {
      for (const { exDay, numerator, denominator } of security.splits) {
        const ratio = sharesOn(security, exDay) / sharesOn(security, exDay - 1);
        expect(ratio / (numerator / denominator)).toBeCloseTo(1, 3);
      }
    }
  });
});

// A universe of 10,000 companies once had 709 tickers twice: three letters ran out.
it('never gives a ticker twice', () => {
  const tickers = Array.from({ length: 60_000 }, (_, index) => tickerAt(index));
  expect(new Set(tickers).size).toBe(tickers.length);
});
