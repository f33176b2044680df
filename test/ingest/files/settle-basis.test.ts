import { describe, expect, it } from 'vitest';
import type { Basis } from '../../../src/base/bars.ts';
import { type DialectOptions, dialectFromSample } from '../../../src/ingest/files/dialect.ts';

const nowMs = Date.parse('2026-11-27T12:00:00Z');

/** Reads the basis of a file of lines. */
function basisOf(lines: readonly string[], options: Partial<DialectOptions> = {}) {
  const [header, ...rows] = lines.map((line) => line.split(','));
  const sample = { form: 'csv' as const, delimiter: ',', header, rows, last: rows.at(-1)! };
  const dialect = dialectFromSample(sample, { nowMs, ...options });
  if ('reason' in dialect) return dialect.reason;
  return { basis: dialect.basis, ...dialect.reading.basis };
}

const plain = ['date,open,high,low,close,volume', '2024-03-13,50,51,49,50,1000'];

describe('the basis of a file without a header that tells', () => {
  it('is that of traded prices, and says that nothing told', () => {
    expect(basisOf(plain)).toEqual({
      basis: 'raw',
      value: 'raw',
      words: 'prices as traded, by default: nothing in the file tells',
      facts: [],
    });
  });

  it('is what --basis says', () => {
    expect(basisOf(plain, { basis: 'split' })).toMatchObject({
      basis: 'split',
      facts: ['--basis split says so'],
    });
  });

  it('is that of its name, which must say what adjusted prices are adjusted for', () => {
    expect(basisOf(plain, { name: 'AAPL_raw.csv' })).toMatchObject({
      basis: 'raw',
      facts: ['its name says so'],
    });
    expect(basisOf(plain, { name: 'aapl_adj.csv' })).toBe(
      'it may hold split-adjusted prices (its name says adjusted) or prices adjusted for splits and dividends (its name says adjusted): say which with --basis',
    );
  });

  it.each([
    ['adjustment_type', 'SPLITS', 'split'],
    ['Adjustment', 'Split Only', 'split'],
    ['adj_mode', 'dividends+splits', 'all'],
    ['priceAdjustment', 'none', 'raw'],
    ['is_adjusted', 'False', 'raw'],
    ['adjustment', 'qfq', 'all'],
  ])('is that of a column %s of %s', (name, word, basis) => {
    const [header, row] = plain;
    expect(basisOf([`${header},${name}`, `${row},${word}`])).toMatchObject({
      basis,
      facts: [`its column "${name}" says ${word}`],
    });
  });

  it('is asked where a column says adjusted, and not for what', () => {
    const [header, row] = plain;
    expect(basisOf([`${header},is_adjusted`, `${row},true`])).toBe(
      'it may hold split-adjusted prices (its column "is_adjusted" says true) or prices adjusted for splits and dividends (its column "is_adjusted" says true): say which with --basis',
    );
    expect(basisOf([`${header},adj`, `${row},49.2`])).toMatchObject({ facts: [] });
  });

  it('is that of a name with split and adjusted', () => {
    expect(basisOf(plain, { name: 'prices-split-adjusted.csv' })).toMatchObject({ basis: 'split' });
    expect(basisOf(plain, { name: 'AAPL_dividend_adjusted.csv' })).toMatchObject({ basis: 'all' });
  });

  // A set of many downloads gives this name to Yahoo's adjusted close.
  it('is that of Yahoo beside Adjusted Close, if prices are 32-bit floats', () => {
    const header = 'Date,Low,Open,Volume,High,Close,Adjusted Close';
    const floats =
      '0.12834799289703369,0.12834799289703369,469033600,0.12890599668026,0.12834799289703369';
    expect(basisOf([header, `15-12-1980,${floats},0.0998`])).toMatchObject({ basis: 'split' });
    expect(basisOf([header, '15-12-1980,28.75,28.75,100,28.87,28.75,0.0998'])).toMatchObject({
      basis: 'raw',
    });
  });

  it('is that of the prices on a day on which a column of factors takes a step', () => {
    const header = 'date,open,close,high,low,volume,factor';
    const rows = (step: [number, number], price: [number, number], small = 1) => [
      header,
      ...[step[0] * small, step[0], step[1]].map((factor, i) => {
        const close = price[i === 2 ? 1 : 0];
        return `2024-03-${13 + i},${close},${close},${close},${close},1000,${factor}`;
      }),
    ];
    // Tushare's factors rise at a split, and CRSP's fall.
    expect(basisOf(rows([1, 2], [100, 51]))).toMatchObject({ basis: 'raw' });
    expect(basisOf(rows([4, 1], [400, 104]))).toMatchObject({ basis: 'raw' });
    expect(basisOf(rows([0.5, 1], [50, 51]))).toMatchObject({ basis: 'split' });
    expect(basisOf(rows([0.5, 1], [50, 51], 0.99))).toMatchObject({
      basis: 'all',
      facts: ['its price does not jump where its factor does, on 2024-03-15'],
    });
    expect(basisOf(rows([1, 1], [50, 51]))).toMatchObject({ basis: 'raw' });
    expect(basisOf(rows([0.98, 1], [50, 51]))).toBe(
      'it may hold prices as traded (its column "factor" may still have to be applied) or split-adjusted prices (its column "factor" may have been applied) or prices adjusted for splits and dividends (its column "factor" may have been applied): say which with --basis',
    );
    expect(basisOf(rows([0.98, 1], [50, 51]), { basis: 'all' })).toMatchObject({ basis: 'all' });
  });

  it('is that of FirstRate by the end of its names', () => {
    const named = (end: string) => basisOf(plain, { name: `AAPL_full_1day_${end}.txt` });
    expect(named('UNADJUSTED')).toMatchObject({ basis: 'raw' });
    expect(named('adjsplit')).toMatchObject({ basis: 'split' });
    expect(named('adjsplitdiv')).toMatchObject({ basis: 'all' });
  });

  // Barchart writes the open interest of futures in two words, and an empty column for stocks.
  it('is that of Stooq for a column OpenInt, in one word', () => {
    const header = 'Date,Open,High,Low,Close,Volume';
    const row = '2024-03-13,50,51,49,50,1000,0';
    expect(basisOf([`${header},OpenInt`, row])).toMatchObject({ basis: 'all' });
    expect(basisOf([`${header},Open Int`, row])).toMatchObject({ basis: 'raw' });
  });

  // Yahoo has no dividends in minutes.
  it('is split for minutes with columns of actions, as yfinance writes them', () => {
    const rest = 'Open,High,Low,Close,Volume,Dividends,Stock Splits';
    const prices = '50,51,49,50,1000,0.0,0.0';
    const minutes = [`Datetime,${rest}`, `2024-03-13 09:30:00-04:00,${prices}`];
    expect(basisOf(minutes)).toMatchObject({ basis: 'split' });
    expect(basisOf([`Date,${rest}`, `2024-03-13,${prices}`])).toMatchObject({ basis: 'all' });
  });

  it('is that of Stooq for a file named as its download', () => {
    expect(basisOf(plain, { name: 'downloads/aapl_us_d.csv' })).toMatchObject({ basis: 'all' });
    expect(basisOf(plain, { name: 'aapl_us.csv' })).toMatchObject({ basis: 'raw' });
  });

  it('is that of yfinance for computed prices at midnights of New York', () => {
    const computed = [
      'Date,Open,High,Low,Close,Volume',
      '1980-12-12 00:00:00-05:00,0.098834477,0.099264169,0.098834477,0.098834477,469033600',
      '1980-12-15 00:00:00-05:00,0.094107912,0.094107912,0.093678221,0.093678221,175884800',
    ];
    expect(basisOf(computed)).toMatchObject({ basis: 'all' });
    const traded = [
      'Date,Open,High,Low,Close,Volume',
      '2024-03-13 00:00:00-04:00,117.55999755859375,118.5,117.0625,117.56,469033600',
    ];
    expect(basisOf(traded)).toMatchObject({ basis: 'raw' });
    const inOrder = [
      'date,close,high,low,open,volume',
      '1980-12-12,0.098834477,0.099264169,0.098834477,0.098834477,469033600',
    ];
    expect(basisOf(inOrder)).toMatchObject({ basis: 'all' });
    expect(basisOf([inOrder[0], '2024-03-13,50,51,49,50,1000'])).toMatchObject({ basis: 'raw' });
    const dated = computed.map((line) => line.replace(' 00:00:00-05:00', ''));
    expect(basisOf(dated)).toMatchObject({ basis: 'raw' });
  });
});

describe('the basis by the splits that a file states', () => {
  const header = 'date,open,high,low,close,volume,split_factor';
  const before = '2024-03-13,200,204,196,200,1000,1';
  const jump = '2024-03-14,50.5,51,50,51,4000,4';
  const flatBefore = '2024-03-13,50,51,49,50,4000,1';

  it('is that of traded prices if they jump, in each order and spelling', () => {
    const expected = {
      basis: 'raw',
      facts: ['its price jumps at its split 4:1 of 2024-03-14 (200, then 50.5)'],
    };
    expect(basisOf([header, before, jump])).toMatchObject({ basis: 'raw' });
    expect(basisOf([header, jump, before])).toMatchObject({ basis: 'raw' });
    expect(basisOf([header, before, jump.replace(/4$/, '4:1')])).toMatchObject({ basis: 'raw' });
    expect(basisOf([header, before, jump])).toMatchObject({
      ...expected,
      facts: expect.arrayContaining(expected.facts),
    });
  });

  it('is refused if they do not jump and nothing tells of dividends', () => {
    expect(basisOf([header, flatBefore, jump])).toBe(
      'it may hold split-adjusted prices (its price does not jump at its split 4:1 of 2024-03-14 (50, then 50.5)) or prices adjusted for splits and dividends (its price does not jump at its split 4:1 of 2024-03-14 (50, then 50.5)): say which with --basis',
    );
    expect(basisOf([header, flatBefore, jump], { basis: 'split' })).toMatchObject({
      basis: 'split',
    });
  });

  it('is refused if one split is in the prices and another is not', () => {
    const later = '2024-03-15,25,26,24,25,8000,4';
    expect(basisOf([header, before, jump, later.replace('25,26,24,25', '51,52,50,51')])).toMatch(
      /^it may hold prices as traded \(.*, but .*say which with --basis$/,
    );
  });

  it('follows each symbol of a file on its own', () => {
    const lines = [
      'symbol,date,open,high,low,close,volume,split_factor',
      'AAA,2024-03-13,200,204,196,200,1000,1',
      'BBB,2024-03-13,50,51,49,50,1000,1',
      'AAA,2024-03-14,50,51,49,50,1000,4',
      'BBB,2024-03-14,50,51,49,50,1000,1',
    ];
    expect(basisOf(lines)).toMatchObject({ basis: 'raw' });
  });

  it('learns nothing from small ratios and wild moves', () => {
    expect(basisOf([header, before, '2024-03-14,190,191,189,190,1000,1.05'])).toMatchObject({
      facts: [],
    });
    expect(basisOf([header, before, '2024-03-14,100,101,99,100,1000,4'])).toMatchObject({
      facts: [],
    });
  });

  it.each<[string, Basis]>([
    ['0.0', 'split'],
    ['1.0', 'raw'],
  ])('takes a neutral ratio of %s beside a dividend for %s', (none, basis) => {
    const lines = [
      'date,open,high,low,close,volume,split_ratio,dividend',
      `2024-03-13,50,51,49,50,1000,${none},0.0`,
      `2024-03-14,50,51,49,50,1000,${none},0.5`,
    ];
    expect(basisOf(lines)).toMatchObject({ basis });
  });

  it('takes OpenBB’s columns for traded prices if they jump', () => {
    const lines = [
      'date,open,high,low,close,volume,split_ratio,dividend',
      '2024-03-13,200,204,196,200,1000,0,0.0',
      '2024-03-14,50,51,49,50,1000,4,0.0',
    ];
    expect(basisOf(lines)).toMatchObject({ basis: 'raw' });
    expect(
      basisOf([lines[0], lines[1].replace('200,204,196,200', '50,51,49,50'), lines[2]]),
    ).toMatchObject({ basis: 'split' });
  });
});

// Files of Yahoo until 2017, and of others, have traded prices there, which were divided again.
describe('the basis next to a column Adj Close', () => {
  const header = 'Date,Open,High,Low,Close,Adj Close,Volume';
  const before = '2024-03-13,200,204,196,200,48.5,1000';

  it('is that of traded prices if they jump where the adjusted ones do not', () => {
    expect(basisOf([header, before, '2024-03-14,50.5,51,50,51,49.47,4000'])).toMatchObject({
      basis: 'raw',
      facts: ['its price jumps at its split 4:1 of 2024-03-14 (200, then 50.5)'],
    });
    expect(
      basisOf([header, '2024-03-14,66,67,65,66,66,4', before.replace('48.5', '66.7')]),
    ).toEqual(expect.objectContaining({ basis: 'raw' }));
    const small = ['2024-03-13,80,81,79,80,63.68,1000', '2024-03-14,64.2,65,63,64,63.68,1300'];
    expect(basisOf([header, ...small])).toEqual(expect.objectContaining({ basis: 'raw' }));
  });

  it('is split-adjusted if they do not jump, and for a special dividend', () => {
    const isSplit = expect.objectContaining({ basis: 'split' });
    expect(basisOf([header, before, '2024-03-14,199,201,198,200,194,4000'])).toEqual(isSplit);
    expect(basisOf([header, before, '2024-03-14,118,121,116,120,50.1,4000'])).toEqual(isSplit);
    // 30.3 of 60 dollars: a part of 0.495 steps by nearly 2, and the digits show that it does not.
    const special = ['2024-03-13,61,62,59,60,29.7,1000', '2024-03-14,30,31,29,29.9,29.9,4000'];
    expect(basisOf([header, ...special])).toEqual(isSplit);
    // The file itself states a dividend of 30, and no split.
    const stated = [`${special[0].replace('29.7', '30')},0,0`, `${special[1]},30,0`];
    expect(basisOf([`${header},Dividends,Stock Splits`, ...stated])).toEqual(isSplit);
  });

  // A special dividend of exactly a half steps as a split of 2:1, and made a panel traded.
  it('of one symbol of several is its own', () => {
    const steps = ['60,61,59,60,30,1', '30,31,29,30,30,1'];
    const still = ['50,51,49,50,50,1', '50,51,49,50,50,1'];
    const panel = (...symbols: string[][]) =>
      symbols.flatMap((lines, i) => lines.map((line, day) => `S${i},2024-03-${12 + day},${line}`));
    const named = `Symbol,${header}`;
    const fact = 'S1 is read apart';
    expect(basisOf([named, ...panel(still, steps)])).toMatchObject({
      ...{ basis: 'split', facts: [expect.stringContaining(fact)] },
      alone: { symbol: 'S1', answer: { value: 'raw' } },
    });
    expect(basisOf([named, ...panel(steps)])).toMatchObject({ basis: 'raw' });
    expect(basisOf([named, ...panel(still, steps, steps)])).toMatchObject({ basis: 'raw' });
    // No dividend does what a split of 4:1 or 1:10 does.
    for (const split of [
      ['240,244,236,240,60,1', '60,61,59,60,60,1'],
      ['3,3,3,3,30,1', '30,31,29,30,30,1'],
    ]) {
      expect(basisOf([named, ...panel(still, split)])).toMatchObject({ basis: 'raw' });
    }
    // Rows beyond those that are looked at may be of any basis.
    const [columns, ...rows] = [named, ...panel(still, steps)].map((line) => line.split(','));
    const part = { form: 'csv' as const, delimiter: ',', header: columns, rows, last: rows[0] };
    expect(dialectFromSample(part, { nowMs })).toEqual({
      reason: expect.stringMatching(
        /^it may hold prices as traded \(S1 alone: .*: say which with --basis$/,
      ),
    });
  });

  it('needs all rows if some at even places show a step', () => {
    const rows = [before, before, before].map((line) => line.split(','));
    const sample = { form: 'csv' as const, delimiter: ',', header: header.split(',') };
    const found = (spread: string[][]) =>
      dialectFromSample(
        { ...sample, rows, last: rows[0], spread },
        { nowMs, isThorough: false, interval: '1d' },
      );
    const step = before.replace('48.5', '194').split(',');
    expect(found([rows[0], step])).toMatchObject({ needsMoreRows: true });
    expect(found([rows[0], rows[1]])).toMatchObject({ basis: 'split' });
    // Of many symbols in turn, rows at even places are seldom of one.
    sample.header.push('Symbol');
    for (const row of rows) row.push('ABC');
    expect(found([rows[0], rows[1]])).toMatchObject({ needsMoreRows: true });
  });
});

describe('the basis by a column of traded closes', () => {
  const header = 'Date,Open,High,Low,Close,Volume,Unadjusted Close,Dividend';
  const lines = (closes: readonly [close: number, traded: number, dividend: number][]) => [
    header,
    ...closes.map(
      ([close, traded, dividend], i) =>
        `2024-03-${11 + i},${close},${close},${close},${close},1000,${traded},${dividend}`,
    ),
  ];

  it('contains dividends if the ratio changes with one', () => {
    expect(
      basisOf(
        lines([
          [49, 100, 0],
          [50, 100, 1],
        ]),
      ),
    ).toMatchObject({ basis: 'all' });
    expect(
      basisOf(
        lines([
          [50, 100, 0],
          [50, 100, 1],
        ]),
      ),
    ).toMatchObject({ basis: 'split' });
  });

  // All these were split-adjusted prices, as the first split of the file seemed to say.
  it('contains dividends if the ratio changes a little, without a column of dividends', () => {
    const closes: [number, number, number][] = [
      [24.85, 100, 0],
      [24.95, 100, 0],
      [25, 25, 0],
    ];
    const plain = lines(closes).map((line) => line.replace(/,[^,]*$/, ''));
    expect(basisOf(plain)).toMatchObject({ basis: 'all' });
    // A dividend of 0.16 % is more than the rounding of such prices.
    const small: [number, number, number][] = [
      [1796.89, 179.99, 0],
      [1799.9, 179.99, 0.3],
    ];
    expect(basisOf(lines([...small, [181, 181, 0]]))).toMatchObject({ basis: 'all' });
  });

  it('is split-adjusted if old prices are rounded to cents', () => {
    const closes: [number, number, number][] = [
      [0.51, 28.75, 0],
      [0.53, 29.64, 0],
      [0.52, 29.33, 0.1],
      [58, 58, 0],
    ];
    expect(basisOf(lines(closes))).toMatchObject({ basis: 'split' });
  });

  it('is that of each symbol', () => {
    const [, ...rows] = lines([
      [50, 200, 0],
      [60, 60, 0],
      [51, 204, 0],
      [61, 61, 0],
    ]);
    const named = rows.map((row, i) => `${row},${'AB'[i % 2]}AA`);
    expect(basisOf([`${header},Symbol`, ...named])).toMatchObject({ basis: 'split' });
  });

  it('is refused if the ratio changes as with a stock dividend or a special one', () => {
    const closes: [number, number, number][] = [
      [47.5, 50, 0],
      [50, 50, 0],
    ];
    expect(basisOf(lines(closes))).toMatch(/say which with --basis$/);
  });

  it('is split-adjusted if the ratio changes without one, or is a split’s', () => {
    expect(
      basisOf(
        lines([
          [50, 200, 0],
          [50, 50, 0],
        ]),
      ),
    ).toMatchObject({ basis: 'split' });
    expect(
      basisOf(
        lines([
          [50, 200, 0],
          [51, 204, 0],
        ]),
      ),
    ).toMatchObject({ basis: 'split' });
    expect(
      basisOf(
        lines([
          [50, 50, 0],
          [51, 51, 0],
        ]),
      ),
    ).toMatchObject({ basis: 'split' });
  });

  it('is refused if the ratio is neither', () => {
    expect(
      basisOf(
        lines([
          [47, 50, 0],
          [47.94, 51, 0],
        ]),
      ),
    ).toMatch(/say which with --basis$/);
  });
});

it('knows the files of Stooq, whose volumes contain dividends', () => {
  const scales = (header: string, options: Partial<DialectOptions>) => {
    const sample = { form: 'csv' as const, delimiter: ',', header: header.split(',') };
    const rows = ['2024-03-13,50,51,49,50,1000,0'.split(',')];
    const dialect = dialectFromSample({ ...sample, rows, last: rows[0] }, { nowMs, ...options });
    return 'reason' in dialect ? dialect.reason : dialect.scalesVolume;
  };
  const header = 'Date,Open,High,Low,Close,Volume';
  expect(scales(`${header},OpenInt`, {})).toBe(true);
  expect(scales(header, { name: 'aapl_us_d.csv' })).toBe(true);
  expect(scales(`${header},OpenInt`, { basis: 'raw' })).toBe(false);
  expect(scales(header, { basis: 'all' })).toBe(false);
});

it('tells flags from prices in a column that is named adjusted', () => {
  const header = 'date,open,high,low,close,volume,adjusted';
  expect(basisOf([header, '2024-03-13,50,51,49,50,1000,false'])).toMatchObject({ basis: 'raw' });
  expect(basisOf([header, '2024-03-13,50,51,49,50,1000,49.5'])).toMatchObject({ basis: 'split' });
});
