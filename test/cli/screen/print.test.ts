import { expect, it } from 'vitest';
import {
  type ExplainedCondition,
  explanationLines,
  screenLines,
} from '../../../src/cli/screen/print.ts';

const row = { symbol: 'QXAA', companyName: 'Aqva (synthetic)', price: 104.53 };

it('aligns numbers to the right and shortens large ones', () => {
  const rows = [
    {
      ...row,
      changePct: 1.920827,
      marketCap: 4517284124.29,
      columns: {
        'rsi(14)': 28.123456,
        sector: 'Energy',
        'close > 5': true,
        'avg(volume, 20)': 1e7,
      },
    },
    {
      ...row,
      symbol: 'B',
      companyName: null,
      price: 0.1234567,
      changePct: -12,
      marketCap: 999_999_999,
      columns: { 'rsi(14)': null, sector: null, 'close > 5': false, 'avg(volume, 20)': 12.5 },
    },
    { ...row, symbol: 'C', changePct: null, marketCap: null },
  ];
  const columns = ['rsi(14)', 'sector', 'close > 5', 'avg(volume, 20)'];
  expect(screenLines(rows, columns)).toEqual([
    'SYMBOL  NAME             PRICE   CHANGE  MARKET CAP  rsi(14)  sector  close > 5  avg(volume, 20)',
    'QXAA    Aqva (synth…    104.53   +1.92%       4.52B    28.12  Energy        yes           10.00M',
    'B                     0.123457  -12.00%       1.00B        -  -              no            12.50',
    'C       Aqva (synth…    104.53        -           -        -  -               -                -',
  ]);
});

it('explains each condition with its values', () => {
  const conditions: ExplainedCondition[] = [
    { condition: 'rsi(14) < 30', result: false, values: { 'rsi(14)': 41.2 } },
    { condition: 'close > sma(200)', result: null, values: { close: 12.5, 'sma(200)': null } },
    { condition: 'listed_days > 99', result: true, values: { listed_days: 168 } },
  ];
  const lines = explanationLines([
    {
      ...{ ...row, changePct: null, marketCap: null, matches: false, conditions },
      reasons: { marketCap: 'no shares', peRatio: 'a loss', market_cap: 'no shares' },
    },
    { ...row, changePct: null, marketCap: null, matches: true, conditions: [] },
  ]);
  expect(lines).toEqual([
    'QXAA does not match',
    '  false  rsi(14) < 30      rsi(14) = 41.20',
    '  null   close > sma(200)  close = 12.50, sma(200) = -',
    '  true   listed_days > 99  listed_days = 168',
    '  null: marketCap, market_cap: no shares',
    '  null: peRatio: a loss',
    'QXAA matches',
  ]);
});

it('shows control characters and marks of direction in names and values', () => {
  const companyName = 'Evil\u001b[2J\u202e\u009bCo\nX';
  const bad = { symbol: 'E', companyName, price: 1, changePct: null, marketCap: null };
  const columns = { sector: '\u001b]0;t\u0007' };
  const conditions = [{ condition: 'sector', result: null, values: { sector: '\u001b[31m' } }];
  for (const lines of [
    screenLines([{ ...bad, columns }], ['sector']),
    explanationLines([{ ...bad, conditions }]),
  ]) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be left
    expect(lines.join('')).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202e]/);
    expect(lines.join('')).toContain('\\u001b');
  }
});
