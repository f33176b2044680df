import { describe, expect, it } from 'vitest';
import { factorsSchema } from '../../../../src/api/routes/factors/schema.ts';
import { dateFromDay } from '../../../../src/base/time/dates.ts';
import { scaled } from '../../../faults/scale.ts';
import { useFixtureServer } from '../../support/fixture-server.ts';
import {
  type FixtureSymbol,
  fixtureSymbols,
  LAST_DAY,
  publishMarket,
  weekdayBars,
} from '../../support/market-fixture.ts';

/** `RAND00`, `RAND01` …: random splits and dividends, on each basis whose factors can be known. */
function randomSymbols(): FixtureSymbol[] {
  let state = 7;
  const random = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((below * state) / 2_147_483_648);
  };
  const days = (count: number) => {
    const all = Array.from({ length: count }, () => LAST_DAY - 1 - random(800));
    return [...new Set(all)].sort((a, b) => a - b);
  };
  return Array.from({ length: scaled(26, 40) }, (_, i) => ({
    symbol: `RAND${String(i).padStart(2, '0')}`,
    basis: i % 2 === 0 ? 'raw' : 'split',
    bars: weekdayBars(600, 100 + i),
    splits: days(random(5)).map((exDay) => ({
      exDay,
      numerator: 1 + random(20),
      denominator: 1 + random(7),
    })),
    dividends: days(random(8)).map((exDay) => ({ exDay, amount: 0.01 + random(300) / 100 })),
    isCovered: true,
  }));
}

const symbols = [
  ...fixtureSymbols(),
  {
    ...fixtureSymbols()[0],
    symbol: 'CAD',
    dividends: [{ exDay: LAST_DAY - 200, amount: 0.75, currency: 'CAD' }],
  },
  ...randomSymbols(),
];

const fixture = useFixtureServer({}, (folder) => publishMarket(folder, symbols));

const ask = (target: string) => fixture.server.get(`/v1/svc/factors/${target}`);

async function factorsOf(symbol: string) {
  const { data } = factorsSchema.parse((await ask(symbol)).json);
  return data as Factors[];
}

interface Factors {
  date: string;
  splitFactor: number;
  dividendFactor: number;
  factor: number;
}

interface Row {
  date: string;
  close: number;
  volume: number;
}

async function candles(symbol: string, adjustment: string): Promise<Row[]> {
  const target = `/v1/svc/candles?symbols=${symbol}&adjustment=${adjustment}&format=csv`;
  const lines = (await fixture.server.get(target)).text.trimEnd().split('\r\n').slice(1);
  return lines.map((line) => {
    const [, , date, , , , close, volume] = line.split(',');
    return { date, close: Number(close), volume: Number(volume) };
  });
}

/** Divides by the ratio where it is one of an integer to 1, as the documentation says. */
function timesSplit(price: number, splitFactor: number): number {
  const inverse = Math.round(1 / splitFactor);
  return 1 / inverse === splitFactor ? price / inverse : price * splitFactor;
}

describe('GET /svc/factors/{symbol}', () => {
  it('has a row for each day from which other factors apply, oldest first', async () => {
    const [before, paid, split, ...more] = await factorsOf('ABC');
    expect(more).toEqual([]);
    expect([before.date, paid.date, split.date]).toEqual([
      (await candles('ABC', 'raw'))[0].date,
      dateFromDay(LAST_DAY - 200),
      dateFromDay(LAST_DAY - 100),
    ]);
    expect(split).toMatchObject({ splitFactor: 1, dividendFactor: 1, factor: 1 });
    expect(paid).toMatchObject({ splitFactor: 1 / 3, dividendFactor: 1, factor: 1 / 3 });
    expect(before).toMatchObject({ splitFactor: 1 / 3, factor: (1 / 3) * before.dividendFactor });
    expect(before.dividendFactor).toBeLessThan(1);
  });

  it('has the factors that adjustment= applies, to the bit', async () => {
    const names = symbols.filter(({ symbol }) => /^(ABC|NEW|RAND)/.test(symbol));
    // A hundred thousand calls of `expect` would take seconds.
    const wrong: string[] = [];
    let whole = 0;
    for (const { symbol, basis, splits } of names) {
      const factors = await factorsOf(symbol);
      const [raw, split, all] = [
        await candles(symbol, 'raw'),
        await candles(symbol, 'split'),
        await candles(symbol, 'all'),
      ];
      // Ratios such as 7 for 3 have no exact factor.
      const isWhole = basis === 'raw' && splits.every(({ denominator }) => denominator === 1);
      if (isWhole) whole++;
      for (const [row, { date, close, volume }] of raw.entries()) {
        const { splitFactor, dividendFactor, factor } = factors.findLast((f) => f.date <= date)!;
        const adjusted = timesSplit(close, splitFactor);
        const facts = {
          all: all[row].close === split[row].close * dividendFactor,
          factor: factor === splitFactor * dividendFactor,
          split: isWhole
            ? adjusted === split[row].close
            : Math.abs(adjusted / split[row].close - 1) < 4 * Number.EPSILON,
          volume: Math.abs(split[row].volume / (volume / splitFactor) - 1) < 5e-7,
        };
        for (const [name, holds] of Object.entries(facts)) {
          if (!holds) wrong.push(`${name} of ${symbol} ${date}`);
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(whole).toBeGreaterThan(3);
  });

  it('has null for what is not known, with the reason', async () => {
    const unknown = { splitFactor: null, dividendFactor: null, factor: null };
    const raw = (await ask('RAW')).json as { data: object[]; reason: string };
    expect(raw.data).toEqual([{ date: expect.any(String), ...unknown }]);
    expect(raw.reason).toMatch(/^its splits are not known from 20\d\d-\d\d-\d\d to 2026-01-05$/);
    const all = (await ask('brk-b')).json as { data: object[]; reason: string };
    expect(all).toEqual({
      data: [{ date: expect.any(String), ...unknown }],
      reason: 'its source gives no prices as traded',
    });
    const { data, reason } = (await ask('CAD')).json as { data: object[]; reason: string };
    expect(data.at(-1)).toMatchObject({ splitFactor: 1, dividendFactor: null, factor: null });
    expect(reason).toBe(`its dividend of ${dateFromDay(LAST_DAY - 200)} is in CAD`);
  });

  it('is an empty list without bars', async () => {
    expect((await ask('WAIT')).json).toEqual({ data: [] });
  });
});
