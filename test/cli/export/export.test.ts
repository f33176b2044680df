import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tableFromIPC } from 'apache-arrow';
import { beforeAll, describe, expect, it } from 'vitest';
import { modePaths } from '../../../src/base/config/data-dir.ts';
import { writeDataset } from '../../../src/cli/export/datasets.ts';
import { exportFile } from '../../../src/cli/export/file.ts';
import { openMarketForWriting } from '../../../src/store/duckdb/connection/open.ts';
import type { TestServer } from '../../api/support/test-server.ts';
import { isLong } from '../../faults/scale.ts';
import { pythonJson } from '../../support/python.ts';
import { someOf } from '../../support/store-runs.ts';
import { python } from '../../support/tools.ts';
import { duckdbRows, useExportFolder } from '../support/exported.ts';

const { folder, outDir, out, symbols, exported: exportDataset } = useExportFolder();
const exported = (format: string, name: string, ...options: string[]) =>
  exportDataset('candles', format, name, ...options);

let api: TestServer;

beforeAll(async () => {
  api = await folder.serve();
});

async function answer(query: string): Promise<Buffer> {
  const { status, bytes } = await api.get(`/v1/svc/candles?${query}`);
  expect(status).toBe(200);
  return Buffer.from(bytes);
}

const WINDOWS = [
  { query: 'symbols=*', options: [] },
  {
    query: 'symbols=*&interval=1w&adjustment=all',
    options: ['--interval', '1w', '--adjustment', 'all'],
  },
  {
    query: 'symbols=*&adjustment=raw&from=2025-01-01&to=2025-06-30',
    options: ['--adjustment', 'raw', '--from', '2025-01-01', '--to', '2025-06-30'],
  },
];

describe('an export', () => {
  it.each(someOf(WINDOWS, 2))(
    'has the answer to $query in every format',
    async ({ query, options }) => {
      const csv = await answer(`${query}&format=csv`);
      const report = await exported('csv', 'all.csv', '--force', ...options);
      expect(readFileSync(out('all.csv')).equals(csv)).toBe(true);
      const rows = csv.toString().split('\r\n').length - 2;
      expect(report).toEqual({
        dataset: 'candles',
        format: 'csv',
        path: out('all.csv'),
        symbols: symbols().length,
        rows,
        bytes: csv.length,
        publishedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      });

      expect(await exported('arrow', 'all.arrow', '--force', ...options)).toMatchObject({ rows });
      const file = readFileSync(out('all.arrow'));
      expect(file.subarray(0, 6).toString()).toBe('ARROW1');
      const [exportedTable, answered] = [file, await answer(query)].map((bytes) =>
        tableFromIPC(bytes),
      );
      expect(exportedTable.schema.toString()).toBe(answered.schema.toString());
      expect(exportedTable.toArray().map(String)).toEqual(answered.toArray().map(String));

      expect(await exported('parquet', 'all.parquet', '--force', ...options)).toMatchObject({
        rows,
      });
      const same = await duckdbRows(
        `WITH served AS (SELECT * REPLACE (round(volume)::BIGINT AS volume)
         FROM read_parquet('${out('all.parquet')}')),
       expected AS (SELECT * FROM read_csv($1, columns = {symbol: 'VARCHAR',
         timestamp: 'TIMESTAMPTZ', date: 'DATE', open: 'DOUBLE', high: 'DOUBLE', low: 'DOUBLE',
         close: 'DOUBLE', volume: 'BIGINT', adjustment: 'VARCHAR'}))
       SELECT (SELECT count(*)::INTEGER FROM served) AS rows,
         (SELECT count(*)::INTEGER FROM (FROM served EXCEPT ALL FROM expected)) AS extra,
         (SELECT count(*)::INTEGER FROM (FROM expected EXCEPT ALL FROM served)) AS missing`,
        out('all.csv'),
      );
      expect(same).toEqual([{ rows, extra: 0, missing: 0 }]);
    },
  );

  it('keeps Parquet in the order of symbol and time, typed as Arrow is', async () => {
    await exported('parquet', 'typed.parquet', '--symbols', `${symbols()[1]},${symbols()[0]}`);
    const [first] = await duckdbRows(
      'SELECT symbol, date::VARCHAR AS date FROM read_parquet($1) LIMIT 1',
      out('typed.parquet'),
    );
    expect(first.symbol).toBe(symbols()[1]);
    const types = await duckdbRows(
      'SELECT column_name, column_type FROM (DESCRIBE FROM read_parquet($1))',
      out('typed.parquet'),
    );
    expect(types.map((row) => Object.values(row).join(' '))).toEqual([
      'symbol VARCHAR',
      'timestamp TIMESTAMP WITH TIME ZONE',
      'date DATE',
      'open DOUBLE',
      'high DOUBLE',
      'low DOUBLE',
      'close DOUBLE',
      'volume DOUBLE',
      'adjustment VARCHAR',
    ]);
  });

  it.skipIf(!isLong || !python)('opens in pyarrow, polars and pandas', async () => {
    await exported('arrow', 'python.arrow');
    await exported('parquet', 'python.parquet');
    writeFileSync(out('python.stream'), await answer('symbols=*'));
    const script = `
import sys, json, pyarrow as pa, pyarrow.ipc as ipc, pyarrow.parquet as pq, polars as pl
mapped, parquet, stream = sys.argv[1:]
table = ipc.open_file(pa.memory_map(mapped)).read_all()
table.validate(full=True)
streamed = ipc.open_stream(stream).read_all()
streamed.validate(full=True)
plain = pa.table({name: table[name].cast(pa.string()) if pa.types.is_dictionary(table[name].type) else table[name] for name in table.column_names})
read = pq.read_table(parquet)
frame = pl.read_ipc_stream(stream)
print(json.dumps({
  'types': [str(field.type) for field in table.schema],
  'rows': table.num_rows,
  'stream': streamed.equals(table),
  'parquet': all(plain[name].equals(read[name]) for name in plain.column_names),
  'polars': frame.equals(pl.scan_ipc(mapped).collect()) and frame['close'].to_list() == plain['close'].to_pylist(),
  'pandas': str(table.to_pandas()['symbol'].dtype),
  'symbols': sorted(frame['symbol'].cast(pl.String).unique().to_list()),
}))`;
    const paths = ['python.arrow', 'python.parquet', 'python.stream'].map(out);
    const opened = await pythonJson(python!, script, paths);
    const [{ rows }] = await folder.json(
      ...['sql', "SELECT count(*) AS rows FROM candles WHERE interval = '1d'", '--mode', 'sandbox'],
    );
    expect(opened).toEqual({
      types: [
        'dictionary<values=string, indices=int32, ordered=0>',
        'timestamp[us, tz=UTC]',
        'date32[day]',
        ...new Array(5).fill('double'),
        'dictionary<values=string, indices=int8, ordered=0>',
      ],
      rows,
      stream: true,
      parquet: true,
      polars: true,
      pandas: 'category',
      symbols: symbols(),
    });
  });

  it('does not wait while a load holds the store', async () => {
    const paths = modePaths(folder.dataDir, 'sandbox');
    const market = await openMarketForWriting(paths, { verb: 'test' });
    try {
      for (const format of ['csv', 'arrow', 'parquet']) {
        expect((await exported(format, `beside.${format}`)).symbols).toBe(symbols().length);
      }
    } finally {
      market.close();
    }
  });
});

describe('a file that exists', () => {
  it('is replaced with --force only', async () => {
    const name = 'mine.csv';
    writeFileSync(out(name), 'mine');
    const args = ['export', 'candles', '--mode', 'sandbox', '--format', 'csv', '--out', out(name)];
    const { code, stdout, stderr } = await folder.run(...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('--force');
    expect(readFileSync(out(name), 'utf8')).toBe('mine');
    await folder.json(...args, '--force');
    expect(readFileSync(out(name), 'utf8')).toMatch(/^symbol,timestamp/);
  });
});

const PARTITIONS = ['--format', 'parquet', '--out', 'parts/'];

describe('a refused export', () => {
  it.each([
    [2, ['--out', outDir], 'is a folder: a slash at its end exports partitions into it'],
    [2, ['--out', '-'], '--out must be a file, got "-": standard output has the report'],
    [2, ['--out', `${outDir}/`], '--out must be a file for candles as csv, got'],
    [2, [...PARTITIONS, '--symbols', 'A'], '--symbols is for files, and --out "parts/" is none'],
    [2, [...PARTITIONS, '--session', 'extended'], '--session of partitions must be regular or all'],
    [2, [...PARTITIONS, '--session', 'all', '--interval', '1d'], 'session must be regular for 1d'],
    [2, [...PARTITIONS, '--interval', '1h'], '--interval of partitions must be one of 1d, 1m, 5m'],
    [2, [...PARTITIONS, '--out', 'ftp://a/b'], '--out must be an address like s3://bucket/prefix'],
    [2, ['--symbols', 'ZZZZZ'], '--symbols are unknown: ZZZZZ'],
    [2, ['--from', '2025-02-01', '--to', '2025-01-01'], 'must not be after'],
    [2, ['--interval', '2m'], '2m'],
    [1, ['--mode', 'live'], 'run a backfill first'],
  ])('exits %i for %j and leaves nothing behind', async (expected, options, message) => {
    const files = () => readdirSync(outDir);
    const before = files();
    const { code, stdout, stderr } = await folder.run(
      ...['export', 'candles', '--mode', 'sandbox', '--format', 'csv', '--out', out('refused.csv')],
      ...options,
    );
    expect([code, stdout]).toEqual([expected, '']);
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(files()).toEqual(before);
  });

  it.each(['csv', 'arrow', 'parquet'] as const)(
    'to %s that is stopped leaves what was there',
    async (format) => {
      const path = out(`stopped.${format}`);
      writeFileSync(path, 'before');
      const stop = new AbortController();
      const deps = { onProgress: () => stop.abort(), signal: stop.signal };
      const window = { interval: '1d', fromUs: undefined, toUs: undefined } as const;
      const stopped = exportFile(folder.dataDir, 'sandbox', path, (partial, version) =>
        writeDataset(
          partial,
          version,
          {
            dataset: 'candles',
            format,
            symbols: undefined,
            window: { ...window, adjustment: undefined },
          },
          deps,
        ),
      );
      await expect(stopped).rejects.toThrow('aborted');
      expect(readFileSync(path, 'utf8')).toBe('before');
      expect(readdirSync(outDir).filter((name) => name.includes('partial'))).toEqual([]);
    },
  );
});
