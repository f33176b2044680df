import { readFileSync } from 'node:fs';
import { tableFromIPC } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { duckdbRows, useExportFolder } from '../support/exported.ts';

const { folder, out, symbols, exported } = useExportFolder();

describe('exported tables', () => {
  const columns = {
    symbols: 'symbol,companyName,exchange,type,firstBar,lastBar,source,country,sector,industry,cik',
    'corporate-actions': 'symbol,type,exDate,numerator,denominator,amount,currency',
  };
  const dates = ['firstBar', 'lastBar', 'exDate'];
  const csvText = ([name, value]: [string, unknown]): string => {
    if (value === null) return '';
    return dates.includes(name)
      ? new Date(value as Date | number).toISOString().slice(0, 10)
      : String(value);
  };
  const csvLine = (row: Record<string, unknown>) => Object.entries(row).map(csvText).join();

  it.each(Object.entries(columns))(
    'of %s hold the same in all formats',
    async (dataset, header) => {
      const reports = [];
      for (const format of ['csv', 'arrow', 'parquet']) {
        reports.push(await exported(dataset, format, `${dataset}.${format}`));
      }
      const { rows } = reports[0];
      expect(reports.map((report) => report.rows)).toEqual([rows, rows, rows]);
      expect(rows).toBeGreaterThan(10);
      const [first, ...lines] = readFileSync(out(`${dataset}.csv`), 'utf8')
        .trim()
        .split('\r\n');
      expect(first).toBe(header);
      expect(lines).toHaveLength(rows);
      const parquet = await duckdbRows('SELECT * FROM read_parquet($1)', out(`${dataset}.parquet`));
      expect(parquet.map(csvLine)).toEqual(lines);
      const arrow = tableFromIPC(readFileSync(out(`${dataset}.arrow`)));
      expect(arrow.schema.names.join()).toBe(header);
      const arrowRows = arrow.toArray().map((row) => row.toJSON());
      expect(arrowRows.map(csvLine)).toEqual(lines);
    },
  );

  it('of news count the symbols that articles name', async () => {
    const { symbols: count } = await exported('news', 'csv', 'news.csv');
    const rows = await duckdbRows('SELECT symbols FROM read_csv($1)', out('news.csv'));
    const named = new Set(
      rows.flatMap((row) =>
        String(row.symbols ?? '')
          .split(' ')
          .filter(Boolean),
      ),
    );
    expect(count).toBe(named.size);
    expect(count).toBeGreaterThan(10);
  });

  it('take a list of symbols and none of the options of bars', async () => {
    expect(
      await exported('symbols', 'csv', 'two.csv', '--symbols', symbols().slice(0, 2).join()),
    ).toMatchObject({
      symbols: 2,
      rows: 2,
    });
    const { code, stderr } = await folder.run(
      ...['export', 'symbols', '--mode', 'sandbox', '--format', 'csv', '--out', out('x.csv')],
      ...['--adjustment', 'raw'],
    );
    expect([code, stderr]).toEqual([
      2,
      'tapeworks: --adjustment is for candles and indicators only\n',
    ]);
  });
});
