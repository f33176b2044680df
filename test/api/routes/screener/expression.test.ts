/** Screens with expressions: rows, formats, explanations, walks, errors and their cost. */

import { tableFromIPC } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import {
  screenerErrorSchema,
  screenerPageSchema,
} from '../../../../src/api/routes/screener/schema.ts';
import { modePaths } from '../../../../src/base/config/data-dir.ts';
import { limits } from '../../../../src/base/limits.ts';
import { dateFromDay } from '../../../../src/base/time/dates.ts';
import {
  expressionSymbols,
  publishExpressionMarket,
  symbolOfCloses,
  weekdays,
} from '../../support/expression-market.ts';
import { useFixtureServer, useOwnServers } from '../../support/fixture-server.ts';
import { LAST_DAY, NOW_MS } from '../../support/market-fixture.ts';
import type { Reply } from '../../support/test-server.ts';

const fixture = useFixtureServer({}, publishExpressionMarket);
const sandbox = () => modePaths(fixture.dataDir, 'sandbox').serving;

const ask = (query: Record<string, string>): Promise<Reply> =>
  fixture.server.get(`/v1/svc/screener?${new URLSearchParams(query)}`);

type Page = z.infer<typeof screenerPageSchema>;

function pageOf(reply: Reply): Page {
  expect([reply.status, reply.text]).toEqual([200, expect.any(String)]);
  return screenerPageSchema.parse(reply.json);
}

const symbolsOf = (page: Page): string => page.data.map(({ symbol }) => symbol).join(' ');

/** Symbols of a screen; without market caps they are in symbol order. */
async function screened(query: Record<string, string>): Promise<string> {
  const page = pageOf(await ask(query));
  expect(page.total).toBe(page.data.length);
  return symbolsOf(page);
}

describe('a condition', () => {
  it.each([
    ['close > 10', 'JUMP UP'],
    ['CLOSE >= 10', 'FLAT JUMP UP'],
    ['rsi(14) > 70', 'JUMP UP'],
    ['close > sma(10) and volume > 1000', 'JUMP UP'],
    ['not close > sma(10)', 'DOWN FLAT'],
    ['close < 5 or symbol in (\'flat\', "NEW")', 'DOWN FLAT NEW'],
    ['sma(30) is null', 'NEW'],
    ['close > 1000', ''],
  ])('%s matches %s', async (where, expected) => {
    expect(await screened({ where })).toBe(expected);
  });

  it('combines with filters and a list of symbols', async () => {
    expect(await screened({ where: 'close >= 10', price_max: '20' })).toBe('FLAT JUMP');
    const some = await ask({ where: 'close >= 10', symbols: 'up,new,NONE,flat' });
    expect(symbolsOf(pageOf(some))).toBe('FLAT UP');
    expect(some.headers.get('X-SVC-Not-Found')).toBe('NONE');
  });

  it('costs 10 tokens, filters and a list of symbols alone cost 5, and an error none', async () => {
    const { server } = fixture;
    const key = server.accounts.findKey(server.rawKey)!;
    const tokensOf = async (query: Record<string, string>): Promise<number> => {
      const before = server.accounts.tokensUsed(key, NOW_MS);
      await ask(query);
      return server.accounts.tokensUsed(key, NOW_MS) - before;
    };
    expect(await tokensOf({ where: 'close > 1' })).toBe(10);
    // A page of the cache costs as much.
    expect(await tokensOf({ where: 'close > 1' })).toBe(10);
    expect(await tokensOf({ sort: 'close' })).toBe(10);
    expect(await tokensOf({ symbols: 'UP' })).toBe(5);
    expect(await tokensOf({ where: 'close >' })).toBe(0);
  });
});

describe('a list of symbols alone', () => {
  it('restricts the filters, in every format', async () => {
    const page = await ask({ symbols: 'UP,DOWN,XYZ', price_min: '2' });
    expect([symbolsOf(pageOf(page)), page.headers.get('X-SVC-Not-Found')]).toEqual(['UP', 'XYZ']);
    const csv = await ask({ symbols: 'UP,XYZ', format: 'csv' });
    expect(csv.text.split('\r\n')[1]).toMatch(/^UP,/);
    expect(csv.headers.get('X-SVC-Not-Found')).toBe('XYZ');
    expect(csv.headers.get('Server-Timing')).toBeNull();
  });

  it('is refused with what is no symbol', async () => {
    const { status, json } = await ask({ symbols: 'a b' });
    expect([status, screenerErrorSchema.parse(json).error.message]).toEqual([
      400,
      'symbols must be tickers like AAPL,BRK.B, got "a b"',
    ]);
  });
});

describe('sort', () => {
  it.each([
    [{ sort: 'close' }, 'UP JUMP FLAT NEW DOWN'],
    [{ sort: 'close', order: 'asc' }, 'DOWN NEW FLAT JUMP UP'],
    [{ sort: 'sma(30)' }, 'UP DOWN JUMP FLAT NEW'],
    [{ sort: 'sma(30)', order: 'asc' }, 'FLAT JUMP DOWN UP NEW'],
    [{ sort: 'volume / (close - close)' }, 'DOWN FLAT JUMP NEW UP'],
    [{ sort: 'change_pct', order: 'asc' }, 'DOWN FLAT UP NEW JUMP'],
  ])('%j gives %s: nulls last, ties by symbol', async (query, expected) => {
    expect(symbolsOf(pageOf(await ask(query)))).toBe(expected);
  });
});

describe('columns', () => {
  const columns = 'close, sma(3), close > 10, symbol, sma(30) > 1, 1 / (close - close)';

  it('are values of JSON rows by their text', async () => {
    const { data } = pageOf(await ask({ where: 'close < 10', columns, sort: 'close' }));
    expect(data.map((row) => row.columns)).toEqual([
      {
        ...{ close: 7, 'sma(3)': 6, 'close > 10': false, symbol: 'NEW' },
        ...{ 'sma(30) > 1': null, '1 / (close - close)': null },
      },
      {
        ...{ close: 1, 'sma(3)': 2, 'close > 10': false, symbol: 'DOWN' },
        ...{ 'sma(30) > 1': true, '1 / (close - close)': null },
      },
    ]);
    expect(data[0]).not.toHaveProperty('matches');
  });

  it('are columns of CSV and Arrow with the same values', async () => {
    const more = { where: 'close < 10', columns: 'sma(3), close > 5, sector', sort: 'close' };
    const csv = await ask({ ...more, format: 'csv' });
    const [head, ...lines] = csv.text.trimEnd().split('\r\n');
    expect(head).toMatch(/,volume,rsi14,sma\(3\),close > 5,sector_2$/);
    expect(lines.map((line) => line.split(',').slice(-3))).toEqual([
      ['6', 'true', ''],
      ['2', 'false', ''],
    ]);
    expect(csv.headers.get('X-SVC-Total-Count')).toBe('2');
    const arrow = tableFromIPC((await ask({ ...more, format: 'arrow' })).bytes);
    const fields = arrow.schema.fields.slice(-3);
    expect(fields.map(({ name, type }) => `${name}: ${type}`)).toEqual([
      'sma(3): Float64',
      'close > 5: Bool',
      'sector_2: Utf8',
    ]);
    expect(arrow.toArray().map((row) => row.toJSON())).toMatchObject([
      { symbol: 'NEW', 'sma(3)': 6, 'close > 5': true },
      { symbol: 'DOWN', 'sma(3)': 2, 'close > 5': false },
    ]);
  });
});

describe('explain', () => {
  const where = 'close > 10 and sma(30) > 15';

  it('gives the result and the values of each condition, of rows that match and others', async () => {
    const { data, total } = pageOf(await ask({ where, explain: 'true', symbols: 'UP,NEW,JUMP' }));
    expect(total).toBe(3);
    const explained = data.map(({ symbol, matches, conditions }) => ({
      symbol,
      matches,
      conditions,
    }));
    const close = (value: number, result: boolean) => ({
      ...{ condition: 'close > 10', result, values: { close: value } },
    });
    const average = (value: number | null, result: boolean | null) => ({
      ...{ condition: 'sma(30) > 15', result, values: { 'sma(30)': value } },
    });
    expect(explained).toEqual([
      { symbol: 'JUMP', matches: false, conditions: [close(20, true), average(310 / 30, false)] },
      { symbol: 'NEW', matches: false, conditions: [close(7, false), average(null, null)] },
      { symbol: 'UP', matches: true, conditions: [close(40, true), average(25.5, true)] },
    ]);
  });

  it('gives texts as they are stored, and null without one', async () => {
    const query = {
      where: "symbol in ('up') and sector = 'x'",
      explain: 'true',
      symbols: 'UP,NEW',
    };
    const { data } = pageOf(await ask(query));
    const symbol = (value: string, result: boolean) => ({
      ...{ condition: "symbol in ('up')", result, values: { symbol: value } },
    });
    const sector = { condition: "sector = 'x'", result: null, values: { sector: null } };
    expect(data.map(({ conditions }) => conditions)).toEqual([
      [symbol('NEW', false), sector],
      [symbol('UP', true), sector],
    ]);
  });

  it('has null where a value that decides is unknown', async () => {
    const query = { where: 'sma(30) > 1 and close > 1', explain: 'true', symbols: 'NEW' };
    expect(pageOf(await ask(query)).data[0]).toMatchObject({
      matches: null,
      conditions: [{ result: null }, { result: true }],
    });
  });

  it('says why a dividend yield is null, of the row and of the condition', async () => {
    const query = { where: 'dividend_yield > 0.01', explain: 'true', symbols: 'NEW' };
    const reason = expect.stringContaining(
      'not all dividends of the year up to the price are known',
    );
    expect(pageOf(await ask(query)).data[0]).toMatchObject({
      dividendYield: null,
      reasons: { dividendYield: reason, dividend_yield: reason },
    });
  });

  it('explains the rows that pass the filters', async () => {
    const page = pageOf(await ask({ where, explain: 'true', price_min: '10' }));
    expect(symbolsOf(page)).toBe('FLAT JUMP UP');
  });

  it('is refused in other formats', async () => {
    for (const format of ['csv', 'arrow']) {
      const { status, json } = await ask({ where, explain: 'true', format });
      expect([status, screenerErrorSchema.parse(json).error.message]).toEqual([
        400,
        `explain needs the format json, got "${format}"`,
      ]);
    }
  });
});

describe('an error', () => {
  const failure = async (query: Record<string, string>) => {
    const { status, json } = await ask(query);
    expect(status).toBe(400);
    return screenerErrorSchema.parse(json);
  };

  it('of an expression has its place, what was expected and the nearest name', async () => {
    const { error, expression } = await failure({ where: 'close > smaa(10)' });
    expect(error.message).toContain('where: ');
    expect(error.message).toContain('at position 9, got "smaa": did you mean "sma"?');
    expect(expression).toMatchObject({ field: 'where', position: 9, nearest: 'sma' });
  });

  it('names the text that is wrong', async () => {
    expect((await failure({ columns: 'close,' })).expression?.field).toBe('columns');
    expect((await failure({ sort: 'foo' })).expression).toMatchObject({
      field: 'sort',
      position: 1,
    });
  });

  it('of another parameter has no place', async () => {
    const { expression } = await failure({ where: 'close > 1', limit: '0' });
    expect(expression).toBeUndefined();
    const tooLong = await failure({ where: `close > ${'1'.repeat(limits.screens.charsMax)}` });
    expect(tooLong.error.message).toContain('where must be an expression of at most');
    expect(tooLong.expression).toBeUndefined();
  });
});

describe('an empty result', () => {
  it.each([
    ['pe_ratio < 20 and close > 5', 'pe_ratio'],
    ["not (roe > 1) or sector = 'technology'", 'roe; sector'],
    ['close > sma(400)', 'close > sma(400)'],
  ])('names what no symbol has a value of: %s', async (where, nulls) => {
    const { headers, json } = await ask({ where });
    const { data, warnings } = screenerPageSchema.parse(json) as unknown as {
      data: unknown[];
      warnings: unknown;
    };
    expect(data).toEqual([]);
    expect(headers.get('X-SVC-Null')).toBe(nulls);
    const names = nulls.replaceAll(';', ',');
    expect(warnings).toEqual([`Nothing matches because no symbol has a value of ${names}.`]);
  });

  it('names it over days, and for a filter without a condition', async () => {
    const days = await ask({ where: 'close > sma(400)', from: '2000-01-01' });
    expect(days.headers.get('X-SVC-Null')).toBe('close > sma(400)');
    expect((await ask({ pe_ratio_max: '20' })).headers.get('X-SVC-Null')).toBe('pe_ratio');
  });

  it('names nothing that a symbol has a value of', async () => {
    const { headers, json } = await ask({ where: 'close < 0 or pe_ratio < 5 and close > 0' });
    expect(headers.get('X-SVC-Null')).toBe('pe_ratio');
    expect((await ask({ where: 'close < 0' })).headers.get('X-SVC-Null')).toBeNull();
    expect(JSON.stringify(json)).toContain('warnings');
  });
});

describe('as_of', () => {
  const [before] = weekdays(11);

  it('uses bars up to that day, and says which session it shows', async () => {
    const asOf = await ask({ columns: 'close, sma(3)', as_of: dateFromDay(before) });
    const { data } = pageOf(asOf);
    expect(asOf.headers.get('X-SVC-As-Of')).toBe(dateFromDay(before));
    expect(asOf.headers.get('X-SVC-Adjusted')).toBeNull();
    expect(Object.fromEntries(data.map((row) => [row.symbol, row.columns]))).toEqual({
      DOWN: { close: 11, 'sma(3)': 12 },
      FLAT: { close: 10, 'sma(3)': 10 },
      JUMP: { close: 10, 'sma(3)': 10 },
      UP: { close: 30, 'sma(3)': 29 },
    });
    expect(data.map(({ price }) => price)).toEqual([11, 10, 10, 30]);
  });

  it('shows the session before a weekend', async () => {
    // The last bar is that of a Monday.
    const saturday = await ask({ where: 'close > 30', as_of: dateFromDay(LAST_DAY - 2) });
    expect(saturday.headers.get('X-SVC-As-Of')).toBe(dateFromDay(LAST_DAY - 3));
    expect(symbolsOf(pageOf(saturday))).toBe('UP');
  });

  it('has the RSI of the day, in rows and in filters', async () => {
    const day = dateFromDay(before);
    const { data } = pageOf(await ask({ as_of: day, columns: 'rsi(14)' }));
    for (const row of data) expect(row.rsi14).toBe(row.columns?.['rsi(14)']);
    expect(symbolsOf(pageOf(await ask({ as_of: day, rsi14_min: '60' })))).toBe('UP');
  });

  it('is refused in the future and before the first bar', async () => {
    const refusal = async (as_of: string) => {
      const { status, json } = await ask({ as_of });
      return [status, screenerErrorSchema.parse(json).error.message];
    };
    expect(await refusal('2026-01-07')).toEqual([
      400,
      'as_of must not lie in the future, got "2026-01-07"',
    ]);
    for (const date of ['1999-01-04', '1950-01-01']) {
      expect(await refusal(date)).toEqual([
        400,
        `as_of must not lie before the first daily bar, got "${date}"`,
      ]);
    }
  });
});

const query = { where: 'close > 0', sort: 'close', columns: 'sma(3)', limit: '2' };
const next = (page: Page, more: Record<string, string> = {}) =>
  ask({ ...query, cursor: String(page.cursor), ...more });

describe('a walk', () => {
  it('gives every row once, whatever the size of its pages', async () => {
    for (const limit of ['1', '2', '3', '5']) {
      const seen: string[] = [];
      let page = pageOf(await ask({ ...query, limit }));
      for (;;) {
        expect(page.total).toBe(5);
        seen.push(...page.data.map(({ symbol }) => symbol));
        if (!page.has_more) break;
        page = pageOf(await next(page, { limit }));
      }
      expect(seen.join(' ')).toBe('UP JUMP FLAT NEW DOWN');
    }
  });

  it('belongs to its expression and its account', async () => {
    const first = pageOf(await ask(query));
    const other = await next(first, { where: 'close > 1' });
    expect(screenerErrorSchema.parse(other.json).error.message).toContain('another query');
  });
});

describe('while other versions are published', () => {
  useOwnServers(fixture, publishExpressionMarket);

  /** Publishes a market in which `UP` is gone and `FLAT` is worth 50. */
  async function publishOther(createdMs: number): Promise<void> {
    const symbols = expressionSymbols().filter(({ symbol }) => !['UP', 'FLAT'].includes(symbol));
    await publishExpressionMarket(
      sandbox(),
      [...symbols, symbolOfCloses('FLAT', [50, 50])],
      createdMs,
    );
    await expect
      .poll(async () => symbolsOf(pageOf(await ask({ where: `close > 0 and ${createdMs} > 0` }))))
      .toBe('DOWN FLAT JUMP NEW');
  }

  it('a walk stays on its version, in all formats', async () => {
    const first = pageOf(await ask(query));
    expect(symbolsOf(first)).toBe('UP JUMP');
    await publishOther(NOW_MS + 1);
    const second = await next(first);
    expect(second.headers.get('X-SVC-Snapshot-Changed')).toBeNull();
    expect(symbolsOf(pageOf(second))).toBe('FLAT NEW');
    expect(pageOf(second).data[0].columns).toEqual({ 'sma(3)': 10 });
    const csv = await next(first, { format: 'csv' });
    expect(csv.text.split('\r\n').slice(1, 3)).toEqual([
      expect.stringMatching(/^FLAT,/),
      expect.stringMatching(/^NEW,/),
    ]);
  });

  it('so does one as of a past day', async () => {
    const past = { ...query, as_of: dateFromDay(LAST_DAY - 3) };
    const first = pageOf(await ask(past));
    expect(symbolsOf(first)).toBe('UP FLAT');
    await publishOther(NOW_MS + 1);
    const second = await ask({ ...past, cursor: String(first.cursor) });
    expect(symbolsOf(pageOf(second))).toBe('JUMP NEW');
  });

  it('names the symbols whose prices hold later dividends', async () => {
    const all = symbolOfCloses('OLD', [1, 2, 3, 4], { basis: 'all', isCovered: false });
    await publishExpressionMarket(sandbox(), [...expressionSymbols(), all], NOW_MS + 1);
    const query = { as_of: dateFromDay(LAST_DAY - 3), where: 'close > 2' };
    await expect.poll(async () => (await ask(query)).headers.get('X-SVC-Adjusted')).toBe('OLD');
  });
});

describe('a response', () => {
  it('says how long the screen took, and no work for one that is kept', async () => {
    const where = 'close > sma(7)';
    const timing = async (limit: string) =>
      (await ask({ where, limit })).headers.get('Server-Timing');
    expect(await timing('1')).toMatch(/^screen;dur=[\d.]+, work;dur=[\d.]+$/);
    expect(await timing('2')).toMatch(/, work;dur=0$/);
  });

  it('is empty for an empty mode', async () => {
    const headers = { 'X-API-Key': await fixture.server.newKey({ mode: 'live' }) };
    const reply = await fixture.server.request('/v1/svc/screener?where=close>1', { headers });
    expect(pageOf(reply)).toMatchObject({ data: [], total: 0, has_more: false });
  });

  it('is cached for a second like other pages, and has no ETag', async () => {
    const query = { where: 'close > sma(6)', limit: '1' };
    const [first, second] = [await ask(query), await ask(query)];
    expect(first.headers.get('ETag')).toBeNull();
    expect(first.headers.get('Cache-Control')).toBe('private, no-cache');
    expect(second.text).toBe(first.text);
    expect(second.headers.get('Server-Timing')).toBe(first.headers.get('Server-Timing'));
  });
});
