import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { dayFromDate } from '../../../src/base/time/dates.ts';
import type { SourceOptions } from '../../../src/ingest/contract/source-options.ts';
import { fetchFiles, fetchStooq } from '../../../src/ingest/files/source.ts';
import { load, query, withStore } from '../../store/duckdb/support/fixtures.ts';
import { long, someOf } from '../../support/store-runs.ts';
import { eachTest } from '../support/each-test.ts';
import { inMemory } from '../support/in-memory.ts';
import { fetchAll, fetchOne, type Row, testContext } from '../support/segment-rows.ts';
import { zipOf } from '../support/zip-file.ts';

const at = eachTest();

/** Reads the one segment of the folder, or of one file in it. */
function read(options: SourceOptions & { name?: string } = {}) {
  const { name = '', ...rest } = options;
  return fetchOne(fetchFiles({ path: join(at.folder, name), ...rest }, at.context));
}

async function quarantine(id: string): Promise<string[]> {
  const text = await readFile(join(at.context.paths.quarantine, `${id}.csv`), 'utf8');
  return text.trimEnd().split('\n');
}

const header = 'date,open,high,low,close,volume';
const plain = `${header}\n2017-01-03,1.5,2,1,1.75,100\n2017-01-04,1.75,2.5,1.5,2,0\n`;
const plainRows = [
  { symbol: 'AAA', date: '2017-01-03', open: 1.5, high: 2, low: 1, close: 1.75, volume: 100 },
  { symbol: 'AAA', date: '2017-01-04', open: 1.75, high: 2.5, low: 1.5, close: 2, volume: 0 },
];

/** The two bars of `plainRows` in many dialects, by file name. */
const DIALECTS: Record<string, string | Buffer> = {
  'PLAIN.csv': plain,
  'ORDER.csv':
    'Volume,Close,Low,High,Open,Date\n100,1.75,1,2,1.5,2017-01-03\n0,2,1.5,2.5,1.75,2017-01-04\n',
  'BOMCRLF.csv': `\ufeff${plain.replaceAll('\n', '\r\n')}`,
  'ENDS.csv': plain.replace('\n', '\r\n'),
  'NOEND.csv': plain.trimEnd(),
  'BLANKS.csv': `\n${plain.replaceAll('\n', '\n\n')}`,
  'NEWEST.csv': `${header}\n2017-01-04,1.75,2.5,1.5,2,0\n2017-01-03,1.5,2,1,1.75,100\n`,
  'SORT.csv': `${plain}2016-12-30,1,1,1,1,1\n`,
  'INDEX.csv': `,${header}\n0,2017-01-03,1.5,2,1,1.75,100\n1,2017-01-04,1.75,2.5,1.5,2,0\n`,
  'SLASH.csv': plain.replaceAll('-', '/'),
  'COMPACT.csv': plain.replaceAll('2017-01-', '201701'),
  'TABS.txt': plain.replaceAll(',', '\t'),
  'SEMI.csv': plain.replaceAll(',', ';'),
  'QUOTED.csv': `"Date","Open","High","Low","Close/Last","Vol."
"2017-01-03","$1.50","2","1","1.75","100"
"2017-01-04","1.75","2.5","1.5","$2","0"
`,
  'NEWYORK.csv': `Datetime,Open,High,Low,Close,Volume
2017-01-03 00:00:00-05:00,1.5,2,1,1.75,100
2017-01-04 00:00:00-05:00,1.75,2.5,1.5,2,0
`,
  'UTC.jsonl': `{"t":"2017-01-03T05:00:00Z","o":1.5,"h":2,"l":1,"c":1.75,"v":100}
{"t":"2017-01-04T05:00:00Z","o":1.75,"h":2.5,"l":1.5,"c":2,"v":0}
`,
  'MILLIS.jsonl': `{"t":1483401600000,"o":1.5,"h":2,"l":1,"c":1.75,"v":100}
{"v":0,"t":1483488000000,"o":1.75,"h":"2.5","l":1.5,"c":2}
`,
  'PACKED.csv.gz': gzipSync(plain),
};

/** Expects the two bars of `plainRows` from each file. */
function expectPlain(rows: readonly Row[], names: readonly string[]): void {
  const symbols = names.map((name) => name.split('.')[0]);
  const bySymbol = Object.groupBy(rows, ({ symbol }) => symbol);
  expect(bySymbol).toEqual(
    Object.fromEntries(symbols.map((symbol) => [symbol, plainRows.map((r) => ({ ...r, symbol }))])),
  );
}

describe('a file of candles', () => {
  it('is read in many dialects', async () => {
    await at.write(DIALECTS);
    const { rows, rejected } = await read();
    expectPlain(
      rows.filter(({ date }) => date > '2017-01-02'),
      Object.keys(DIALECTS),
    );
    expect(rejected).toBe(0);
  });

  long('is read from Parquet, whatever types its columns have', async () => {
    await mkdir(at.folder);
    const bars = '(1.5, 2, 1, 1.75, 100), (1.75, 2.5, 1.5, 2, 0)';
    const dates = "[DATE '2017-01-03', DATE '2017-01-04']";
    const types = {
      'DATE.parquet': 'DATE',
      'STAMP.parquet': 'TIMESTAMP',
      'NANOS.parquet': 'TIMESTAMP_NS',
      'MOMENT.parquet': 'TIMESTAMPTZ',
      'TEXT.parquet': 'VARCHAR',
    };
    await inMemory(async (connection) => {
      await connection.run("SET TimeZone = 'UTC'");
      for (const [name, type] of Object.entries(types)) {
        await connection.run(`COPY (
          SELECT ${dates}[row_number() OVER ()]::${type} AS "Date", *
          FROM (VALUES ${bars}) t("Open", "High", "Low", "Close", "Volume")
        ) TO '${join(at.folder, name)}'`);
      }
    });
    expectPlain((await read()).rows, Object.keys(types));
  });

  it('gives volume 0 where it has no such column, and is refused without prices', async () => {
    await at.write({ 'EUR.csv': 'date,open,high,low,close\n2017-01-03,1,2,1,2\n' });
    expect((await read()).rows).toMatchObject([{ symbol: 'EUR', volume: 0 }]);
    await at.write({ 'EUR.csv': 'date,close\n2017-01-03,1\n' });
    await expect(read()).rejects.toThrow('read: the header has no column for open, high, low');
  });

  it('with a column of symbols gives each its rows, and those of no ticker to quarantine', async () => {
    await at.write({
      'all.csv': `Symbol,${header}
BRK-B,2017-01-03,1,1,1,1,1
nan,2017-01-03,2,2,2,2,2
brk.b,2017-01-04,3,3,3,3,3
?!,2017-01-04,4,4,4,4,4
,2017-01-04,5,5,5,5,5
`,
    });
    const { rows, segment } = await read();
    expect(rows.map(({ symbol, date, close }) => [symbol, date, close])).toEqual([
      ['BRK.B', '2017-01-03', 1],
      ['BRK.B', '2017-01-04', 3],
      ['NAN', '2017-01-03', 2],
    ]);
    expect(await quarantine(segment.id)).toEqual([
      'source,file,line,reason,text',
      'files,all.csv,5,symbol is not a ticker,"?!,2017-01-04,4,4,4,4,4"',
      'files,all.csv,6,symbol is missing,",2017-01-04,5,5,5,5,5"',
    ]);
    expect((await read({ symbols: ['NAN'] })).rows).toMatchObject([{ symbol: 'NAN' }]);
    expect((await read({ symbol: 'NAN' })).rows).toMatchObject([{ symbol: 'NAN' }]);
  });

  // The first object decided the columns: without a volume in it every bar had volume 0.
  long('of JSON lines has the columns that any of its lines has', async () => {
    const line = (day: number, more: string) =>
      `{"t":"2017-01-0${day}","o":1,"h":1,"l":1,"c":1${more}}\n`;
    await at.write({ 'AAA.jsonl': line(3, '') + line(4, ',"v":7') + line(5, '') });
    const { rows, reasons } = await read();
    expect(rows.map(({ date, volume }) => [date, volume])).toEqual([['2017-01-04', 7]]);
    expect(reasons).toEqual({ 'volume is missing': 2 });
    const late = Array.from({ length: 200 }, () => line(3, '')).join('');
    await at.write({ 'AAA.jsonl': late + line(4, ',"v":7') });
    expect((await read()).rows).toMatchObject([{ date: '2017-01-04', volume: 7 }]);
    await at.write({ 'AAA.jsonl': line(3, '') + line(4, '') });
    expect((await read()).rows.map(({ volume }) => volume)).toEqual([0, 0]);
  });

  // A first row of 3 MB, 31 rows without a date or a line without an object got the whole file
  // refused.
  long('is read behind first rows that are broken', async () => {
    const objects = plainRows.map(({ symbol, ...bar }) => `${JSON.stringify(bar)}\n`).join('');
    const behind = (bad: string) => plain.replace('\n', `\n${bad}`);
    const files = {
      'HUGE.csv': behind(`2017-01-02,${'1'.repeat(3_000_000)},2,1,1.75,100\n`),
      'NODATE.csv': behind('n/a,1,2,1,1.75,100\n'.repeat(400)),
      'NOOBJ.jsonl': `[1]\nx\n${objects}`,
    };
    await at.write(files);
    const { rows, rejected } = await read();
    expectPlain(rows, Object.keys(files));
    expect(rejected).toBe(1 + 400 + 2);
  });

  // "All dates are ambiguous" was reported for files whose later dates are not.
  it('takes the date format from later rows if the first ones leave it open', async () => {
    const monthly = Array.from(
      { length: 40 },
      (_, i) => `0${1 + (i % 9)}/01/${1980 + i},1,1,1,1,1\n`,
    );
    await at.write({ 'AAA.csv': `${header}\n${monthly.join('')}12/31/2020,1,1,1,1,1\n` });
    const { rows } = await read();
    expect([rows.length, rows[1].date]).toEqual([41, '1981-02-01']);
  });

  it('states splits and dividends where it has columns for both', async () => {
    await at.write({
      'AAA.csv': `Date,Open,High,Low,Close,Adj Close,Volume,Dividends,Stock Splits
2020-02-06,80,80,80,80,79,1,0.1925,0.0
2020-08-28,120,120,120,120,120,1,0.0,0.0
2020-08-31,125,125,125,125,125,1,0.0,4.0
2020-11-06,118,118,118,118,118,1,0.205,0.0
`,
    });
    const { segment } = await read();
    expect(segment.basis).toBe('split');
    expect(segment.actions).toEqual([
      {
        symbol: 'AAA',
        splits: [{ exDay: dayFromDate('2020-08-31'), numerator: 4, denominator: 1 }],
        dividends: [
          { exDay: dayFromDate('2020-02-06'), amount: 0.77 },
          { exDay: dayFromDate('2020-11-06'), amount: 0.205 },
        ],
        coverageFromDay: dayFromDate('2020-02-06'),
        coverageToDay: dayFromDate('2020-11-06'),
      },
    ]);
    expect((await read({ basis: 'raw' })).segment.actions?.[0].dividends[0].amount).toBe(0.1925);
  });
});

describe('splits of a file of bars', () => {
  const rowsWith = (split: string) =>
    ['2020-08-27,200,,0.2', '2020-08-28,200,1,', `2020-08-31,50,${split},0`]
      .map((row) => row.split(','))
      .map(
        ([date, price, ratio, paid]) =>
          `${date},${price},${price},${price},${price},9,${ratio},${paid}`,
      );
  const readWith = async (split: string) => {
    await at.write({
      'AAA.csv': `Date,Open,High,Low,Close,Volume,Split,Dividend\n${rowsWith(split).join('\n')}\n`,
    });
    return read();
  };

  // `4:1` got the bar of the split's day refused, and the split was lost.
  it('may be texts or numbers', async () => {
    const ratios: [string, number, number][] = [
      ['4:1', 4, 1],
      ['4/1', 4, 1],
      ['4-for-1', 4, 1],
      ['4 for 1', 4, 1],
      ['4.000000/1.000000', 4, 1],
      ['1:10', 1, 10],
      ['1253:1000', 1253, 1000],
      ['1.253', 1253, 1000],
      ['0.333333', 1, 3],
    ];
    const header = 'Date,Open,High,Low,Close,Volume,Split,Dividend';
    const files = ratios.map(([text], i) => [
      `AA${String.fromCharCode(65 + i)}.csv`,
      `${header}\n${rowsWith(text).join('\n')}\n`,
    ]);
    await at.write(Object.fromEntries(files));
    const { rows, segment } = await read();
    expect(rows).toHaveLength(3 * ratios.length);
    expect(segment.actions?.map(({ splits }) => splits)).toEqual(
      ratios.map(([, numerator, denominator]) => [
        { exDay: dayFromDate('2020-08-31'), numerator, denominator },
      ]),
    );
    for (const { dividends, covers } of segment.actions ?? []) {
      expect([dividends.length, covers]).toEqual([1, undefined]);
    }
  });

  it('are unknown where a cell is no ratio, and the report says so', async () => {
    for (const text of ['4:0', 'four', '4:1:2']) {
      const { rows, reasons, segment } = await readWith(text);
      expect(rows).toHaveLength(2);
      expect(reasons).toEqual({ 'split is not a number': 1 });
      expect(segment.actions).toMatchObject([{ covers: 'dividend', splits: [] }]);
      expect(segment.notes).toContain(
        'AAA: its splits are not taken from the file, because a cell of them is refused',
      );
    }
  });

  it('are known without dividends, if the file has a column of them alone', async () => {
    const bars = rowsWith('4:1').map((row) => row.split(',').slice(0, 7).join(','));
    await at.write({
      'AAA.csv': `Date,Open,High,Low,Close,Volume,Split\n${bars.join('\n')}\n`,
    });
    expect((await read()).segment.actions).toMatchObject([
      { covers: 'split', splits: [{ numerator: 4, denominator: 1 }], dividends: [] },
    ]);
  });
});

describe('a path with characters of a pattern', () => {
  // Q[1].csv was listed, hashed and counted, and then the rows of Q1.csv were loaded in its place.
  it('is read as it is named, never another file that matches it', async () => {
    const rowOf = (price: number) =>
      `${header}\n2017-01-03,${price},${price},${price},${price},1\n`;
    const pairs = [
      ['Q[1].csv', 'Q1.csv'],
      ['Q*.csv', 'QQ.csv'],
      ['Q?.csv', 'QQ.csv'],
      ['d[1]/Q.csv', 'd1/Q.csv'],
      ['quoted[1].csv', 'quoted1.csv'],
    ];
    for (const [name, match] of pairs) {
      await at.write({ [name]: rowOf(1), [match]: rowOf(2) });
      for (const keep of [false, true]) {
        const { rows } = await read({ name, symbol: 'Q', keep });
        expect(rows.map(({ close }) => close)).toEqual([1]);
      }
    }
  });

  it('may be the data folder', async () => {
    at.context = testContext(join(at.root, 'data[1]'), '2026-11-20T22:00:00Z');
    await at.write({ 'AAA.csv': `${plain}x\n`, 'BBB.csv': plain.replaceAll('1.5', '"1.5"') });
    expect((await read()).rows).toHaveLength(4);
  });
});

describe('a broken row', () => {
  /** Line after the header, and the expected reason. */
  const broken: [string, string][] = [
    ['2017-01-03,1,2', 'line has fewer fields than the header'],
    ['2017-01-03,1,2,1,2,5,6', 'line has more fields than the header'],
    ['2017-01-03,1,2,1,"2,5', 'quotes do not match'],
    ['2017-02-30,1,2,1,2,5', "date is not one of the file's format"],
    ['01/13/2017,1,2,1,2,5', "date is not one of the file's format"],
    [',1,2,1,2,5', 'date is missing'],
    ['1899-12-29,1,2,1,2,5', 'date is before 1900-01-01'],
    ['2026-11-21,1,2,1,2,5', 'date is after the latest completed session'],
    ['2017-01-03,,2,1,2,5', 'open is missing'],
    ['2017-01-03,null,2,1,2,5', 'open is missing'],
    ['2017-01-03,x,2,1,2,5', 'open is not a number'],
    // DuckDB's cast ignores an underscore between digits.
    ['2017-01-03,1,2_0,1,2,5', 'high is not a number'],
    ['2017-01-03,1,2,1,2,1_000', 'volume is not a number'],
    ['2017-01-03,1,1e400,1,2,5', 'high is not a finite number'],
    ['2017-01-03,1,2,0,2,5', 'low is not above zero'],
    ['2017-01-03,1,2,1,-2,5', 'close is not above zero'],
    ['2017-01-03,1,2,1.5,2,5', 'low is above open or close'],
    ['2017-01-03,1,2,1,3,5', 'high is below open or close'],
    ['2017-01-03,1,2,1,2,', 'volume is missing'],
    ['2017-01-03,1,2,1,2,-1', 'volume is below zero'],
    ['2017-01-03,1,2,1,2,inf', 'volume is not a finite number'],
    ['2017-01-03,1,2,1,2,1\u0000', 'line holds control characters or bytes that are no UTF-8 text'],
    [`2017-01-03,1,2,1,2,${'1'.repeat(70_000)}`, 'line is longer than 65536 characters'],
    ['garbage', 'line has fewer fields than the header'],
  ];

  it('is refused and never stops the others', async () => {
    const files = broken.map(([line], i) => [
      `F${i}.csv`,
      `${plain}${line}\n2017-01-05,1,2,1,2,5\n`,
    ]);
    await at.write(Object.fromEntries(files));
    const { rows, reasons, segment } = await read();
    const dates = Map.groupBy(rows, ({ symbol }) => symbol).values();
    for (const bars of dates) {
      expect(bars.map(({ date }) => date)).toEqual(['2017-01-03', '2017-01-04', '2017-01-05']);
    }
    expect(rows).toHaveLength(3 * broken.length);
    const byReason = Object.groupBy(broken, ([, reason]) => reason);
    expect(Object.entries(reasons).sort()).toEqual(
      Object.entries(byReason)
        .map(([reason, all]) => [reason, all?.length])
        .sort(),
    );
    const named = await quarantine(segment.id);
    for (const [i, [, reason]] of broken.entries()) {
      expect(named).toContainEqual(expect.stringContaining(`files,F${i}.csv,4,${reason},`));
    }
  });

  it('of invalid UTF-8 does not vanish', async () => {
    const bad = Buffer.concat([Buffer.from(`${plain}2017-01-05,`), Buffer.from([0xff, 0xfe])]);
    await at.write({
      'AAA.csv': Buffer.concat([bad, Buffer.from('1,2,1,2,5\n2017-01-06,1,2,1,2,5\n')]),
    });
    const { accepted, reasons } = await read();
    expect(accepted).toBe(3);
    expect(reasons).toEqual({
      'line holds control characters or bytes that are no UTF-8 text': 1,
    });
  });

  it('with thousands separators or signs of dollars is no broken row', async () => {
    await at.write({
      'AAA.csv': `${header}\n2017-01-03,"$1,234.50","USD 1,300","1,200.5 USD",US$ 1234.5,"4,787,699"\n`,
    });
    const { rows } = await read();
    expect(rows[0]).toMatchObject({ open: 1234.5, high: 1300, low: 1200.5, volume: 4787699 });
  });

  it('of a repeated day loses to the last line of that day', async () => {
    await at.write({
      'AAA.csv': `${plain}2017-01-04,1.75,3,1.5,2.1,5\n2017-01-04,1.75,3,1.5,2.2,6\n`,
    });
    const { rows, reasons, segment } = await read();
    expect(rows.map(({ close }) => close)).toEqual([1.75, 2.2]);
    expect(reasons).toEqual({ 'a newer line has the same date': 2 });
    expect((await quarantine(segment.id)).map((line) => line.split(',')[2])).toEqual([
      'line',
      '3',
      '4',
    ]);
  });

  long('is named once when it is examined twice', async () => {
    await at.write({ 'AAA.csv': `${plain}2017-01-05,1\n` });
    for await (const segment of fetchFiles({ path: at.folder }, at.context)) {
      await segment.examine([0]);
      await segment.examine([0]);
      expect(await quarantine(segment.id)).toHaveLength(2);
      expect(Object.fromEntries(segment.rejectedByReason)).toEqual({
        'line has fewer fields than the header': 1,
      });
    }
  });
});

describe('a folder or zip', () => {
  it('names what it cannot read and goes on', async () => {
    await at.write({
      'AAA.csv': plain,
      'ZERO.csv': '',
      'BLANK.csv': '\n\n',
      'HEADER.csv': `${header}\n`,
      'NOHEADER.csv': '2017-01-03,1,2,1,2,5\n',
      'AMBIG.csv': `${header}\n03/04/2017,1,2,1,2,5\n03/05/2017,1,2,1,2,5\n`,
      'HOURS.csv': `${header}\n2017-01-03 10:00,1,2,1,2,5\n2017-01-03 11:00,1,2,1,2,5\n`,
      'no ticker.csv': plain,
      'BTC-USD.csv': plain,
      'VOD.L.csv': plain,
      'BAD.parquet': 'PAR1',
      'LIST.jsonl': '[1]\n',
      'NONE.json': '[]\n',
      'notes.md': 'x',
    });
    const { rows, segment } = await read();
    expect(rows).toEqual(plainRows);
    const reasons = Object.fromEntries(segment.skipped.map(({ name, reason }) => [name, reason]));
    expect(reasons).toEqual({
      'ZERO.csv': 'it has zero bytes',
      'NONE.json': 'it has no JSON object',
      'BLANK.csv': 'it is blank',
      'HEADER.csv': 'it has a header and no rows',
      'NOHEADER.csv':
        'it has no header, and no columns are bounded as high and low are: add one like date,open,high,low,close,volume',
      'AMBIG.csv':
        'its dates are ambiguous: "03/04/2017" may be 2017-03-04 (mdy) or 2017-04-03 (dmy); say which with --date-format',
      'HOURS.csv':
        'it holds bars of 1h, and bars of 1d, 1m and 5m are read: 5m to 4h are made from 1m',
      'no ticker.csv': 'its name is not a ticker; say whose candles it holds with --symbol',
      'BTC-USD.csv': 'by its name it is a cryptocurrency; only US stocks and funds can be held',
      'VOD.L.csv': 'by its name it trades in London; only US stocks and funds can be held',
      'BAD.parquet': expect.stringContaining('it cannot be read as Parquet: '),
      'LIST.jsonl': 'none of its lines is a JSON object',
      'notes.md': 'not a .csv, .txt, .tsv, .json, .jsonl or .parquet file',
    });
  });

  // The first such entry ended the load, and a link back gave every file forty times.
  it('names dead links, circular links and pipes, and goes on', async () => {
    await at.write({ 'AAA.csv': plain });
    await symlink(join(at.folder, 'gone.csv'), join(at.folder, 'LINK.csv'));
    await symlink(at.folder, join(at.folder, 'FOLDER.csv'));
    execFileSync('mkfifo', [join(at.folder, 'PIPE.csv')]);
    const { rows, segment } = await read();
    expect(rows).toEqual(plainRows);
    expect(segment.skipped.toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
      { name: 'FOLDER.csv', reason: 'a folder that is read already, through a link' },
      { name: 'LINK.csv', reason: 'a link that leads nowhere', isRefused: true },
      { name: 'PIPE.csv', reason: 'not a regular file' },
    ]);
    await expect(read({ name: 'PIPE.csv' })).rejects.toThrow('path must be a file or folder');
  });

  it('reads ambiguous dates once --date-format gives their order', async () => {
    await at.write({ 'AMBIG.csv': `${header}\n06/07/2017,1,2,1,2,5\n07/11/2017,1,2,1,2,5\n` });
    const datesOf = async (dateOrder: 'mdy' | 'dmy') =>
      (await read({ dateOrder })).rows.map(({ date }) => date);
    expect(await datesOf('mdy')).toEqual(['2017-06-07', '2017-07-11']);
    expect(await datesOf('dmy')).toEqual(['2017-07-06', '2017-11-07']);
  });

  it('counts the reasons if no file can be read', async () => {
    await at.write({ 'ZERO.csv': '' });
    const nothing = `"${at.folder}" holds no candles that can be read: `;
    await expect(read()).rejects.toThrow(`${nothing}it has zero bytes (ZERO.csv)`);
    await at.write(Object.fromEntries([1, 2, 3, 4, 5].map((i) => [`B${i}.csv`, '\n'])));
    await expect(read()).rejects.toThrow(
      `${nothing}it is blank (B1.csv, B2.csv, B3.csv and 2 more); it has zero bytes (ZERO.csv)`,
    );
    await expect(read({ name: 'missing.csv' })).rejects.toThrow('path must be a file or folder');
    expect(await readdir(at.context.paths.scratch)).toEqual([]);
  });

  it('is one segment for each basis', async () => {
    await at.write({
      'AAA.csv': plain,
      'BBB.csv': 'Date,Open,High,Low,Close,Adj Close,Volume\n2017-01-03,1,2,1,2,2,5\n',
      'CCC.csv': 'Date,Open,High,Low,Close,Volume,OpenInt\n2017-01-03,1,2,1,2,5,0\n',
    });
    const segments = await fetchAll(fetchFiles({ path: at.folder }, at.context));
    expect(segments.map(({ segment, rows }) => [segment.basis, rows[0].symbol])).toEqual([
      ['raw', 'AAA'],
      ['split', 'BBB'],
      ['all', 'CCC'],
    ]);
    const together = await read({ basis: 'all' });
    expect(together.rows.map(({ symbol }) => symbol)).toEqual(['AAA', 'AAA', 'BBB', 'CCC']);
  });

  // The file with the last name in order won, and rows of two adjusted vintages were mixed.
  long.each(someOf(['all', 'raw', 'split'] as const, 3))(
    'with two files of one symbol stores the same together and one by one: %s',
    async (basis) => {
      const quoted = (text: string) => text.replace(',2,', ',"2",');
      await at.write({
        'z/AAA.csv': `${plain}2017-01-04,1.75,2.5,1.5,2.25,7\nx\n`,
        'a/AAA.csv': `${header}\n2017-01-04,9,9,9,9,9\n2018-01-02,3,3,3,3,3\n`,
        'q/AAA.csv': quoted(`${header}\n2017-01-04,1,2,1,2,9\n2018-01-02,1,2,1,2,4\n`),
      });
      const stored = (paths: string[]) =>
        withStore(async (db) => {
          for (const path of paths) {
            for await (const one of fetchFiles({ path: join(at.folder, path), basis }, at.context))
              await load(db, one);
          }
          return Promise.all(
            [
              'SELECT * EXCLUDE (series_id) FROM series ORDER BY ALL',
              'SELECT symbol, ts, open, high, low, close, volume FROM candles ORDER BY ALL',
              'SELECT ts, open, high, low, close, volume FROM bars ORDER BY ALL',
              'SELECT ts, open, high, low, close, volume FROM rival_bars ORDER BY ALL',
            ].map((sql) => query(db, sql)),
          );
        });
      const together = await stored(['']);
      expect(together[0]).toHaveLength(basis === 'raw' ? 1 : 3);
      for (const order of someOf(['zqa', 'azq'], 2)) {
        expect(await stored([...order].map((name) => `${name}/AAA.csv`))).toEqual(together);
      }
    },
  );

  // A copy of a file became a second vintage of its symbol, with all rows stored twice.
  it('reads a copy of a file once', async () => {
    await at.write({ 'a/AAA.csv': plain, 'b/AAA.csv': plain, 'BBB.csv': plain });
    const { rows, segment } = await read();
    expect(rows.map(({ symbol }) => symbol)).toEqual(['AAA', 'AAA', 'BBB', 'BBB']);
    expect(segment.skipped).toEqual([{ name: 'b/AAA.csv', reason: 'a copy of another file' }]);
  });

  // --symbol over a folder made one symbol of every file in it.
  it('with --symbol is refused when its files have different names', async () => {
    await at.write({ 'd/AAA.csv': plain, 'd/BBB.csv': `${plain}\n` });
    await expect(read({ symbol: 'AAA' })).rejects.toThrow(
      '--symbol AAA says whose candles a single file holds, and there are "AAA.csv" and "BBB.csv"',
    );
  });

  long('leaves out rows that were not requested, neither accepted nor refused', async () => {
    await at.write({ 'AAA.csv': `${plain}x\n`, 'BBB.csv': plain, 'CCC.csv': plain });
    const options = { symbols: ['AAA', 'CCC'], fromDay: dayFromDate('2017-01-04') };
    const { rows, rejected } = await read(options);
    expect(rows.map(({ symbol, date }) => [symbol, date])).toEqual([
      ['AAA', '2017-01-04'],
      ['CCC', '2017-01-04'],
    ]);
    expect(rejected).toBe(1);
    const until = await read({ toDay: dayFromDate('2017-01-03') });
    expect(until.rows.map(({ date }) => date)).toEqual(Array(3).fill('2017-01-03'));
    for (const nothing of [{ symbols: ['DDD'] }, { name: 'BBB.csv', fromDay: 20_000 }]) {
      await expect(read(nothing)).rejects.toThrow('nothing of the symbols and days asked for');
    }
  });

  it('has the same id and rows as folder and as zip, packed in any order', async () => {
    const files = { 'd/AAA.csv': plain, 'd/BBB.csv': plain };
    await at.write(files);
    const members = Object.entries(files).map(([name, content]) => ({ name, content }));
    await writeFile(join(at.root, 'a.zip'), zipOf(members));
    await writeFile(join(at.root, 'b.zip'), zipOf(members.toReversed()));
    const all = await Promise.all(
      [at.folder, join(at.root, 'a.zip'), join(at.root, 'b.zip')].map((path) =>
        fetchOne(fetchFiles({ path }, at.context)),
      ),
    );
    expect(new Set(all.map(({ segment }) => segment.id)).size).toBe(1);
    expect(all[1].rows).toEqual(all[0].rows);
    expect(all[2].rows).toEqual(all[0].rows);
    expect(await readdir(at.context.paths.scratch)).toEqual([]);
  });

  long('has another id when it is read in another way', async () => {
    await at.write({ 'AAA.csv': plain });
    const options: SourceOptions[] = [
      {},
      { basis: 'all' },
      { fromDay: 0 },
      { asOfUs: '1' },
      { symbol: 'BBB' },
    ];
    const ids = await Promise.all(options.map(async (one) => (await read(one)).segment.id));
    expect(new Set(ids).size).toBe(options.length);
    expect((await read()).segment.id).toBe(ids[0]);
  });

  it('has another id once the session of its last bar is complete', async () => {
    await at.write({ 'AAA.csv': `${plain}2026-11-20,1,2,1,2,5\n` });
    const idAt = async (now: string) => {
      const { segment, accepted } = await fetchOne(
        fetchFiles({ path: at.folder }, testContext(at.root, now)),
      );
      return [segment.id, accepted] as const;
    };
    const [morning, evening, later] = await Promise.all(
      ['2026-11-20T15:00:00Z', '2026-11-20T21:00:00Z', '2026-12-20T21:00:00Z'].map(idAt),
    );
    expect([morning[1], evening[1]]).toEqual([2, 3]);
    expect(evening[0]).not.toBe(morning[0]);
    expect(later).toEqual(evening);
  });

  it('stops on abort and leaves no files behind', async () => {
    await at.write({ 'AAA.csv': plain });
    const signal = AbortSignal.abort(new Error('stopped'));
    await expect(
      fetchAll(fetchFiles({ path: at.folder }, { ...at.context, signal })),
    ).rejects.toThrow('stopped');
    expect(await readdir(at.context.paths.scratch)).toEqual([]);
  });
});

describe('the bulk layout of Stooq', () => {
  const stooqHeader = '<TICKER>,<PER>,<DATE>,<TIME>,<OPEN>,<HIGH>,<LOW>,<CLOSE>,<VOL>,<OPENINT>';
  const row = (ticker: string, period = 'D') =>
    `${ticker},${period},20170103,000000,1.5,2,1,1.75,100.5,0\n`;
  const daysFile = (...tickers: string[]) =>
    [stooqHeader, ...tickers.map((ticker) => row(ticker).trim()), ''].join('\n');
  const symbolsOf = (rows: { symbol: string }[]) => rows.map(({ symbol }) => symbol);

  // Its name was read as a preferred share of 20240304, and all of its rows were refused.
  long('may be a file of one day with all tickers: each row is that of its ticker', async () => {
    await at.write({ 'daily/20170103_d.txt': daysFile('SPY.US', 'BRK-B.US', 'ABR_A.US') });
    for (const fetch of [fetchStooq, fetchFiles]) {
      const { rows, segment } = await fetchOne(fetch({ path: at.folder }, at.context));
      expect(symbolsOf(rows)).toEqual(['ABR.PRA', 'BRK.B', 'SPY']);
      expect([segment.basis, segment.skipped]).toEqual(['all', []]);
    }
    const asked = fetchStooq({ path: at.folder, symbols: ['BRK.B'] }, at.context);
    expect(symbolsOf((await fetchOne(asked)).rows)).toEqual(['BRK.B']);
    // A file of all markets: PKO is Warsaw's, and no US stock.
    const others = ['PKO', 'VOD.UK', '^SPX', 'BTC.V', '10YUSY.B'];
    await at.write({ 'daily/20170103_d.txt': daysFile('SPY.US', ...others) });
    const world = await fetchOne(fetchStooq({ path: at.folder }, at.context));
    expect([symbolsOf(world.rows), world.reasons]).toEqual([['SPY'], {}]);
    // One ticker is as good as many.
    await at.write({ 'daily/20170103_d.txt': daysFile('SPY.US') });
    expect(symbolsOf((await fetchOne(fetchStooq({ path: at.folder }, at.context))).rows)).toEqual([
      'SPY',
    ]);
  });

  // --symbol ABCD gave ABCD the last company's price.
  it('lets --symbol select among its tickers, and never rename one', async () => {
    await at.write({ '20170103_d.txt': daysFile('SPY.US', 'QQQ.US') });
    for (const fetch of [fetchStooq, fetchFiles]) {
      const one = fetch({ path: at.folder, symbol: 'QQQ' }, at.context);
      expect(symbolsOf((await fetchOne(one)).rows)).toEqual(['QQQ']);
    }
    await at.write({ 'one/spy.us.txt': daysFile('SPY.US') });
    const path = join(at.folder, 'one');
    const other = fetchFiles({ path, symbol: 'AAPL' }, at.context);
    await expect(fetchAll(other)).rejects.toThrow('nothing of the symbols and days asked for');
  });

  long('is read by file name, rows of another ticker or period refused', async () => {
    await at.write({
      'daily/us/brk-b.us.txt': `${stooqHeader}\n${row('BRK-B.US')}`,
      'daily/us/mixed.us.txt': `${stooqHeader}\n${row('MIXED.US')}${row('OTHER.US')}${row('MIXED.US', '5')}`,
      'hourly/us/aapl.us.txt': `${stooqHeader}\n${row('AAPL.US', '60')}`,
      'daily/us/renamed.us.txt': `${stooqHeader}\n${row('SPY.US')}`,
      'daily/us/other.txt': plain,
    });
    const { rows, segment, reasons } = await fetchOne(fetchStooq({ path: at.folder }, at.context));
    expect(segment.basis).toBe('all');
    expect(segment.groups[0].selectSql).toContain('read_csv');
    expect(rows.map(({ symbol, volume }) => [symbol, volume])).toEqual([
      ['BRK.B', 100.5],
      ['MIXED', 100.5],
    ]);
    expect(reasons).toEqual({
      'bar is not a daily one': 1,
      'ticker is not the one of the file name': 2,
    });
    expect(segment.skipped).toEqual([
      {
        name: 'daily/us/other.txt',
        reason:
          'it is not of the bulk layout <TICKER>,<PER>,<DATE>,…; read it with: backfill files candles --basis all',
        isRefused: true,
      },
      {
        name: 'hourly/us/aapl.us.txt',
        reason:
          'it holds bars of period "60", and bars of 1d, 1m and 5m are read: 5m to 4h are made from 1m',
        isRefused: true,
      },
      {
        name: 'daily/us/renamed.us.txt',
        line: 2,
        reason: 'none of its rows is good: ticker is not the one of the file name',
        isRefused: true,
      },
    ]);
  });
});
