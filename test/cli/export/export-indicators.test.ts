import { readFileSync, writeFileSync } from 'node:fs';
import { tableFromIPC } from 'apache-arrow';
import { beforeAll, describe, expect, it } from 'vitest';
import type { TestServer } from '../../api/support/test-server.ts';
import { someOf } from '../../support/store-runs.ts';
import { duckdbRows, useExportFolder } from '../support/exported.ts';

const { folder, out, symbols, exported: exportDataset } = useExportFolder();
const exported = (format: string, name: string, ...options: string[]) =>
  exportDataset('indicators', format, name, '--force', ...options);

let api: TestServer;

beforeAll(async () => {
  api = await folder.serve();
});

async function answer(query: string): Promise<Buffer> {
  const { status, bytes } = await api.get(`/v1/svc/technical?${query}`);
  expect(status).toBe(200);
  return Buffer.from(bytes);
}

const FORMS = [
  { query: 'symbols=*&indicators=rsi:7,macd', options: ['--indicators', 'rsi:7,macd'] },
  {
    query: 'symbols=*&indicators=sma:20,psar&interval=1w&adjustment=all&from=2025-01-01',
    options: [
      ...['--indicators', 'sma:20,psar', '--interval', '1w'],
      ...['--adjustment', 'all', '--from', '2025-01-01'],
    ],
  },
  {
    query: 'symbols=*&indicators=bollinger:20:2.5,sma:3&latest=true',
    options: ['--indicators', 'bollinger:20:2.5,sma:3', '--latest'],
  },
];

describe('indicators', () => {
  it.each(someOf(FORMS, 2))(
    'of $query have the rows of the answer in each format',
    async (form) => {
      const csv = await answer(`${form.query}&format=csv`);
      const report = await exported('csv', 'all.csv', ...form.options);
      expect(readFileSync(out('all.csv')).equals(csv)).toBe(true);
      await exported('csv', 'few.csv', ...form.options, '--digits', '5');
      const few = await answer(`${form.query}&format=csv&digits=5`);
      expect(readFileSync(out('few.csv')).equals(few)).toBe(true);
      expect(few.length).toBeLessThan(csv.length);
      const rows = csv.toString().split('\r\n').length - 2;
      expect(report).toMatchObject({ dataset: 'indicators', symbols: symbols().length, rows });

      expect(await exported('arrow', 'all.arrow', ...form.options)).toMatchObject({ rows });
      const [file, answered] = [readFileSync(out('all.arrow')), await answer(form.query)].map(
        (bytes) => tableFromIPC(bytes),
      );
      expect(file.schema.toString()).toBe(answered.schema.toString());
      expect(file.toArray().map(String)).toEqual(answered.toArray().map(String));

      expect(await exported('parquet', 'all.parquet', ...form.options)).toMatchObject({ rows });
      writeFileSync(out('expected.csv'), csv);
      const same = await duckdbRows(
        `WITH served AS (SELECT * REPLACE (round(volume)::BIGINT AS volume)
         FROM read_parquet('${out('all.parquet')}')),
       expected AS (SELECT * FROM read_csv($1, types = {symbol: 'VARCHAR',
         timestamp: 'TIMESTAMPTZ'}, auto_type_candidates = ['DATE', 'BIGINT', 'DOUBLE', 'VARCHAR']))
       SELECT (SELECT count(*)::INTEGER FROM (FROM served EXCEPT ALL FROM expected)) AS extra,
         (SELECT count(*)::INTEGER FROM (FROM expected EXCEPT ALL FROM served)) AS missing`,
        out('expected.csv'),
      );
      expect(same).toEqual([{ extra: 0, missing: 0 }]);
    },
  );

  it.each([
    [[], 'export indicators needs --indicators, such as rsi:14,sma:200'],
    [['--indicators', 'rsy'], 'indicators has no "rsy"; did you mean rsi?'],
    [
      ['--indicators', 'rsi', '--interval', '5m'],
      '--interval of indicators must be one of 1d, 1w, 1M, got "5m"',
    ],
    [['--indicators', 'rsi', '--symbols', 'ZZZZZ'], '--symbols are unknown: ZZZZZ'],
    [
      ['--indicators', 'rsi', '--digits', '18'],
      '--digits must be a whole number from 1 to 17, got "18"',
    ],
    [
      ['--indicators', 'rsi', '--digits', '6', '--format', 'arrow'],
      '--digits is for the format csv, got "arrow", which has all digits',
    ],
  ])('with %j are refused', async (options, message) => {
    const { code, stderr } = await folder.run(
      ...['export', 'indicators', '--mode', 'sandbox', '--format', 'csv', '--out', out('no.csv')],
      ...options,
    );
    expect([code, stderr]).toEqual([2, `tapeworks: ${message}\n`]);
  });

  it('have options that candles do not take', async () => {
    const { code, stderr } = await folder.run(
      ...['export', 'candles', '--mode', 'sandbox', '--format', 'csv', '--out', out('no.csv')],
      '--latest',
    );
    expect([code, stderr]).toEqual([2, 'tapeworks: --latest is for indicators only\n']);
  });
});
