/** The Python client against the real server; skipped where no Python with pyarrow is installed. */

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { python } from '../support/tools.ts';
import { FUND, STOCK, useContractMarket } from './contract-market.ts';

const folder = fileURLToPath(new URL('../../clients/python/', import.meta.url));
const run = promisify(execFile);

async function runPython(args: readonly string[], env: Record<string, string> = {}) {
  const { stdout } = await run(String(python), args, {
    cwd: folder,
    // What Python compiles is kept out of the checkout.
    env: { PATH: process.env.PATH, PYTHONPYCACHEPREFIX: tmpdir(), ...env },
  });
  return stdout;
}

const market = useContractMarket();

/** Returns the JSON that a program prints at its end. The program finds the client in `server`. */
async function result(program: string, address = market.server.address, client = '') {
  const head = `import json, tapeworks\nserver = tapeworks.Tapeworks("${address}"${client})\n`;
  const text = await runPython(['-c', head + program], { TAPEWORKS_API_KEY: market.server.rawKey });
  return JSON.parse(text);
}

describe.skipIf(!python)('the Python client', () => {
  it('compiles', async () => {
    await runPython(['-m', 'py_compile', 'tapeworks.py']);
  });

  it('finds the server and the key in the environment', async () => {
    const env = { TAPEWORKS_URL: market.server.address, TAPEWORKS_API_KEY: market.server.rawKey };
    const program = `import tapeworks; print(tapeworks.Tapeworks().candles("${STOCK}").num_rows)`;
    expect(Number(await runPython(['-c', program], env))).toBeGreaterThan(0);
  });

  it('gives candles of several symbols as one table', async () => {
    const table = await result(`
from datetime import date
bars = server.candles(["${STOCK}", "${FUND}"], start=date(2026, 11, 16), adjustment="split")
print(json.dumps([bars.column_names, bars["symbol"].to_pylist(), bars["close"].to_pylist()]))`);
    const { json } = await market.server.get(`/v1/svc/technical/${STOCK}?limit=2`);
    const { candles } = json as { candles: { close: number }[] };
    expect(table[0]).toEqual(
      'symbol timestamp date open high low close volume adjustment'.split(' '),
    );
    expect(table[1]).toEqual([STOCK, STOCK, FUND, FUND]);
    expect(table[2].slice(0, 2)).toEqual(candles.map(({ close }) => close));
  });

  it('returns indicators next to their candles', async () => {
    const [names, sma] = await result(`
table = server.technical("${STOCK}", ["sma:50", "macd"], limit=60)
print(json.dumps([table.column_names, table["sma:50"].to_pylist()]))`);
    const { json } = await market.server.get(
      `/v1/svc/technical/${STOCK}?indicators=sma:50&limit=60`,
    );
    const { indicators } = json as { indicators: Record<string, { value: number }[]> };
    expect(names.slice(7)).toEqual(['sma:50', 'macd', 'macd_signal', 'macd_histogram']);
    expect(sma).toEqual(indicators['sma:50'].map(({ value }) => value));
  });

  it('returns indicators of several symbols, and the newest row of all', async () => {
    const [names, symbols, single, all, one, refused] = await result(`
some = server.technical(["${STOCK}", "${FUND}"], ["sma:50"], latest=True)
newest = server.technical("*", "sma:50,macd", latest=True)
one = server.technical("${STOCK}", ["sma:50"], latest=True)
try:
    server.technical("*", "sma", limit=5)
except ValueError as error:
    refused = str(error)
print(json.dumps([newest.column_names, some["symbol"].to_pylist(), some["sma:50"].to_pylist(),
                  newest.num_rows, one["sma:50"].to_pylist(), refused]))`);
    expect(names.slice(8)).toEqual([
      'adjustment',
      'sma:50',
      'macd',
      'macd_signal',
      'macd_histogram',
    ]);
    expect(symbols).toEqual([STOCK, FUND]);
    expect(one).toEqual([single[0]]);
    const query = 'symbols=*&indicators=sma&latest=true&format=csv';
    const { text } = await market.server.get(`/v1/svc/technical?${query}`);
    expect(all).toBe(text.trim().split('\r\n').length - 1);
    expect(refused).toMatch(/^period and limit are for one symbol/);
  });

  it('screens by expressions, over all pages, and explains', async () => {
    const [names, rows, saved, why] = await result(`
where = "rsi(14) > 40 and close > 0 * sma(20) + 1"
table = server.screener(where, columns=["rsi(14)", "close"], sort="rsi(14)", limit=2)
screen = server.save_screen("py", where, columns="rsi(14), close", sort="rsi(14)")
saved = server.screen_rows(screen["id"], limit=3)
server.delete_screen(screen["id"])
why = server.explain(where, ["${STOCK}", "${FUND}"])
print(json.dumps([table.column_names, table.to_pylist(), saved.to_pylist(), why]))`);
    expect(names.slice(-2)).toEqual(['rsi(14)', 'close']);
    expect(saved).toEqual(rows);
    const values: number[] = rows.map((row: Record<string, number>) => row['rsi(14)']);
    expect(values).toEqual(values.toSorted((a, b) => b - a));
    expect(values.length).toBeGreaterThan(3);
    expect(Math.min(...values)).toBeGreaterThan(40);
    for (const { symbol, matches, conditions } of why) {
      const isRow = rows.some((row: { symbol: string }) => row.symbol === symbol);
      expect([matches, conditions.length]).toEqual([isRow, 2]);
    }
  });

  it('shows where an expression is wrong', async () => {
    const message = await result(`
try:
    server.screener("close > smaa(200)")
except tapeworks.ApiError as error:
    print(json.dumps(str(error)))`);
    expect(message).toMatch(/^where: .* at position 9, got "smaa": did you mean "sma"\?$/);
  });

  it('saves, lists and deletes screens', async () => {
    const [saved, listed, left] = await result(`
saved = server.save_screen("Energy", sector=["Energy"], price_min=1.5)
listed = server.screens()
server.delete_screen(saved["id"])
print(json.dumps([saved, listed, server.screens()]))`);
    expect(saved).toMatchObject({ name: 'Energy', query: 'sector=Energy&price_min=1.5' });
    expect(listed[0]).toEqual(saved);
    expect(left).toEqual(listed.slice(1));
  });

  it('walks over all pages, of screens, lists and keys', async () => {
    for (let i = 0; i < 25; i++) market.server.newKey();
    const [screened, articles, sizes, keys] = await result(`
screened = server.screener(market_cap_min=1, exchange=["NYSE", "NASDAQ"])
sizes = [page.num_rows for page in server.pages("/svc/news", {"limit": 20})]
articles = [row["id"] for row in server.rows("/svc/news", {"limit": 20})]
keys = list(server.rows("/svc/developer/keys"))
print(json.dumps([screened.num_rows, articles, sizes, len(keys)]))`);
    const total = async (path: string) =>
      ((await market.server.get(`/v1/svc/${path}`)).json as { total: number }).total;
    expect(screened).toBe(await total('screener?market_cap_min=1&exchange=NYSE,NASDAQ'));
    expect(new Set(articles).size).toBe(await total('news'));
    expect(sizes.length).toBeGreaterThan(2);
    expect(sizes.reduce((a: number, b: number) => a + b)).toBe(articles.length);
    expect(keys).toBe(await total('developer/keys'));
  });

  it('hands tables to polars and pandas', async () => {
    const [polarsMean, pandasMean, arrowMean] = await result(`
import polars, pyarrow.compute
table = server.technical("${STOCK}", ["rsi"])
mean = pyarrow.compute.mean(table["close"]).as_py()
print(json.dumps([polars.from_arrow(table)["close"].mean(), table.to_pandas()["close"].mean(), mean]))`);
    expect(polarsMean).toBeCloseTo(arrowMean, 9);
    expect(pandasMean).toBeCloseTo(arrowMean, 9);
  });

  it('raises the errors of the server', async () => {
    const [status, type, requestId, message, docsUrl] = await result(`
try:
    server.technical("NONE")
except tapeworks.ApiError as error:
    print(json.dumps([error.status, error.type, error.request_id, str(error), error.docs_url]))`);
    expect([status, type]).toEqual([404, 'not_found_error']);
    expect(market.server.log.find(({ request_id }) => request_id === requestId)).toBeDefined();
    expect(message).toContain('"NONE"');
    expect(docsUrl).toBe(`${market.server.address}/docs/errors/not_found_error`);
  });

  it('creates and revokes keys', async () => {
    const [id, gone] = await result(`
key = server.request("POST", "/svc/developer/keys", body={"label": "py", "scopes": ["news:read"]},
                     headers={"Idempotency-Key": "py-1"})
gone = server.request("DELETE", "/svc/developer/keys/" + key["id"])
print(json.dumps([key["id"], gone]))`);
    expect([id.slice(0, 4), gone]).toEqual(['key_', null]);
  });

  it('waits as long as a refusal says, and not for hours', async () => {
    const waits = ['3', undefined, '7200'];
    let count = 0;
    const refusing = createServer((_request, response) => {
      const wait = waits[count++];
      response.writeHead(429, wait === undefined ? {} : { 'Retry-After': wait });
      response.end('{"error":{"message":"later","type":"rate_limit_error"},"request_id":"req_1"}');
    });
    await new Promise<void>((resolve) => refusing.listen(0, '127.0.0.1', resolve));
    const { port } = refusing.address() as AddressInfo;
    const program = `
try:
    server.request("GET", "/svc/symbols")
except tapeworks.ApiError as error:
    print(json.dumps([waited, error.type, error.retry_after_s]))`;
    const client = ', sleep=(waited := []).append';
    const told = await result(program, `http://127.0.0.1:${port}`, client);
    expect(told).toEqual([[3, 1], 'rate_limit_error', 7200]);
    expect(count).toBe(3);
    refusing.close();
  });

  it('does what its README shows', async () => {
    const readme = readFileSync(`${folder}README.md`, 'utf8');
    const program = /```python\n(.*?)```/s.exec(readme)?.[1] ?? '';
    const ready = program
      .replace('http://127.0.0.1:8787', market.server.address)
      .replace('svc_test_…', market.server.rawKey);
    const text = await runPython(['-c', ready]);
    expect(text).toContain(STOCK);
    expect(text).toMatch(/404 not_found_error req_\w+ Unknown symbol "NONE"/);
  });
});
