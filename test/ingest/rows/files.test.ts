import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { rowDatasets } from '../../../src/base/datasets/datasets.ts';
import { dayFromDate } from '../../../src/base/time/dates.ts';
import type { FetchContext, FetchedRows } from '../../../src/ingest/contract/fetch-context.ts';
import type { SourceOptions } from '../../../src/ingest/contract/source-options.ts';
import { fetchFiles } from '../../../src/ingest/files/source.ts';
import { fetchDatasetFiles } from '../../../src/ingest/rows/files.ts';
import { templateText } from '../../../src/ingest/rows/template.ts';
import { eachTest } from '../support/each-test.ts';
import { inMemory } from '../support/in-memory.ts';
import { landedRows } from '../support/landed-rows.ts';
import { fetchOne, testContext } from '../support/segment-rows.ts';
import { zipOf } from '../support/zip-file.ts';

const at = eachTest();

async function load(
  dataset: string,
  name: string,
  content: string | Buffer,
  options: SourceOptions = {},
  more: Partial<FetchContext> = {},
): Promise<FetchedRows> {
  const path = join(at.root, name);
  await writeFile(path, content);
  const context = { ...testContext(at.root, '2026-11-20T22:00:00Z'), ...more };
  const segments = await Array.fromAsync(fetchDatasetFiles({ ...options, dataset, path }, context));
  expect(segments).toHaveLength(1);
  return segments[0];
}

describe('a file of a dataset', () => {
  it.each(rowDatasets.map(({ name }) => name))('of %s may be its template', async (dataset) => {
    const text = templateText(dataset);
    const { accepted, rejected } = await load(dataset, 'a.csv', text);
    expect([accepted, rejected]).toEqual([text.trimEnd().split('\n').length - 1, 0]);
  });

  it.each([
    ['a.csv', 'Symbol,Firm,analyst,target,publishedAt,extra\nAAPL,B,C,1,2026-11-19T14:30:00Z,9\n'],
    [
      'a.json',
      JSON.stringify([
        { symbol: 'AAPL', firm: 'B', analyst: 'C', target: 1, publishedAt: '2026-11-19T14:30:00Z' },
      ]),
    ],
  ])('%s has a note on a column that looks like a missing one', async (name, content) => {
    const { accepted, notes } = await load('analyst-targets', name, content);
    expect([accepted, notes]).toEqual([
      1,
      ['the column "analyst" is not read: name it "analystName" if it is that'],
    ]);
  });

  it('of news is scored by its words, unless it states a sentiment', async () => {
    const article = (n: number, title: string, more: object = {}) => ({
      ...{ title, source: 'Wire', url: `https://example.com/${n}` },
      ...{ publishedAt: '2026-11-19T14:30:00Z', ...more },
    });
    const articles = [
      article(1, 'Acme shares plunge on profit warning'),
      article(2, 'Acme reports', { summary: 'Analysts are bullish.', sentiment: null }),
      article(3, 'Acme reports on Thursday'),
      article(4, 'Acme shares plunge on profit warning', { sentiment: 'positive' }),
      article(5, 'Acme reports', { sentiment: 'great' }),
    ];
    const segment = await load('news', 'a.json', JSON.stringify(articles));
    const scored = (await landedRows(segment)).map(({ url, sentiment }) => [url, sentiment]);
    expect(scored.sort()).toEqual([
      ['https://example.com/1', 'negative'],
      ['https://example.com/2', 'positive'],
      ['https://example.com/3', 'neutral'],
      ['https://example.com/4', 'positive'],
    ]);
    expect(segment.rejected).toBe(1);
  });

  const TARGET = {
    symbol: 'BRK.B',
    firm: 'A, B & Co.',
    analystName: null,
    target: 412.5,
    rating: 'Buy',
    publishedAt: '2026-11-19T12:30:00+01:00',
  };
  const CSV =
    'published_at;Analyst Name;firm;SYMBOL;target;rating;note\n' +
    '2026-11-19T12:30:00+01:00;;"A, B & Co.";brk-b;412.5;Buy;x\n';
  const parquet = async () => {
    const path = join(at.root, 'made.parquet');
    await inMemory((connection) =>
      connection.run(`COPY (SELECT 'brk-b' AS symbol, 'A, B & Co.' AS firm, 412.5 AS target,
        'Buy' AS rating, TIMESTAMPTZ '2026-11-19 11:30:00+00' AS published_at) TO '${path}'`),
    );
    return readFile(path);
  };

  it.each([
    ['CSV', 'a.csv', async () => CSV],
    ['gzip', 'a.csv.gz', async () => gzipSync(CSV)],
    ['zip', 'a.zip', async () => zipOf([{ name: 'in/a.csv', content: CSV }])],
    ['JSON lines', 'a.jsonl', async () => `${JSON.stringify(TARGET)}\n`],
    ['a JSON array', 'a.json', async () => JSON.stringify([TARGET])],
    ['Parquet', 'a.parquet', parquet],
  ])('may be %s: the same rows are the same segment', async (_form, name, content) => {
    const asOfUs = '1790000000000000';
    const segment = await load('analyst-targets', name, await content(), { asOfUs });
    expect(await landedRows(segment)).toEqual([
      {
        symbol: 'BRK.B',
        firm: 'A, B & Co.',
        analyst_name: null,
        target: 412.5,
        rating: 'Buy',
        published_at: '2026-11-19 11:30:00',
      },
    ]);
    expect(segment.id).toBe((await load('analyst-targets', 'b.csv', CSV, { asOfUs })).id);
  });

  it('lists symbols between blanks, commas or semicolons, or as a JSON array', async () => {
    const line = (symbols: unknown, url: string) => ({
      title: 't',
      source: 's',
      url: `https://example.com/${url}`,
      publishedAt: '2026-11-19T12:30:00Z',
      symbols,
    });
    const rows = [
      line('aapl, brk-b;MSFT AAPL', 'a'),
      line(['MSFT', 'brk-b'], 'b'),
      line(null, 'c'),
    ];
    const segment = await load('news', 'a.json', JSON.stringify(rows));
    const symbols = (await landedRows(segment)).map((row) => row.symbols);
    expect(symbols).toHaveLength(3);
    expect(symbols).toEqual(
      expect.arrayContaining([['AAPL', 'BRK.B', 'MSFT'], ['MSFT', 'BRK.B'], []]),
    );
  });

  it('leaves out rows of other symbols and days', async () => {
    const rows = ['AAPL,2026-11-18', 'MSFT,2026-11-19', 'AAPL,2026-11-19'].map((row) => {
      const [symbol, day] = row.split(',');
      return `${symbol},2026-12-18,${day}T20:00:00Z\n`;
    });
    const text = `symbol,date,asOf\n${rows.join('')}`;
    const options = { symbols: ['AAPL'], fromDay: dayFromDate('2026-11-19') };
    const segment = await load('expirations', 'a.csv', text, options);
    expect([segment.accepted, segment.rejected]).toEqual([1, 0]);
  });

  it('refuses bad rows with their lines and reasons, and goes on', async () => {
    const text =
      'symbol,date,asOf\n' +
      'AAPL,2026-12-18,2026-11-19T20:00:00Z\n' +
      'AAPL,2026-12-18,2026-11-19 20:00\n' +
      'AAPL,2026-02-30,2026-11-19T20:00:00Z\n' +
      'AAPL,2026-12-18\n';
    const { accepted, rejectedByReason } = await load('expirations', 'a.csv', text);
    expect(accepted).toBe(1);
    expect(Object.fromEntries(rejectedByReason)).toEqual({
      'asOf is not a date-time with its offset, like 2026-01-31T14:30:00Z': 1,
      'date is not a day of the calendar': 1,
      'line has 2 fields and the header 3': 1,
    });
  });

  it('of members names those without bars, who may be misspelled', async () => {
    const text = 'index,symbol,date\nmine,AAA,2024-01-02\nmine,ZZZQ,2024-01-02\n';
    const servedDays = (symbol: string) => (symbol === 'AAA' ? [19_000] : undefined);
    expect((await load('members', 'a.csv', text, {}, { servedDays })).notes).toEqual([
      'no daily bars are served of ZZZQ: they count as members all the same; check them for misspellings, or load their bars',
    ]);
  });

  it('without a good row is an error with the reason', async () => {
    await expect(load('expirations', 'a.csv', 'symbol,date,asOf\n,,\n')).rejects.toThrow(
      'has no good row: none of its rows is good: symbol is missing (a.csv line 2); 1 row: ',
    );
    await expect(load('expirations', 'a.csv', 'symbol,date\nA,B\n')).rejects.toThrow(
      /has no good row: it has no column "asOf".* \(a\.csv\)$/,
    );
  });
});

it('the template of candles is a file that can be loaded', async () => {
  const root = await mkdtemp(join(tmpdir(), 'tapeworks-'));
  const path = join(root, 'candles.csv');
  await writeFile(path, templateText('candles'));
  const context = testContext(root, '2026-11-20T22:00:00Z');
  const { rows, rejected } = await fetchOne(fetchFiles({ path }, context));
  expect([rows.length, rejected, rows[0].symbol]).toEqual([1, 0, 'AAPL']);
  await rm(root, { recursive: true });
});

it('an unknown dataset has no template', () => {
  expect(() => templateText('toString')).toThrow('corporate-actions, symbols, got "toString"');
});
