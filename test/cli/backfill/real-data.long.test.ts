/** Vendor files to answered requests, checked against SQL over the vendor's file itself. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasRealdata, realdata } from '../../support/realdata.ts';
import { readZipMembers } from '../../support/zip-members.ts';
import { putRealUniverse, UNIVERSE_ZIP } from '../support/real-universe.ts';
import { type CliFolder, createCliFolder, type RunningCli } from '../support/run-cli.ts';

const stooqZip = realdata('daily/stooq_bulk/d_us_txt.zip');
const spyMember = 'data/daily/us/nyse etfs/spy.us.txt';

interface SpyFacts {
  close: number;
  change: number;
  sma14: number;
  bars: number;
}

interface Technical {
  candles: { close: number }[];
  indicators: { sma: { value: number }[] };
}

interface Batch {
  data: { symbol: string }[];
  notFound?: string[];
}

/** Reads the vendor's own SPY file with DuckDB's SQL, without any code of ours. */
async function spyFromVendorFile(folder: CliFolder): Promise<SpyFacts> {
  const path = join(folder.dataDir, 'spy.txt');
  const texts = await readZipMembers(stooqZip, [spyMember]);
  writeFileSync(path, texts.get(spyMember) ?? '');
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const reader = await connection.runAndReadAll(
    `SELECT close, close - lag(close) OVER w AS change,
       avg(close) OVER (ORDER BY day ROWS 13 PRECEDING) AS sma14, count(*) OVER () AS bars
     FROM (SELECT "<DATE>" AS day, "<CLOSE>"::DOUBLE AS close FROM read_csv($1))
     WINDOW w AS (ORDER BY day) ORDER BY day DESC LIMIT 1`,
    [path],
  );
  const [{ close, change, sma14, bars }] = reader.getRowObjectsJS();
  connection.disconnectSync();
  instance.closeSync();
  return { close, change, sma14, bars: Number(bars) } as SpyFacts;
}

describe.skipIf(!hasRealdata)('SPY out of two universes', () => {
  const folders = [createCliFolder(), createCliFolder()];
  let api: RunningCli;
  let key: string;

  beforeAll(async () => {
    await folders[0].json('backfill', 'stooq', stooqZip);
    await folders[0].json('backfill', 'files', 'candles', UNIVERSE_ZIP);
    await putRealUniverse(folders[1]);
    await folders[1].json('backfill', 'stooq', stooqZip);
    const made = await folders[0].json(
      ...['keys', 'create', '--mode', 'live', '--label', 'test', '--scopes', 'all'],
    );
    key = made.rawKey;
    api = await folders[0].start('serve');
  });
  afterAll(() => Promise.all(folders.map((folder) => folder.remove())));

  async function get<T>(path: string): Promise<T> {
    const response = await fetch(`${api.document.address}/v1/svc/${path}`, {
      headers: { 'X-API-Key': key },
    });
    expect(response.status).toBe(200);
    return response.json() as Promise<T>;
  }

  it('is served from Stooq whichever is loaded first, and all tables are the same', async () => {
    const hash = `SELECT count(*) AS n, count(DISTINCT symbol) AS symbols,
      bit_xor(hash(c)) AS content FROM candles c`;
    const [one, two] = await Promise.all(folders.map((folder) => folder.json('sql', hash)));
    expect(two).toEqual(one);
    const spy = "SELECT DISTINCT source, basis FROM candles WHERE symbol = 'SPY'";
    expect(await folders[1].json('sql', spy)).toEqual([{ source: 'stooq', basis: 'all' }]);
  });

  it('has the close, change and SMA(14) that SQL computes over the file', async () => {
    const facts = await spyFromVendorFile(folders[0]);
    const quote = await get<{ price: number; change: number }>('quotes/SPY');
    expect(quote.price).toBe(facts.close);
    expect(quote.change).toBeCloseTo(facts.change, 9);
    const technical = await get<Technical>(
      'technical/SPY?indicators=sma,ema,rsi,macd,bollinger&limit=1&interval=1d',
    );
    expect(technical.candles[0].close).toBe(facts.close);
    expect(technical.indicators.sma[0].value / facts.sma14).toBeCloseTo(1, 12);
    const [{ n }] = await folders[0].json(
      ...['sql', "SELECT count(*) AS n FROM candles WHERE symbol = 'SPY'"],
    );
    expect(n).toBe(facts.bars);
  });

  it('stands in a batch next to another, in the requested order', async () => {
    const { data, notFound } = await get<Batch>('quotes/batch?symbols=QQQ,SPY,NOSUCH');
    expect(data.map(({ symbol }) => symbol)).toEqual(['QQQ', 'SPY']);
    expect(notFound).toEqual(['NOSUCH']);
  });
});
