import { tableFromIPC } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import type { BarColumns } from '../../../../src/base/bars.ts';
import { limits } from '../../../../src/base/limits.ts';
import { sessionCloseMs, sessionOpenMs } from '../../../../src/base/time/calendar.ts';
import { dayFromMillis } from '../../../../src/base/time/dates.ts';
import type { IndicatorInput } from '../../../../src/compute/columns/indicator-spec.ts';
import { ema } from '../../../../src/compute/indicators/averages/ema.ts';
import { defaultParams, indicatorCatalogue } from '../../../../src/compute/indicators/catalogue.ts';
import { rsi } from '../../../../src/compute/indicators/momentum/rsi.ts';
import { barsOf } from '../../../compute/support/bars-of.ts';
import { someOf } from '../../../support/store-runs.ts';
import {
  fixtureIntraday,
  HALF_DAY,
  publishIntradayMarket,
  QUIET_DAY,
} from '../../support/intraday-market.ts';
import { fixtureSymbols } from '../../support/market-fixture.ts';
import { closesOf, type Technical, useTechnicalClient } from '../../support/technical-fixture.ts';

const { get, technical, refusal } = useTechnicalClient(publishIntradayMarket);

const [abc, brk, min] = fixtureIntraday().map(({ bars }) => bars);
const [{ splits, dividends }] = fixtureSymbols();

interface Candle {
  ms: number;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}

function rowsOf(bars: BarColumns): Candle[] {
  return Array.from(bars.close, (close, row) => ({
    ms: Number(bars.timestampUs[row] / 1000n),
    open: bars.open[row],
    high: bars.high[row],
    low: bars.low[row],
    close,
    volume: bars.volume[row],
  }));
}

/** The slow, plain way: a bar for each stretch of a session that has rows. */
function combined(bars: BarColumns, minutes: number): Candle[] {
  const made = new Map<number, Candle>();
  for (const row of rowsOf(bars)) {
    const openMs = sessionOpenMs(dayFromMillis(row.ms));
    const ms = openMs + Math.floor((row.ms - openMs) / (minutes * 60_000)) * minutes * 60_000;
    const bar = made.get(ms);
    if (!bar) {
      made.set(ms, { ...row, ms });
      continue;
    }
    bar.high = Math.max(bar.high, row.high);
    bar.low = Math.min(bar.low, row.low);
    bar.close = row.close;
    bar.volume += row.volume;
  }
  return [...made.values()];
}

function candlesOf(answer: Technical): Candle[] {
  return answer.candles.map(({ timestamp, ...rest }) => ({ ms: Date.parse(timestamp), ...rest }));
}

describe('intraday candles', () => {
  it('of one minute are the stored ones, stamped with their start in UTC', async () => {
    const answer = await technical('MIN?interval=1m&limit=50000');
    expect(answer).toMatchObject({ symbol: 'MIN', interval: '1m', indicators: {} });
    expect(candlesOf(answer)).toEqual(rowsOf(min));
    expect(answer.candles[0].timestamp).toBe('2025-12-19T14:30:00.000Z');
  });

  it.each([
    ['5m', 5],
    ['15m', 15],
    ['1h', 60],
    ['4h', 240],
  ])('of %s are made of minutes from the open of each session on', async (interval, minutes) => {
    const answer = await technical(`MIN?interval=${interval}&limit=50000`);
    expect(candlesOf(answer)).toEqual(combined(min, minutes));
  });

  it('end with a short bar, earlier on a half day, and not at all on a quiet one', async () => {
    const { candles } = await technical('MIN?interval=4h&from=2025-12-22&to=2025-12-26');
    expect(candles.map(({ timestamp }) => timestamp)).toEqual([
      '2025-12-23T14:30:00.000Z',
      '2025-12-23T18:30:00.000Z',
      '2025-12-24T14:30:00.000Z',
      '2025-12-26T14:30:00.000Z',
      '2025-12-26T18:30:00.000Z',
    ]);
    expect(sessionCloseMs(HALF_DAY)).toBe(Date.UTC(2025, 11, 24, 18));
    expect(QUIET_DAY).toBeLessThan(HALF_DAY);
  });

  it('of longer intervals are made of five minutes where these are stored', async () => {
    const half = combined(brk, 15);
    expect(candlesOf(await technical('BRK.B?interval=15m&limit=50000'))).toEqual(half);
    expect(candlesOf(await technical('BRK.B?interval=5m&limit=50000'))).toEqual(rowsOf(brk));
    expect((await technical('BRK.B?interval=1m')).candles).toEqual([]);
  });

  it('are the latest without `from`, over as many sessions as that takes', async () => {
    for (const [interval, minutes] of [
      ['5m', 5],
      ['4h', 240],
      ['1m', 1],
    ] as const) {
      const all = minutes === 1 ? rowsOf(min) : combined(min, minutes);
      for (const limit of [1, 2, 7, 250]) {
        const answer = await technical(`MIN?interval=${interval}&limit=${limit}`);
        expect(candlesOf(answer)).toEqual(all.slice(-limit));
        const to = '2025-12-30T15:02:30Z';
        const before = all.filter(({ ms }) => ms <= Date.parse(to));
        const earlier = await technical(`MIN?interval=${interval}&limit=${limit}&to=${to}`);
        expect(candlesOf(earlier)).toEqual(before.slice(-limit));
      }
    }
  });

  it('of a window start in it: from and to bound the starts of bars', async () => {
    const window = 'from=2025-12-29T14:31:00Z&to=2025-12-29T16:30:00Z';
    const { candles } = await technical(`MIN?interval=1h&${window}`);
    expect(candles.map(({ timestamp }) => timestamp)).toEqual([
      '2025-12-29T15:30:00.000Z',
      '2025-12-29T16:30:00.000Z',
    ]);
    const whole = combined(min, 60).find(({ ms }) => ms === Date.UTC(2025, 11, 29, 16, 30));
    expect(candlesOf({ candles } as Technical)[1]).toEqual(whole);
    expect(await refusal('MIN?interval=5m&from=2025-12-19&limit=20')).toContain(
      `limit must be at least ${combined(min, 5).length}`,
    );
  });
});

describe('adjustment of intraday bars', () => {
  const splitUs = BigInt(splits[0].exDay) * 86_400_000_000n;

  it('is split where it can be derived: the day of a split begins at midnight in New York', async () => {
    const reply = await get('ABC?interval=1m&limit=50000');
    expect(reply.headers.get('X-SVC-Adjustment')).toBe('split');
    expect(closesOf(reply.json as Technical)).toEqual(
      Array.from(abc.close, (close, row) => (abc.timestampUs[row] < splitUs ? close / 3 : close)),
    );
  });

  it('may be raw, or of dividends too, by the last close before each', async () => {
    expect(closesOf(await technical('ABC?interval=1m&adjustment=raw&limit=50000'))).toEqual([
      ...abc.close,
    ]);
    const [{ exDay, amount }] = dividends;
    const exRow = abc.timestampUs.findIndex((us) => us >= BigInt(exDay) * 86_400_000_000n);
    const factor = 1 - amount / abc.close[exRow - 1];
    const all = closesOf(await technical('ABC?interval=1m&adjustment=all&limit=50000'));
    expect(all[exRow - 1]).toBe((abc.close[exRow - 1] / 3) * factor);
    expect(all[exRow]).toBe(abc.close[exRow] / 3);
  });

  it('holds for parts of a series as for the whole, and for bars that are made', async () => {
    const whole = await technical('ABC?interval=15m&adjustment=all&limit=50000');
    const part = await technical('ABC?interval=15m&adjustment=all&to=2025-06-18&limit=40');
    const end = whole.candles.findIndex(({ timestamp }) => timestamp > '2025-06-19');
    expect(part.candles).toEqual(whole.candles.slice(end - 40, end));
  });

  it('is refused where the bars stored for the interval do not allow it', async () => {
    expect(await refusal('BRK.B?interval=1h&adjustment=raw')).toContain(
      'adjustment must be all for BRK.B, whose stored basis is all',
    );
    expect(await refusal('MIN?interval=5m&adjustment=split')).toContain('adjustment must be raw');
    const reply = await get('MIN?interval=5m');
    expect(reply.headers.get('X-SVC-Adjustment')).toBe('raw');
  });
});

/** All bars of a response in Arrow, whose volumes are not rounded. */
async function allBars(interval: string): Promise<IndicatorInput> {
  const reply = await get(`ABC?interval=${interval}&limit=50000&format=arrow`);
  const table = tableFromIPC(reply.bytes);
  const column = (name: string) => Float64Array.from(table.getChild(name)!.toArray());
  const days = [...table.getChild('timestamp')!].map((ms: number) =>
    new Date(ms).toLocaleDateString('en-US', { timeZone: 'America/New_York' }),
  );
  const session = Float64Array.from(days, (day, i) => (day === days[i - 1] ? 0 : 1));
  return {
    open: column('open'),
    high: column('high'),
    low: column('low'),
    close: column('close'),
    volume: column('volume'),
    ...(/[mh]$/.test(interval) && { session }),
  };
}

describe('intraday indicators', () => {
  it('are computed from the first bar of the interval, on the basis of the response', async () => {
    const bars = combined(min, 15);
    const close = Float64Array.from(bars, (bar) => bar.close);
    const answer = await technical('MIN?interval=15m&indicators=ema:30,rsi&limit=40');
    const values = (key: string) => answer.indicators[key].map(({ value }) => value);
    expect(values('ema:30')).toEqual([
      ...ema.compute(barsOf(close), { period: 30 }).ema.subarray(-40),
    ]);
    expect(values('rsi')).toEqual([
      ...rsi.compute(barsOf(close), { period: 14 }).rsi.subarray(-40),
    ]);
    expect(candlesOf(answer)).toEqual(bars.slice(-40));
  });

  it.each(someOf(['15m', '1d', '1w', '4h', '1M', '5m'] as const, 2))(
    'are those computed from all candles of the response, at %s',
    async (interval) => {
      const many = limits.indicator.perRequestMax;
      const bars = await allBars(interval);
      for (let from = 0; from < indicatorCatalogue.length; from += many) {
        const some = indicatorCatalogue.slice(from, from + many);
        const names = some.map(({ name }) => name).join(',');
        const reply = await get(`ABC?interval=${interval}&indicators=${names}&limit=50000`);
        const answer = reply.json as Technical;
        for (const spec of some) {
          const main = spec.compute(bars, defaultParams(spec, interval))[spec.mainOutput];
          const values = answer.indicators[spec.name].map(({ value }) => value);
          expect(values, spec.name).toEqual([...main].filter(Number.isFinite));
        }
      }
    },
  );

  it('warm up before the window and end with it', async () => {
    const query = 'interval=5m&indicators=macd,bollinger:20:2';
    const all = await technical(`ABC?${query}&limit=50000`);
    const part = await technical(`ABC?${query}&from=2025-09-02&to=2025-09-05`);
    expect(part.candles.length).toBeGreaterThan(78);
    for (const key of ['macd', 'bollinger:20:2']) {
      const inWindow = all.indicators[key].filter(
        ({ timestamp }) => timestamp >= '2025-09-02' && timestamp < '2025-09-06',
      );
      expect(part.indicators[key]).toEqual(inWindow);
    }
  });

  it('have no date column in tables', async () => {
    const csv = await get('MIN?interval=1h&indicators=sma:2&limit=2&format=csv');
    expect(csv.text.split('\r\n')[0]).toBe('timestamp,open,high,low,close,volume,sma:2');
    const arrow = tableFromIPC((await get('MIN?interval=1h&limit=all&format=arrow')).bytes);
    expect(arrow.numRows).toBe(combined(min, 60).length);
    expect([...(arrow.getChild('close')?.toArray() ?? [])]).toEqual(
      combined(min, 60).map(({ close }) => close),
    );
  });
});

describe('symbols without bars of the interval', () => {
  it.each(['WAIT?interval=5m', 'WAIT', 'RAW?interval=1m', 'MIN?interval=1w'])(
    '%s: known, and nothing to show',
    async (question) => {
      const mark = question.includes('?') ? '&' : '?';
      const reply = await get(`${question}${mark}indicators=sma,macd`);
      expect(reply.status).toBe(200);
      expect(reply.json).toMatchObject({ indicators: { sma: [], macd: [] }, candles: [] });
      expect(reply.headers.get('X-SVC-Adjustment')).toBe('split');
    },
  );

  it('an unused name is unknown', async () => {
    expect((await get('ZZZ?interval=5m')).status).toBe(404);
  });
});

it.each(['historical_volatility:20', 'historical_volatility(20) * 2'])(
  'of other sessions, %s needs the bars of its year',
  async (indicators) => {
    const query = `interval=5m&session=all&indicators=${encodeURIComponent(indicators)}`;
    expect(await refusal(`ABC?${query}`)).toMatch(/bars of a year/);
  },
);
