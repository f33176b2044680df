import { type Table, tableFromIPC } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { errorSchema } from '../../../../src/api/http/error-types.ts';
import { limits } from '../../../../src/base/limits.ts';
import { volumeNumber } from '../../../../src/base/prices/decimals.ts';
import { indicatorCatalogue } from '../../../../src/compute/indicators/catalogue.ts';
import { someOf } from '../../../support/store-runs.ts';
import { useLimits } from '../../../support/use-limits.ts';
import { useFixtureServer } from '../../support/fixture-server.ts';
import {
  type FixtureSymbol,
  fixtureSymbols,
  publishMarket,
  weekdayBars,
} from '../../support/market-fixture.ts';

const plain = { splits: [], dividends: [], isCovered: false, basis: 'all' } as const;

/** Gaps in one column only, so that indicators of others have none. */
function withGaps(): FixtureSymbol {
  const bars = weekdayBars(400, 9);
  bars.volume.set([Number.NaN, Number.NaN], 50);
  bars.volume[399] = Number.NaN;
  return { symbol: 'GAP', bars, ...plain, splits: [], dividends: [] };
}

/** More symbols than run side by side, of lengths that differ, one over many ticks. */
function manySymbols(): FixtureSymbol[] {
  return [2600, 1, 2, 33, 900, 300, 64, 65, 1200, 250].map((count, i) => ({
    symbol: `S${i}`,
    bars: weekdayBars(count, 20 + i),
    ...plain,
    splits: [],
    dividends: [],
  }));
}

const fixture = useFixtureServer({}, (folder) => {
  const symbols = [...fixtureSymbols(), withGaps(), ...manySymbols()];
  symbols.sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
  return publishMarket(folder, symbols);
});

const FIXTURE = 'ABC,BRK.B,NEW,RAW';
const ALL = 'ABC,BRK.B,GAP,NEW,RAW,S0,S1,S2,S3,S4,S5,S6,S7,S8,S9';
const FIVE = 'sma,ema:50,rsi:7,macd:5:35:5,bollinger:20:2.5';
const HEADER = 'symbol,timestamp,date,open,high,low,close,volume,adjustment';

function get(query: string, headers?: Record<string, string>) {
  return fixture.server.get(`/v1/svc/technical?${query}`, headers);
}

async function csvLines(query: string): Promise<string[]> {
  const { status, text } = await get(`${query}&format=csv`);
  expect([status, text.slice(-2)]).toEqual([200, '\r\n']);
  return text.split('\r\n').slice(0, -1);
}

async function arrowTable(query: string): Promise<Table> {
  const { status, bytes } = await get(query);
  expect(status).toBe(200);
  return tableFromIPC(bytes);
}

async function refusal(query: string, headers?: Record<string, string>): Promise<[number, string]> {
  const { status, json } = await get(query, headers);
  return [status, errorSchema.parse(json).error.message];
}

const COLUMNS_BEFORE_ADJUSTMENT = 7;

/** Returns the responses of single symbols in the columns of the bulk response. */
async function singleLines(list: string, query: string): Promise<string[]> {
  const lines: string[] = [];
  for (const symbol of list.split(',')) {
    const path = `/v1/svc/technical/${symbol}?limit=all&format=csv&${query}`;
    const { text, headers } = await fixture.server.get(path);
    for (const row of text.split('\r\n').slice(1, -1)) {
      const cells = row.split(',');
      cells.splice(COLUMNS_BEFORE_ADJUSTMENT, 0, headers.get('X-SVC-Adjustment')!);
      lines.push([symbol, ...cells].join());
    }
  }
  return lines;
}

/** An Arrow answer as CSV would spell it. */
function linesFromTable(table: Table): string[] {
  const names = table.schema.names as string[];
  return table.toArray().map((row) => {
    const cells = names.map((name) => {
      const value = row[name];
      if (name === 'timestamp') return new Date(value).toISOString();
      if (name === 'date') return new Date(value).toISOString().slice(0, 10);
      return name === 'volume' ? volumeNumber(value) : value;
    });
    // Arrow has bars as they are, and only a test stores a missing volume.
    return cells.join().replace(',NaN,all', ',,all');
  });
}

describe('every row', () => {
  it.each(
    someOf(
      [
        [FIXTURE, `indicators=${FIVE}`],
        [FIXTURE, `indicators=${FIVE}&interval=1w`],
        [FIXTURE, `indicators=${FIVE}&interval=1M`],
        ['NEW,ABC', `indicators=${FIVE}&adjustment=raw`],
        ['ABC,BRK.B', `indicators=${FIVE}&adjustment=all`],
        ['ABC,NEW', `indicators=${FIVE}&adjustment=all&interval=1w`],
        [FIXTURE, `indicators=${FIVE}&from=2025-06-01&to=2025-08-31`],
        [FIXTURE, 'indicators=rsi,sma:14,sma&from=2025-06-01&interval=1M'],
        [ALL, `indicators=${FIVE},psar,vwap:3,mfi:5,obv`],
        [
          ALL,
          `indicators=${encodeURIComponent('rsi(14),sma(volume, 5),close / sma(20),macd.signal')}`,
        ],
        [ALL, `indicators=${encodeURIComponent('rsi(5),weekly(rsi(3)),weekday')}&from=2025-06-01`],
        [ALL, 'indicators=ichimoku,adx:5,kama,stochastic_rsi&from=2025-12-01'],
      ],
      2,
    ),
  )('of %s with %s is that of single requests, in CSV and Arrow', async (list, query) => {
    const expected = await singleLines(list, query);
    expect(expected.length).toBeGreaterThan(0);
    const [header, ...lines] = await csvLines(`symbols=${list}&${query}`);
    expect(header.startsWith(`${HEADER},`)).toBe(true);
    expect(lines).toEqual(expected);
    const table = await arrowTable(`symbols=${list}&${query}`);
    expect(table.schema.names.join()).toBe(header);
    expect(linesFromTable(table)).toEqual(expected);
  });

  it('is that of single requests for every indicator of the catalogue', async () => {
    const names = indicatorCatalogue.map(({ name }) => name);
    const { perRequestMax } = limits.indicator;
    for (let i = 0; i < names.length; i += perRequestMax) {
      const query = `indicators=${names.slice(i, i + perRequestMax)}&from=2025-10-01`;
      const [, ...lines] = await csvLines(`symbols=ABC,GAP,NEW,S0&${query}`);
      expect(lines).toEqual(await singleLines('ABC,GAP,NEW,S0', query));
    }
  });
});

describe('with room for one symbol at a time', () => {
  useLimits(limits.bulk, { groupValuesMax: 1 });

  it('every row is the same', async () => {
    const query = `indicators=${FIVE},psar&to=2025-12-31`;
    const expected = await singleLines(ALL, query);
    const [, ...lines] = await csvLines(`symbols=${ALL}&${query}`);
    expect(lines).toEqual(expected);
    expect(linesFromTable(await arrowTable(`symbols=${ALL}&${query}`))).toEqual(expected);
  });
});

describe('columns', () => {
  it('of indicators are named by the text, then by the output where it has another name', async () => {
    const [header] = await csvLines('symbols=NEW&indicators=bollinger:20:2,macd,sma:3');
    expect(header).toBe(
      `${HEADER},bollinger:20:2_upper,bollinger:20:2_middle,bollinger:20:2_lower,` +
        'macd,macd_signal,macd_histogram,sma:3',
    );
  });

  it('are null in Arrow before the first value, and counted', async () => {
    const table = await arrowTable('symbols=NEW,ABC&indicators=sma:3,sma:200');
    const [short, long] = ['sma:3', 'sma:200'].map((name) => table.getChild(name)!);
    expect([short.get(1), short.nullCount]).toEqual([null, 4]);
    expect([long.get(4), long.nullCount]).toEqual([null, 5 + 199]);
    expect(table.getChild('close')!.nullCount).toBe(0);
  });
});

describe('latest=true', () => {
  it('gives the newest row of each symbol', async () => {
    const query = `symbols=*&indicators=${FIVE}`;
    const lines = await csvLines(query);
    const newest = lines.slice(1).filter((line, i, rows) => {
      return line.split(',')[0] !== rows[i + 1]?.split(',')[0];
    });
    expect(newest.length).toBe(ALL.split(',').length);
    expect((await csvLines(`${query}&latest=true`)).slice(1)).toEqual(newest);
    expect(linesFromTable(await arrowTable(`${query}&latest=true`))).toEqual(newest);
  });

  it('gives the newest one of the window', async () => {
    const query = 'symbols=*&indicators=sma:3&latest=true';
    const lines = await csvLines(`${query}&from=2025-01-01&to=2025-06-01`);
    const dates = lines.slice(1).map((line) => line.split(',')[2]);
    expect(new Set(dates)).toEqual(new Set(['2025-05-30']));
    expect(await csvLines(`${query}&from=2030-01-01`)).toHaveLength(1);
  });
});

it('limit=1 gives the same rows as latest=true', async () => {
  const query = `symbols=*&indicators=${FIVE}`;
  expect(await csvLines(`${query}&limit=1`)).toEqual(await csvLines(`${query}&latest=true`));
});

describe('refusals', () => {
  it.each([
    [
      '',
      400,
      'symbols must be *, @ and a universe, or a comma-separated list of symbols, it is missing',
    ],
    [
      'symbols=ABC',
      400,
      'indicators must be a comma-separated list like sma,ema:50, it is missing',
    ],
    ['symbols=ABC&indicators=smaa', 400, 'indicators has no "smaa"; did you mean sma?'],
    [
      `symbols=ABC&indicators=${Array.from({ length: 21 }, (_, i) => `sma:${i + 1}`)}`,
      400,
      'indicators must name at most 20 indicators, got "21"',
    ],
    ['symbols=ABC&indicators=sma&interval=5m', 400, 'interval must be one of 1d, 1w, 1M, got "5m"'],
    ['symbols=ABC&indicators=sma&latest=1', 400, 'latest must be one of true, false, got "1"'],
    ['symbols=ABC&indicators=sma&rows=5', 400, '"rows" is not a parameter of this path'],
    [
      'symbols=ABC&indicators=sma&format=json',
      400,
      'format must be one of arrow, csv, parquet, got "json"',
    ],
    [
      'symbols=*&indicators=sma&adjustment=split&to=2026-01-05',
      400,
      'adjustment must be available for all symbols (omit it for the default of each), got ' +
        '"split", which BRK.B, GAP, RAW, S0, S1, S2, S3, S4, S5, S6 and 3 more lack',
    ],
    ['symbols=ZZZ,ABC&indicators=sma', 404, 'Unknown symbols in sandbox data: ZZZ'],
  ])('%s is %i', async (query, status, message) => {
    expect(await refusal(query)).toEqual([status, message]);
  });

  it('of a key without the scope', async () => {
    const key = await fixture.server.newKey({ scopes: ['quotes:read'] });
    const headers = { 'X-API-Key': key };
    expect((await refusal('symbols=ABC&indicators=sma', headers))[0]).toBe(403);
  });
});

describe('a response', () => {
  it('is Arrow by default, and cached by snapshot and question', async () => {
    const query = 'symbols=ABC,NEW&indicators=sma';
    const first = await get(query);
    expect(first.headers.get('Content-Type')).toBe('application/vnd.apache.arrow.stream');
    const etag = first.headers.get('ETag')!;
    const again = await get('symbols=abc,new&indicators=sma&latest=false', {
      'If-None-Match': etag,
    });
    expect(again.status).toBe(304);
    for (const other of ['&latest=true', ',ema', ':15', '&interval=1w']) {
      expect((await get(query + other)).headers.get('ETag')).not.toBe(etag);
    }
  });
});
