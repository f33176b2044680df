/** The Python package against the real server; skipped where no Python with pyarrow is installed. */

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { uploadFolder } from '../../jobs/backfills/order.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { backfillsLockPath } from '../../src/base/config/data-dir.ts';
import { TRANSACTION_TYPES } from '../../src/base/datasets/filings.ts';
import { EXCHANGES, SECURITY_TYPES, SENTIMENTS } from '../../src/base/datasets/market.ts';
import { lockFile } from '../../src/base/file-lock.ts';
import { INTERVALS } from '../../src/base/time/intervals.ts';
import { freshFolder } from '../support/folders.ts';
import { PACKAGE, runPython } from '../support/python-package.ts';
import { long } from '../support/store-runs.ts';
import { python } from '../support/tools.ts';
import { FUND, STOCK, useContractMarket } from './contract-market.ts';

const market = useContractMarket();

const NOTHING_LOADED = {
  ...{ accepted: 0, refused: 0, refusedByReason: [], loaded: [] },
  ...{ sources: [], skipped: [], failures: [], readings: [], notes: [] },
};

/** Returns the JSON that a program prints at its end. The program finds the server in `tw`. */
async function result(program: string, address = market.server.address, options = '') {
  const head = `import json, tapeworks\ntw = tapeworks.connect("${address}"${options})\n`;
  const env = { TAPEWORKS_API_KEY: market.server.rawKey };
  return JSON.parse(await runPython(head + program, { env }));
}

/** Starts a server that responds as told. */
async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe.skipIf(!python)('the Python package', () => {
  it('has the version of the program', async () => {
    const version = await runPython('import tapeworks; print(tapeworks.__version__)');
    expect(version.trim()).toBe(packageJson.version);
  });

  it('needs a key', async () => {
    const program = `
import tapeworks
try:
    tapeworks.connect()
except tapeworks.AuthenticationError as error:
    print(error)`;
    expect(await runPython(program)).toMatch(/^api_key is missing: .*TAPEWORKS_API_KEY/);
  });

  it('takes symbols as a column of any library, and as names of fields in a comma list', async () => {
    const counts = await result(`
import numpy, pandas, polars, pyarrow
names = ["${STOCK}", "${FUND}"]
columns = [numpy.array(names), pandas.Series(names), pandas.Index(names), polars.Series(names),
           pandas.Series(names, dtype="category"), pyarrow.array(names),
           tw.bars(names, "2026-11-16").arrow()["symbol"], (one for one in names), ", ".join(names)]
print(json.dumps([len(tw.bars(column, "2026-11-16")) for column in columns]))`);
    expect(counts).toEqual(Array(9).fill(4));
  });

  it('takes dates of any library, whose midnight without a zone is a date', async () => {
    const counts = await result(`
import numpy, pandas
from datetime import datetime
days = [datetime(2026, 11, 16), pandas.Timestamp("2026-11-16"), numpy.datetime64("2026-11-16"),
        pandas.Timestamp("2026-11-16").to_datetime64(), "2026-11-16T00:00:00", "2026-11-16 00:00:00+00:00"]
print(json.dumps([len(tw.bars("${STOCK}", day, day)) for day in days]))`);
    expect(counts).toEqual(Array(6).fill(1));
  });

  it('refuses other things than texts and dates, and names the argument', async () => {
    const messages = await result(`
import pandas
def message(call):
    try:
        return call().columns
    except tapeworks.InvalidRequestError as error:
        return str(error)
calls = [lambda: tw.bars(7), lambda: tw.bars(["${STOCK}", None]), lambda: tw.bars("${STOCK}", 20260101),
         lambda: tw.bars("${STOCK}", pandas.NaT), lambda: tw.bars("${STOCK}", "2026-11-16T09:30:00"),
         lambda: tw.bars("${STOCK}", end="20261116"), lambda: tw.screen(limit="5"), lambda: tw.news(limit=0)]
print(json.dumps([message(call) for call in calls]))`);
    const example = 'must be a date like 2026-01-31 or a date-time like 2026-01-31T14:30:00Z';
    expect(messages).toEqual([
      'symbols must be a text or several, got 7',
      'symbols must hold texts only, got None',
      `start ${example}, got "20260101"`,
      `start ${example}, got "NaT"`,
      'start must have a zone, got "2026-11-16T09:30:00"',
      `end ${example}, got "20261116"`,
      "limit must be an integer of 1 or more, got '5'",
      'limit must be an integer of 1 or more, got 0',
    ]);
  });

  it('knows the values that the server takes', async () => {
    const known = await result(`
from tapeworks import arguments
print(json.dumps([list(getattr(arguments, name)) for name in
      ("SENTIMENTS", "EXCHANGES", "SECURITY_TYPES", "TRANSACTION_TYPES", "INTERVALS")]))`);
    expect(known).toEqual([SENTIMENTS, EXCHANGES, SECURITY_TYPES, TRANSACTION_TYPES, INTERVALS]);
  });

  it('takes a key with a newline and an address with /v1, and names what is wrong', async () => {
    const { address, rawKey } = market.server;
    const said = await runPython(`
import tapeworks
key = "${rawKey}"
print(len(tapeworks.connect("${address}/v1/", key + "\\n").bars("${STOCK}", "2026-11-16")))
for given in [("${address}", key[:20] + "\\n" + key[20:]), ("127.0.0.1:8787", key), ("file:///etc", key)]:
    try:
        tapeworks.connect(*given)
    except tapeworks.TapeworksError as error:
        print(type(error).__name__, error)`);
    expect(said.trim().split('\n')).toEqual([
      '2',
      'AuthenticationError api_key must be one line of ASCII characters',
      'InvalidRequestError url must begin with http:// or https://, got "127.0.0.1:8787"',
      'InvalidRequestError url must begin with http:// or https://, got "file:///etc"',
    ]);
  });

  it('gives bars of several symbols as one table', async () => {
    const table = await result(`
from datetime import date
bars = tw.bars(["${STOCK}", "${FUND}"], start=date(2026, 11, 16), adjustment="split").arrow()
print(json.dumps([bars.column_names, bars["symbol"].to_pylist(), bars["close"].to_pylist()]))`);
    const { json } = await market.server.get(`/v1/svc/technical/${STOCK}?limit=2`);
    const { candles } = json as { candles: { close: number }[] };
    expect(table[0]).toEqual(
      'symbol timestamp date open high low close volume adjustment'.split(' '),
    );
    expect(table[1]).toEqual([STOCK, STOCK, FUND, FUND]);
    expect(table[2].slice(0, 2)).toEqual(candles.map(({ close }) => close));
  });

  it('splits long lists of symbols over several requests', async () => {
    const [rows, symbols, expected] = await result(`
import tapeworks.server
tapeworks.server._BULK_SYMBOLS_MAX = 4
names = tw.bars("*").pl()["symbol"].unique(maintain_order=True).to_list()
bars = tw.bars(names)
print(json.dumps([len(bars), bars.pl()["symbol"].n_unique(), [len(tw.bars("*")), len(names)]]))`);
    expect([rows, symbols]).toEqual(expected);
    expect(symbols).toBeGreaterThan(8);
  });

  it('returns indicators next to their bars, of all intervals', async () => {
    const [names, sma, hours] = await result(`
table = tw.indicators("${STOCK}", ["sma:50", "macd"]).arrow()
hours = tw.indicators("*,${STOCK}".split(",")[1:], "rsi:3", interval="1h", latest=True).arrow()
print(json.dumps([table.column_names, table["sma:50"].to_pylist()[-60:], hours.to_pydict()], default=str))`);
    const { json } = await market.server.get(
      `/v1/svc/technical/${STOCK}?indicators=sma:50&limit=60`,
    );
    const { indicators } = json as { indicators: Record<string, { value: number }[]> };
    expect(names.slice(9)).toEqual(['sma:50', 'macd', 'macd_signal', 'macd_histogram']);
    expect(sma).toEqual(indicators['sma:50'].map(({ value }) => value));
    expect(hours.symbol).toEqual([STOCK]);
    expect(Number.isFinite(hours['rsi:3'][0])).toBe(true);
  });

  it('screens by expressions over all pages, and runs saved screens', async () => {
    const [names, rows, saved, first] = await result(`
where = "rsi(14) > 40 and close > 0 * sma(20) + 1"
table = tw.screen(where, columns=["rsi(14)", "close"], sort="rsi(14)").arrow()
id = tw.save_screen("py", where, columns="rsi(14), close", sort="rsi(14)", price_min=0.5)
saved = tw.screen_rows(id).arrow()
tw.request("DELETE", "/svc/screens/" + id)
first = tw.screen(where, sort="rsi(14)", limit=2).arrow()
print(json.dumps([table.column_names, table.to_pylist(), saved.to_pylist(), first["symbol"].to_pylist()]))`);
    expect(names.slice(-2)).toEqual(['rsi(14)', 'close']);
    expect(saved).toEqual(rows);
    const values: number[] = rows.map((row: Record<string, number>) => row['rsi(14)']);
    expect(values).toEqual(values.toSorted((a, b) => b - a));
    expect(values.length).toBeGreaterThan(3);
    expect(first).toEqual(rows.slice(0, 2).map(({ symbol }: { symbol: string }) => symbol));
  });

  it('shows where an expression is wrong', async () => {
    const [message, position] = await result(`
try:
    tw.screen("close > smaa(200)")
except tapeworks.InvalidRequestError as error:
    print(json.dumps([str(error), error.position]))`);
    expect(message).toMatch(/^where: .* at position 9, got "smaa": did you mean "sma"\?$/);
    expect(position).toBe(9);
  });

  it('walks over all pages of lists and keys', async () => {
    for (let i = 0; i < 25; i++) await market.server.newKey();
    const [screened, articles, keys] = await result(`
screened = tw.screen(market_cap_min=1, exchange=["NYSE", "NASDAQ"])
articles = tw.news().arrow()["id"].to_pylist()
keys = list(tw.rows("/svc/developer/keys"))
print(json.dumps([len(screened), articles, len(keys)]))`);
    const total = async (path: string) =>
      ((await market.server.get(`/v1/svc/${path}`)).json as { total: number }).total;
    expect(screened).toBe(await total('screener?market_cap_min=1&exchange=NYSE,NASDAQ'));
    expect(new Set(articles).size).toBe(await total('news'));
    expect(keys).toBe(await total('developer/keys'));
  });

  it('hands results to polars, pandas and DuckDB', async () => {
    const [means, kinds, rows] = await result(`
import polars, pandas, pyarrow.compute
bars = tw.bars("*")
mean = pyarrow.compute.mean(bars.arrow()["close"]).as_py()
frame, other = bars.pl(), bars.pd()
try:
    import duckdb
    rows = bars.duckdb().aggregate("count(*)").fetchall()[0][0]
    rows = [rows, duckdb.connect().sql("SELECT count(*) FROM bars").fetchall()[0][0]]
except ImportError:
    rows = [len(bars), len(bars)]
print(json.dumps([[mean, frame["close"].mean(), other["close"].mean(), polars.DataFrame(bars)["close"].mean()],
                  [str(frame.schema["symbol"]), str(frame.schema["date"]), str(other["symbol"].dtype),
                   str(other["date"].dtype)], [len(bars), *rows]]))`);
    for (const mean of means) expect(mean).toBeCloseTo(means[0], 9);
    expect(kinds[0]).toMatch(/^Categorical/);
    expect(kinds.slice(1)).toEqual(['Date', 'category', 'datetime64[ms]']);
    expect(new Set(rows).size).toBe(1);
  });

  it('has symbols of one type in every result, and the date as index where it is asked for', async () => {
    const [kinds, indexes, plain] = await result(`
stock = "${STOCK}"
results = [tw.bars(stock), tw.indicators(stock, "rsi", latest=True), tw.screen("close > 0", limit=2),
  tw.quotes(stock), tw.statements(stock), tw.insider(stock), tw.symbols(), tw.actions(stock),
  tw.factors(stock),  tw.indicators(stock, "rsi", interval="1h", latest=True)]
kinds = sorted({str(one.pd()["symbol"].dtype) for one in results})
bars = tw.bars(stock, start="2026-11-02", end="2026-11-04")
hours = tw.bars(stock, start="2026-11-02", end="2026-11-02", interval="1h")
wide = tw.bars([stock, "${FUND}"], start="2026-11-02", end="2026-11-04", wide="close")
frames = [bars.pd(index=True), hours.pd(index=True), wide.pd(), tw.insider(stock).pd(index=True)]
indexes = [[frame.index.name, str(frame.index.dtype.kind), len(frame.columns)] for frame in frames]
print(json.dumps([kinds, indexes, [bars.pd().index.name, wide.pd(index=False).columns[0]]]))`);
    expect(kinds).toEqual(['category']);
    expect(indexes.slice(0, 3)).toEqual([
      ['date', 'M', 8],
      ['timestamp', 'M', 7],
      ['date', 'M', 2],
    ]);
    expect(indexes[3].slice(0, 2)).toEqual(['filedAt', 'M']);
    expect(plain).toEqual([null, 'date']);
  });

  it('has bars of one symbol as backtest libraries take them', async () => {
    const [columns, index, refused] = await result(`
bars = tw.bars("${STOCK}", start="2026-11-02", end="2026-11-04")
frame = bars.ohlcv()
refused = []
for other in [tw.bars(["${STOCK}", "${FUND}"]), tw.quotes("${STOCK}")]:
    try:
        other.ohlcv()
    except tapeworks.InvalidRequestError as error:
        refused.append(str(error))
print(json.dumps([list(frame.columns), [frame.index.name, len(frame) == len(bars)], refused]))`);
    expect(columns).toEqual(['Open', 'High', 'Low', 'Close', 'Volume']);
    expect(index).toEqual(['date', true]);
    expect(refused).toEqual([
      'ohlcv needs one symbol, got 2: use wide',
      expect.stringContaining('ohlcv needs rows of bars'),
    ]);
  });

  it('passes on what headers say about rows', async () => {
    const [notFound, warnings, text] = await result(`
screen = tw.screen("close > 0", symbols=["${STOCK}", "NONE"], as_of="2026-11-15")
print(json.dumps([screen.not_found, screen.warnings, repr(screen)]))`);
    expect(notFound).toEqual(['NONE']);
    // The 15th is a Sunday.
    expect(warnings).toEqual(['rows show the session of 2026-11-13']);
    expect(text).toContain('; rows show the session of 2026-11-13>');
  });

  it('names the path that was meant, and one without Arrow', async () => {
    const errors = await result(`
def error(path):
    try:
        tw.table(path)
    except tapeworks.InvalidRequestError as error:
        return str(error)
print(json.dumps([error(path) for path in ["files", "svc/files", "/v1/svc/files", "/openapi.json"]]))`);
    const path = (got: string) =>
      `path must be that of the API behind /v1, such as "/svc/files", got "${got}"`;
    expect(errors.slice(0, 3)).toEqual([path('files'), path('svc/files'), path('/v1/svc/files')]);
    expect(errors[3]).toContain('/v1/openapi.json has no Arrow');
  });

  it('raises the errors of the server', async () => {
    const [status, type, requestId, message, docsUrl, scope] = await result(`
try:
    tw.bars("NONE")
except tapeworks.NotFoundError as error:
    found = [error.status, error.type, error.request_id, str(error), error.docs_url]
try:
    tapeworks.connect(tw.url, "svc_test_x").bars("*")
except tapeworks.AuthenticationError as error:
    print(json.dumps([*found, error.status]))`);
    expect([status, type, scope]).toEqual([404, 'not_found_error', 401]);
    expect(market.server.log.find(({ request_id }) => request_id === requestId)).toBeDefined();
    expect(message).toContain('NONE');
    expect(docsUrl).toBe(`${market.server.address}/docs/errors/not_found_error`);
  });

  it('raises typed errors for scopes, for silence and for cut responses', async () => {
    const cut = await listening(
      createServer((_request, response) => {
        response.writeHead(200, { 'Content-Length': '100' });
        response.end(Buffer.alloc(10));
        response.socket?.destroySoon();
      }),
    );
    const key = await market.server.newKey({ scopes: ['news:read'] });
    const names = await result(`
found = []
for url, key in [("${market.server.address}", "${key}"), ("http://127.0.0.1:9", "k"), ("${cut}", "k")]:
    try:
        tapeworks.connect(url, key).bars("${STOCK}")
    except tapeworks.TapeworksError as error:
        found.append([type(error).__name__, str(error)])
print(json.dumps(found))`);
    expect(names[0][0]).toBe('ScopeError');
    expect(names[0][1]).toContain('quotes:read');
    expect(names[1]).toEqual([
      'UnreachableError',
      expect.stringMatching(/^no server responds at http:\/\/127.0.0.1:9: .*refused/),
    ]);
    expect(names[2][0]).toBe('IncompleteError');
  });

  it('notices what a proxy has lost, also between two batches of Arrow', async () => {
    const path = '/v1/svc/candles?symbols=*';
    const { bytes, headers } = await market.server.get(path);
    const rows = Number(headers.get('X-SVC-Rows'));
    const type = headers.get('Content-Type') ?? '';
    const lossy = createServer(({ url }, response) => {
      const isCounted = url?.startsWith('/v1/svc/candles');
      const count = isCounted ? { 'X-SVC-Rows': String(rows + 1) } : {};
      response.writeHead(200, { 'Content-Type': type, ...count });
      response.end(isCounted ? bytes : bytes.subarray(0, -8));
    });
    const cut = await listening(lossy);
    const found = await result(`
found = []
tw = tapeworks.connect("${cut}", "k")
for read in [lambda: tw.bars("*"), lambda: tw.indicators("*", "rsi:14"), lambda: tw.table("/svc/x")]:
    try:
        read()
    except tapeworks.TapeworksError as error:
        found.append([type(error).__name__, str(error)])
print(json.dumps(found))`);
    const said = (lack: string) => [
      'IncompleteError',
      `the response ended before its data did: ${lack}`,
    ];
    const noEnd = said(`${rows} rows arrived without the mark of the end`);
    expect(found).toEqual([said(`${rows} of ${rows + 1} rows arrived`), noEnd, noEnd]);
  });

  it('creates and revokes keys', async () => {
    const [id, gone] = await result(`
key = tw.request("POST", "/svc/developer/keys", body={"label": "py", "scopes": ["news:read"]},
                 headers={"Idempotency-Key": "py-1"})
gone = tw.request("DELETE", "/svc/developer/keys/" + key["id"])
print(json.dumps([key["id"], gone]))`);
    expect([id.slice(0, 4), gone]).toEqual(['key_', null]);
  });

  it('says that it waits as long as a refusal asks, and does not wait for hours', async () => {
    const waits = ['3', undefined, '7200'];
    let count = 0;
    const address = await listening(
      createServer((_request, response) => {
        const wait = waits[count++];
        response.writeHead(429, wait === undefined ? {} : { 'Retry-After': wait });
        response.end(
          '{"error":{"message":"later","type":"rate_limit_error"},"request_id":"req_1"}',
        );
      }),
    );
    const program = `
import contextlib, io
with contextlib.redirect_stderr(io.StringIO()) as said:
    try:
        tw.request("GET", "/svc/symbols")
    except tapeworks.RateLimitError as error:
        print(json.dumps([waited, error.type, error.retry_after_s, said.getvalue()]))`;
    const told = await result(program, address, ', sleep=(waited := []).append');
    const said = 'tapeworks: waiting 3 s: later\ntapeworks: waiting 1 s: later\n';
    expect(told).toEqual([[3, 1], 'rate_limit_error', 7200, said]);
    expect(count).toBe(3);
  });

  it('draws progress on a terminal only, and clears it', async () => {
    const drawn = await result(`
import contextlib, io, tapeworks.progress
tapeworks.progress._SHOWN_AFTER_S = tapeworks.progress._REDRAW_S = 0
def said(progress):
    with contextlib.redirect_stderr(io.StringIO()) as text:
        tapeworks.connect(tw.url, progress=progress).bars("*")
    return text.getvalue()
print(json.dumps([said(None), said(True)]))`);
    expect(drawn[0]).toBe('');
    expect(drawn[1]).toMatch(/\rbars █+░* \d+\/\d+ symbols, [\d,]+ rows, [\d.]+ s.*\r.*K$/s);
  });

  it('follows events over a break, behind the last position', async () => {
    const asked: unknown[] = [];
    const address = await listening(
      createServer((request, response) => {
        asked.push([request.url, request.headers['last-event-id'] ?? null]);
        response.writeHead(200, { 'Content-Type': 'text/event-stream' });
        const number = asked.length;
        const event = `event: quote\ndata: {"price":\ndata: ${number}}\nid: evt_${number}\n\nid: `;
        response.write(`retry: 2000\nid: at_${number}\n\n`, () => {
          if (number === 2) response.socket?.destroySoon();
          else response.end(event);
        });
      }),
    );
    const program = `
events = tw.stream("quote", ["qxol-a"])
print(json.dumps([next(events) for _ in range(2)]))`;
    const events = await result(program, address, ', sleep=lambda s: None');
    expect(events).toEqual([
      { price: 1, type: 'quote' },
      { price: 3, type: 'quote' },
    ]);
    const path = '/v1/svc/stream?events=quote&symbols=QXOL.A';
    expect(asked).toEqual([
      [path, null],
      [path, 'evt_1'],
      [path, 'at_2'],
    ]);
  });

  it('raises at once if a stream is refused, or if no server responds', async () => {
    const names = await result(`
found = []
for url, events in [(tw.url, "data.redy"), ("http://127.0.0.1:9", "data.ready")]:
    try:
        next(tapeworks.connect(url).stream(events))
    except tapeworks.TapeworksError as error:
        found.append(type(error).__name__)
print(json.dumps(found))`);
    expect(names).toEqual(['InvalidRequestError', 'UnreachableError']);
  });

  it('waits for a backfill, and raises the reason of one that loaded nothing', async () => {
    const { accounts } = market.server;
    const lock = lockFile(backfillsLockPath(market.dataDir));
    onTestFinished(() => lock?.close());
    const key = await market.server.newKey({ mode: 'live', scopes: ['ingest:write'] });
    const ended = result(
      `
from datetime import date
done = tw.backfill(["qxir", "QXXP"], "yahoo", start=date(2026, 1, 1))
try:
    tw.backfill("QXIR")
except tapeworks.BackfillError as error:
    print(json.dumps([done, str(error)]))`,
      market.server.address,
      `, "${key}", sleep=lambda s: None`,
    );
    /** Begins the request of the client, as the process that runs jobs does. */
    const begun = async () => {
      await expect.poll(async () => (await accounts.openBackfills()).length).toBe(1);
      const [{ id, order }] = await accounts.openBackfills();
      await accounts.beginBackfill(id);
      return { id, order };
    };
    const { id, order } = await begun();
    expect(order).toMatchObject({ source: 'yahoo', symbols: ['QXIR', 'QXXP'], from: '2026-01-01' });
    await accounts.noteBackfill(id, { step: 'load', done: 1, total: 2 }, null);
    const loaded = { ...NOTHING_LOADED, accepted: 7 };
    await accounts.endBackfill(id, { result: loaded, error: null });
    const error = 'no source has it';
    await accounts.endBackfill((await begun()).id, { result: null, error });
    const [done, reason] = await ended;
    expect(done).toMatchObject({ id, state: 'done', result: { accepted: 7 } });
    expect(reason).toBe(error);
    const path = join(freshFolder(), 'AAPL.csv');
    writeFileSync(path, 'date,open,high,low,close,volume\n');
    const upload = `print(json.dumps(tw.backfill_file("${path}", interval="1d", wait=False)))`;
    const uploaded = await result(upload, market.server.address, `, "${key}"`);
    expect(uploaded.state).toBe('waiting');
    const [{ order: ofFile }] = await accounts.openBackfills();
    expect(ofFile.file).toEqual({ name: 'AAPL.csv', bytes: 32, interval: '1d' });
    expect(existsSync(join(uploadFolder(market.dataDir, uploaded.id), 'AAPL.csv'))).toBe(true);
  });

  it('does what its README shows', async () => {
    const readme = readFileSync(`${PACKAGE}README.md`, 'utf8');
    const programs = [...readme.matchAll(/```python\n(.*?)```/gs)].map(([, text]) => text);
    expect(programs.length).toBeGreaterThan(1);
    for (const program of programs) {
      const ready = program
        .replaceAll('http://127.0.0.1:8787', market.server.address)
        .replaceAll('svc_test_…', market.server.rawKey)
        .replaceAll('data/sandbox', `${market.dataDir}/sandbox`);
      await runPython(ready);
    }
  });

  long('passes mypy in its strictest mode', (context) => {
    const cache = ['--cache-dir', '/dev/null', '--config-file', `${PACKAGE}pyproject.toml`];
    const program = ['-m', 'mypy', ...cache, `${PACKAGE}tapeworks`];
    const { stdout, stderr } = spawnSync(String(python), program, { encoding: 'utf8' });
    if (stderr.includes('No module named mypy')) context.skip('mypy is not installed');
    expect(stdout).toMatch(/^Success: no issues found/);
  });
});
