import { type Table, tableFromIPC } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { errorSchema } from '../../../../src/api/http/error-types.ts';
import { limits } from '../../../../src/base/limits.ts';
import { volumeNumber } from '../../../../src/base/prices/decimals.ts';
import { parquetFooter, parquetRows } from '../../../support/parquet-rows.ts';
import { useLimits } from '../../../support/use-limits.ts';
import { useFixtureServer } from '../../support/fixture-server.ts';

const ALL = 'ABC,BRK.B,NEW,RAW';

const fixture = useFixtureServer();

function get(query: string, headers?: Record<string, string>) {
  return fixture.server.get(`/v1/svc/candles?${query}`, headers);
}

async function csvLines(query: string): Promise<string[]> {
  const { status, text } = await get(`${query}&format=csv`);
  expect(status).toBe(200);
  expect(text.endsWith('\r\n')).toBe(true);
  return text.split('\r\n').slice(0, -1);
}

async function arrowTable(query: string): Promise<Table> {
  const { status, bytes } = await get(`${query}&format=arrow`);
  expect(status).toBe(200);
  return tableFromIPC(bytes);
}

/** The status and message of a refused request, whose body is the error envelope. */
async function refusal(query: string, headers?: Record<string, string>): Promise<[number, string]> {
  const { status, json } = await get(query, headers);
  return [status, errorSchema.parse(json).error.message];
}

/** Returns the responses of single symbols in the columns of the bulk response. */
async function technicalLines(list: string, query: string): Promise<string[]> {
  const answers = list.split(',').map(async (symbol) => {
    const path = `/v1/svc/technical/${symbol}?limit=all&format=csv&${query}`;
    const { text, headers } = await fixture.server.get(path);
    const rows = text.split('\r\n').slice(1, -1);
    return rows.map((row) => `${symbol},${row},${headers.get('X-SVC-Adjustment')}`);
  });
  return (await Promise.all(answers)).flat();
}

/** An Arrow answer as CSV would spell it. */
function linesFromTable(table: Table): string[] {
  return table.toArray().map(lineOf);
}

// biome-ignore lint/suspicious/noExplicitAny: rows of both readers.
function lineOf(row: any): string {
  const { symbol, timestamp, date, open, high, low, close, volume, adjustment } = row;
  const moment = new Date(timestamp).toISOString();
  const day = new Date(date).toISOString().slice(0, 10);
  const numbers = [open, high, low, close, volumeNumber(volume)];
  return [symbol, moment, day, ...numbers, adjustment].join();
}

describe('every row', () => {
  it.each([
    [ALL, 'interval=1d'],
    [ALL, 'interval=1w'],
    [ALL, 'interval=1M'],
    ['ABC,NEW', 'adjustment=raw'],
    ['NEW,ABC', 'adjustment=split'],
    ['ABC,BRK.B', 'adjustment=all'],
    ['ABC,NEW', 'adjustment=raw&interval=1w'],
    ['ABC,NEW', 'adjustment=all&interval=1M'],
    ['ABC,BRK.B,RAW', 'from=2025-06-01&to=2025-08-31'],
    ['ABC,BRK.B,RAW', 'from=2025-06-01&interval=1w'],
  ])('of %s with %s is that of the technical answer, in all formats', async (list, query) => {
    const expected = await technicalLines(list, query);
    expect(expected.length).toBeGreaterThan(0);
    const [header, ...lines] = await csvLines(`symbols=${list}&${query}`);
    expect(header).toBe('symbol,timestamp,date,open,high,low,close,volume,adjustment');
    expect(lines).toEqual(expected);
    expect(linesFromTable(await arrowTable(`symbols=${list}&${query}`))).toEqual(expected);
    const { bytes, headers } = await get(`symbols=${list}&${query}&format=parquet`);
    expect(headers.get('Content-Type')).toBe('application/vnd.apache.parquet');
    expect((await parquetRows(bytes)).map(lineOf)).toEqual(expected);
  });
});

describe('a Parquet file', () => {
  useLimits(limits.parquet, { groupRows: 500 });

  it('has whole symbols in a row group, and parts of those that are longer', async () => {
    const lines = await csvLines('symbols=*');
    const { bytes } = await get('symbols=*&format=parquet');
    expect((await parquetRows(bytes)).map(lineOf)).toEqual(lines.slice(1));
    const groups = parquetFooter(bytes).row_groups.map(({ columns, num_rows: rows }) => {
      const { min_value: first, max_value: last } = columns[0].meta_data?.statistics ?? {};
      return { first: String(first), last: String(last), rows: Number(rows) };
    });
    for (const { rows } of groups) expect(rows).toBeLessThanOrEqual(500);
    for (const symbol of ALL.split(',')) {
      const rows = lines.filter((line) => line.startsWith(`${symbol},`)).length;
      const read = groups.filter(({ first, last }) => first <= symbol && symbol <= last);
      expect(read.length, symbol).toBe(Math.ceil(rows / 500));
    }
  });
});

describe('symbols', () => {
  it('are all there are, ascending, for a star', async () => {
    expect(await csvLines('symbols=*')).toEqual(await csvLines(`symbols=${ALL}`));
  });

  it('come in the requested order, each once, in any spelling', async () => {
    const lines = await csvLines('symbols=raw,brk-b,RAW,BRK.B&from=2026-01-05');
    expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(['RAW', 'BRK.B']);
  });

  it('that are unknown are 404, by name', async () => {
    expect(await refusal('symbols=ZZZ,ABC,yyy')).toEqual([
      404,
      'Unknown symbols in sandbox data: ZZZ, YYY',
    ]);
    const many = Array.from({ length: 13 }, (_, i) => `Q${i}`);
    expect(await refusal(`symbols=${many}`)).toEqual([
      404,
      'Unknown symbols in sandbox data: Q0, Q1, Q2, Q3, Q4, Q5, Q6, Q7, Q8, Q9 and 3 more',
    ]);
  });

  it('are bounded in number', async () => {
    const { symbolsMax } = limits.bulk;
    const many = Array.from({ length: symbolsMax + 1 }, (_, i) => `Q${i}`);
    const [status, message] = await refusal(`symbols=${many}`);
    expect([status, message]).toEqual([
      400,
      `symbols must be 1 to ${symbolsMax} symbols, got ${symbolsMax + 1} different ones`,
    ]);
  });
});

describe('adjustment', () => {
  it('is each symbol’s own default, and a column says which', async () => {
    const { headers, text } = await get('symbols=*&format=csv&from=2026-01-05');
    const last = (line: string) => line.split(',').at(-1);
    expect(text.split('\r\n').slice(1, -1).map(last)).toEqual(['split', 'all', 'split', 'raw']);
    expect(headers.get('X-SVC-Adjustment')).toBeNull();
  });

  it('that is requested is in a header too', async () => {
    const { headers } = await get('symbols=ABC&adjustment=raw');
    expect(headers.get('X-SVC-Adjustment')).toBe('raw');
  });

  it('that a symbol lacks is 400 and names the symbol, also for all symbols', async () => {
    for (const list of ['*', ALL]) {
      expect(await refusal(`symbols=${list}&adjustment=split`)).toEqual([
        400,
        'adjustment must be available for all symbols (omit it for the default of each), ' +
          'got "split", which BRK.B, RAW lack',
      ]);
    }
  });
});

describe('a window', () => {
  it('has its bounds included', async () => {
    const lines = await csvLines('symbols=ABC&from=2026-01-01&to=2026-01-02');
    expect(lines.slice(1).map((line) => line.split(',')[2])).toEqual(['2026-01-01', '2026-01-02']);
  });

  it('with a limit has the newest bars of each symbol, whenever its bars end', async () => {
    const newestOf = (rows: string[]) => {
      const bySymbol = Map.groupBy(rows, (row) => row.split(',')[0]);
      return [...bySymbol.values()].flatMap((own) => own.slice(-3));
    };
    const [, ...all] = await csvLines('symbols=*');
    expect((await csvLines('symbols=*&limit=3')).slice(1)).toEqual(newestOf(all));
    const [, ...within] = await csvLines('symbols=*&from=2025-12-31&to=2026-01-06');
    const limited = await csvLines('symbols=*&from=2025-12-31&to=2026-01-06&limit=3');
    expect(limited.slice(1)).toEqual(newestOf(within));
    expect(await csvLines('symbols=ABC&from=2026-01-01&to=2026-01-02&limit=5000')).toHaveLength(3);
  });

  it('without bars gives the columns and no row', async () => {
    const query = 'symbols=*&from=2030-01-01';
    expect(await csvLines(query)).toHaveLength(1);
    const table = await arrowTable(query);
    expect([table.numRows, table.schema.names.length]).toEqual([0, 9]);
  });

  it('below a day has no rows yet and no dates', async () => {
    const columns = ['symbol', 'timestamp', 'open', 'high', 'low', 'close', 'volume', 'adjustment'];
    expect(await csvLines('symbols=*&interval=5m')).toEqual([columns.join()]);
    expect((await arrowTable('symbols=ABC&interval=1h')).schema.names).toEqual(columns);
    expect((await refusal('symbols=ZZZ&interval=1h'))[0]).toBe(404);
  });
});

describe('the format', () => {
  it.each([
    [{}, 'application/vnd.apache.arrow.stream'],
    [{ Accept: '*/*' }, 'application/vnd.apache.arrow.stream'],
    [{ Accept: 'text/csv' }, 'text/csv; charset=utf-8'],
    [{ Accept: 'application/json, text/csv;q=0.5' }, 'text/csv; charset=utf-8'],
  ])('for %j is %s', async (headers, type) => {
    const reply = await get('symbols=NEW', headers);
    expect([reply.status, reply.headers.get('Content-Type')]).toEqual([200, type]);
  });

  it('is never JSON', async () => {
    expect(await refusal('symbols=NEW&format=json')).toEqual([
      400,
      'format must be one of arrow, csv, parquet, got "json"',
    ]);
    const [status, message] = await refusal('symbols=NEW', { Accept: 'application/json' });
    expect([status, message]).toEqual([
      406,
      'Accept must allow one of application/vnd.apache.arrow.stream, text/csv, ' +
        'application/vnd.apache.parquet, got "application/json"',
    ]);
  });
});

describe('parameters', () => {
  it.each([
    [
      '',
      'symbols must be *, @ and a universe, or a comma-separated list of symbols, it is missing',
    ],
    [
      'symbols=',
      'symbols must be *, @ and a universe, or a comma-separated list of symbols, got ""',
    ],
    ['symbols=*,ABC', 'symbols must be tickers like AAPL,BRK.B, got "*"'],
    ['symbols=ABC,,NEW', 'symbols must be tickers like AAPL,BRK.B, got ""'],
    [
      'symbols=ABC&interval=2d',
      'interval must be one of 1m, 5m, 15m, 1h, 4h, 1d, 1w, 1M, got "2d"',
    ],
    ['symbols=ABC&adjustment=none', 'adjustment must be one of raw, split, all, got "none"'],
    ['symbols=ABC&limit=0', 'limit must be an integer from 1 to 5000, got "0"'],
    ['symbols=ABC&rows=5', '"rows" is not a parameter of this path'],
    ['symbols=ABC&symbols=NEW', 'symbols must be given once, got it repeated'],
    ['symbols=ABC&from=2026-01-02&to=2026-01-01', expect.stringMatching(/^from must not be after/)],
  ])('%s are 400 with the reason', async (query, message) => {
    expect(await refusal(query)).toEqual([400, message]);
  });
});

describe('a response', () => {
  it('has an ETag of its snapshot and question, and is 304 for it', async () => {
    const first = await get('symbols=ABC,NEW');
    const etag = first.headers.get('ETag') as string;
    expect((await get('symbols=abc,new,ABC&interval=1d')).headers.get('ETag')).toBe(etag);
    for (const other of ['symbols=NEW,ABC', 'symbols=ABC,NEW&format=csv', 'symbols=*']) {
      expect((await get(other)).headers.get('ETag')).not.toBe(etag);
    }
    const again = await get('symbols=ABC,NEW', { 'If-None-Match': etag });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
  });

  it('of a mode without data has no rows for a star', async () => {
    const key = await fixture.server.newKey({ mode: 'live' });
    const { status, text } = await get('symbols=*&format=csv', { 'X-API-Key': key });
    expect([status, text.split('\r\n')]).toEqual([200, [expect.stringMatching(/^symbol,/), '']]);
  });
});
