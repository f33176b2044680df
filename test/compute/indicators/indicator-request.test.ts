import { describe, expect, it } from 'vitest';
import { ParameterError } from '../../../src/base/errors.ts';
import {
  indicatorFromText,
  indicatorRequests,
} from '../../../src/compute/indicators/indicator-request.ts';

function paramsOf(text: string, period = 14) {
  return indicatorFromText(text, '1d', period).params;
}

function errorOf(run: () => unknown): ParameterError {
  try {
    run();
  } catch (error) {
    if (error instanceof ParameterError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('indicatorFromText', () => {
  it('takes the period of the request where the text gives none', () => {
    expect(paramsOf('sma', 30)).toEqual({ period: 30 });
    expect(paramsOf('rsi', 5)).toEqual({ period: 5 });
    expect(paramsOf('bollinger', 30)).toEqual({ period: 30, k: 2 });
  });

  it('leaves MACD at 12, 26, 9 whatever the period', () => {
    expect(paramsOf('macd', 30)).toEqual({ fast: 12, slow: 26, signal: 9 });
  });

  it('reads parameters in their order', () => {
    expect(paramsOf('sma:50')).toEqual({ period: 50 });
    expect(paramsOf('bollinger:20:2.5')).toEqual({ period: 20, k: 2.5 });
    expect(paramsOf('macd:5:35:5')).toEqual({ fast: 5, slow: 35, signal: 5 });
  });

  it('takes defaults for the parameters that are left out', () => {
    expect(paramsOf('bollinger:20')).toEqual({ period: 20, k: 2 });
    expect(paramsOf('macd:8')).toEqual({ fast: 8, slow: 26, signal: 9 });
  });

  it.each([
    ['1m', 98_280],
    ['5m', 19_656],
    ['15m', 6_552],
    ['1h', 1_764],
    ['4h', 504],
    ['1d', 252],
    ['1w', 52],
    ['1M', 12],
  ] as const)('counts the bars of %s in a year for the volatility', (interval, year) => {
    const paramsAt = (text: string) => indicatorFromText(text, interval).params;
    expect(paramsAt('historical_volatility')).toEqual({ period: 20, year });
    expect(paramsAt('historical_volatility:10:365')).toEqual({ period: 10, year: 365 });
  });

  it('keeps the text asked as the key', () => {
    const { key, spec } = indicatorFromText('sma:50', '1d', 14);
    expect(key).toBe('sma:50');
    expect(spec.name).toBe('sma');
  });

  it.each([
    ['bolinger', 'indicators has no "bolinger"; did you mean bollinger?'],
    ['SMA', 'indicators has no "SMA"; did you mean sma?'],
    ['', 'indicators has no ""; /docs lists the names'],
    ['sma:', 'indicators "sma:": period must be an integer from 1 to 1000'],
    ['sma:0', 'indicators "sma:0": period must be an integer from 1 to 1000'],
    ['sma:1001', 'indicators "sma:1001": period must be an integer from 1 to 1000'],
    ['ema:1.5', 'indicators "ema:1.5": period must be an integer from 1 to 1000'],
    ['rsi:1e2', 'indicators "rsi:1e2": period must be an integer from 1 to 1000'],
    ['rsi:-5', 'indicators "rsi:-5": period must be an integer from 1 to 1000'],
    ['bollinger:20:0', 'indicators "bollinger:20:0": k must be a number from 0.01 to 100'],
    ['sma:5:6', 'indicators takes no more than sma:period, got "sma:5:6"'],
    ['macd:26:12', 'indicators "macd:26:12": fast must be less than slow "12", got "26"'],
  ])('refuses "%s" and says why', (text, message) => {
    const error = errorOf(() => indicatorFromText(text, '1d', 14));
    expect(error.field).toBe('indicators');
    expect(error.message).toBe(message);
  });

  it('repeats at most 200 characters of the text in a message', () => {
    for (const text of [
      `sma:${'1'.repeat(10_000)}`,
      'v'.repeat(10_000),
      `sma:1${':1'.repeat(5_000)}`,
    ]) {
      const echoed = errorOf(() => indicatorFromText(text, '1d', 14)).message.match(/".*?"/g) ?? [];
      expect(echoed.map((part) => part.length - 2)).toEqual([200]);
    }
  });
});

describe('indicatorRequests', () => {
  it('is empty without a list', () => {
    expect(indicatorRequests(undefined, '1d', 14)).toEqual([]);
  });

  it('keeps the order asked', () => {
    const requests = indicatorRequests('sma:200,sma:50,rsi', '1d', 14);
    expect(requests.map(({ key }) => key)).toEqual(['sma:200', 'sma:50', 'rsi']);
  });

  it('refuses an indicator asked twice, and too many', () => {
    expect(errorOf(() => indicatorRequests('sma,rsi,sma', '1d', 14)).message).toBe(
      'indicators must name each once, got "sma" twice',
    );
    const many = Array.from({ length: 21 }, (_, i) => `sma:${i + 1}`).join(',');
    expect(errorOf(() => indicatorRequests(many, '1d', 14)).message).toBe(
      'indicators must name at most 20 indicators, got "21"',
    );
  });
});
