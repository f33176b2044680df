import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dayFromDate } from '../../../src/base/time/dates.ts';
import type { FetchedSegment } from '../../../src/ingest/contract/fetch-context.ts';
import type { SourceOptions } from '../../../src/ingest/contract/source-options.ts';
import { fetchFiles } from '../../../src/ingest/files/source.ts';
import { templateText } from '../../../src/ingest/rows/template.ts';
import { eachTest } from '../support/each-test.ts';
import { testContext } from '../support/segment-rows.ts';

const at = eachTest();

const NOW = '2026-11-20T22:00:00Z';

async function load(
  name: string,
  text: string,
  options: SourceOptions = {},
): Promise<FetchedSegment> {
  const path = join(at.root, name);
  await writeFile(path, text);
  const asked = { ...options, dataset: 'corporate-actions', path };
  const segments: FetchedSegment[] = [];
  for await (const segment of fetchFiles(asked, testContext(at.root, NOW))) segments.push(segment);
  return segments[0];
}

const HEADER = 'symbol,type,exDate,numerator,denominator,amount\n';

describe('a file of corporate actions', () => {
  it('may be its template', async () => {
    const { actions, acceptedLines, rejectedLines } = await load(
      'a.csv',
      templateText('corporate-actions'),
    );
    expect([acceptedLines, rejectedLines]).toEqual([2, 0]);
    expect(actions).toEqual([
      {
        symbol: 'AAPL',
        splits: [{ exDay: dayFromDate('2020-08-31'), numerator: 4, denominator: 1 }],
        dividends: [{ exDay: dayFromDate('2020-11-06'), amount: 0.205 }],
        coverageFromDay: dayFromDate('1900-01-01'),
        coverageToDay: dayFromDate('2026-11-20'),
      },
    ]);
  });

  it('may state the currency of a dividend, which is not used if it is not the dollar', async () => {
    const { actions, rejectedByReason } = await load(
      'a.csv',
      [
        'symbol,type,exDate,numerator,denominator,amount,currency',
        'ENB,dividend,2026-02-13,,,0.915,cad',
        'BP,dividend,2026-02-13,,,6.24,GBX',
        'KO,dividend,2026-02-13,,,0.51,USD',
        'KO,dividend,2026-05-13,,,0.51,',
        'KO,split,2012-08-13,2,1,,',
        'KO,dividend,2026-08-13,,,0.51,dollars',
      ].join('\n'),
    );
    expect(actions?.map(({ symbol, dividends }) => [symbol, ...dividends])).toEqual([
      ['BP', { exDay: dayFromDate('2026-02-13'), amount: 0.0624, currency: 'GBP' }],
      ['ENB', { exDay: dayFromDate('2026-02-13'), amount: 0.915, currency: 'CAD' }],
      [
        'KO',
        { exDay: dayFromDate('2026-02-13'), amount: 0.51 },
        { exDay: dayFromDate('2026-05-13'), amount: 0.51 },
      ],
    ]);
    expect([...rejectedByReason]).toEqual([['currency is not a code like USD', 1]]);
  });

  it('may have its columns in any order and spelling, and additional ones', async () => {
    const { actions } = await load(
      'a.csv',
      '\ufeffEx Date;AMOUNT;Symbol;note;type\n2020-11-06;"0.205";brk-b;"a; b";Dividend\n',
    );
    expect(actions).toMatchObject([{ symbol: 'BRK.B', dividends: [{ amount: 0.205 }] }]);
  });

  it('may be JSON lines', async () => {
    const { actions } = await load(
      'a.jsonl',
      '{"symbol":"AAPL","type":"split","ex_date":"2020-08-31","numerator":4,"denominator":1,"amount":null}\n',
    );
    expect(actions).toMatchObject([{ symbol: 'AAPL', splits: [{ numerator: 4 }] }]);
  });

  it('may be one JSON array', async () => {
    const { actions, rejectedByReason } = await load(
      'a.json',
      '[{"symbol":"AAPL","type":"dividend","exDate":"2020-11-06","amount":0.205}, 7]',
    );
    expect(actions).toMatchObject([{ symbol: 'AAPL', dividends: [{ amount: 0.205 }] }]);
    expect([...rejectedByReason]).toEqual([['line is not a JSON object', 1]]);
  });

  it('is the same segment in another order and file, and another one with more content', async () => {
    const asOf = { asOfUs: 1_790_000_000_000_000n };
    const rows = ['AAPL,split,2020-08-31,4,1,', 'MSFT,dividend,2020-11-18,,,0.56'];
    const first = await load('a.csv', `${HEADER}${rows.join('\n')}\n`, asOf);
    const second = await load('b.csv', `${HEADER}${rows.toReversed().join('\n')}\n`, asOf);
    const third = await load('a.csv', `${HEADER}${rows[0]}\n`, asOf);
    expect(second.id).toBe(first.id);
    expect(third.id).not.toBe(first.id);
  });

  it('states the days that --from and --to name', async () => {
    const { actions } = await load('a.csv', `${HEADER}AAPL,split,2020-08-31,4,1,\n`, {
      fromDay: dayFromDate('2010-01-01'),
      toDay: dayFromDate('2027-12-31'),
    });
    expect(actions).toMatchObject([
      { coverageFromDay: dayFromDate('2010-01-01'), coverageToDay: dayFromDate('2027-12-31') },
    ]);
  });

  it('refuses rows of days that it does not cover', async () => {
    const rows = 'A,dividend,2020-01-02,,,1\nA,split,2026-11-30,2,1,\n';
    const announced = await load('a.csv', `${HEADER}${rows}`);
    expect([announced.acceptedLines, announced.rejectedLines]).toEqual([1, 1]);
    expect(announced.actions).toMatchObject([{ splits: [], dividends: [{ amount: 1 }] }]);
    expect([...announced.rejectedByReason.keys()]).toEqual([
      'exDate is not in 1900-01-01 to 2026-11-20, for which the file is taken: see --from and --to',
    ]);
    const vouched = await load('a.csv', `${HEADER}${rows}`, {
      fromDay: dayFromDate('2021-01-01'),
      toDay: dayFromDate('2026-12-31'),
    });
    expect(vouched.actions).toMatchObject([{ splits: [{ numerator: 2 }], dividends: [] }]);
  });

  it('adds two dividends of one day, and counts a repeated line once', async () => {
    const day = 'AAPL,dividend,2020-11-06,,,';
    const { actions, acceptedLines, rejectedByReason } = await load(
      'a.csv',
      `${HEADER}${day}0.25\n${day}1.5\n${day}0.25\n`,
    );
    expect(actions?.[0].dividends).toEqual([{ exDay: dayFromDate('2020-11-06'), amount: 1.75 }]);
    expect(acceptedLines).toBe(2);
    expect([...rejectedByReason]).toEqual([['the same row comes again later', 1]]);
  });
});

describe('a bad row', () => {
  const BAD = [
    ['nan?,split,2020-08-31,4,1,', 'symbol is not a ticker'],
    ['AAPL,merger,2020-08-31,4,1,', 'type is none of split, dividend'],
    ['AAPL,split,2020-02-30,4,1,', 'exDate is not a date like 2026-01-31'],
    ['AAPL,split,,4,1,', 'exDate is missing'],
    ['AAPL,split,2020-08-31,4,,', 'denominator is missing, and a split has one'],
    ['AAPL,split,2020-08-31,4,0,', 'denominator is not above 0'],
    ['AAPL,split,2020-08-31,1.5,1,', 'numerator is not a whole number'],
    ['AAPL,split,2020-08-31,4,1,2', 'a split has no amount'],
    ['AAPL,dividend,2020-08-31,,,', 'amount is missing, and a dividend has one'],
    ['AAPL,dividend,2020-08-31,,,1e400', 'amount is not a number'],
    ['AAPL,dividend,2020-08-31,4,,1', 'a dividend has no ratio'],
    ['AAPL,dividend,2020-08-31', 'line has 3 fields and the header 6'],
  ];

  it('is refused with its reason, and the good one is loaded', async () => {
    const lines = [...BAD.map(([line]) => line), 'MSFT,dividend,2020-11-18,,,0.56'];
    const segment = await load('a.csv', `${HEADER}${lines.join('\n')}\n`);
    expect([segment.acceptedLines, segment.rejectedLines]).toEqual([1, BAD.length]);
    const reasons = Object.fromEntries(BAD.map(([, reason]) => [reason, 1]));
    expect(Object.fromEntries(segment.rejectedByReason)).toEqual(reasons);
    const text = await readFile(join(at.root, 'quarantine', `${segment.id}.csv`), 'utf8');
    for (const [i, [, reason]] of BAD.entries()) {
      expect(text).toMatch(new RegExp(`^files,a.csv,${i + 2},"?${reason}`, 'm'));
    }
  });

  it('alone makes an error that names it', async () => {
    await expect(load('a.csv', `${HEADER}AAPL,split,x,4,1,\n`)).rejects.toThrow(
      'has no good row: none of its rows is good: exDate is not a date like 2026-01-31 (a.csv line 2); 1 row: ',
    );
  });

  it('a file without a required column is named with the column', async () => {
    await expect(load('a.csv', 'symbol,date\nAAPL,2020-01-01\n')).rejects.toThrow(
      'has no good row: it has no column "type"',
    );
  });

  it('with a quote that never ends is refused, and no line after it', async () => {
    const { actions, rejectedLines, rejectedByReason } = await load(
      'a.csv',
      `${HEADER}MSFT,"dividend\nAAPL,dividend,2020-11-06,,,0.2\n`,
    );
    expect(actions?.map(({ symbol }) => symbol)).toEqual(['AAPL']);
    expect(rejectedLines).toBe(1);
    expect([...rejectedByReason]).toEqual([['quotes do not match', 1]]);
  });
});
