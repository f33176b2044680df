import { describe, expect, it } from 'vitest';
import { newYorkDay, sessionCloseMs } from '../../src/base/time/calendar.ts';
import { dayFromDate } from '../../src/base/time/dates.ts';
import { sandboxInsiders } from '../../src/sandbox/insiders.ts';
import { sandboxNews } from '../../src/sandbox/news.ts';
import { sandboxStatements } from '../../src/sandbox/statements.ts';
import { sandboxUniverse } from '../../src/sandbox/universe.ts';

const toDay = dayFromDate('2026-11-20');
const universe = sandboxUniverse({ fromDay: dayFromDate('2021-01-04'), toDay, stocks: 200 });
const stocks = universe.filter(({ type }) => type === 'stock');
const span = {
  afterMs: sessionCloseMs(dayFromDate('2022-01-03')),
  throughMs: sessionCloseMs(toDay),
};
const byStock = new Map(stocks.map((one) => [one, sandboxNews(one, span, universe)]));
const all = [...byStock.values()].flat();
const about = (topic: string) => all.filter(({ url }) => url.endsWith(`/${topic}`));

describe('news of the sandbox', () => {
  it('name one to three symbols, and first of all the company they are about', () => {
    for (const [{ symbol, companyName }, rows] of byStock) {
      for (const { symbols, title } of rows) {
        expect(symbols[0]).toBe(symbol);
        expect(symbols.length).toBeLessThanOrEqual(3);
        expect(title).toContain(companyName);
      }
    }
    expect(new Set(all.map(({ symbols }) => symbols.length))).toEqual(new Set([1, 2, 3]));
    const classes = all.filter(({ symbols }) => symbols[0].endsWith('.A') && symbols.length === 2);
    expect(classes.some(({ symbols }) => symbols[1] === symbols[0].replace('.A', '.B'))).toBe(true);
  });

  it('tell what a company earned, as its statements do', () => {
    const [security] = stocks;
    const statements = sandboxStatements(security, span);
    for (const { title, publishedAt } of byStock.get(security)!) {
      const told = /earns \$([\d.]+) a share in Q(\d) (\d{4})/.exec(title);
      if (!told) continue;
      const [, eps, quarter, year] = told;
      const statement = statements.find(
        (row) => row.fiscalQuarter === Number(quarter) && row.fiscalYear === Number(year),
      );
      if (!statement) continue;
      expect(statement.epsDiluted).toBe(Number(eps));
      expect(publishedAt).toBeLessThan(statement.filedAt);
    }
    expect(about('results').length).toBeGreaterThan(2000);
  });

  it('sound as what they say', () => {
    const sounds: Record<string, RegExp> = {
      positive: /beats|splits its shares|buys|upgrades|rallies/,
      negative: /misses|consolidates|cuts|slumps/,
      neutral: /meets|sells|begins to|treads water/,
    };
    for (const { title, sentiment } of all) expect(title).toMatch(sounds[sentiment!]);
    const parts = Map.groupBy(all, ({ sentiment }) => sentiment);
    for (const rows of parts.values()) expect(rows.length / all.length).toBeGreaterThan(0.1);
  });

  it('tell of splits on their day and of insiders who bought', () => {
    const splits = stocks.flatMap(({ symbol, splits }) =>
      symbol.endsWith('.B') ? [] : splits.filter(({ exDay }) => exDay > dayFromDate('2022-01-03')),
    );
    expect(
      about('split')
        .map(({ publishedAt }) => newYorkDay(publishedAt))
        .sort(),
    ).toEqual(splits.map(({ exDay }) => exDay).sort());
    for (const [security, rows] of byStock) {
      if (security.symbol.endsWith('.B')) continue;
      const bought = sandboxInsiders(security, span).filter(
        ({ transactionType, filedAt }) =>
          transactionType === 'buy' && filedAt < span.throughMs - 3_600_000,
      );
      const articles = rows.filter(({ title }) => title.includes(' buys '));
      expect(articles.length).toBeGreaterThanOrEqual(bought.length);
    }
  });

  it('have addresses that lead nowhere', () => {
    expect(all.filter(({ url }) => new URL(url).hostname !== 'news.sandbox.invalid')).toEqual([]);
  });
});
