/** Normal forms of screens show precedence, defaults and spellings. */

import { describe, expect, it } from 'vitest';
import { compileScreen } from '../../../src/screens/plan/compile.ts';

describe('the normal form', () => {
  it.each([
    ['close > 1 or open > 2 and low > 3', 'close > 1 or open > 2 and low > 3'],
    ['not close > 1 and open > 2', 'not close > 1 and open > 2'],
    ['not close > 1 within 5', 'not close > 1 within 5'],
    ['close + 1 * 2 - 3 / 4 > -close[1]', 'close + 2 - 0.75 > -close[1]'],
    ['close - (open - low) > close / (open / low)', 'close - (open - low) > close / (open / low)'],
    ['close > 1 for 2 within 3', 'close > 1 for 2 within 3'],
    ['(close > 1 or open > 2) for 2', '(close > 1 or open > 2) for 2'],
    ['close between 1 and 2 and open > 1', 'close between 1 and 2 and open > 1'],
    ['close not between open - 1 and open + 1', 'not close between open - 1 and open + 1'],
    ['-(close + 1) * 2 > 1', '-(close + 1) * 2 > 1'],
    ['(-close)[2] > 1', '(-close)[2] > 1'],
    ['-close[2] > 1', '-close[2] > 1'],
    ['close > 1 AND NOT (open > 2 OR low > 3)', 'close > 1 and not (open > 2 or low > 3)'],
    ['CLOSE == 5 and open <> 3', 'close = 5 and open != 3'],
    [
      'close > 1.5K and volume > .5m and market_cap > 2T',
      'close > 1500 and volume > 500000 and market_cap > 2000000000000',
    ],
    ["date not in ('2024-03-18', '2024-03-15')", 'not date in (20240315, 20240318)'],
    ['percent_change(close) > 1', 'pct_change(close, 1) > 1'],
    ['volume is not null', 'not volume is null'],
    ["sector not in ('b','A','b')", "not sector in ('a', 'b')"],
    [
      'sma(close,14) > sma and highest(high,20) > highest(close,20)',
      'sma(14) > sma(14) and highest(20) > highest(close, 20)',
    ],
    ['bollinger > bollinger.middle', 'bollinger(14, 2).middle > bollinger(14, 2).middle'],
    ['2 < close', '2 < close'],
    ['close[0] > 1', 'close[0] > 1'],
    ['(((close))) > 1', 'close > 1'],
    ['close > 2 within 3 bars and open > 1 for 1 bar', 'close > 2 within 3 and open > 1 for 1'],
    ['macd_histogram > macd:5:10:3_signal', 'macd(12, 26, 9).histogram > macd(5, 10, 3).signal'],
    ['weekly(Close) > monthly( close )', 'weekly(close) > monthly(close)'],
    [
      'weekly(historical_volatility > 20) and historical_volatility(10) < monthly(historical_volatility:5)',
      'weekly(historical_volatility(20, 52) > 20) and historical_volatility(10, 252) < monthly(historical_volatility(5, 12))',
    ],
    ['not not close > 1', 'not not close > 1'],
    ['2 * 3 + 1 < close', '7 < close'],
    ['2 - -close > 1', '2 - -close > 1'],
    [
      "symbol('brk-b').RSI > 1 and date>'2024-01-02'",
      "symbol('BRK.B', rsi(14)) > 1 and date > 20240102",
    ],
    ['sma200 > SMA_50 and atr14 > 1', 'sma(200) > sma(50) and atr(14) > 1'],
    ['ta.rsi(close, 14) < ta.sma(hl2, 3)', 'rsi(14) < sma(hl2, 3)'],
    ['rank(RSI,among close>5,by Sector)>.5', 'rank(rsi(14), by sector, among close > 5) > 0.5'],
    [
      'Anchored_VWAP(close>1)>anchored_vwap(low>2,-2)',
      'anchored_vwap(close > 1, 0) > anchored_vwap(low > 2, -2)',
    ],
    [
      'if(close>1,Count(open>2,3),bars_since(low>1))>1',
      'if(close > 1, count(open > 2, 3), bars_since(low > 1)) > 1',
    ],
  ])('of %s', (where, canonical) => {
    expect(compileScreen({ where }).canonical).toBe(`where ${canonical}`);
  });

  it('joins the texts of a screen', () => {
    const { canonical } = compileScreen({
      where: 'close>1',
      columns: 'RSI , sector',
      sort: '-rsi',
    });
    expect(canonical).toBe('where close > 1; columns rsi(14), sector; sort -rsi(14)');
  });

  it.each([
    ['close > 1 or open > 2 and low > 3', 'close > 1 or (open > 2 and low > 3)'],
    ['not close > 1 and open > 2', '(not (close > 1)) and open > 2'],
    ['close > 1 and open > 2 within 5', 'close > 1 and ((open > 2) within 5)'],
    ['not close > 1 within 5', 'not ((close > 1) within 5)'],
    ['close > open + low * 2', 'close > (open + (low * 2))'],
    ['close - open - low > 1', '((close - open) - low) > 1'],
    ['close / open * low > 1', '((close / open) * low) > 1'],
    ['-close[1] > 1', '-(close[1]) > 1'],
    ['-close * open > 1', '((-close) * open) > 1'],
    ['close between 1 and 2 and open > 3', '(close between 1 and 2) and (open > 3)'],
  ])('of %s is that of %s', (where, grouped) => {
    const [first, second] = [where, grouped].map((text) => compileScreen({ where: text }));
    expect(first.canonical).toBe(second.canonical);
  });
});
