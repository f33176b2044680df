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
    const { actions } = await load(
      'a.csv',
      [
        'symbol,type,exDate,numerator,denominator,amount,currency',
        'ENB,dividend,2026-02-13,,,0.915,cad',
        'BP,dividend,2026-02-13,,,6.24,GBX',
        'KO,dividend,2026-02-13,,,0.51,USD',
        'KO,dividend,2026-05-13,,,0.51,',
        'KO,split,2012-08-13,2,1,,',
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
    const asOf = { asOfUs: '1790000000000000' };
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
    [
      'AAPL,merger,2020-08-31,4,1,',
      'type is none of split, dividend, spin-off, cancelled split, cancelled dividend',
    ],
    ['AAPL,split,2020-02-30,4,1,', 'exDate is not a day of the calendar'],
    ['AAPL,split,,4,1,', 'exDate is missing'],
    ['AAPL,split,2020-08-31,,,', 'numerator is missing, and a split has one'],
    ['AAPL,split,2020-08-31,four,,', 'numerator is not a ratio like 4, 4:1 or 0.25'],
    ['AAPL,split,2020-08-31,x,1,', 'numerator is not a number'],
    [
      'AAPL,reverse split,2020-08-31,10,1,',
      'a reverse split has fewer new shares than old ones: 1:10',
    ],
    ['AAPL,spin-off,2020-08-31,4,1,3', 'a spin-off has no ratio'],
    ['AAPL,dividend,2020-08-31,,,1 dollars', 'amount is not a number'],
    ['AAPL,split,2020-08-31,4,0,', 'denominator is not above 0'],
    ['AAPL,split,2020-08-31,4,1,2', 'a split has no amount'],
    ['AAPL,dividend,2020-08-31,,,', 'amount is missing, and a dividend has one'],
    ['AAPL,dividend,2020-08-31,,,-1', 'amount is not above 0'],
    ['AAPL,dividend,2020-08-31,4,,1', 'a dividend has no ratio'],
    ['AAPL,dividend,2020-08-31', 'line has 3 fields and the header 6'],
  ];

  it('is refused with its reason, and the good one is loaded', async () => {
    const lines = [...BAD.map(([line]) => line), 'MSFT,dividend,2020-11-18,,,0.56'];
    const segment = await load('a.csv', `${HEADER}${lines.join('\n')}\n`);
    expect([segment.acceptedLines, segment.rejectedLines]).toEqual([1, BAD.length]);
    const reasons = Object.fromEntries(BAD.map(([, reason]) => [reason, 1]));
    expect(Object.fromEntries(segment.rejectedByReason)).toEqual(reasons);
    expect(segment.actions?.map(({ symbol }) => symbol)).toEqual(['MSFT']);
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

describe('a refused row', () => {
  const ROWS = [
    'ABCD,split,2024-03-14,x,1,',
    'ABCD,split,2014-06-09,7,1,',
    'ABCD,dividend,2024-03-08,,,0.24',
    'EFGH,split,2020-08-31,4,1,',
    'EFGH,dividend,2020-11-06,,,0.2',
  ];

  // A price of 200, then 50 was served as split-adjusted, because the row of the split was refused.
  it('leaves the type of its symbol unknown, and names it', async () => {
    const { actions, acceptedLines, rejectedByReason, skipped } = await load(
      'a.csv',
      HEADER + ROWS.join('\n'),
    );
    expect(
      actions?.map(({ symbol, covers, splits, dividends }) => [
        ...[symbol, covers, splits.length, dividends.length],
      ]),
    ).toEqual([
      ['ABCD', 'dividend', 0, 1],
      ['EFGH', undefined, 1, 1],
    ]);
    expect(acceptedLines).toBe(3);
    expect([...rejectedByReason]).toEqual([
      ['its symbol has a refused row of this type, so the others do not count either', 1],
      ['numerator is not a number', 1],
    ]);
    expect(skipped).toEqual([
      {
        name: 'ABCD',
        reason:
          'its splits are not complete, so they are not used: a row is refused, ' +
          'numerator is not a number',
        isRefused: true,
      },
    ]);
  });

  it('of no readable type leaves both unknown', async () => {
    const rows = [...ROWS.slice(1), 'ABCD,merger,2024-03-14,4,1,'];
    const { actions } = await load('a.csv', HEADER + rows.join('\n'));
    expect(actions?.map(({ symbol }) => symbol)).toEqual(['EFGH']);
  });

  it('of days that the files do not cover harms nothing', async () => {
    const rows = [...ROWS.slice(1), 'ABCD,split,2026-12-01,x,1,'];
    const { actions, skipped } = await load('a.csv', HEADER + rows.join('\n'));
    expect(actions?.map(({ symbol, splits }) => [symbol, splits.length])).toEqual([
      ['ABCD', 1],
      ['EFGH', 1],
    ]);
    expect(skipped).toEqual([]);
  });

  it('of no symbol makes the run fail, and leaves all symbols as they are', async () => {
    const { actions, skipped } = await load('a.csv', `${HEADER}${ROWS[3]}\n,split,2020-01-02,2,1,`);
    expect(actions).toHaveLength(1);
    expect(skipped).toEqual([
      { name: 'a.csv', reason: 'symbol is missing', line: 3, isRefused: true },
    ]);
  });

  it('may be a second split of a day with another ratio', async () => {
    const twice = 'EFGH,split,2020-08-31,2,1,';
    const same = 'ABCD,split,2014-06-09,14,2,';
    const { actions, skipped } = await load(
      'a.csv',
      HEADER + [...ROWS.slice(1), twice, same].join('\n'),
    );
    expect(actions?.map(({ symbol, covers }) => [symbol, covers])).toEqual([
      ['ABCD', undefined],
      ['EFGH', 'dividend'],
    ]);
    expect(skipped[0].reason).toContain('it has two splits on 2020-08-31, 4:1 and 2:1');
  });
});

describe('a ratio', () => {
  it('may be a text, a number, or the two numbers of it', async () => {
    const ratios: [numerator: string, denominator: string, above: number, below: number][] = [
      ['4:1', '', 4, 1],
      ['4/1', '', 4, 1],
      ['4-for-1', '', 4, 1],
      ['4 for 1', '', 4, 1],
      ['1:10', '', 1, 10],
      ['4.000000/1.000000', '', 4, 1],
      ['1253.000000/1000.000000', '', 1253, 1000],
      ['1.1', '', 11, 10],
      ['0.25', '', 1, 4],
      ['4', '', 4, 1],
      ['1.5', '1', 3, 2],
      ['0.333333', '1', 1, 3],
      ['105', '100', 21, 20],
    ];
    const lines = ratios.map(
      ([above, below], i) => `${String.fromCharCode(65 + i)},split,2020-08-31,${above},${below},\n`,
    );
    const { actions } = await load('a.csv', `${HEADER}${lines.join('')}`);
    expect(actions?.map(({ splits }) => splits)).toEqual(
      ratios.map(([, , numerator, denominator]) => [
        { exDay: dayFromDate('2020-08-31'), numerator, denominator },
      ]),
    );
  });

  it.each([...['ratio', 'Split', 'stock_splits', 'splitFactor', 'Stock Splits']])(
    'may be in the column %s',
    async (name) => {
      const { actions } = await load(
        'a.csv',
        `symbol,type,exDate,${name}\nA,split,2020-08-31,4:1\n`,
      );
      expect(actions?.[0].splits).toMatchObject([{ numerator: 4, denominator: 1 }]);
    },
  );

  // A reverse split of Finnhub, whose denominator was not known, withdrew splits of its day.
  it.each([
    ['fromFactor,toFactor', '10,1', 1, 10],
    ['fromFactor,toFactor', '2,3', 3, 2],
    ['description,fromFactor,ratio,toFactor', '7-for-1split,1,0.142857,7', 7, 1],
    ['description,ratio,from_factor,to_factor', '4-for-1 split,0.25,4,1', 4, 1],
    ['description,ratio,from_factor,to_factor', '1-for-10 reverse split,10,1,10', 1, 10],
    ['new_rate,old_rate', '1,8', 1, 8],
  ])('may be in factors %s as %s', async (columns, values, numerator, denominator) => {
    const text = `symbol,date,${columns}\nA,2020-08-31,${values}\n`;
    const { actions } = await load('a.csv', text);
    expect(actions?.[0].splits).toMatchObject([{ numerator, denominator }]);
  });

  it.each([
    ['numerator', '1', 'denominator is missing'],
    ['toFactor', '4', 'denominator is missing'],
    ['from_factor,to_factor,ratio', '4,1,0.25', 'may mean a split or its reverse'],
    ['from_factor,to_factor,ratio', '4,1,0.5', 'ratio is not of the factors'],
  ])('is refused in %s as %s', async (columns, values, reason) => {
    const text = `symbol,date,${columns}\nA,2020-08-31,${values}\n`;
    await expect(load('a.csv', text)).rejects.toThrow(reason);
  });

  it('must agree with numerator and denominator', async () => {
    const header = 'symbol,type,exDate,numerator,denominator,ratio\n';
    const good = await load('a.csv', `${header}A,split,2020-08-31,4,1,4.0\n`);
    expect(good.actions?.[0].splits).toMatchObject([{ numerator: 4, denominator: 1 }]);
    await expect(load('a.csv', `${header}A,split,2020-08-31,4,1,2.0\n`)).rejects.toThrow(
      'ratio is not numerator and denominator',
    );
  });
});

describe('a type', () => {
  it('may be other words for a dividend and for a split', async () => {
    const dividends = ['cash dividend', 'CASH_DIVIDEND', 'CD', 'special', 'Special Dividend'];
    const splits = [
      ['reverse split', '1,10,', 1, 10],
      ['REVERSE_SPLIT', '0.1,,', 1, 10],
      ['forward split', '4,1,', 4, 1],
      ['stock dividend', '1.05,,', 21, 20],
      ['stock dividend', '0.05,,', 21, 20],
      ['stock dividend', ',,0.05', 21, 20],
      ['stock dividend', '1,20,', 21, 20],
      ['stock dividend', ',,5%', 21, 20],
      ['stock dividend', ',,100 %', 2, 1],
    ] as const;
    const rows = [
      ...[...dividends, 'Dividend'].map((type, i) => `D${i},${type},2020-08-31,,,1.5`),
      ...splits.map(([type, values], i) => `S${i},${type},2020-08-31,${values}`),
    ];
    const { actions } = await load('a.csv', `${HEADER}${rows.join('\n')}\n`);
    const exDay = dayFromDate('2020-08-31');
    expect(actions?.flatMap((one) => one.dividends)).toEqual(
      Array(dividends.length + 1).fill({ exDay, amount: 1.5 }),
    );
    expect(actions?.flatMap((one) => one.splits)).toEqual(
      splits.map(([, , numerator, denominator]) => ({ exDay, numerator, denominator })),
    );
  });

  it('may be spin-off, with the value for a share', async () => {
    const { actions } = await load(
      'a.csv',
      `${HEADER}A,spin-off,2020-08-31,,,40.5\nA,spinoff,2021-08-31,,,2\nA,dividend,2021-08-31,,,1\n`,
    );
    expect(actions?.[0].dividends).toEqual([
      { exDay: dayFromDate('2020-08-31'), amount: 40.5, isSpinOff: true },
      { exDay: dayFromDate('2021-08-31'), amount: 2, isSpinOff: true },
      { exDay: dayFromDate('2021-08-31'), amount: 1 },
    ]);
  });

  it('may say that an action was withdrawn', async () => {
    const rows = [
      'A,split,2020-08-31,4,1,',
      'A,cancelled split,2020-08-31,4,1,',
      'A,split,2021-08-31,2,1,',
      'A,split,2021-08-31,1,1,',
      'A,split,2022-08-31,3,1,',
      'A,canceled split,2022-08-31,,,',
      'A,split,2023-08-31,5,1,',
      'A,dividend,2020-11-06,,,0.2',
      'A,cancelled dividend,2020-11-06,,,0.2',
      'A,dividend,2021-11-06,,,0.3',
      'A,dividend,2021-11-06,,,0.4',
      'A,cancelled dividend,2021-11-06,,,0.4',
    ];
    const { actions, rejectedLines } = await load('a.csv', HEADER + rows.join('\n'));
    // It made the whole list complete for splits, so that other symbols lost theirs.
    const other = 'B,cancelled split,2020-08-31,,,\nC,dividend,2020-11-06,,,0.2';
    const { actions: withOther } = await load('c.csv', HEADER + other);
    expect(withOther?.map(({ symbol, covers }) => [symbol, covers])).toEqual([
      ['B', undefined],
      ['C', 'dividend'],
    ]);
    expect(rejectedLines).toBe(0);
    expect(actions?.[0].splits).toEqual([
      { exDay: dayFromDate('2023-08-31'), numerator: 5, denominator: 1 },
    ]);
    expect(actions?.[0].dividends).toEqual([{ exDay: dayFromDate('2021-11-06'), amount: 0.3 }]);
    const status = await load(
      'b.csv',
      'symbol,type,exDate,ratio,status\nA,split,2020-08-31,4:1,\nA,split,2020-08-31,4:1,Cancelled\n',
    );
    expect(status.actions?.[0].splits).toEqual([]);
    // Without a column of types the status was not read, and an unknown type withdrew dividends.
    const wide = await load(
      'd.csv',
      'symbol,exDate,ratio,amount,status\nA,2020-08-31,4:1,,cancelled\nB,2020-08-31,,0.5,cancelled\nB,2020-11-06,,0.6,\n',
    );
    expect(wide.actions).toMatchObject([
      { symbol: 'A', splits: [] },
      { symbol: 'B', dividends: [{ amount: 0.6 }] },
    ]);
    const bare = await load(
      'e.csv',
      `${HEADER}A,split,2020-08-31,4,1,\nA,cancelled,2020-08-31,4,1,\nB,cancelled rename,2020-08-31,,,\n`,
    );
    expect(bare.actions?.[0].splits).toEqual([]);
    expect(bare.rejectedLines).toBe(1);
  });

  it('may be codes of CRSP, whose factors are new shares for each old one', async () => {
    const { actions, rejectedLines } = await load(
      'dsedist.csv',
      'PERMNO,DCLRDT,DISTCD,DIVAMT,FACPR,EXDT,TICKER\n' +
        '1,20170801,1232,0.63,0.000000,20170810,AAPL\n1,,5523,,6.000000,20140609,AAPL\n' +
        '2,,5533,,-0.900000,20160912,B\n3,,3723,1.5,0,20160912,C\n',
    );
    expect(actions).toMatchObject([
      {
        symbol: 'AAPL',
        splits: [{ exDay: dayFromDate('2014-06-09'), numerator: 7, denominator: 1 }],
        dividends: [{ exDay: dayFromDate('2017-08-10'), amount: 0.63 }],
      },
      { symbol: 'B', splits: [{ numerator: 1, denominator: 10 }] },
    ]);
    expect(rejectedLines).toBe(1);
  });

  it('is not needed where columns tell: one row may be a split and a dividend, or none', async () => {
    const { actions, acceptedLines, rejectedLines } = await load(
      'a.csv',
      'Date,Ticker,Dividends,Stock Splits\n' +
        '2020-08-07,A,0.82,0.0\n2020-08-31,A,0.1,4.0\n2020-09-01,A,0.0,0.0\n2020-09-02,B,0,1.0\n',
    );
    expect([acceptedLines, rejectedLines]).toEqual([3, 0]);
    expect(actions).toMatchObject([
      {
        symbol: 'A',
        splits: [{ exDay: dayFromDate('2020-08-31'), numerator: 4 }],
        dividends: [{ amount: 0.82 }, { amount: 0.1 }],
      },
    ]);
  });
});

// Apple paid 0.82 before its split of 4:1, and 0.205 after it; Yahoo states 0.205 for both.
it.each([
  ['Yahoo', ['0.1925', '0.205', '0.205'], [0.77, 0.82, 0.205]],
  ['declared', ['0.77', '0.82', '0.205'], [0.77, 0.82, 0.205]],
  ['Yahoo, none after the split', ['0.1925', '0.205', '0'], [0.77, 0.82]],
  ['Yahoo, a special one before the split', ['0.205', '5', '0.205'], [0.82, 20, 0.205]],
])(
  'dividends of yfinance’s actions are those of %s',
  async (_, [first, second, third], amounts) => {
    const text = `Date,Ticker,Dividends,Stock Splits
2020-05-08,AAPL,${first},0.0\n2020-08-07 00:00:00-04:00,AAPL,${second},0.0
2020-08-31,AAPL,0.0,4.0\n2020-11-06,AAPL,${third},0.0\n`;
    const { actions } = await load('a.csv', text);
    expect(actions?.[0].dividends.map(({ amount }) => amount)).toEqual(amounts);
  },
);

it.each<[name: string, columns: string, symbol: string | undefined]>([
  ['AAPL.csv', 'Date,amount', 'AAPL'],
  ['BRK-B_dividends.csv', 'Date,amount', 'BRK.B'],
  ['cash.csv', 'Date,amount', undefined],
  ['dividends.csv', 'Date,amount', undefined],
  ['AAPL.csv', 'Date,amount,Stock', undefined],
])('a file of actions named %s with %s is of %s', async (name, columns, symbol) => {
  const read = load(
    name,
    `${columns}\n2020-08-07,0.2${columns.endsWith('Stock') ? ',MSFT' : ''}\n`,
  );
  if (symbol)
    expect((await read).actions).toMatchObject([{ symbol, dividends: [{ amount: 0.2 }] }]);
  else await expect(read).rejects.toThrow('of a file of one symbol, --symbol says which');
});

it('dividends of Yahoo without the splits that divide them are refused', async () => {
  const rows = '2020-08-07 00:00:00-04:00,0.205\n';
  await expect(load('a.csv', `Date,Dividends\n${rows}`, { symbol: 'AAPL' })).rejects.toThrow(
    'load yfinance\'s ticker.actions, with the column "Stock Splits", or name the column "amount"',
  );
  const declared = await load('a.csv', `Date,amount\n${rows}`, { symbol: 'AAPL' });
  expect(declared.actions?.[0].dividends).toMatchObject([{ amount: 0.205 }]);
});

describe('dates of a file of actions', () => {
  const asked = (dates: string[], options: SourceOptions = {}) =>
    load('a.csv', HEADER + dates.map((date) => `A,dividend,${date},,,1\n`).join(''), options);

  it('may have the year last, in the order that one of them shows', async () => {
    const days = async (dates: string[], options: SourceOptions = {}) =>
      (await asked(dates, options)).actions?.[0].dividends.map(({ exDay }) => exDay);
    const expected = ['2024-02-03', '2024-03-14'].map((date) => dayFromDate(date));
    expect(await days(['02/03/2024', '03/14/2024'])).toEqual(expected);
    expect(await days(['03.02.2024', '14.03.2024'])).toEqual(expected);
    expect(await days(['2024-02-03', '3/14/2024'])).toEqual(expected);
    expect(await days(['20240203', '2024-03-14 00:00:00'])).toEqual(expected);
    expect(await days(['02/03/2024'], { dateOrder: 'mdy' })).toEqual(expected.slice(0, 1));
  });

  // Nasdaq's page has the day of payment beside the ex-date.
  it('have the order of the other dates where each of them may be of both', async () => {
    const text = 'Ex/EFF DATE,TYPE,CASH AMOUNT,PAYMENT DATE\n02/09/2024,Cash,$0.24,02/15/2024\n';
    const { actions } = await load('a.csv', text, { symbol: 'A' });
    expect(actions?.[0].dividends).toEqual([{ exDay: dayFromDate('2024-02-09'), amount: 0.24 }]);
  });

  // Nothing of them was read.
  it.each([
    ['a.csv', 'Ticker;Ex-Tag;Dividende;Währung\nA;09.02.2024;0,24;USD\n'],
    ['a.csv', 'Symbole;Date de détachement;Montant;Devise\nA;2024-02-09;0,24;USD\n'],
    [
      'a.csv',
      'Year,Declare Date,Ex-Div Date,Pay Date,Amount\n2024,02/01/2024,02/09/2024,02/15/2024,0.24\n',
    ],
    ['a.csv', '"Ex-Dividend Date","Dividend","Type","Yield"\n"Feb 09, 2024","0.24","3M","0.5%"\n'],
    [
      'a.json',
      '{"data":{"dividends":{"headers":{},"rows":[{"exOrEffDate":"02/09/2024","type":"Cash","amount":"$0.24","paymentDate":"02/15/2024"}]}}}',
    ],
  ])('are found in pages of dividends: %s %s', async (name, text) => {
    const { actions } = await load(name, text, { symbol: 'A' });
    expect(actions?.[0].dividends).toEqual([
      expect.objectContaining({ exDay: dayFromDate('2024-02-09'), amount: 0.24 }),
    ]);
  });

  it('may stand next to amounts with a decimal comma', async () => {
    const text = 'Date;Symbol;Type;Amount\n14.03.2024;A;Dividend;0,25\n14.06.2024;A;Dividend;1,5\n';
    const { actions } = await load('a.csv', text);
    expect(actions?.[0].dividends.map(({ amount }) => amount)).toEqual([0.25, 1.5]);
  });

  it('may stand next to values, which are ratios, and no cash as declared', async () => {
    const text = 'Date,Symbol,Action,Value\n2024-03-14,A,Split,4:1\n2024-03-14,B,Dividend,0.25\n';
    const { actions, rejectedByReason } = await load('a.csv', text);
    expect(actions).toMatchObject([
      { symbol: 'A', splits: [{ numerator: 4, denominator: 1 }] },
      { symbol: 'B', dividends: [] },
    ]);
    expect([...(rejectedByReason?.keys() ?? [])]).toEqual([
      'its column "value" may be adjusted for later splits: name it "amount" if it is the cash as declared',
    ]);
  });

  // The gains were left out without a word: 1.2 of 1.7 was paid.
  it('may stand next to capital gains, if only one of the two was paid on a day', async () => {
    const head = 'Ticker,Date,Dividends,Stock Splits,Capital Gains\n';
    const rows = 'A,2023-03-20,1.2,0,0\nA,2023-12-15,0,0,0.5\nA,2024-06-10,0,2,0\n';
    const { actions, rejectedByReason } = await load(
      'a.csv',
      `${head}${rows}B,2023-12-15,1.2,0,0.5\nC,2022-12-15,0.3,0,0.2\nC,2023-12-15,1.2,0,2.5\n`,
    );
    expect(actions?.find(({ symbol }) => symbol === 'C')?.dividends).toMatchObject([
      { amount: 0.5 },
      { amount: 3.7 },
    ]);
    expect(actions?.find(({ symbol }) => symbol === 'A')?.dividends).toMatchObject([
      { amount: 2.4 },
      { amount: 1 },
    ]);
    expect([...(rejectedByReason?.keys() ?? [])]).toEqual([
      'its capital gains may be a part of the dividend or come on top: write what was paid in all as the dividend, and leave the gains empty',
    ]);
    await expect(
      load('a.csv', 'Ticker,Date,Dividends,Capital Gains\nA,2023-12-15,1,0\n'),
    ).rejects.toThrow("its columns are Yahoo's for dividends alone");
  });

  it('may be in words', async () => {
    const text = 'Date,Symbol,Type,Split Ratio\n"Mar 14, 2024",A,Forward,4 for 1\n';
    const { actions } = await load('a.csv', text);
    expect(actions?.[0].splits).toEqual([
      { exDay: dayFromDate('2024-03-14'), numerator: 4, denominator: 1 },
    ]);
  });

  it('are refused where nothing decides the order, or two orders are in the file', async () => {
    await expect(asked(['02/03/2024', '2024-05-01'])).rejects.toThrow(
      'its dates like 02/03/2024 may be of two orders: state it with --date-format mdy or dmy',
    );
    await expect(asked(['13/03/2024', '03/14/2024'])).rejects.toThrow(
      'its dates are of two orders: 03/14/2024, 13/03/2024',
    );
  });
});

describe('files of one type', () => {
  const SPLIT = 'A,split,2020-08-31,4,1,\n';
  const known = async (rows: string, options: SourceOptions = {}) => {
    const { actions, notes } = await load('a.csv', HEADER + rows, options);
    return { types: actions?.map(({ symbol, covers }) => [symbol, covers]), notes };
  };

  // Market caps and ratios of past days were made as if no dividend had ever been paid.
  it('know that type only, unless they are said to be complete', async () => {
    expect(await known(SPLIT)).toEqual({
      types: [['A', 'split']],
      notes: [
        'the files have splits only, so dividends stay unknown and adjustment all may lack: ' +
          'if there are none, load them with --complete',
      ],
    });
    const paid = 'A,dividend,2020-08-31,,,1\n';
    expect((await known(paid)).types).toEqual([['A', 'dividend']]);
    expect(await known(SPLIT, { complete: true })).toEqual({
      types: [['A', undefined]],
      notes: [],
    });
    expect((await known(`${SPLIT}B,dividend,2020-08-31,,,1\n`)).types).toEqual([
      ['A', undefined],
      ['B', undefined],
    ]);
  });

  it('names declared symbols without bars, which may be misspelled', async () => {
    const path = join(at.root, 'a.csv');
    await writeFile(path, `${HEADER}${SPLIT}`);
    const asked = { dataset: 'corporate-actions', path, completeFor: ['MSFT', 'MSTF'] } as const;
    const served = new Map([['MSFT', [19_000]]]);
    const context = { ...testContext(at.root, NOW), servedDays: (one: string) => served.get(one) };
    const [{ notes }] = await Array.fromAsync(fetchFiles(asked, context));
    expect(notes?.slice(-2)).toEqual([
      'no daily bars are served of MSTF: check --complete-for for misspellings',
      'no daily bars are served of A: their splits and dividends are kept, and served and exported once bars are loaded',
    ]);
  });

  it('may declare symbols that had no action', async () => {
    const { types } = await known(SPLIT, { completeFor: ['C', 'A', 'B'] });
    expect(types).toEqual([
      ['A', 'split'],
      ['B', 'split'],
      ['C', 'split'],
    ]);
    expect((await known('', { completeFor: ['C'] })).types).toEqual([['C', undefined]]);
    expect((await known('C,split,2020-08-31,x,1,\n', { completeFor: ['B', 'C'] })).types).toEqual([
      ['B', 'split'],
    ]);
  });
});
