/**
 * One bad file never stops the others: each is named with its fault. A file whose symbol column
 * held no ticker once ended a load of many files in a Binder Error.
 */

import { execFileSync } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import type { SkippedInput } from '../../../src/ingest/contract/fetch-context.ts';
import type { SourceOptions } from '../../../src/ingest/contract/source-options.ts';
import { fetchFiles } from '../../../src/ingest/files/source.ts';
import { fetchDatasetFiles } from '../../../src/ingest/rows/files.ts';
import { long } from '../../support/store-runs.ts';
import { eachTest } from '../support/each-test.ts';
import { inMemory } from '../support/in-memory.ts';
import { fetchAll } from '../support/segment-rows.ts';
import { zipOf } from '../support/zip-file.ts';

const at = eachTest();
beforeEach(async () => {
  await mkdir(at.folder);
});

const header = 'date,open,high,low,close,volume';
const plain = `${header}\n2017-01-03,1.5,2,1,1.75,100\n2017-01-04,1.75,2.5,1.5,2,0\n`;
const minutes = `${header}\n2017-01-03T14:30:00Z,1,2,1,2,5\n2017-01-03T14:31:00Z,1,2,1,2,5\n`;
const news =
  'title,source,url,publishedAt,symbols\nRates,Wire,https://example.com/1,2026-01-02T15:00:00Z,AAPL\n';

/** Loads candles and returns their counts and the named files. */
async function loadCandles(options: SourceOptions = {}) {
  const loaded = await fetchAll(fetchFiles({ path: at.folder, ...options }, at.context));
  const skipped = byName(loaded.flatMap(({ segment }) => segment.skipped));
  const symbols = [...new Set(loaded.flatMap(({ rows }) => rows.map(({ symbol }) => symbol)))];
  const sum = (count: (one: (typeof loaded)[0]) => number) =>
    loaded.reduce((total, one) => total + count(one), 0);
  const refusedFileLines = sum(({ segment }) => segment.refusedFileLines?.() ?? 0);
  return { symbols, skipped, refusedFileLines, rejected: sum(({ rejected }) => rejected) };
}

function byName(skipped: readonly SkippedInput[]): Record<string, Omit<SkippedInput, 'name'>> {
  return Object.fromEntries(skipped.map(({ name, ...rest }) => [name, rest]));
}

const withDuckdb = (sql: string) => inMemory((connection) => connection.run(sql));

const refused = (reason: string) => ({ reason, isRefused: true });
const noTicker = (line: number, reason = 'symbol is not a ticker') => ({
  line,
  ...refused(`none of its rows is good: ${reason}`),
});

describe('a file in which no row has a ticker', () => {
  it('is refused by name, line and rule, and the others are loaded', async () => {
    const rowsOf = (symbol: string) =>
      plain.replace('date', 'symbol,date').replaceAll('\n2017', `\n${symbol},2017`);
    await at.write({
      'GOOD.csv': plain,
      'quoted.csv': rowsOf('"MSFT"'),
      'index.csv': rowsOf('^GSPC'),
      'currency.csv': rowsOf('EURUSD=X'),
      'isin.csv': rowsOf('US0378331005-XX-1'),
      'empty.csv': rowsOf(''),
      'object.jsonl':
        '{"symbol":{"a":1},"date":"2017-01-03","open":1,"high":1,"low":1,"close":1}\n',
      'minutes.csv': minutes.replace('date', 'symbol,date').replaceAll('\n2017', '\n^GSPC,2017'),
    });
    await withDuckdb(`COPY (SELECT {'a': '^X'} AS symbol, DATE '2017-01-03' AS date, 1.0 AS open,
      1.0 AS high, 1.0 AS low, 1.0 AS close) TO '${join(at.folder, 'struct.parquet')}'`);
    const { symbols, skipped, rejected, refusedFileLines } = await loadCandles();
    expect(symbols.toSorted()).toEqual(['GOOD', 'MSFT']);
    expect(skipped).toEqual({
      'index.csv': noTicker(2, 'symbol is an index'),
      'currency.csv': noTicker(2, 'symbol is a currency pair'),
      'isin.csv': noTicker(2),
      'empty.csv': noTicker(2, 'symbol is missing'),
      'object.jsonl': noTicker(1),
      'struct.parquet': refused(
        'its column "symbol" is of type STRUCT(a VARCHAR), and tickers are text: write it as text',
      ),
      'minutes.csv': noTicker(2, 'symbol is an index'),
    });
    expect([rejected, refusedFileLines]).toEqual([11, 11]);
  });

  it('alone is a segment without bars', async () => {
    await at.write({ 'index.csv': `symbol,${header}\n^GSPC,2017-01-03,1,2,1,2,5\n` });
    expect(await loadCandles()).toMatchObject({
      symbols: [],
      rejected: 1,
      skipped: { 'index.csv': noTicker(2, 'symbol is an index') },
    });
  });

  it('is not named if only its other rows were not requested', async () => {
    await at.write({
      'GOOD.csv': plain,
      'all.csv': `symbol,${header}\nAAPL,2017-01-03,1,2,1,2,5\n^GSPC,2017-01-03,1,2,1,2,5\n`,
    });
    expect(await loadCandles({ symbols: ['GOOD'] })).toMatchObject({ skipped: {}, rejected: 1 });
  });
});

describe('a file without a good row', () => {
  long('is named if the typed reader finds it, and once when it is examined twice', async () => {
    await at.write({ 'BAD.csv': plain.replaceAll('1.75', '-1'), 'GOOD.csv': plain });
    const { symbols, skipped } = await loadCandles();
    expect(symbols).toEqual(['GOOD']);
    expect(skipped).toEqual({
      'BAD.csv': { line: 2, ...refused('none of its rows is good: close is not above zero') },
    });
    for await (const segment of fetchFiles({ path: at.folder }, at.context)) {
      await segment.examine([0]);
      await segment.examine([0]);
      expect(segment.skipped).toHaveLength(1);
      expect(segment.refusedFileLines?.()).toBe(2);
    }
  });

  it('is named, and not refused, if its bars are only not complete yet', async () => {
    await at.write({ 'EARLY.csv': `${header}\n2026-11-23,1,2,1,2,5\n`, 'GOOD.csv': plain });
    const { skipped, refusedFileLines } = await loadCandles();
    expect(skipped['EARLY.csv']).toMatchObject({ isRefused: false });
    expect(refusedFileLines).toBe(0);
  });
});

/** Contents that do not match the file's name, and the reported fault. */
const OTHER_KINDS: [string, string, Buffer | string][] = [
  ['UTF-32', 'it is UTF-32 text: save it as UTF-8', Buffer.from('fffe000064000000', 'hex')],
  ['lone carriage returns', 'its lines end in a carriage return alone (CR)', lonely(plain)],
  ['an xlsx', 'it is an Excel workbook (.xlsx)', zipOf([workbookMember()])],
  ['an xls', 'it is an Excel workbook (.xls)', Buffer.from('d0cf11e0a1b11ae1ffff', 'hex')],
  ['a zip', 'it is a zip file', zipOf([{ name: 'AAPL.csv', content: plain }])],
  ['gzip', 'it is gzipped', gzipSync(plain)],
  ['Parquet', 'it is a Parquet file', 'PAR1\0\0'],
  ['a web page', 'it is a web page', '<!DOCTYPE html>\n<html></html>\n'],
  ['NUL bytes', 'it holds nothing but NUL bytes', Buffer.alloc(5000)],
];

function lonely(text: string): string {
  return text.replaceAll('\n', '\r');
}
function workbookMember() {
  return { name: '[Content_Types].xml', content: '<Types/>' };
}

describe('a file whose content does not match its name', () => {
  it('is named for what it is, packed and in a zip too', async () => {
    const names = OTHER_KINDS.map((_, i) => `B${i}.csv`);
    const contents = OTHER_KINDS.map(([, , content]) => content);
    const said = OTHER_KINDS.map(([, reason]) => refused(expect.stringContaining(reason)));
    const saidOf = (ending: string) => names.map((name, i) => [name + ending, said[i]] as const);
    await at.write({ 'GOOD.csv': plain });
    for (const [i, name] of names.entries()) {
      await at.write({ [name]: contents[i], [`${name}.gz`]: gzipSync(contents[i]) });
    }
    const { symbols, skipped } = await loadCandles();
    expect(symbols).toEqual(['GOOD']);
    expect(skipped).toEqual(Object.fromEntries([...saidOf(''), ...saidOf('.gz')]));
    const members = names.map((name, i) => ({ name, content: contents[i] }));
    await at.write({ 'all.zip': zipOf([...members, { name: 'GOOD.csv', content: plain }]) });
    expect(await loadCandles({ path: join(at.folder, 'all.zip') })).toMatchObject({
      symbols: ['GOOD'],
      skipped: Object.fromEntries(saidOf('')),
    });
  });

  it('is named among files of a dataset, too', async () => {
    await at.write({ 'good.csv': news });
    for (const [i, [, , content]] of OTHER_KINDS.entries())
      await at.write({ [`${i}.csv`]: content });
    const options = { path: at.folder, dataset: 'news' };
    const [rows] = await Array.fromAsync(fetchDatasetFiles(options, at.context));
    expect(rows.accepted).toBe(1);
    expect(byName(rows.skipped)).toEqual(
      Object.fromEntries(
        OTHER_KINDS.map(([, reason], i) => [`${i}.csv`, refused(expect.stringContaining(reason))]),
      ),
    );
  });

  it('is a Parquet file with a damaged page, or no Parquet at all', async () => {
    const path = join(at.folder, 'PAGE.parquet');
    await withDuckdb(`COPY (SELECT DATE '2000-01-01' + i::INTEGER AS date, random() AS open,
      random() AS high, random() AS low, random() AS close FROM range(3000) t(i))
      TO '${path}' (FORMAT parquet, COMPRESSION zstd)`);
    const bytes = await readFile(path);
    // After the rows that decide the dialect.
    bytes.fill(0xff, 12_000, 40_000);
    await at.write({ 'PAGE.parquet': bytes, 'TEXT.parquet': plain, 'GOOD.csv': plain });
    const { symbols, skipped } = await loadCandles();
    expect(symbols).toEqual(['GOOD']);
    expect(skipped).toEqual({
      'PAGE.parquet': refused(expect.stringContaining('it cannot be read as Parquet')),
      'TEXT.parquet': refused('it is not a Parquet file'),
    });
  });
});

describe('a file of rows without a good one', () => {
  it('is refused by name, line and rule, and the others are loaded', async () => {
    await at.write({
      'good.csv': news,
      'bad.csv': news.replaceAll('2026-01-02T15', '2026-99-99T15'),
      'copy.csv': news,
    });
    const options = { path: at.folder, dataset: 'news' };
    const [rows] = await Array.fromAsync(fetchDatasetFiles(options, at.context));
    expect([rows.accepted, rows.rejected, rows.refusedFileLines]).toEqual([1, 2, 1]);
    expect(byName(rows.skipped)).toEqual({
      'bad.csv': {
        line: 2,
        ...refused(
          'none of its rows is good: publishedAt is not a date-time with its offset, like 2026-01-31T14:30:00Z',
        ),
      },
      'copy.csv': {
        line: 2,
        reason: 'none of its rows is good: the same row comes again later',
        isRefused: false,
      },
    });
  });
});

describe('a folder', () => {
  it('with names that are not UTF-8, pipes and circular links is still read', async () => {
    await at.write({ 'GOOD.csv': plain });
    await writeFile(
      Buffer.concat([Buffer.from(`${at.folder}/B`), Buffer.from([0xff, 0xfe])]),
      plain,
    );
    execFileSync('mkfifo', [join(at.folder, 'PIPE.csv')]);
    await symlink('LOOP.csv', join(at.folder, 'LOOP.csv'));
    await symlink('..', join(at.folder, 'up'));
    const { symbols, skipped } = await loadCandles();
    expect(symbols).toEqual(['GOOD']);
    expect(skipped).toMatchObject({
      'B\ufffd\ufffd': refused('its name is not UTF-8: rename it'),
      'PIPE.csv': { reason: 'not a regular file' },
      'LOOP.csv': refused('a link that leads nowhere'),
    });
  });

  it('as a zip with two members of one name gives the last of them, as unpacking would', async () => {
    const other = plain.replaceAll('2017', '2018');
    const path = join(at.root, 'all.zip');
    const members = [plain, other].map((content) => ({ name: 'AAA.csv', content }));
    await writeFile(path, zipOf(members));
    const [{ rows, segment }] = await fetchAll(fetchFiles({ path }, at.context));
    expect(rows.map(({ date }) => date)).toEqual(['2018-01-03', '2018-01-04']);
    expect(segment.skipped).toEqual([
      { name: 'AAA.csv', ...refused('a later member of the zip has the same name, and is read') },
    ]);
  });
});

describe('rows on their way to be checked', () => {
  it('use a database of bounded memory, whatever their faults', async () => {
    const { openScratch } = await import('../../../src/ingest/segments/scratch.ts');
    const scratch = await openScratch(at.context);
    const connection = await scratch.connect();
    const limit = async () =>
      (await connection.runAndReadAll("SELECT current_setting('memory_limit')")).getRowsJS();
    expect(await limit()).toEqual([['244.1 MiB']]);
    // A list is one value, which can't wait on disk in part: the statement runs once more.
    await connection.run("SET memory_limit = '16MB'");
    await connection.run('CREATE TEMP TABLE t AS SELECT list(i) FROM range(2000000) r(i)');
    expect(await limit()).toEqual([['488.2 MiB']]);
    await scratch.close();
  });

  it('are not read if their keys make more columns than the limit', async () => {
    const lines = Array.from({ length: 3000 }, (_, i) => `{"k${i}":1}\n`);
    await at.write({ 'GOOD.csv': plain, 'KEYS.jsonl': lines.join('') });
    expect((await loadCandles()).skipped).toEqual({
      'KEYS.jsonl': refused('it has more than 2000 columns'),
    });
  });

  // The fault was reported as "It has a header and no rows".
  it('are named if the only one is too long to be read', async () => {
    await at.write({ 'GOOD.csv': plain, 'LONG.csv': `${header}\n${'1'.repeat(5_000_000)}\n` });
    expect((await loadCandles()).skipped).toEqual({
      'LONG.csv': refused('none of its rows is good: line is longer than 65536 characters'),
    });
  });

  // Lines too long to be read vanished from JSON lines of datasets, and later line numbers moved.
  it('of JSON lines are counted whole, those that are blank or too long too', async () => {
    const good = { title: 'a', source: 'b', url: 'https://example.com/1' };
    const line = JSON.stringify({ ...good, publishedAt: '2026-01-02T15:00:00Z' });
    await at.write({ 'in.jsonl': `\n{"title":"${'x'.repeat(70_000)}"}\n${line}\n{}\n` });
    const options = { path: at.folder, dataset: 'news' };
    const [rows] = await Array.fromAsync(fetchDatasetFiles(options, at.context));
    expect([rows.accepted, rows.rejected]).toEqual([1, 2]);
    const kept = await readFile(join(at.context.paths.quarantine, `${rows.id}.csv`), 'utf8');
    expect(kept).toMatch(/^files,in.jsonl,2,line is longer than 65536 characters,/m);
    expect(kept).toMatch(/^files,in.jsonl,4,title is missing,/m);
  });
});
