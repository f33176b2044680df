/** Words that people type: understood, or answered with what to write; nothing far off is suggested. */

import { describe, expect, it } from 'vitest';
import { OTHER_NAMES } from '../../../src/screens/language/advice/other-names.ts';
import { USUAL_WORDS } from '../../../src/screens/language/advice/words.ts';
import { compileScreen } from '../../../src/screens/plan/compile.ts';

function messageOf(where: string): string {
  try {
    compileScreen({ where });
  } catch (error) {
    return (error as Error).message;
  }
  return 'understood';
}

/** Returns the message of a text as a condition, or as a number of one. */
function answerTo(text: string): string {
  const messages = [text, `${text} > 0`].map(messageOf);
  return messages.includes('understood') ? 'understood' : messages[0];
}

describe('a word of another program', () => {
  it.each([
    ...['sma200', 'ma50 > ma200', 'SMA_50 < EMA_21', 'ta.rsi(close, 14)', 'RSI(14) < 30', 'pb < 2'],
    ...['roe > 0.15', 'MovingAverage(close, 20)', 'Average(close, 20)', 'ExpAverage(close, 9)'],
    ...['SimpleMovingAvg(close, 20)', 'stdev(close, 20)', 'std(20)', 'mom(10)', 'willr(14)'],
    ...['stoch(14, 3, 3).k < 20', 'stochrsi(14, 14, 3, 3)', 'bbands(20, 2).upper', 'bb(20, 2)'],
    ...['kc(20).lower', 'hull(9)', 'lsma(25)', 'crsi(3, 2, 100) < 10', 'stc(23, 50, 10)', 'hma9'],
    ...['smi(10, 3, 3, 3)', 'kvo(34, 55, 13)', 'tr', 'pivots.r1', 'ttm_squeeze(20, 2, 1.5).on = 1'],
    ...[
      'marketCap > 1B',
      'priceToBook < 2',
      'epsDiluted > 1',
      'trueRange > 1',
      'heikinAshi.close > 5',
    ],
    ...['TRANGE > 1', 'ULTOSC(7, 14, 28) < 30', 'ExpMA(close, 9)', 'SMMA(close, 14)', 'hl2 > 5'],
    ...['sector == "Technology"', 'close == high', 'ta.highest(20)', 'ta.change(close)'],
  ])('is understood: %s', (text) => {
    expect(answerTo(text)).toBe('understood');
  });

  it.each([
    ['52w_high', 'write highest(high, 252)'],
    ['52 week high', 'write highest(high, 252)'],
    ['high of the last 20 days < close', 'write highest(high, 20) or lowest(low, 20)'],
    ['rsi(14, weekly) < 30', 'write weekly(rsi(14))'],
    ["rsi(14, timeframe='1W') < 30", 'write weekly(rsi(14))'],
    ['weekly.rsi(14) < 30', 'write weekly(rsi(14))'],
    ["index('SPX').close > 5", "write symbol('SPY').close"],
    ['Performance (Week) > 5', 'write pct_change(close, 5)'],
    ['close < lower bollinger band', 'write bollinger(20, 2).lower'],
    ['close within 2% of sma(50)', 'write close between 0.98 * sma(50) and 1.02 * sma(50)'],
    ['within 5% of 52 week high', 'write close > 0.95 * highest(high, 252)'],
    ['close > prior day high', 'write high[1]'],
    ['macd cross', 'write macd crosses macd.signal'],
    ['earnings today', 'write days_to_earnings = 0'],
    ['ex dividend', 'no source here has it'],
    ['close > MAXH20.1', 'write sma(50), ema(20) or highest(high, 20)'],
    ['close / C5 > 1.05', 'write close[5]'],
    ['price < 5 dollars', 'write the number alone'],
    ['volume at least 1M', 'write >='],
    ['sma(50) has crossed sma(200)', 'write sma(50) crosses sma(200)'],
    ['month = December', 'write month = 12'],
    ['S&P 500', "write in universe('sp500')"],
    ['close > 52-week low', 'write lowest(low, 252)'],
    ['bull power > 0', 'write elder_ray.bull'],
    ['1m return > 5', 'write pct_change(close, 21)'],
    ['6-month momentum > 10', 'write pct_change(close, 126)'],
    ['ibs < 0.2', 'write (close - low) / (high - low)'],
    ['RSI|1W < 30', 'write weekly(rsi(14))'],
    ['rsi(14) on the weekly < 30', 'write weekly(rsi(14))'],
    ['Mean($close, 20) > 5', 'write the name alone, as in close'],
    ['rsi(14 days) < 30', 'write the number alone, as in rsi(14)'],
    ['earnings < 7 days', 'write the number alone, as in days_to_earnings < 7'],
    ['sector is "Technology"', "write sector = 'technology'"],
    ['if close > open then 1 else 0', 'write if(condition, a, b)'],
    ['if(open > 5, close > 5, close < 5)', 'for conditions write (a and b) or (not a and c)'],
    ['close > close of spy', "write symbol('SPY').close"],
    ['change > 5%', 'percents are plain numbers, as in change_pct > 5'],
    ['P/E < 15', 'did you mean "pe_ratio"?'],
    ['d/e < 1', 'did you mean "debt_to_equity"?'],
    ['ev/ebitda < 8', 'did you mean "ev_to_ebitda"?'],
    ['market cap > 1B', 'did you mean "market_cap"?'],
    ['peg < 1', 'no source here has it'],
    ['short_float > 10', 'no source here has it'],
    ['relative volume > 2', 'write volume / avg(volume, 20)'],
    ['bb_upper', 'write bollinger(20, 2).upper'],
    ['stoch < 20', 'write stochastic(14, 3, 3)'],
    ['smi', 'write stochastic_momentum(13, 25, 2, 9)'],
    ['ma', 'write sma(50)'],
    ['close crosses over sma(50)', 'write "crosses above"'],
    ['close crossed above sma(50)', 'write close crosses above sma(50)'],
    ['crosses_below(close, sma(50))', 'write close crosses below sma(50)'],
    ['close crosses sma(50) from below', 'write "crosses above" or "crosses below"'],
    ['atr(14) / close > 5%', 'ratios are fractions: write 0.05 for 5 %'],
    ['top 10% by roc(126)', 'write rank(pct_change(close, 126)) > 0.9'],
    ['net debt / ebitda < 2', 'write (total_debt - cash) * ev_to_ebitda / enterprise_value'],
    ['rs_rating > 80', 'write rank(pct_change(close, 252))'],
    ['ts_max(high, 20) < close', 'write highest(high, 20)'],
    ['rsi below 30', 'write <, as in rsi(14) < 30'],
    ['rsi is above 70', 'write >, as in rsi(14) > 70'],
    ['close 5 days ago', 'write close[5] for the value 5 bars before'],
    ['sector = Technology', "write texts in quotes, as in sector = 'technology'"],
    ['exchange is NASDAQ', "write texts in quotes, as in sector = 'technology'"],
    ['hammer', 'write candles.hammer = 1'],
    ['golden_cross', 'write sma(50) crosses above sma(200)'],
    ['math.abs(close - open) > 1', 'write functions alone, as in rsi(14), abs(x) or max(a, b)'],
    ['close crosses above smaa(50)', 'did you mean "sma"?'],
    ['highest(high)', 'write highest(high, 252) for a year'],
    ['beta > 1', "write beta(symbol('SPY').close, 252)"],
    ['roee > 1', 'did you mean "roe"?'],
    ['close > zigzag(5)', 'it looks ahead: later bars change its past values'],
    ['ps_ratio < 2', 'did you mean "price_to_sales"?'],
    ['52_week_high', 'write highest(high, 252)'],
    ['dividend_yield > 3%', 'ratios are fractions: write 0.05 for 5 %'],
    ['revenue_growth_1y >= 12.5 %', 'ratios are fractions: write 0.05 for 5 %'],
    ['market_cap > 1 billion', 'write K, M, B or T after the number, as in 1B'],
    ['market_cap > $1B', 'write the number alone'],
    ['volume > 1,000,000', 'write numbers without commas: 1000000 or 1M'],
    ["industry contains 'bank'", 'compare whole texts'],
    ['supertrend = buy', 'write close > supertrend(10, 3) for an upward trend'],
    ['obv is rising', 'write obv > obv[1] for 3'],
    ['rsi < 30 & close > 5', 'write "and"'],
    ['rsi < 30 | close > 5', 'write "or"'],
    ['C > MA(C, 50)', 'did you mean "close"?'],
    ['HHV(H, 20) = H', 'write highest(high, 20)'],
    ['BBandTop(C, 20, 2) < C', 'write bollinger(20, 2).upper'],
    ['MACDh_12_26_9 > 0', 'write macd, macd.signal or macd.histogram'],
    ['BBL_20_2.0 > close', 'write bollinger(20, 2).lower, .middle or .upper'],
    ['macd crosses above signal', 'write macd.signal'],
    ['STOCHk_14_3_3 < 20', 'write stochastic(14, 3, 3).k or .d'],
    ['DMP_14 > DMN_14', 'write adx(14).plus_di or .minus_di'],
    ['SUPERT_7_3.0 < close', 'write supertrend(7, 3)'],
    ['df.ta.rsi(length=14) < 30', 'write names alone, as in rsi(14) or close'],
    ['RSI(length = 14) < 30', 'write values without their names, as in rsi(14)'],
    ["request.security('SPY', 'D', close) > 400", "write symbol('SPY').close, or weekly(close)"],
    ['ta_sma200_pa', 'write it as a condition, as in close > sma(200)'],
    ['Perf Week > 10', 'write pct_change(close, 5)'],
    ['RSI (14) Oversold (30)', 'write rsi(14) < 30'],
    ['Float Short > 20', 'no source here has it'],
    ['price > 200 day moving average', 'write sma(200) or ema(20)'],
    ['200dma < close', 'write sma(200)'],
    ['close > sma 200', 'write sma(200), the number in parentheses'],
    ['volume > 2x average', 'write 2 * avg(volume, 20) for twice the average'],
    ['up 5% today', 'write change_pct > 5, or change_pct < -5'],
    ['gap up', 'write (open / close[1] - 1) * 100'],
    ['inside day', 'write high < high[1] and low > low[1]'],
    ['3 consecutive up days', 'write close > close[1] for 3'],
    ['higher high', 'write high > high[1]'],
    ['fiftyTwoWeekHigh < close', 'write highest(high, 252)'],
    ['price_52_week_low', 'write lowest(low, 252)'],
    ['regularMarketPreviousClose', 'write close[1]'],
    ['trailingPE < 20', 'did you mean "pe_ratio"?'],
    ['price_earnings_ttm < 20', 'did you mean "pe_ratio"?'],
    ['relative_volume_10d_calc > 2', 'write volume / avg(volume, 20)'],
    ['average_volume_30d_calc', 'write avg(volume, 20)'],
    ['floatShares < 1M', 'no source here has it'],
    ['Forward P/E < 15', 'no source here has it'],
    ['Gross Margin > 0.4', 'did you mean "gross_margin"?'],
    ['EPS growth this year > 0.1', 'did you mean "eps_growth_1y"?'],
    ['Money Flow Index(14) > 80', 'write mfi(14)'],
    ['Average True Range > 1', 'write atr(14)'],
    ['Upper BB(20,2) < close', 'write bollinger(20, 2).upper'],
    ['Slow Stoch %K(14,3) < 20', 'write stochastic(14, 3, 3).k'],
    ['Williams %R(14) < -80', 'write williams_r(14)'],
    ['+DI(14) > 20', 'write adx(14).plus_di'],
    ['Weekly RSI(14) < 30', 'write weekly(rsi(14))'],
    ['CDLENGULFING', 'write candles.engulfing > 0'],
    ['MIDPRICE', 'write (highest(14) + lowest(14)) / 2'],
    ['roce > 0.1', 'did you mean "roic"?'],
    ['f_score > 7', 'did you mean "piotroski"?'],
    ['debt_ratio < 0.5', 'write total_debt / total_assets'],
    ['pbv < 2', 'did you mean "price_to_book"?'],
    ['bar_index > 10', 'did you mean "listed_bars"?'],
    ['SMA(20, close) > 50', 'write sma(close, 20)'],
    ['ATR(high, low, close, 14) > 1', 'write atr(14)'],
    ['ta.supertrend(3, 10) < close', 'write supertrend(10, 3)'],
    [
      'close = max(252, high)',
      'write highest(high, 252) for 252 bars, or if(high > 252, high, 252)',
    ],
    ['MIN(close, 30) < 5', 'write lowest(close, 30) for 30 bars'],
    ['date > 2024-03-15', "write a day in quotes, as in date >= '2024-03-15'"],
    ['date between 2020 and 2021', 'write a day in quotes'],
    ['sma("close", 20) > 5', 'leave the quotes out'],
    ['"close > 5"', 'leave the quotes out'],
    ['pe_ratio == null', 'write pe_ratio is null'],
    ['symbol in (AAPL, MSFT)', 'write texts in quotes'],
    ['close > 5 ? 1 : 0', 'write if(condition, a, b)'],
    ['close ≥ 5', 'write >='],
    ['rsi(14).shift(1) > 5', 'write rsi(14)[1]'],
    ['close > sma(high.shift( 3 ), 20)', 'write high[3]'],
    ['macd(12, 26).signal.shift(2) > 5', 'write macd(12, 26).signal[2]'],
    ['(close - open).shift(1) > 5', 'write close[1] for the value one bar before'],
    ['rsi(14).shift(-1) > 5', 'later bars are not known'],
    ['close.rolling(20).mean() > 5', 'write sma(20)'],
    ["df['close'] > 5", 'write names alone'],
    ['market_cap > 10bn', 'write K, M, B or T'],
    ['select * from screens where close > 5', 'the text is the condition alone'],
    ["in universe('sp500')", 'no universe is loaded'],
  ])('is answered: %s', (text, advice) => {
    expect(answerTo(text)).toContain(advice);
  });

  it.each(
    'zigzag xyz foo(3) qqe vidya rvi rsx jma mama pgo cti mad psl sctr adv pow uptrend day true'.split(
      ' ',
    ),
  )('has no advice far off: %s', (text) => {
    expect(answerTo(text)).not.toContain('did you mean');
  });
});

it.each([...new Set(USUAL_WORDS.values())])(
  'answers by %s with what is understood',
  (_, written) => {
    expect(answerTo(written)).toBe('understood');
  },
);

it.each(Object.entries(OTHER_NAMES))('knows %s by its name here, %s', (_, name) => {
  expect([answerTo(name), answerTo(`${name}(close, 5)`)]).toContain('understood');
});
