/** `/udf/…`: charts get the numbers of the API. */

import { expect, it } from 'vitest';
import { FUND, STOCK, useContractMarket } from '../../contract/contract-market.ts';

const market = useContractMarket();

interface Bar {
  timestamp: string;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}

const seconds = (text: string) => Date.parse(text) / 1000;

async function read(path: string) {
  const { json, status } = await market.server.get(path);
  return { status, json: json as Record<string, unknown> };
}

const asKey = (rawKey: string) => ({ headers: { 'X-API-Key': rawKey } });

async function candles(query: string): Promise<Bar[]> {
  const { json } = await read(`/v1/svc/technical/${STOCK}?${query}`);
  return json.candles as Bar[];
}

function expectBars(json: Record<string, unknown>, bars: Bar[]): void {
  expect(json).toEqual({
    s: 'ok',
    t: bars.map(({ timestamp }) => seconds(timestamp)),
    o: bars.map(({ open }) => open),
    h: bars.map(({ high }) => high),
    l: bars.map(({ low }) => low),
    c: bars.map(({ close }) => close),
    v: bars.map(({ volume }) => volume),
  });
}

it('gives the bars of every resolution that the symbol has', async () => {
  const { json } = await read(`/udf/symbols?symbol=NASDAQ:${STOCK}`);
  const resolutions = json.supported_resolutions as string[];
  expect(resolutions).toEqual(['1', '5', '15', '60', '240', '1D', '1W', '1M']);
  const intervals = ['1m', '5m', '15m', '1h', '4h', '1d', '1w', '1M'];
  const window = 'from=2026-10-01T00:00:00Z&to=2026-11-13T23:59:59Z';
  const [from, to] = [seconds('2026-10-01'), seconds('2026-11-14')];
  for (const [index, resolution] of resolutions.entries()) {
    const bars = await candles(`interval=${intervals[index]}&limit=50000&${window}`);
    expect(bars.length).toBeGreaterThan(0);
    const path = `/udf/history?symbol=${STOCK}&resolution=${resolution}&from=${from}&to=${to}`;
    expectBars((await read(path)).json, bars);
  }
});

it('gives so many bars as a chart counts back, and not the bar at the end', async () => {
  const to = seconds('2026-11-13');
  const bars = await candles('to=2026-11-12T00:00:00Z&limit=7');
  const path = `/udf/history?symbol=${STOCK}&resolution=D&from=${to}&to=${to}&countback=7`;
  expectBars((await read(path)).json, bars);
});

it('names the newest older bar if a window has none', async () => {
  const [from, to] = [seconds('2026-11-14'), seconds('2026-11-16')];
  const path = `/udf/history?symbol=${STOCK}&resolution=1D&from=${from}&to=${to}`;
  const { json } = await read(path);
  expect(json).toEqual({ s: 'no_data', nextTime: seconds('2026-11-13') });
  const early = `/udf/history?symbol=${STOCK}&resolution=1D&from=0&to=86400`;
  expect((await read(early)).json).toEqual({ s: 'no_data' });
});

it('finds symbols, and marks actions and ratings at their times', async () => {
  const { json } = await market.server.get('/udf/search?query=QX&limit=3&exchange=NYSE');
  const { data } = (await read('/v1/svc/symbols?search=QX&limit=3&exchange=NYSE')).json;
  const names = (rows: unknown) => (rows as { symbol: string }[]).map(({ symbol }) => symbol);
  expect(names(json)).toEqual(names(data));
  const window = `from=0&to=${seconds('2026-11-18')}&resolution=1D`;
  const actions = (await read(`/v1/svc/corporate-actions/${STOCK}`)).json.data as unknown[];
  const { json: marks } = await market.server.get(`/udf/timescale_marks?symbol=${STOCK}&${window}`);
  expect(marks).toHaveLength(actions.length);
  const ratings = (await read(`/v1/svc/upgrades-downgrades/${STOCK}?limit=100`)).json
    .data as unknown[];
  expect(ratings.length).toBeGreaterThan(0);
  expect((await market.server.get(`/udf/marks?symbol=${STOCK}&${window}`)).json).toHaveLength(
    ratings.length,
  );
});

it('gives each mark the time of a bar', async () => {
  const query = `symbol=${STOCK}&from=0&to=${seconds('2026-11-18')}`;
  for (const resolution of ['1D', 'W', '1M', '60', '5']) {
    const bars = await read(`/udf/history?${query}&resolution=${resolution}&countback=50000`);
    const times = bars.json.t as number[];
    for (const path of ['marks', 'timescale_marks']) {
      const { json } = await market.server.get(`/udf/${path}?${query}&resolution=${resolution}`);
      const marks = (json as { time: number }[]).map(({ time }) => time);
      const shown = marks.filter((time) => time >= times[0]);
      if (!/\d$/.test(resolution)) expect(shown.length).toBeGreaterThan(0);
      expect([resolution, path, shown.filter((time) => !times.includes(time))]).toEqual([
        resolution,
        path,
        [],
      ]);
    }
  }
});

it('says what is wrong in its own form, with the status of the API', async () => {
  const history = (rest: string) => read(`/udf/history?symbol=${STOCK}&${rest}`);
  expect(await history('resolution=7&from=1&to=2')).toEqual({
    status: 400,
    json: {
      s: 'error',
      errmsg: 'resolution must be one of 1, 5, 15, 60, 240, 1D, 1W, 1M, got "7"',
    },
  });
  expect((await history('resolution=constructor&from=1&to=2')).json.errmsg).toMatch(
    /^resolution must be one of .*"constructor"$/,
  );
  expect((await history('resolution=1D&from=x&to=2')).json.errmsg).toBe(
    'from must be seconds since 1970 in UTC',
  );
  expect((await history('resolution=1D&from=1&to=2&countback=x')).json.errmsg).toBe(
    'countback must be an integer of 0 or more, got "x"',
  );
  const unknown = await read('/udf/symbols?symbol=NONE');
  expect([unknown.status, unknown.json.s]).toEqual([404, 'error']);
});

it('needs a key with the scope of the route, and charges its tokens', async () => {
  const history = `/udf/history?symbol=${FUND}&resolution=1D&from=0&to=1800000000&countback=1`;
  const without = await market.server.request(history);
  expect([without.status, without.json]).toEqual([
    401,
    {
      s: 'error',
      errmsg: 'API key is missing: send it in the header X-API-Key, or as the parameter apiKey',
    },
  ]);
  const newsKey = await market.server.newKey({ label: 'news', scopes: ['news:read'] });
  const refused = await market.server.request(history, asKey(newsKey));
  expect(refused.status).toBe(403);
  expect((refused.json as { errmsg: string }).errmsg).toContain('"technicals:read"');
  const ownKey = await market.server.newKey({
    label: 'chart',
    scopes: ['technicals:read', 'developer:read'],
    account: 'charts',
  });
  expect((await market.server.request(history, asKey(ownKey))).status).toBe(200);
  market.server.writeCounts();
  const path = '/v1/svc/developer/usage/daily';
  const usage = await market.server.request(path, asKey(ownKey));
  expect((usage.json as { data: unknown[] }).data).toContainEqual({
    day: '2026-11-18',
    endpoint: '/svc/technical/{symbol}',
    method: 'GET',
    callCount: 1,
    errorCount: 0,
    tokensUsed: 5,
  });
});

it('takes the key in the path or in the query, and keeps it out of the log', async () => {
  const { rawKey } = market.server;
  const [from, to] = [seconds('2026-11-01'), seconds('2026-11-14')];
  const paths = [
    `search?query=${STOCK}&limit=3`,
    `symbols?symbol=${STOCK}`,
    `history?symbol=${STOCK}&resolution=1D&from=${from}&to=${to}`,
    `marks?symbol=${STOCK}&resolution=1D&from=${from}&to=${to}`,
    `timescale_marks?symbol=${STOCK}&resolution=1D&from=${from}&to=${to}`,
  ];
  for (const path of [...paths, 'time']) {
    const plain = await market.server.get(`/udf/${path}`);
    const mark = path.includes('?') ? '&' : '?';
    for (const own of [`/udf/${rawKey}/${path}`, `/udf/${path}${mark}apiKey=${rawKey}`]) {
      const { status, json, text, headers } = await market.server.request(own);
      expect(status, own).toBe(200);
      if (path !== 'time') expect(json).toEqual(plain.json);
      else expect(Math.abs(Number(text) - Number(plain.text))).toBeLessThan(60);
      const line = market.server.log.find(
        ({ request_id }) => request_id === headers.get('X-Request-Id'),
      );
      expect(line?.target).not.toContain(rawKey.slice(0, 12));
    }
  }
  for (const wrong of [`/udf/svc_test_none/time`, '/udf/time?apiKey=none', '/udf/time']) {
    const { status, json } = await market.server.request(wrong);
    expect([status, (json as Record<string, unknown>).s]).toEqual([401, 'error']);
  }
  const both = await market.server.request(`/udf/${rawKey}/time?apiKey=${rawKey}`);
  expect(both.status).toBe(401);
});

it('gives its configuration without a key', async () => {
  for (const path of [
    '/udf/config',
    '/udf/config?apiKey=none',
    `/udf/${market.server.rawKey}/config`,
  ]) {
    const { status, json } = await market.server.request(path);
    expect(status).toBe(200);
    expect(json).toMatchObject({ supports_search: true, supports_time: true });
  }
  expect((await market.server.request('/udf/none/none')).status).toBe(404);
});
