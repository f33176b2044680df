/** Parquet files read over HTTP by engines of others, and the bytes that they take. */

import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { modePaths } from '../../../src/base/config/data-dir.ts';
import { limits } from '../../../src/base/limits.ts';
import { readFileSets } from '../../../src/store/parquet/file-sets.ts';
import { NOW_MS } from '../../api/support/market-fixture.ts';
import { startTestServer, type TestServer } from '../../api/support/test-server.ts';
import { sharedFolder } from '../../support/folders.ts';
import { pythonJson } from '../../support/python.ts';
import { long } from '../../support/store-runs.ts';
import { duckdbPython, python } from '../../support/tools.ts';
import { useLimits } from '../../support/use-limits.ts';
import { madeFiles, manySymbols, publishMany } from './made-market.ts';

const dataDir = sharedFolder();
let server: TestServer;
let proxy: Server;
/** Address of the proxy, which counts what the server sends. */
let address: string;
let sent = 0;

// Row groups of two symbols a year, as 65 symbols have them with 16,384 rows.
useLimits(limits.parquet, { groupRows: 600 });

beforeAll(async () => {
  await publishMany(dataDir);
  await madeFiles(dataDir);
  server = await startTestServer(dataDir, NOW_MS);
  const { port } = new URL(server.address);
  proxy = createServer((client) => {
    const upstream = connect(Number(port), '127.0.0.1');
    upstream.on('data', (bytes) => {
      sent += bytes.length;
    });
    for (const socket of [client, upstream]) socket.on('error', () => socket.destroy());
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
});

afterAll(async () => {
  proxy.close();
  await server.close();
});

/** Bytes of the files of daily bars. */
function dailyBytes(): number {
  const [{ files }] = readFileSets(modePaths(dataDir, 'sandbox').files);
  return files
    .filter(({ interval }) => interval === '1d')
    .reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Runs a program with the address and the key, and returns what it prints as JSON. */
async function printed(program: string, code: string): Promise<{ value: unknown; bytes: number }> {
  sent = 0;
  const prelude = `import json, sys, urllib.request
address, key = sys.argv[1:]
request = urllib.request.Request(address + '/v1/svc/files', headers={'X-API-Key': key})
files = json.load(urllib.request.urlopen(request))['data']
daily = [f['url'] for f in files if f['dataset'] == 'candles' and f['interval'] == '1d']
`;
  const value = await pythonJson(program, prelude + code, [address, server.rawKey]);
  return { value, bytes: sent };
}

/** Closes of a symbol from a day on. */
function closesOf(symbol: string, fromMs: number): number[] {
  const { bars } = manySymbols().find((one) => one.symbol === symbol)!;
  return [...bars.close].filter((_, i) => Number(bars.timestampUs[i] / 1000n) >= fromMs);
}

describe.skipIf(!python)('polars, pandas and pyarrow', () => {
  it('read signed links without a header, and a file with the key in a header', async () => {
    const { value } = await printed(
      python!,
      `import io
import polars as pl, pandas as pd, pyarrow.parquet as pq
scanned = pl.scan_parquet(daily).filter(pl.col('symbol') == 'S42').sort('timestamp').collect()
plain = f"{address}/v1/svc/files/{files[0]['version']}/candles-1d-2025.parquet"
frames = [pd.read_parquet(u, storage_options=o) for u, o in
          [(daily[2], None), (plain, {'X-API-Key': key})]]
table = pq.read_table(io.BytesIO(urllib.request.urlopen(daily[2]).read()),
                      filters=[('symbol', '==', 'ABC')])
print(json.dumps({'closes': scanned['close'].to_list(), 'types': [str(t) for t in scanned.dtypes],
  'same': frames[0].equals(frames[1]), 'rows': len(frames[0]), 'own': table.num_rows}))`,
    );
    const days =
      closesOf('S42', Date.UTC(2025, 0)).length - closesOf('S42', Date.UTC(2026, 0)).length;
    const { rows, ...others } = value as { rows: number };
    const float = 'Float64';
    expect(others).toEqual({
      closes: closesOf('S42', 0),
      types: [
        ...['String', "Datetime(time_unit='us', time_zone='UTC')", 'Date'],
        ...[float, float, float, float, float, 'String'],
      ],
      same: true,
      own: days,
    });
    expect(rows).toBeGreaterThan(60 * days);
  });
});

describe.skipIf(!duckdbPython)('DuckDB', () => {
  const CONNECT = `import duckdb, glob, os, duckdb_extension_httpfs
con = duckdb.connect()
folder = list(duckdb_extension_httpfs.__path__)[0]
[extension] = glob.glob(os.path.join(folder, 'extensions', '*', 'httpfs.duckdb_extension'))
con.execute(f"LOAD '{extension}'")
`;

  it('reads the list and its links with a key as a bearer token', async () => {
    const { value } = await printed(
      duckdbPython!,
      `${CONNECT}
con.execute(f"CREATE SECRET (TYPE http, BEARER_TOKEN '{key}', SCOPE '{address}')")
con.execute(f"""SET VARIABLE bars = (SELECT list(url)
  FROM read_csv('{address}/v1/svc/files?format=csv') WHERE interval = '1d' AND year >= 2025)""")
con.execute(f"""SET VARIABLE adjustments = (SELECT first(url)
  FROM read_csv('{address}/v1/svc/files?format=csv') WHERE dataset = 'adjustments')""")
rows = con.execute("""SELECT close * splitFactor FROM read_parquet(getvariable('bars')) AS bars
  ASOF JOIN read_parquet(getvariable('adjustments')) AS factors
  ON bars.symbol = factors.symbol AND bars.date >= factors."from"
  WHERE bars.symbol = 'ABC' ORDER BY date""").fetchall()
whole = con.execute("SELECT count(*), sum(close + volume) FROM read_parquet($1)", [daily])
print(json.dumps([[row[0] for row in rows], whole.fetchone()[0]]))`,
    );
    const [adjusted, rows] = value as [number[], number];
    expect(rows).toBe(manySymbols().reduce((sum, { bars }) => sum + bars.close.length, 0));
    const { text } = await server.get(
      '/v1/svc/candles?symbols=ABC&adjustment=split&from=2025-01-01&format=csv',
    );
    const closes = text
      .split('\r\n')
      .slice(1, -1)
      .map((line) => Number(line.split(',')[6]));
    const factors = adjusted.map((close, i) => close / closes[i]);
    expect(factors).toHaveLength(closes.length);
    for (const factor of factors) expect(Math.abs(factor - 1)).toBeLessThan(1e-15);
  });

  long('takes only what a filter on a symbol and a year needs', async () => {
    const filtered = await printed(
      duckdbPython!,
      `${CONNECT}
rows = con.execute("""SELECT close FROM read_parquet($1)
  WHERE symbol = 'S42' AND date >= '2025-01-01' ORDER BY date""", [daily]).fetchall()
print(json.dumps([row[0] for row in rows]))`,
    );
    expect(filtered.value).toEqual(closesOf('S42', Date.UTC(2025, 0)));
    expect(filtered.bytes).toBeLessThan(dailyBytes() / 5);
  });
});
