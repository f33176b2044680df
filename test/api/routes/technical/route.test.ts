import { describe, expect, it } from 'vitest';
import { errorSchema } from '../../../../src/api/http/error-types.ts';
import { volumeNumber } from '../../../../src/base/prices/decimals.ts';
import { indicatorCatalogue } from '../../../../src/compute/indicators/catalogue.ts';
import {
  abc,
  brk,
  closesOf,
  dates,
  days,
  splitAdjusted,
  splitDay,
  type Technical,
  useTechnicalClient,
} from '../../support/technical-fixture.ts';

const { get, technical, refusal } = useTechnicalClient();

const dividendDay = abc.dividends[0].exDay;

describe('candles', () => {
  it('are the latest 500 by default, ascending', async () => {
    const answer = await technical('ABC');
    expect(answer).toMatchObject({ symbol: 'ABC', interval: '1d', indicators: {} });
    expect(answer.candles.map(({ timestamp }) => timestamp)).toEqual(
      dates.slice(-500).map((date) => `${date}T00:00:00.000Z`),
    );
    expect(closesOf(answer)).toEqual(splitAdjusted(abc.bars.close).slice(-500));
  });

  it('carry every number exactly, volume with its fractions', async () => {
    const { candles } = await technical('BRK.B?limit=3');
    const { open, high, low, close, volume } = brk.bars;
    expect(candles).toEqual(
      [597, 598, 599].map((row) => ({
        timestamp: expect.any(String),
        open: open[row],
        high: high[row],
        low: low[row],
        close: close[row],
        volume: volumeNumber(volume[row]),
      })),
    );
  });

  it('of weeks and months start on Mondays and firsts, the running one included', async () => {
    const weeks = (await technical('ABC?interval=1w&limit=3')).candles;
    expect(weeks.map(({ timestamp }) => timestamp.slice(0, 10))).toEqual([
      '2025-12-22',
      '2025-12-29',
      '2026-01-05',
    ]);
    expect(weeks[2].close).toBe(abc.bars.close.at(-1));
    const months = (await technical('ABC?interval=1M&limit=2')).candles;
    expect(months.map(({ timestamp }) => timestamp.slice(0, 10))).toEqual([
      '2025-12-01',
      '2026-01-01',
    ]);
  });
});

describe('symbols', () => {
  it.each(['brk.b', 'BRK-B', 'brk-b', 'BRK%2DB'])('%s is returned as BRK.B', async (text) => {
    expect((await technical(`${text}?limit=1`)).symbol).toBe('BRK.B');
  });

  it('that are unknown give 404, texts that are none 400', async () => {
    const reply = await get('ZZZ');
    expect(reply.status).toBe(404);
    expect(errorSchema.parse(reply.json).error).toMatchObject({
      type: 'not_found_error',
      message: expect.stringContaining('"ZZZ"'),
    });
    expect(await refusal('%20')).toContain('symbol');
  });
});

describe('windows', () => {
  it('start at from and go on to the end', async () => {
    const { candles } = await technical(`ABC?from=${dates[690]}`);
    expect(candles.map(({ timestamp }) => timestamp.slice(0, 10))).toEqual(dates.slice(690));
  });

  it('end at to, inclusively, with the latest bars before it', async () => {
    const { candles } = await technical(`ABC?to=${dates[600]}&limit=5`);
    expect(candles.map(({ timestamp }) => timestamp.slice(0, 10))).toEqual(dates.slice(596, 601));
  });

  it('lie between from and to', async () => {
    const { candles } = await technical(`ABC?from=${dates[10]}&to=${dates[20]}`);
    expect(candles.map(({ timestamp }) => timestamp.slice(0, 10))).toEqual(dates.slice(10, 21));
  });

  it('take date-times, which bound the stamps of the bars', async () => {
    const justAfter = await technical(`ABC?from=${dates[690]}T00:00:00.001Z`);
    expect(justAfter.candles).toHaveLength(9);
    const exactly = await technical(`ABC?from=${dates[690]}T05:00:00%2B05:00`);
    expect(exactly.candles).toHaveLength(10);
  });

  it('without bars are empty', async () => {
    expect((await technical('ABC?from=2030-01-01&indicators=sma')).candles).toEqual([]);
    expect((await technical('ABC?to=1999-01-01&indicators=sma')).indicators).toEqual({ sma: [] });
  });

  it('of more bars than the limit are refused with their count', async () => {
    expect(await refusal(`ABC?from=${dates[0]}`)).toMatch(/limit .*700.*"500"/);
    expect(await refusal(`ABC?from=${dates[600]}&limit=99`)).toMatch(/limit .*100.*"99"/);
    expect((await technical(`ABC?from=${dates[600]}&limit=100`)).candles).toHaveLength(100);
  });

  it('that end before they start are refused', async () => {
    expect(await refusal('ABC?from=2026-01-02&to=2026-01-01')).toMatch(/^from /);
  });
});

describe('parameters', () => {
  it.each([
    ['perid=14', 'perid'],
    ['period=14&period=14', 'period'],
    ['period=0', 'period'],
    ['period=1001', 'period'],
    ['period=', 'period'],
    ['interval=1h30', 'interval'],
    ['interval=1D', 'interval'],
    ['limit=0', 'limit'],
    ['limit=50001', 'limit'],
    ['limit=all', 'limit'],
    ['limit=50001&format=csv', 'limit'],
    ['from=2026-02-30', 'from'],
    ['to=tomorrow', 'to'],
    ['adjustment=none', 'adjustment'],
    ['format=xml', 'format'],
    ['indicators=', 'indicators'],
    ['indicators=nonsense', 'indicators'],
    ['indicators=sma,sma', 'indicators'],
    ['indicators=sma:0', 'indicators'],
    ['indicators=sma:14:2', 'indicators'],
    ['indicators=macd:26:12:9', 'indicators'],
    [`indicators=${Array.from({ length: 21 }, (_, i) => `sma:${i + 1}`)}`, 'indicators'],
  ])('%s is refused by name', async (query, name) => {
    expect(await refusal(`ABC?${query}`)).toContain(name);
  });

  it('that are wrong come before a symbol that is unknown', async () => {
    expect((await get('ZZZ?period=0')).status).toBe(400);
  });
});

describe('adjustment', () => {
  const volumeOf = ({ candles }: Technical) => candles.map(({ volume }) => volume);

  async function basisOf(rest: string): Promise<string | null> {
    return (await get(rest)).headers.get('X-SVC-Adjustment');
  }

  it('is split if it can be derived, else the stored basis, and the response names it', async () => {
    expect(await basisOf('ABC')).toBe('split');
    expect(await basisOf('RAW')).toBe('raw');
    expect(await basisOf('BRK.B')).toBe('all');
    expect(await basisOf('ABC?adjustment=raw')).toBe('raw');
    expect(await basisOf('ABC?adjustment=all&format=arrow')).toBe('all');
  });

  it('raw gives the stored prices, split divides them with one rounding', async () => {
    const raw = await technical('ABC?adjustment=raw&limit=700');
    expect(closesOf(raw)).toEqual([...abc.bars.close]);
    const split = await technical('ABC?adjustment=split&limit=700');
    expect(closesOf(split)).toEqual(splitAdjusted(abc.bars.close));
    const before = days.findIndex((day) => day >= splitDay) - 1;
    expect(volumeOf(split)[before]).toBe(volumeNumber(abc.bars.volume[before] * 3));
    expect(volumeOf(split).at(-1)).toBe(volumeOf(raw).at(-1));
  });

  it('all takes the dividend out of the prices before it', async () => {
    const [all, split] = [
      await technical('ABC?adjustment=all&limit=700'),
      await technical('ABC?adjustment=split&limit=700'),
    ];
    const exRow = days.findIndex((day) => day >= dividendDay);
    // Declared before the split, so on the basis of its own day.
    const factor = 1 - 0.75 / abc.bars.close[exRow - 1];
    expect(closesOf(all)[exRow - 1]).toBeCloseTo(closesOf(split)[exRow - 1] * factor, 10);
    expect(closesOf(all)[exRow]).toBe(closesOf(split)[exRow]);
  });

  it('is the basis of the indicators, computed over the whole series', async () => {
    const { indicators } = await technical('ABC?adjustment=raw&indicators=sma,sma:9&limit=700');
    const spec = indicatorCatalogue[0];
    for (const [key, period] of [['sma', 14] as const, ['sma:9', 9] as const]) {
      const { sma } = spec.compute(abc.bars, { period });
      expect(indicators[key].map(({ value }) => value)).toEqual([...sma.subarray(period - 1)]);
    }
  });

  it('of weeks resamples adjusted days', async () => {
    const raw = await technical('ABC?adjustment=raw&interval=1w&limit=200');
    const split = await technical('ABC?adjustment=split&interval=1w&limit=200');
    expect(raw.candles).toHaveLength(split.candles.length);
    expect(raw.candles[0].high).toBeCloseTo(split.candles[0].high * 3, 9);
    expect(raw.candles.at(-1)).toEqual(split.candles.at(-1));
  });

  it('that can not be derived is refused, with those that can', async () => {
    expect(await refusal('RAW?adjustment=split')).toMatch(/must be raw for RAW.*"split"/);
    expect(await refusal('BRK.B?adjustment=raw')).toMatch(/must be all for BRK\.B.*"raw"/);
  });
});
