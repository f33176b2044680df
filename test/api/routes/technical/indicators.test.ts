import { describe, expect, it } from 'vitest';
import { indicatorCatalogue } from '../../../../src/compute/indicators/catalogue.ts';
import { abc, dates, splitAdjusted, useTechnicalClient } from '../../support/technical-fixture.ts';

const { technical, refusal } = useTechnicalClient();

/** Points of an indicator computed over the whole series, then cut to the last `count` bars. */
function expectedPoints(name: string, params: Record<string, number>, count: number) {
  const spec = indicatorCatalogue.find((row) => row.name === name)!;
  const close = Float64Array.from(splitAdjusted(abc.bars.close));
  const outputs = spec.compute({ ...abc.bars, close }, params);
  return dates.slice(-count).map((date, i) => {
    const row = dates.length - count + i;
    const value = (output: string) => outputs[output][row];
    return { timestamp: `${date}T00:00:00.000Z`, value };
  });
}

describe('indicators', () => {
  it('are the mean of the closes and nothing else', async () => {
    const { indicators } = await technical('ABC?indicators=sma:3&limit=2');
    const closes = splitAdjusted(abc.bars.close);
    const means = [697, 698].map((row) => (closes[row - 1] + closes[row] + closes[row + 1]) / 3);
    const values = indicators['sma:3'].map(({ value }) => value);
    expect(values[0]).toBeCloseTo(means[0], 12);
    expect(values[1]).toBeCloseTo(means[1], 12);
  });

  it('have the requested text as their key', async () => {
    const { indicators } = await technical('ABC?indicators=macd:12:26:9,sma,sma:14,rsi:7&limit=1');
    expect(Object.keys(indicators)).toEqual(['macd:12:26:9', 'sma', 'sma:14', 'rsi:7']);
    expect(indicators.sma).toEqual(indicators['sma:14']);
  });

  it('take period for sma, ema, rsi and bollinger, not for macd', async () => {
    const asked = await technical('ABC?indicators=sma,ema,rsi,bollinger,macd&period=21&limit=4');
    const named = await technical(
      'ABC?indicators=sma:21,ema:21,rsi:21,bollinger:21:2,macd:12:26:9&limit=4',
    );
    expect(Object.values(asked.indicators)).toEqual(Object.values(named.indicators));
  });

  it('are the same bits from published columns and computed on read', async () => {
    const published = await technical('ABC?indicators=sma,ema,rsi,macd,bollinger');
    const computed = { sma: { period: 14 }, ema: { period: 14 }, rsi: { period: 14 } };
    for (const [name, params] of Object.entries(computed)) {
      expect(published.indicators[name]).toEqual(
        expectedPoints(name, params, 500).map(({ timestamp, value }) => ({
          timestamp,
          value: value(name),
        })),
      );
    }
    expect(published.indicators.macd).toEqual(
      expectedPoints('macd', { fast: 12, slow: 26, signal: 9 }, 500).map(
        ({ timestamp, value }) => ({
          timestamp,
          value: value('macd'),
          signal: value('signal'),
          histogram: value('histogram'),
        }),
      ),
    );
    expect(published.indicators.bollinger).toEqual(
      expectedPoints('bollinger', { period: 14, k: 2 }, 500).map(({ timestamp, value }) => ({
        timestamp,
        value: value('middle'),
        upper: value('upper'),
        middle: value('middle'),
        lower: value('lower'),
      })),
    );
  });

  it('of a period that is not published equal those computed over the whole series', async () => {
    const { indicators } = await technical('ABC?indicators=ema:50&limit=10');
    expect(indicators['ema:50']).toEqual(
      expectedPoints('ema', { period: 50 }, 10).map(({ timestamp, value }) => ({
        timestamp,
        value: value('ema'),
      })),
    );
  });

  it('are warmed up by earlier history, so that a window has a point for every bar', async () => {
    for (const window of ['limit=5', `from=${dates[600]}&to=${dates[604]}`]) {
      const query = `indicators=sma:200,ema:200,rsi:200,macd,bollinger:200&${window}`;
      const { indicators, candles } = await technical(`ABC?${query}`);
      for (const points of Object.values(indicators)) {
        expect(points.map(({ timestamp }) => timestamp)).toEqual(
          candles.map(({ timestamp }) => timestamp),
        );
      }
    }
  });

  it('give the same values whatever the window', async () => {
    const all = await technical('ABC?indicators=ema:30,bollinger:30&limit=700');
    const query = `indicators=ema:30,bollinger:30&from=${dates[300]}&to=${dates[309]}`;
    const part = await technical(`ABC?${query}`);
    for (const [key, points] of Object.entries(part.indicators)) {
      expect(points).toEqual(all.indicators[key].slice(300 - 29, 310 - 29));
    }
  });

  it('omit points before their first value; of macd the line comes before the signal', async () => {
    const { indicators } = await technical('ABC?indicators=sma,rsi,macd&limit=700');
    expect(indicators.sma).toHaveLength(700 - 13);
    expect(indicators.rsi).toHaveLength(700 - 14);
    expect(indicators.macd).toHaveLength(700 - 25);
    expect(indicators.macd[7]).toMatchObject({ signal: null, histogram: null });
    expect(indicators.macd[8]).toMatchObject({
      signal: expect.any(Number),
      histogram: expect.any(Number),
    });
  });

  it('of a series shorter than their warm-up have no points', async () => {
    const answer = await technical('NEW?indicators=sma,ema:5,macd');
    expect(answer.candles).toHaveLength(5);
    expect(answer.indicators).toMatchObject({ sma: [], macd: [] });
    expect(answer.indicators['ema:5']).toHaveLength(1);
  });
});

describe('expressions of screens', () => {
  const asked = async (texts: string, query: string) => {
    const path = `ABC?${query}&indicators=${encodeURIComponent(texts)}`;
    return (await technical(path)).indicators;
  };

  it.each(['1d', '1w', '1M'])(
    'are the indicators of bars of %s by another spelling',
    async (interval) => {
      const pairs = [
        ['rsi(14)', 'rsi:14'],
        ['historical_volatility(5)', 'historical_volatility:5'],
        ['sma(close, 3)', 'sma:3'],
        ['atr(5)', 'atr:5'],
        ['heikin_ashi', 'heikin_ashi()'],
      ];
      const points = await asked(pairs.flat().join(), `interval=${interval}&limit=40`);
      for (const [text, same] of pairs) {
        const valuesOf = (key: string) =>
          points[key].map(({ timestamp, value }) => [timestamp, value]);
        expect(valuesOf(text), text).toEqual(valuesOf(same));
      }
    },
  );

  it('compute from any column of bars, and have 1 and 0 for conditions', async () => {
    const list = 'sma(volume, 3), close > open, close - close[1], macd.signal, macd';
    const { candles, indicators } = await technical(
      `ABC?limit=4&indicators=${encodeURIComponent(list)}`,
    );
    const [, ...last] = candles;
    expect(indicators['close > open'].slice(1).map(({ value }) => value)).toEqual(
      last.map(({ open, close }) => Number(close > open)),
    );
    expect(indicators['close - close[1]'].slice(1).map(({ value }) => value)).toEqual(
      last.map(({ close }, i) => close - candles[i].close),
    );
    const volume = candles.slice(1).reduce((sum, bar) => sum + bar.volume, 0) / 3;
    expect(indicators['sma(volume, 3)'].at(-1)!.value).toBeCloseTo(volume, 6);
    expect(indicators['macd.signal'].at(-1)!.value).toBe(
      (indicators.macd.at(-1) as unknown as { signal: number }).signal,
    );
  });

  it('take weeks and months as far as they had come on each day', async () => {
    const points = await asked('weekly(sma(3)), monthly(close) / close', 'limit=30');
    const weeks = await asked('sma:3', 'limit=1&interval=1w');
    expect(points['weekly(sma(3))'].at(-1)!.value).toBe(weeks['sma:3'].at(-1)!.value);
    expect(new Set(points['monthly(close) / close'].map(({ value }) => value))).toEqual(
      new Set([1]),
    );
  });

  it.each([
    ['pe_ratio', 'expected an expression over bars at position 1, got "pe_ratio"'],
    ['rsi:14, rank(close)', 'expected an expression over bars at position 9, got "rank(close)"'],
    ['rsi, smaa(3)', 'at position 6, got "smaa": did you mean "sma"?'],
    ["symbol('ABC').close", "symbol('ABC') is for screens at position 1"],
    ['smaa', 'indicators has no "smaa"; did you mean sma?'],
    ['5', 'expected an expression over bars at position 1, got "5"'],
  ])('refuse %s', async (text, message) => {
    expect(await refusal(`ABC?indicators=${encodeURIComponent(text)}`)).toContain(message);
  });
});
