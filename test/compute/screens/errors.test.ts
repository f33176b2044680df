/** Every error of the language names the position, what is expected there, and the nearest word. */

import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/base/limits.ts';
import { compileScreen } from '../../../src/compute/screens/compile.ts';
import { ExpressionError } from '../../../src/compute/screens/expression-error.ts';
import type { ScreenTexts } from '../../../src/compute/screens/screen-plan.ts';

function errorOf(texts: ScreenTexts): ExpressionError {
  try {
    compileScreen(texts);
  } catch (error) {
    if (error instanceof ExpressionError) return error;
    throw error;
  }
  throw new Error('the screen has no error');
}

const listOf = (count: number, item: (i: number) => string, sign: string) =>
  Array.from({ length: count }, (_, i) => item(i)).join(sign);

describe('the message', () => {
  it.each([
    [
      'where',
      'close > smaa(50)',
      'expected an indicator, a column or a number at position 9, got "smaa": did you mean "sma"?',
    ],
    [
      'where',
      'close > ',
      'expected an indicator, a column or a number at position 9, got the end of the text',
    ],
    [
      'where',
      '',
      'expected an indicator, a column or a number at position 1, got the end of the text',
    ],
    [
      'where',
      '(close > 5',
      'expected an operator, "within", "for", "and", "or" or ")" at position 11, got the end of the text',
    ],
    [
      'where',
      'close > 5)',
      'expected an operator, "within", "for", "and", "or" or the end at position 10, got ")"',
    ],
    [
      'where',
      'close 5',
      'expected a comparison, an operator, "and", "or" or the end at position 7, got "5"',
    ],
    [
      'where',
      'close btween 1 and 2',
      'expected a comparison, an operator, "and", "or" or the end at position 7, got "btween": did you mean "between"?',
    ],
    ['where', 'close > 5x', 'expected an indicator, a column or a number at position 9, got "5x"'],
    ['where', 'close[x] > 1', 'expected a number at position 7, got "x"'],
    ['where', 'bollinger:20:x', 'expected a number at position 14, got "x"'],
    ['where', 'bollinger:20:2_', 'expected an output at position 16, got the end of the text'],
    [
      'where',
      '(close§',
      'expected a comparison, an operator, "and", "or" or ")" at position 7, got "§"',
    ],
    ['where', "close > 'abc", "expected a closing ' for the text at position 9"],
    ['where', 'sector = "x', 'expected a closing " for the text at position 10'],
    [
      'where',
      'close > 5 && open > 3',
      'expected an operator, "within", "for", "and", "or" or the end at position 11, got "&&": write "and"',
    ],
    [
      'where',
      'close > 5 || open > 3',
      'expected an operator, "within", "for", "and", "or" or the end at position 11, got "||": write "or"',
    ],
    [
      'where',
      '!(close > 5)',
      'expected an indicator, a column or a number at position 1, got "!": write "not"',
    ],
    [
      'where',
      '1 < close < 5',
      'expected an operator, "within", "for", "and", "or" or the end at position 11, got "<": write two comparisons, as in close > 1 and close < 5',
    ],
    [
      'where',
      'close > 5 open',
      'expected an operator, "within", "for", "and", "or" or the end at position 11, got "open"',
    ],
    [
      'where',
      'close crosses abov sma(5)',
      'expected "above", "below" or a number at position 15, got "abov": did you mean "above"?',
    ],
    ['where', 'sector in (close)', 'expected a text or a number at position 12, got "close"'],
    ['where', 'close > 5 within', 'expected a number at position 17, got the end of the text'],
    [
      'where',
      'rsi(14 < 30',
      'expected an operator, "within", "for", "and", "or", "," or ")" at position 12, got the end of the text',
    ],
    [
      'where',
      'сlose > 5',
      'expected an indicator, a column or a number at position 1, got "сlose"',
    ],
    [
      'where',
      "'é𝒳' = smaa",
      'expected an indicator, a column or a number at position 8, got "smaa": did you mean "sma"?',
    ],
    [
      'where',
      'close > 1e999',
      'expected a number up to 1.7976931348623157e+308 at position 9, got "1e999"',
    ],
    ['where', 'close > 1 / 0', 'expected a number at position 9, got "1 / 0": it has no value'],
  ])('about syntax: %s=%s', (field, text, message) => {
    expect(errorOf({ [field]: text }).message).toBe(`${field}: ${message}`);
  });

  it.each([
    [
      'where',
      'close',
      'expected a condition at position 1, got "close": compare it, as in close > 100',
    ],
    [
      'where',
      'sector',
      `expected a condition at position 1, got "sector": compare it with "=" or "in", as in sector in ('technology')`,
    ],
    [
      'where',
      "'abc'",
      `expected a condition at position 1, got "'abc'": compare it with "=" or "in", as in sector in ('technology')`,
    ],
    ['sort', 'close > 5', 'expected a number at position 1, got "close > 5"'],
    ['sort', 'sector', 'expected a number at position 1, got "sector"'],
    ['columns', "'abc'", `expected a number, a condition or a field at position 1, got "'abc'"`],
    ['columns', 'close, close', 'each column may stand once at position 8, got "close"'],
    [
      'columns',
      'close,,open',
      'expected an indicator, a column or a number at position 7, got ","',
    ],
    ['where', '(close > 5) > 3', 'expected a number at position 1, got "(close > 5)"'],
    [
      'where',
      'close and open > 1',
      'expected a condition at position 1, got "close": compare it, as in close > 100',
    ],
    [
      'where',
      "sector > 'a'",
      `texts can't be compared with ">" at position 1: use "=", "!=" or "in"`,
    ],
    ['where', 'sector = industry', 'expected a text at position 10, got "industry"'],
    ['where', 'sector = 5', 'expected a text at position 10, got "5"'],
    ['where', "close = 'a'", `expected a number at position 9, got "'a'"`],
    ['where', "'a' = 'b'", `expected a text field, such as sector, at position 1, got "'a'"`],
    ['where', "sector in ('a', 5)", 'expected a text in the list at position 17, got "5"'],
    ['where', "close in (1, 'a')", `expected a number in the list at position 14, got "'a'"`],
    ['where', "'a' is null", `expected a number or a condition at position 1, got "'a'"`],
    ['where', "'a' in ('a')", `expected a field or a number at position 1, got "'a'"`],
    ['where', 'sector + 1 > 2', 'expected a number at position 1, got "sector"'],
    ['where', "sma('a', 5) > 1", `expected a number at position 5, got "'a'"`],
  ])('about types: %s=%s', (field, text, message) => {
    expect(errorOf({ [field]: text }).message).toBe(`${field}: ${message}`);
  });

  it.each([
    ['where', 'sma(0) > 1', 'sma period must be an integer from 1 to 1000 at position 5, got "0"'],
    [
      'where',
      'sma(1001) > 1',
      'sma period must be an integer from 1 to 1000 at position 5, got "1001"',
    ],
    [
      'where',
      'sma(2.5) > 1',
      'sma period must be an integer from 1 to 1000 at position 5, got "2.5"',
    ],
    [
      'where',
      'sma(-5) > 1',
      'sma period must be an integer from 1 to 1000 at position 5, got "-5"',
    ],
    ['where', 'sma:0 > 1', 'sma period must be an integer from 1 to 1000 at position 5, got "0"'],
    ['where', 'sma(50, 3) > 1', 'sma takes only period at position 9, got "3"'],
    ['where', 'sma(50, close) > 1', 'sma takes only period at position 9, got "close"'],
    ['where', 'obv(14) > 1', 'obv takes no numbers at position 5, got "14"'],
    ['where', 'macd(26, 12) > 1', 'macd fast must be less than slow "12", got "26" at position 6'],
    [
      'where',
      'atr(close, 14) > 1',
      'atr reads high, low and close and takes only numbers at position 5, got "close"',
    ],
    [
      'where',
      'sma:50(close) > 1',
      'sma takes its numbers behind colons or in parentheses, not both, at position 8',
    ],
    [
      'where',
      'bollinger(20).uper > 1',
      'expected an output of bollinger (upper, middle, lower) at position 15, got "uper": did you mean "upper"?',
    ],
    ['where', 'sma(20).upper > 1', 'sma has no outputs at position 9, got "upper"'],
    ['where', 'bollinger_upper.lower > 1', 'one output is enough at position 17, got "lower"'],
    ['where', 'close.high > 1', 'close has no outputs at position 7, got "high"'],
    [
      'where',
      'close(5) > 1',
      'close takes no arguments at position 1, got "close(5)": write close[5] for the value 5 bars before',
    ],
    [
      'where',
      'market_cap(5) > 1',
      'market_cap takes no arguments at position 1, got "market_cap(5)"',
    ],
    [
      'where',
      'avg(close) > 1',
      'expected avg(x, n) at position 1, got "avg(close)": x is an expression over bars and n a number of bars',
    ],
    [
      'where',
      'avg(close, 0) > 1',
      'avg n must be an integer from 1 to 1000 at position 12, got "0"',
    ],
    [
      'where',
      'avg(close, open) > 1',
      'expected a number of bars in avg(x, n) at position 12, got "open"',
    ],
    [
      'where',
      'avg > 1',
      'expected avg(x, n) at position 1, got "avg": x is an expression over bars and n a number of bars',
    ],
    [
      'where',
      'pct_change > 1',
      'expected pct_change(x, n) at position 1, got "pct_change": x is an expression over bars and n a number of bars',
    ],
    ['where', 'abs() > 1', 'expected abs(x) at position 1, got "abs()"'],
    ['where', 'min(close) > 1', 'expected min(a, b) at position 1, got "min(close)"'],
    ['where', 'log(close, 2) > 1', 'expected log(x) at position 1, got "log(close, 2)"'],
    ['where', 'weekly > 1', 'expected weekly(x) at position 1, got "weekly"'],
    ['where', 'weekly(close, 5) > 1', 'expected weekly(x) at position 1, got "weekly(close, 5)"'],
    ['where', 'avg(close, 5).x > 1', 'avg has no outputs at position 15, got "x"'],
  ])('about arguments and outputs: %s=%s', (field, text, message) => {
    expect(errorOf({ [field]: text }).message).toBe(`${field}: ${message}`);
  });

  it.each([
    [
      'where',
      'close[1001] > 1',
      'offset must be an integer from 0 to 1000 at position 7, got "1001"',
    ],
    ['where', 'close[-1] > 1', 'offset must be an integer from 0 to 1000 at position 7, got "-1"'],
    [
      'where',
      'close[1.5] > 1',
      'offset must be an integer from 0 to 1000 at position 7, got "1.5"',
    ],
    [
      'where',
      'close > 1 within 0',
      'number of bars after "within" must be an integer from 1 to 1000 at position 18, got "0"',
    ],
    [
      'where',
      'close > 1 for 1001',
      'number of bars after "for" must be an integer from 1 to 1000 at position 15, got "1001"',
    ],
    [
      'where',
      'close within 5',
      'expected a condition at position 1, got "close": compare it, as in close > 100',
    ],
  ])('about counts of bars: %s=%s', (field, text, message) => {
    expect(errorOf({ [field]: text }).message).toBe(`${field}: ${message}`);
  });

  it.each([
    [
      'where',
      'market_cap[5] > 1',
      "market_cap has one value and can't stand in an offset [5] at position 1: remove [5]",
    ],
    [
      'where',
      'market_cap > 1B within 5',
      `market_cap has one value and can't stand in "within 5" at position 1: join it outside, as in market_cap > 1B and (close > open within 5)`,
    ],
    [
      'where',
      '(market_cap > 1B and close > 5) for 3',
      `market_cap has one value and can't stand in "for 3" at position 2: join it outside, as in market_cap > 1B and (close > open for 3)`,
    ],
    [
      'where',
      'market_cap crosses above 1B',
      `market_cap has one value and can't stand in "crosses" at position 1: compare it with > or <`,
    ],
    [
      'where',
      'avg(market_cap, 5) > 1',
      "market_cap has one value and can't stand in avg(x, n) at position 5: use expressions over bars there, as in avg(close, 20)",
    ],
    [
      'where',
      'ema(pe_ratio, 5) > 1',
      "pe_ratio has one value and can't stand in ema(x) at position 5: use expressions over bars there, as in avg(close, 20)",
    ],
    [
      'where',
      'weekly(market_cap) > 1',
      "market_cap has one value and can't stand in weekly(…) at position 8: write it outside, as in weekly(rsi(14)) > 50 and market_cap > 1B",
    ],
    [
      'where',
      'weekly(close)[1] > 1',
      "weekly(…) has one value and can't stand in an offset [1] at position 1: write the offset inside, as in weekly(close[1])",
    ],
    [
      'where',
      'weekly(close > open) within 3',
      `weekly(…) has one value and can't stand in "within 3" at position 1: write "within 3" inside, as in weekly(close > open within 3)`,
    ],
    [
      'where',
      'weekly(close > open) for 3',
      `weekly(…) has one value and can't stand in "for 3" at position 1: write "for 3" inside, as in weekly(close > open for 3)`,
    ],
    [
      'where',
      'weekly(close) crosses above sma(10)',
      `weekly(…) has one value and can't stand in "crosses" at position 1: write the comparison inside, as in weekly(close crosses above sma(10))`,
    ],
    [
      'where',
      'sma(monthly(close), 5) > 1',
      "monthly(…) has one value and can't stand in sma(x) at position 5: write it inside, as in weekly(avg(close, 20))",
    ],
    [
      'where',
      'weekly(monthly(close)) > 1',
      "monthly(…) has one value and can't stand in weekly(…) at position 8: write them side by side, as in weekly(rsi(14)) > 50 and monthly(rsi(14)) > 50",
    ],
  ])('about parts with one value: %s=%s', (field, text, message) => {
    expect(errorOf({ [field]: text }).message).toBe(`${field}: ${message}`);
  });

  it.each([
    ['where', '5[1] > close', 'expected an expression over bars at position 1, got "5"'],
    ['where', 'avg(5, 3) > 1', 'expected an expression over bars at position 5, got "5"'],
    ['where', '5 crosses above 6', 'expected an expression over bars at position 1, got "5"'],
    ['where', '(1 > 0) within 3', 'expected an expression over bars at position 1, got "(1 > 0)"'],
    ['where', 'weekly(5) > 1', 'expected an expression over bars at position 8, got "5"'],
    [
      'where',
      'ema(min(1, 2), 3) > 1',
      'expected an expression over bars at position 5, got "min(1, 2)"',
    ],
  ])('about parts without bars: %s=%s', (field, text, message) => {
    expect(errorOf({ [field]: text }).message).toBe(`${field}: ${message}`);
  });

  it('is in parts too', () => {
    const { field, position, expected, nearest } = errorOf({ columns: 'close, bollinger.uper' });
    expect({ field, position, expected, nearest }).toEqual({
      field: 'columns',
      position: 18,
      expected: 'an output of bollinger (upper, middle, lower)',
      nearest: 'upper',
    });
  });
});

describe('the limit of', () => {
  const { charsMax, nestingMax, conditionsMax, columnsMax, operationsMax } = limits.screens;

  it('characters holds for each text', () => {
    const spaces = ' '.repeat(charsMax - 'close > 1'.length);
    expect(compileScreen({ where: `close > 1${spaces}` }).conditions).toHaveLength(1);
    expect(errorOf({ where: `close > 1${spaces} ` }).message).toBe(
      'where: exceeds the limit of 4000 characters at position 4001',
    );
  });

  it.each([
    ['parentheses', (depth: number) => `${'('.repeat(depth)}close${')'.repeat(depth)} > 1`],
    ['calls', (depth: number) => `${'abs('.repeat(depth)}close${')'.repeat(depth)} > 1`],
    ['offsets', (depth: number) => `close${'[1]'.repeat(depth)} > 1`],
    ['negations', (depth: number) => `${'not '.repeat(depth)}close > 1`],
    ['signs', (depth: number) => `${'-'.repeat(depth)}close > 1`],
    ['windows', (depth: number) => `close > 1 ${'for 1 '.repeat(depth)}`],
  ])('nesting counts %s', (_, nested) => {
    expect(compileScreen({ where: nested(nestingMax - 1) }).conditions).toHaveLength(1);
    expect(errorOf({ where: nested(nestingMax + 1) }).message).toMatch(
      /^where: exceeds the limit of 50 levels of nesting at position \d+$/,
    );
  });

  it('conditions holds for all texts together', () => {
    const where = listOf(conditionsMax - 1, (i) => `close > ${i}`, ' or ');
    expect(compileScreen({ where, columns: 'open is null' }).conditions).toHaveLength(1);
    expect(errorOf({ where, columns: 'open is null, close crosses 5' }).message).toBe(
      'columns: exceeds the limit of 32 conditions at position 15',
    );
  });

  it('columns', () => {
    const columns = listOf(columnsMax, (i) => `close[${i}]`, ', ');
    expect(compileScreen({ columns }).columns).toHaveLength(columnsMax);
    expect(errorOf({ columns: `${columns}, open` }).message).toBe(
      `columns: exceeds the limit of 32 columns at position ${columns.length + 3}`,
    );
  });

  it.each([
    ['arithmetic', listOf(operationsMax + 2, () => 'close', '+'), 1],
    ['operations of indicators', listOf(60, (i) => `adx(${i + 2})`, '+'), 1],
    ['numbers of a list', `close > 1 and open in (${listOf(500, String, ',')})`, 15],
  ])('operations counts %s', (_, text, position) => {
    const where = text.includes('>') ? text : `${text} > 1`;
    expect(errorOf({ where }).message).toBe(
      `where: exceeds the limit of 400 operations at position ${position}`,
    );
  });

  it('operations counts equal columns once', () => {
    const columns = listOf(8, (i) => `kst + ${i}`, ', ');
    expect(compileScreen({ columns }).bars[0].columns).toHaveLength(1);
  });

  it('bars that windows and offsets keep', () => {
    expect(errorOf({ columns: listOf(30, (i) => `avg(close, ${900 + i})`, ', ') }).message).toBe(
      'columns: exceeds the limit of 20000 bars in windows and offsets at position 358',
    );
  });
});

/** Texts of the largest length that each try to make one step of compiling long or deep. */
const hostile: readonly string[] = [
  '('.repeat(4000),
  '['.repeat(4000),
  `${'('.repeat(50)}${' '.repeat(3900)}`,
  'not '.repeat(1000),
  '-'.repeat(4000),
  `${'-'.repeat(3990)}1>close`,
  `close${'[1]'.repeat(1300)}>1`,
  `close>1${' for 1'.repeat(600)}`,
  `sma${':1'.repeat(1990)}>1`,
  `sma${'_a'.repeat(1990)}>1`,
  `close${'.a'.repeat(1990)}`,
  'x'.repeat(4000),
  "'".repeat(3999),
  `sma(${listOf(1900, () => '1', ',')})>1`,
  `${listOf(600, () => 'close', '+')}>1`,
  `(${listOf(400, (i) => `kst(${i + 1})`, '+')}>0) within 3`,
  `(${listOf(300, (i) => `alma(${1000 - i})`, '+')}>0) within 3`,
  `(close in (${listOf(900, String, ',')})) for 3`,
  listOf(250, (i) => `close>${i}`, ' or '),
  `${'pct_change('.repeat(60)}close${')'.repeat(60)}>1`,
];

it.each(hostile.map((text) => [text.slice(0, 20), text]))(
  'a hostile text is refused: %s…',
  (_, where) => {
    expect(where.length).toBeLessThanOrEqual(limits.screens.charsMax);
    expect(errorOf({ where }).position).toBeGreaterThan(0);
  },
);
