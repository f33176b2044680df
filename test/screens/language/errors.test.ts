/** Every error of the language names the position, what is expected there, and the nearest word. */

import { describe, expect, it } from 'vitest';
import { SCREEN_FIELD_NAMES, screenField } from '../../../src/base/fields.ts';
import { limits } from '../../../src/base/limits.ts';
import type { ScreenTexts } from '../../../src/screens/language/expression-error.ts';
import { ExpressionError } from '../../../src/screens/language/expression-error.ts';
import { compileScreen } from '../../../src/screens/plan/compile.ts';

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

/**
 * Conditions of screens, each above its message; `sort:` and `columns:` stand before other texts.
 */
const MESSAGES = `
# syntax
close > smaa(50)
  expected an indicator, a column or a number at position 9, got "smaa": did you mean "sma"?
(close > 5
  expected an operator, "within", "for", "and", "or" or ")" at position 11, got the end of the text
close > 5)
  expected an operator, "within", "for", "and", "or" or the end at position 10, got ")"
close 5
  expected a comparison, an operator, "and", "or" or the end at position 7, got "5"
sma-50 > sma-200
  expected blanks around the minus at position 1, got "sma-50": write sma(50), or sma - 50 for the difference
close + rsi-14 < 30
  expected blanks around the minus at position 9, got "rsi-14": write rsi(14), or rsi - 14 for the difference
supertrend buy
  expected a comparison, an operator, "and", "or" or the end at position 12, got "buy": write close > supertrend(10, 3) for an upward trend
close > highest close 252
  expected an operator, "within", "for", "and", "or" or the end at position 17, got "close": write highest(close, 252) with the bars in parentheses
close btween 1 and 2
  expected a comparison, an operator, "and", "or" or the end at position 7, got "btween": did you mean "between"?
close > 5x
  expected an indicator, a column or a number at position 9, got "5x"
close[x] > 1
  expected a number at position 7, got "x"
bollinger:20:x
  expected a number at position 14, got "x"
bollinger:20:2_
  expected an output at position 16, got the end of the text
(close§
  expected a comparison, an operator, "and", "or" or ")" at position 7, got "§"
close > 'abc
  expected a closing ' for the text at position 9
sector = "x
  expected a closing " for the text at position 10
close > 5 && open > 3
  expected an operator, "within", "for", "and", "or" or the end at position 11, got "&&": write "and"
close > 5 || open > 3
  expected an operator, "within", "for", "and", "or" or the end at position 11, got "||": write "or"
!(close > 5)
  expected an indicator, a column or a number at position 1, got "!": write "not"
1 < close < 5
  expected an operator, "within", "for", "and", "or" or the end at position 11, got "<": write two comparisons, as in close > 1 and close < 5
close > 5 open
  expected an operator, "within", "for", "and", "or" or the end at position 11, got "open"
close crosses abov sma(5)
  expected "above", "below" or a number at position 15, got "abov": did you mean "above"?
sector in (close)
  expected a text or a number at position 12, got "close": write texts in quotes, as in sector = 'technology' or symbol in ('AAPL', 'MSFT')
close > 5 within
  expected a number at position 17, got the end of the text
rsi(14 < 30
  expected an operator, "within", "for", "and", "or", "," or ")" at position 12, got the end of the text
сlose > 5
  expected an indicator, a column or a number at position 1, got "сlose"
'é𝒳' = smaa
  expected an indicator, a column or a number at position 8, got "smaa": did you mean "sma"?
close > 1e999
  expected a number up to 1.7976931348623157e+308 at position 9, got "1e999"
close > 1 / 0
  expected a number at position 9, got "1 / 0": it has no value

# types
close
  expected a condition at position 1, got "close": compare it, as in close > 100
sector
  expected a condition at position 1, got "sector": compare it with "=" or "in", as in sector in ('technology')
'abc'
  expected a condition at position 1, got "'abc'": compare it with "=" or "in", as in sector in ('technology')
sort: close > 5
  expected a number at position 1, got "close > 5"
sort: sector
  expected a number at position 1, got "sector"
columns: 'abc'
  expected a number, a condition or a field at position 1, got "'abc'"
columns: close, close
  each column may stand once at position 8, got "close"
columns: close,,open
  expected an indicator, a column or a number at position 7, got ","
(close > 5) > 3
  expected a number at position 1, got "(close > 5)"
close and open > 1
  expected a condition at position 1, got "close": compare it, as in close > 100
sector > 'a'
  texts can't be compared with ">" at position 1: use "=", "!=" or "in"
sector = industry
  expected a text at position 10, got "industry": write texts in quotes, as in sector = 'technology' or symbol in ('AAPL', 'MSFT')
sector = 5
  expected a text at position 10, got "5"
close = 'a'
  expected a number at position 9, got "'a'"
'a' = 'b'
  expected a text field, such as sector, at position 1, got "'a'"
sector in ('a', 5)
  expected a text in the list at position 17, got "5"
close in (1, 'a')
  expected a number in the list at position 14, got "'a'"
'a' is null
  expected a number or a condition at position 1, got "'a'"
'a' in ('a')
  expected a field or a number at position 1, got "'a'"
sector + 1 > 2
  expected a number at position 1, got "sector"
sma('a', 5) > 1
  expected a number at position 5, got "'a'"

# arguments and outputs
sma(0) > 1
  sma period must be an integer from 1 to 5000 at position 5, got "0"
sma(5001) > 1
  sma period must be an integer from 1 to 5000 at position 5, got "5001"
sma(2.5) > 1
  sma period must be an integer from 1 to 5000 at position 5, got "2.5"
sma(-5) > 1
  sma period must be an integer from 1 to 5000 at position 5, got "-5"
sma:0 > 1
  sma period must be an integer from 1 to 5000 at position 5, got "0"
sma(50, 3) > 1
  sma takes only period at position 9, got "3": write sma(50)
sma(50, close) > 1
  sma takes only period at position 9, got "close": write sma(close, 50)
obv(14) > 1
  obv takes no numbers at position 5, got "14"
macd(26, 12) > 1
  macd fast must be less than slow "12", got "26" at position 6
atr(close, 14) > 1
  atr reads high, low and close and takes only numbers at position 5, got "close": write atr(14)
sma:50(close) > 1
  sma takes its numbers behind colons or in parentheses, not both, at position 8
bollinger(20).uper > 1
  expected an output of bollinger (upper, middle, lower) at position 15, got "uper": did you mean "upper"?
sma(20).upper > 1
  sma has no outputs at position 9, got "upper"
bollinger_upper.lower > 1
  one output is enough at position 17, got "lower"
close.high > 1
  close has no outputs at position 7, got "high"
close(5) > 1
  close takes no arguments at position 1, got "close(5)": write close[5] for the value 5 bars before
market_cap(5) > 1
  market_cap takes no arguments at position 1, got "market_cap(5)"
avg(close) > 1
  expected avg(x, n) at position 1, got "avg(close)": write avg(volume, 20): x is an expression over bars and n a number of bars
avg(close, 0) > 1
  avg n must be an integer from 1 to 5000 at position 12, got "0"
avg(close, open) > 1
  expected a number of bars in avg(x, n) at position 12, got "open"
avg > 1
  expected avg(x, n) at position 1, got "avg": write avg(volume, 20): x is an expression over bars and n a number of bars
pct_change > 1
  expected pct_change(x, n) at position 1, got "pct_change": write pct_change(close, 5): x is an expression over bars and n a number of bars
abs() > 1
  expected abs(x) at position 1, got "abs()"
min(close) > 1
  expected min(a, b) at position 1, got "min(close)"
log(close, 2) > 1
  expected log(x) at position 1, got "log(close, 2)"
weekly > 1
  expected weekly(x) at position 1, got "weekly": write weekly(rsi(14))
weekly(close, 5) > 1
  expected weekly(x) at position 1, got "weekly(close, 5)": write weekly(rsi(14))
avg(close, 5).x > 1
  avg has no outputs at position 15, got "x"

# counts of bars
close[5001] > 1
  offset must be an integer from 0 to 5000 at position 7, got "5001"
close[-1] > 1
  offset must be an integer from 0 to 5000 at position 7, got "-1": close[1] is one bar before, and later bars are not known
close[1.5] > 1
  offset must be an integer from 0 to 5000 at position 7, got "1.5"
close > 1 within 0
  number of bars after "within" must be an integer from 1 to 5000 at position 18, got "0"
close > 1 for 5001
  number of bars after "for" must be an integer from 1 to 5000 at position 15, got "5001"
anchored_vwap(close) > 1
  expected a condition at position 15, got "close": compare it, as in close > 100
date in (2024-03-15)
  expected "," or ")" at position 14, got "-": write days in quotes, as in date >= '2024-03-15'
date in ('2024-03-15', 5)
  expected a day at position 24, got "5": write a day in quotes, as in date >= '2024-03-15'
date >= '2024-13-01'
  expected a day at position 9, got "'2024-13-01'": write a day in quotes, as in date >= '2024-03-15'
anchored_vwap(2020-01-02) < close
  expected a number at position 15, got "2020-01-02": write a day as in date = '2020-01-02', and spaces around signs of arithmetic
close > 2020-01-02
  expected a number at position 9, got "2020-01-02": write a day as in date = '2020-01-02', and spaces around signs of arithmetic
close between 5 * 2020-01-02 and 9
  expected a number at position 19, got "2020-01-02": write a day as in date = '2020-01-02', and spaces around signs of arithmetic
close > open and volume > 2020/01/02
  expected a number at position 27, got "2020/01/02": write a day as in date = '2020-01-02', and spaces around signs of arithmetic
beta('SPY', 60) > 1
  expected a number at position 6, got "'SPY'": write symbol('SPY').close
in universe(liquid)
  expected a text at position 13, got "liquid": write in universe('name')
anchored_vwap(close > 1, close) > 1
  expected a number from -100 to 100 as deviations in anchored_vwap(condition, deviations) at position 26, got "close"
close within 5
  expected a condition at position 1, got "close": compare it, as in close > 100

# parts with one value
market_cap[5] > 1
  market_cap has one value and can't stand in an offset [5] at position 1: remove [5]
market_cap > 1B within 5
  market_cap has one value and can't stand in "within 5" at position 1: join it outside, as in market_cap > 1B and (close > open within 5)
(market_cap > 1B and close > 5) for 3
  market_cap has one value and can't stand in "for 3" at position 2: join it outside, as in market_cap > 1B and (close > open for 3)
market_cap crosses above 1B
  market_cap has one value and can't stand in "crosses" at position 1: compare it with > or <
avg(market_cap, 5) > 1
  market_cap has one value and can't stand in avg(x, n) at position 5: use expressions over bars there, as in avg(close, 20)
ema(pe_ratio, 5) > 1
  pe_ratio has one value and can't stand in ema(x) at position 5: use expressions over bars there, as in avg(close, 20)
weekly(market_cap) > 1
  market_cap has one value and can't stand in weekly(…) at position 8: write it outside, as in weekly(rsi(14)) > 50 and market_cap > 1B
weekly(close)[1] > 1
  weekly(…) has one value and can't stand in an offset [1] at position 1: write the offset inside, as in weekly(close[1])
weekly(close > open) within 3
  weekly(…) has one value and can't stand in "within 3" at position 1: write "within 3" inside, as in weekly(close > open within 3)
weekly(close > open) for 3
  weekly(…) has one value and can't stand in "for 3" at position 1: write "for 3" inside, as in weekly(close > open for 3)
weekly(close) crosses above sma(10)
  weekly(…) has one value and can't stand in "crosses" at position 1: write the comparison inside, as in weekly(close crosses above sma(10))
sma(monthly(close), 5) > 1
  monthly(…) has one value and can't stand in sma(x) at position 5: write it inside, as in weekly(avg(close, 20))
weekly(monthly(close)) > 1
  monthly(…) has one value and can't stand in weekly(…) at position 8: write them side by side, as in weekly(rsi(14)) > 50 and monthly(rsi(14)) > 50

# parts without bars
5[1] > close
  expected an expression over bars at position 1, got "5"
avg(5, 3) > 1
  expected an expression over bars at position 5, got "5"
5 crosses above 6
  expected an expression over bars at position 1, got "5"
(1 > 0) within 3
  expected an expression over bars at position 1, got "(1 > 0)"
weekly(5) > 1
  expected an expression over bars at position 8, got "5"
ema(min(1, 2), 3) > 1
  expected an expression over bars at position 5, got "min(1, 2)"
# words of other programs
close > 52w_high
  expected an indicator, a column or a number at position 9, got "52w_high": write highest(high, 252)
close > ma
  expected an indicator, a column or a number at position 9, got "ma": write sma(50)
crossover(close, open)
  expected an indicator, a column or a number at position 1, got "crossover": write close crosses above sma(50)
change > 5%
  expected an operator, "within", "for", "and", "or" or the end at position 11, got "%": percents are plain numbers, as in change_pct > 5
close >= highest(high)
  expected a number of bars in highest(x, n) at position 10, got "highest(high)": write highest(high, 252) for a year
vwop > 1
  expected an indicator, a column or a number at position 1, got "vwop": did you mean "vwap"?
gapp > 1
  expected an indicator, a column or a number at position 1, got "gapp"
# other symbols and days
symbol('SPY') > 1
  expected symbol('SPY').close or symbol('SPY', close > sma(200)) at position 1, got "symbol('SPY')": name a value of it, as in symbol('SPY').close
symbol(SPY).close > 1
  expected symbol('SPY').close or symbol('SPY', close > sma(200)) at position 1, got "symbol(SPY).close": write the symbol in quotes: symbol('SPY')
close > symbol(brk.b, close)
  expected symbol('SPY').close or symbol('SPY', close > sma(200)) at position 9, got "symbol(brk.b, close)": write the symbol in quotes: symbol('BRK.B')
weekly(symbol('SPY').close) > 1
  symbol(…) is one of days and can't stand in weekly(…) at position 8
symbol('SPY', symbol('QQQ').close) > 1
  symbol(…) can't stand in symbol('SPY') at position 15
symbol('SPY', pe_ratio) > 1
  pe_ratio has one value and can't stand in symbol('SPY') at position 15: fields are those of the security itself
weekly(date) > 1
  date is one of days and can't stand in weekly(…) at position 8
beta(symbol('SPY').close, 1) > 1
  beta n must be an integer from 2 to 5000 at position 27, got "1"
# comparisons across symbols
rank(sector) > 1
  expected a number at position 6, got "sector": for groups write rank(close, by sector)
rank(close, by price) > 1
  expected one of sector, industry, country, exchange, type after "by" at position 16, got "price"
rank(close, by sector, by type) > 1
  expected "among" at position 24, got "by"
rank(close)[5] > 1
  rank(…) has one value and can't stand in an offset [5] at position 1: it compares symbols on one session, so what looks back stands inside it
weekly(rank(close)) > 1
  rank(…) has one value and can't stand in weekly(…) at position 8: it compares symbols on one session, so what looks back stands inside it
sma(close, by sector) > 1
  "by" stands in rank, demean and standard alone at position 15, got "by sector"
rank(close, among close) > 1
  expected a condition at position 19, got "close": compare it, as in close > 100
`;

const cases = MESSAGES.split('# ').flatMap((group) => {
  const [title, ...lines] = group.trim().split('\n');
  return lines.flatMap((line, i) => {
    if (line.startsWith('  ')) return [];
    const [, field = 'where', text] = /^(?:(sort|columns): )?(.*)$/.exec(line)!;
    return [{ title, field, text, message: lines[i + 1].trim() }];
  });
});

describe('the message', () => {
  it.each(cases)('about $title: $field=$text', ({ field, text, message }) => {
    expect(errorOf({ [field]: text }).message).toBe(`${field}: ${message}`);
  });

  it.each(
    SCREEN_FIELD_NAMES.flatMap((name) =>
      (screenField(name).words ?? []).map((word) => [word, name]),
    ),
  )('about the word "%s" names the field %s', (word, name) => {
    expect(errorOf({ where: `${word} > 1` }).nearest).toBe(name);
  });

  it.each(['', 'close > '])('about the end of "%s"', (where) => {
    const rule = 'expected an indicator, a column or a number';
    const position = where.length + 1;
    expect(errorOf({ where }).message).toBe(
      `where: ${rule} at position ${position}, got the end of the text`,
    );
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
