/** `/widgets.json` and `/openbb/…`: what OpenBB Workspace shows of this data. */

import { expect, it } from 'vitest';
import { STOCK, useContractMarket } from '../../contract/contract-market.ts';

const market = useContractMarket();

interface Widget {
  name: string;
  description: string;
  type: string;
  endpoint: string;
  params?: { paramName: string; value: string | number }[];
  data?: { table?: { columnsDefs: { field: string }[] } };
}

async function widgets(): Promise<[string, Widget][]> {
  const { status, json } = await market.server.request('/widgets.json');
  expect(status).toBe(200);
  return Object.entries(json as Record<string, Widget>);
}

async function rowsOf({ endpoint, params = [] }: Widget, values: Record<string, string> = {}) {
  const given = params.map(({ paramName, value }) => [
    paramName,
    values[paramName] ?? String(value),
  ]);
  const query = new URLSearchParams(Object.fromEntries(given));
  const { status, json, text } = await market.server.get(`${endpoint}?${query}`);
  expect([endpoint, status, status === 200 ? '' : text]).toEqual([endpoint, 200, '']);
  return json as Record<string, unknown>[];
}

it('gives flat rows for every widget with its default parameters', async () => {
  for (const [id, widget] of await widgets()) {
    if (widget.type === 'advanced_charting') continue;
    const rows = await rowsOf(widget, { symbol: STOCK, where: 'close > 0' });
    expect([id, rows.length > 0]).toEqual([id, true]);
    const nested = rows.flatMap((row) =>
      Object.entries(row).filter(([, value]) => typeof value === 'object' && value !== null),
    );
    expect([id, nested]).toEqual([id, []]);
    for (const { field } of widget.data?.table?.columnsDefs ?? []) {
      expect(Object.keys(rows[0])).toContain(field);
    }
  }
});

it('gives the numbers of the API', async () => {
  const all = new Map(await widgets());
  const api = async (path: string) => (await market.server.get(`/v1/svc/${path}`)).json;
  const { data: statements } = (await api(`fundamentals/${STOCK}/statements?period=annual`)) as {
    data: unknown[];
  };
  const shown = await rowsOf(all.get('statements') as Widget, { symbol: STOCK });
  expect(shown).toEqual(statements);
  const indicators = 'bollinger:20:2,rsi:14';
  const bars = await rowsOf(all.get('bars') as Widget, { symbol: STOCK, indicators, limit: '2' });
  const technical = (await api(`technical/${STOCK}?indicators=${indicators}&limit=2`)) as Record<
    string,
    Record<string, Record<string, unknown>[]>
  > & { candles: object[] };
  const newest = technical.indicators['bollinger:20:2'][1];
  expect(bars[0]).toEqual({
    ...technical.candles[1],
    'bollinger:20:2': newest.value,
    'bollinger:20:2_upper': newest.upper,
    'bollinger:20:2_middle': newest.middle,
    'bollinger:20:2_lower': newest.lower,
    'rsi:14': technical.indicators['rsi:14'][1].value,
  });
  const where = 'rsi(14) > 50';
  const screened = await rowsOf(all.get('screener') as Widget, { where, columns: 'sma(20)' });
  const { data } = (await api(
    `screener?where=${encodeURIComponent(where)}&columns=sma(20)&sort=market_cap&limit=200`,
  )) as { data: ({ columns: object } & object)[] };
  expect(screened).toEqual(data.map(({ columns, ...row }) => ({ ...row, ...columns })));
});

it('never fails for a field that somebody emptied', async () => {
  for (const [id, { type, endpoint, params = [] }] of await widgets()) {
    if (type === 'advanced_charting') continue;
    for (const emptied of [params, params.slice(0, 1), params.slice(1)]) {
      const query = new URLSearchParams(emptied.map(({ paramName }) => [paramName, '']));
      const { status, text } = await market.server.get(`${endpoint}?${query}`);
      if (status !== 200) expect([id, status, text]).toEqual([id, 400, expect.any(String)]);
    }
  }
  const { json, status } = await market.server.get('/openbb/quote?symbol=');
  expect([status, json]).toMatchObject([400, { error: { message: 'symbol is missing' } }]);
});

it('says what is wrong as the API does', async () => {
  const { json, status } = await market.server.get('/openbb/quote?symbol=NONE');
  expect([status, (json as { error: { type: string } }).error.type]).toEqual([
    404,
    'not_found_error',
  ]);
  const wrong = await market.server.get(`/openbb/bars?symbol=${STOCK}&limit=x`);
  expect((wrong.json as { error: { message: string } }).error.message).toContain('limit must be');
});
