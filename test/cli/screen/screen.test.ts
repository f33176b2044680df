import { readFileSync } from 'node:fs';
import { tableFromIPC } from 'apache-arrow';
import { beforeAll, describe, expect, it } from 'vitest';
import { long } from '../../support/store-runs.ts';
import { duckdbRows, useExportFolder } from '../support/exported.ts';
import { useCliFolder } from '../support/run-cli.ts';

const { folder, out, exported } = useExportFolder();
const empty = useCliFolder();

interface Row {
  symbol: string;
  price: number;
  marketCap: number | null;
  columns?: Record<string, unknown>;
}

/** By symbol, the newest values of indicators as `export` computes them. */
const newest = new Map<string, { close: number; rsi: number; sma: number }>();

beforeAll(async () => {
  await exported(
    ...(['indicators', 'csv', 'newest.csv'] as const),
    ...['--indicators', 'rsi:14,sma:200', '--latest'],
  );
  const [head, ...lines] = readFileSync(out('newest.csv'), 'utf8').trim().split('\r\n');
  const place = (name: string) => head.split(',').indexOf(name);
  for (const line of lines) {
    const cells = line.split(',');
    const number = (name: string) => Number(cells[place(name)] || Number.NaN);
    newest.set(cells[0], {
      close: number('close'),
      rsi: number('rsi:14'),
      sma: number('sma:200'),
    });
  }
});

const screen = (...args: string[]) => folder.run('screen', ...args, '--mode', 'sandbox');
const screenJson = (...args: string[]) => folder.json('screen', ...args, '--mode', 'sandbox');

describe('screen', () => {
  it('finds the symbols whose exported indicators match', async () => {
    const { rows, total } = await screenJson('rsi(14) < 55 and close > sma(200)');
    const expected = [...newest].filter(([, { close, rsi, sma }]) => rsi < 55 && close > sma);
    expect(expected.length).toBeGreaterThan(1);
    expect(expected.length).toBeLessThan(newest.size);
    expect(total).toBe(expected.length);
    const found = rows.map(({ symbol }: Row) => symbol).sort();
    expect(found).toEqual(expected.map(([symbol]) => symbol).sort());
  });

  it('returns further columns with the values that export computes', async () => {
    const { rows } = await screenJson('rsi(14) > 0', '--columns', 'rsi(14), sma(200)');
    expect(rows.length).toBe(newest.size);
    for (const { symbol, columns } of rows as Row[]) {
      const { rsi, sma } = newest.get(symbol)!;
      expect(columns).toEqual({ 'rsi(14)': rsi, 'sma(200)': Number.isNaN(sma) ? null : sma });
    }
  });

  it('sorts by an expression, and shows as many rows as requested', async () => {
    const { rows, total } = await screenJson(
      ...['close > 0', '--sort', 'rsi(14)', '--order', 'asc', '--limit', '3'],
    );
    const expected = [...newest].sort(([, a], [, b]) => a.rsi - b.rsi).slice(0, 3);
    expect(rows.map(({ symbol }: Row) => symbol)).toEqual(expected.map(([symbol]) => symbol));
    expect(total).toBe(newest.size);
  });

  it('needs no expression, and takes filters of the API', async () => {
    const { rows } = await screenJson('--filter', 'price_min=50&price_max=100');
    const expected = [...newest].filter(([, { close }]) => close >= 50 && close <= 100);
    expect(rows.map(({ symbol }: Row) => symbol).sort()).toEqual(
      expected.map(([symbol]) => symbol).sort(),
    );
  });

  it('prints a table on stdout, and the total with the time on stderr', async () => {
    const { code, stdout, stderr } = await screen(
      ...['close > 0', '--columns', 'rsi(14)', '--limit', '2'],
    );
    expect(code).toBe(0);
    const lines = stdout.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^SYMBOL +NAME +PRICE +CHANGE +MARKET CAP +rsi\(14\)$/);
    expect(lines).toHaveLength(3);
    expect(stderr).toMatch(new RegExp(`^${newest.size} symbols, first 2 shown, [\\d.]+ m?s\n$`));
  });

  it('runs as of a past day', async () => {
    const { rows, asOf } = await screenJson(
      ...['close > 0', '--columns', 'close', '--as-of', '2024-06-30'],
    );
    expect(asOf).toBe('2024-06-28');
    expect(rows.length).toBeGreaterThan(5);
  });

  long('refuses a day before the first bar, and one in the future', async () => {
    const [first, future] = await Promise.all(
      ['1950-01-01', '2099-01-01'].map((date) => screen('close > 0', '--as-of', date)),
    );
    const before = 'as_of must not lie before the first daily bar, got "1950-01-01"';
    expect([first.code, first.stderr]).toEqual([2, expect.stringContaining(before)]);
    const after = 'as_of must not lie in the future, got "2099-01-01"';
    expect([future.code, future.stderr]).toEqual([2, expect.stringContaining(after)]);
  });

  it('explains per symbol which conditions are true', async () => {
    const [[symbol, { rsi, close }]] = newest;
    const where = `rsi(14) < 0 and close > 0`;
    const { rows } = await screenJson(where, '--explain', symbol.toLowerCase());
    expect(rows).toMatchObject([
      {
        symbol,
        matches: false,
        conditions: [
          { condition: 'rsi(14) < 0', result: false, values: { 'rsi(14)': rsi } },
          { condition: 'close > 0', result: true, values: { close } },
        ],
      },
    ]);
    const { stdout } = await screen(where, '--explain', symbol);
    expect(stdout).toMatch(
      new RegExp(`^${symbol} does not match\n {2}false {2}rsi.14. < 0 .*\n {2}true {3}close > 0 `),
    );
  });
});

describe('files of a screen', () => {
  it('hold the same rows in all formats', async () => {
    const options = [
      'rsi(14) > 0',
      '--columns',
      'rsi(14), sector, RSI(14), volume',
      '--sort',
      'rsi(14)',
    ];
    for (const format of ['json', 'csv', 'arrow', 'parquet']) {
      const file = out(`screen.${format}`);
      const report = await screenJson(...options, '--format', format, '--out', file);
      expect(report).toMatchObject({ path: file, format, rows: newest.size, total: newest.size });
    }
    const json: Row[] = JSON.parse(readFileSync(out('screen.json'), 'utf8'));
    const expected = json.map(({ symbol, columns }) => [symbol, columns?.['rsi(14)']]);
    const arrow = tableFromIPC(readFileSync(out('screen.arrow')));
    expect(arrow.toArray().map((row) => [row.symbol, row['rsi(14)']])).toEqual(expected);
    const parquet = await duckdbRows('SELECT * FROM read_parquet($1)', out('screen.parquet'));
    expect(parquet.map((row) => [row.symbol, row['rsi(14)']])).toEqual(expected);
    const [head, ...lines] = readFileSync(out('screen.csv'), 'utf8').trim().split('\r\n');
    // Readers of Parquet take names that differ in case alone for equal.
    expect(head.split(',').slice(-4)).toEqual(['rsi(14)', 'sector_2', 'RSI(14)_2', 'volume_2']);
    expect(lines.map((line) => line.split(',')[0])).toEqual(expected.map(([symbol]) => symbol));
    const { stdout } = await screen(...options, '--format', 'csv');
    expect(stdout.split('\r\n').slice(0, 51)).toEqual([head, ...lines.slice(0, 50)].concat(''));
  });

  it('are not replaced without --force', async () => {
    const file = out('kept.csv');
    await screenJson('close > 0', '--out', file);
    const again = await screen('close > 0', '--out', file);
    expect([again.code, again.stderr]).toEqual([
      2,
      `tapeworks: "${file}" exists: --force replaces it\n`,
    ]);
    expect((await screen('close > 0', '--out', file, '--force')).code).toBe(0);
  });
});

describe('wrong usage', () => {
  it('shows the expression with a mark under the position, and exits 2', async () => {
    const { code, stdout, stderr } = await screen('close > smaa(200)');
    expect([code, stdout]).toEqual([2, '']);
    const [message, text, mark] = stderr.split('\n');
    expect(message).toMatch(
      /^tapeworks: where: .* at position 9, got "smaa": did you mean "sma"\?$/,
    );
    expect([text, mark]).toEqual(['  close > smaa(200)', '          ^']);
  });

  it.each([
    [['close >', '--columns', 'x'], 'where: '],
    [['close > 1', '--columns', 'rsi(0)'], 'columns: '],
    [['close > 1', '--sort', 'sektor'], 'sort: '],
    [['--filter', 'prise_min=1'], '--filter is invalid: "prise_min" is not a parameter'],
    [['--filter', 'price_min=x'], '--filter is invalid: price_min must be a number'],
    [['close > 1', '--as-of', 'yesterday'], 'as_of must be a date'],
    [['close > 1', '--as-of', '9000-01-01'], 'as_of must not lie in the future'],
    [['close > 1', '--format', 'parquet'], '--format parquet needs --out'],
    [['close > 1', '--format', 'csv', '--explain', 'A'], '--explain is for tables and JSON'],
    [['close > 1', '--explain', 'NOPE'], '--explain has unknown symbols: NOPE'],
    [['close > 1', '--limit', '0'], '--limit must be a whole number from 1 up'],
  ])('of %j exits 2 and says why', async (args, message) => {
    const { code, stdout, stderr } = await screen(...args);
    expect([code, stdout, stderr.split('\n')[0]]).toEqual([
      2,
      '',
      expect.stringContaining(message),
    ]);
  });
});

describe('over days', () => {
  const where = ['close crosses above sma(20)', '--mode', 'sandbox', '--columns', 'close'] as const;

  it('prints a row for each symbol and day', async () => {
    const { stdout, stderr } = await folder.run('screen', ...where, '--from', '2026-01-01');
    const [heading, ...rows] = stdout.trim().split('\n');
    expect(heading).toMatch(/^symbol +date +close$/);
    expect(rows.length).toBe(50);
    expect(stderr).toMatch(/^[\d,]+ days of [\d,]+ symbols, first 50 shown, /);
  });

  it('writes all of them to a file, and those that begin', async () => {
    const path = out('days.arrow');
    const args = ['--from', '2026-01-01', '--begins', '--format', 'arrow', '--out', path];
    await folder.run('screen', ...where, ...args);
    const table = tableFromIPC(readFileSync(path));
    expect(table.schema.fields.map(({ name }) => name)).toEqual(['symbol', 'date', 'close']);
    expect(table.numRows).toBeGreaterThan(100);
  });

  it('refuses what has no meaning there', async () => {
    const { stderr, code } = await folder.run(
      'screen',
      ...where,
      '--to',
      '2026-01-01',
      '--sort',
      'close',
    );
    expect([code, stderr]).toEqual([2, expect.stringContaining("can't stand with sort")]);
  });
});

it('fails with 1 while nothing is published', async () => {
  const live = await empty.run('screen', 'close > 1');
  expect([live.code, live.stderr]).toEqual([
    1,
    'tapeworks: Nothing is published in live mode yet: run a backfill first, or read the ' +
      'synthetic data with --mode sandbox\n',
  ]);
  const { code, stderr } = await empty.run('screen', 'close > 1', '--mode', 'sandbox');
  expect([code, stderr]).toEqual([
    1,
    'tapeworks: Nothing is published in sandbox mode yet: start fills it in its first minute, ' +
      'and so does backfill sandbox\n',
  ]);
});
