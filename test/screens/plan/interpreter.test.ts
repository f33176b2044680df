/** Screens have the values that a plain interpreter of their syntax gives. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { indicatorCatalogue } from '../../../src/compute/indicators/catalogue.ts';
import { parseExpression, parseList } from '../../../src/screens/language/parse.ts';
import { compileScreen } from '../../../src/screens/plan/compile.ts';
import { evaluateExpression } from '../../../src/screens/plan/evaluate.ts';
import { seededRandom } from '../../compute/support/hostile-series.ts';
import { interpret, type Security, TooNear } from '../../compute/support/interpret-screen.ts';
import { newestValues } from '../../compute/support/newest-values.ts';
import { scaled } from '../../faults/scale.ts';
import { long } from '../../support/store-runs.ts';

/** Synthetic bars in whole numbers, with flat runs: their sums and most ties are exact. */
function barsOf(length: number, seed: number): Security['1d'] {
  const random = seededRandom(seed);
  const whole = (most: number) => Math.floor(random() * most);
  let price = 20 + whole(30);
  const rows = Array.from({ length }, () => {
    const open = price;
    if (random() < 0.7) price = Math.max(2, price + whole(7) - 3);
    const high = Math.max(open, price) + whole(2);
    const low = Math.min(open, price) - whole(2);
    return { open, high, low, close: price, volume: 1 + whole(500) };
  });
  const column = (name: keyof (typeof rows)[number]) => Float64Array.from(rows, (row) => row[name]);
  return {
    open: column('open'),
    high: column('high'),
    low: column('low'),
    close: column('close'),
    volume: column('volume'),
  };
}

function securityOf(length: number, seed: number): Security {
  const random = seededRandom(seed + 1000);
  return {
    '1d': barsOf(length, seed),
    '1w': barsOf(Math.ceil(length / 5), seed + 1),
    '1M': barsOf(Math.ceil(length / 21), seed + 2),
    numbers: {
      market_cap: random() < 0.2 ? Number.NaN : Math.floor(random() * 100),
      pe_ratio: random() < 0.3 ? Number.NaN : Math.floor(random() * 50),
    },
    texts: { sector: random() < 0.3 ? null : random() < 0.5 ? 'Energy' : 'tech' },
  };
}

const securities = [0, 1, 2, 5, 12, 40, 64, 65, 100, 130, 200].map(securityOf);

const count = fc.integer({ min: 1, max: 6 });
const price = fc.constantFrom(
  'open',
  'high',
  'low',
  'close',
  'close',
  'volume',
  'hl2',
  'hlc3',
  'ohlc4',
  'listed_bars',
);
const indicator = fc.constantFrom(
  'sma(3)',
  'ema(4)',
  'rsi(5)',
  'RSI:3',
  'macd(2, 4, 3).histogram',
  'bollinger(5, 2).lower',
  'bollinger:4:1_upper',
  'atr(3)',
  'obv',
  'highest(4)',
  'lowest(high, 3)',
  'change',
  'stddev(volume, 4)',
  'adx(3).plus_di',
  'psar',
  'wma(4)',
);
const number = fc.integer({ min: 0, max: 60 }).map(String);
const sector = fc.constantFrom(
  "sector = 'ENERGY'",
  "sector != 'tech'",
  "sector not in ('tech', 'x')",
);

const { bars, test, any, screen } = fc.letrec((tie) => {
  const bars = tie('bars') as fc.Arbitrary<string>;
  const test = tie('test') as fc.Arbitrary<string>;
  const any = tie('any') as fc.Arbitrary<string>;
  const screen = tie('screen') as fc.Arbitrary<string>;
  const sign = fc.constantFrom('+', '-', '*', '/');
  const order = fc.constantFrom('>', '>=', '<', '<=', '=', '!=');
  const cross = fc.constantFrom('crosses above', 'crosses below', 'crosses');
  const plain = fc.oneof(
    price,
    fc.tuple(price, price).map(([a, b]) => `${a} + ${b} * 2`),
  );
  /** Tests of numbers of one kind. */
  const tests = (value: fc.Arbitrary<string>) =>
    fc.oneof(
      { weight: 4, arbitrary: fc.tuple(value, order, value).map((parts) => parts.join(' ')) },
      { weight: 2, arbitrary: fc.tuple(value, order, number).map((parts) => parts.join(' ')) },
      fc.tuple(value, value, value).map(([a, b, c]) => `${a} not between ${b} and ${c}`),
      fc.tuple(value, number, number).map(([a, b, c]) => `${a} in (${b}, ${c})`),
      value.map((a) => `${a} is null`),
    );
  const logic = (condition: fc.Arbitrary<string>) =>
    fc.oneof(
      fc.tuple(condition, condition).map(([a, b]) => `(${a} and ${b})`),
      fc.tuple(condition, condition).map(([a, b]) => `(${a} or ${b})`),
      condition.map((a) => `(not ${a})`),
    );
  const terms = (value: fc.Arbitrary<string>) =>
    fc.oneof(
      fc.tuple(value, sign, number).map(([a, b, c]) => `(${a} ${b} ${c})`),
      fc.tuple(value, fc.constantFrom('+', '-'), value).map(([a, b, c]) => `(${a} ${b} ${c})`),
      fc.tuple(fc.constantFrom('min', 'max'), value, value).map(([f, a, b]) => `${f}(${a}, ${b})`),
      fc.tuple(fc.constantFrom('abs', '-', 'log'), value).map(([f, a]) => `${f}(${a})`),
    );
  return {
    bars: fc.oneof(
      { maxDepth: 4 },
      { weight: 3, arbitrary: price },
      { weight: 2, arbitrary: indicator },
      fc
        .tuple(fc.constantFrom('ema', 'sma', 'rsi', 'highest', 'kama'), plain, count)
        .map(([f, a, n]) => `${f}(${a}, ${n})`),
      fc
        .tuple(fc.constantFrom('avg', 'sum', 'pct_change', 'change', 'lowest'), bars, count)
        .map(([f, a, n]) => `${f}(${a}, ${n})`),
      fc.tuple(bars, fc.integer({ min: 0, max: 5 })).map(([a, n]) => `(${a})[${n}]`),
      terms(bars),
      fc.tuple(test, count).map(([a, n]) => `count(${a}, ${n})`),
      test.map((a) => `bars_since(${a})`),
      fc
        .tuple(test, fc.constantFrom('', ', 2', ', -1.5'))
        .map(([a, k]) => `anchored_vwap(${a}${k})`),
      fc.tuple(test, bars, bars).map(([c, a, b]) => `if(${c}, ${a}, ${b})`),
    ),
    test: fc.oneof(
      { maxDepth: 4 },
      tests(bars),
      fc.tuple(bars, cross, fc.oneof(bars, number)).map(([a, b, c]) => `${a} ${b} ${c}`),
      logic(test),
      fc
        .tuple(test, fc.constantFrom('within', 'for'), count)
        .map(([a, b, n]) => `((${a}) ${b} ${n})`),
      fc.tuple(test, count).map(([a, n]) => `(${a})[${n}]`),
    ),
    any: fc.oneof(
      { maxDepth: 3 },
      { weight: 3, arbitrary: bars },
      fc.constantFrom('market_cap', 'pe_ratio'),
      fc.tuple(fc.constantFrom('weekly', 'monthly'), bars).map(([f, a]) => `${f}(${a})`),
      terms(any),
      fc.tuple(screen, any, any).map(([c, a, b]) => `if(${c}, ${a}, ${b})`),
    ),
    screen: fc.oneof(
      { maxDepth: 4 },
      { weight: 3, arbitrary: test },
      tests(any),
      sector,
      test.map((a) => `weekly(${a})`),
      logic(screen),
    ),
  } as Record<'bars' | 'test' | 'any' | 'screen', fc.Arbitrary<string>>;
});

function expectInterpreted(where: string, columns: string): void {
  const plan = compileScreen({ where, columns });
  const values = newestValues(plan, securities);
  const truths = plan.conditions.map(({ expression }) => evaluateExpression(expression, values));
  const shown = plan.columns.flatMap((column) =>
    column.kind === 'text' ? [] : [evaluateExpression(column.expression, values)],
  );
  const condition = parseExpression('where', where);
  const numbers = parseList('columns', columns);
  for (const [i, security] of securities.entries()) {
    let expected: number;
    let others: number[];
    try {
      expected = interpret(condition, security);
      others = numbers.map((node) => interpret(node, security));
    } catch (error) {
      if (error instanceof TooNear) continue;
      throw error;
    }
    const all = truths.map((column) => column[i]);
    const joined = all.includes(0) ? 0 : all.some(Number.isNaN) ? Number.NaN : 1;
    expect([i, joined]).toEqual([i, expected]);
    for (const [place, value] of others.entries()) {
      const got = shown[place][i];
      const isNear = Math.abs(got - value) <= 1e-7 * (1 + Math.abs(value));
      if (!isNear) expect([i, got]).toEqual([i, value]);
    }
  }
}

const options = { seed: 20_261_123, numRuns: scaled(80, 10_000) };

describe('a screen', () => {
  it('has the values of the interpreter', () => {
    fc.assert(
      fc.property(screen, any, (where, columns) => expectInterpreted(where, columns)),
      options,
    );
  });

  long('has them for conditions over bars alone', () => {
    fc.assert(
      fc.property(test, bars, (where, columns) => expectInterpreted(where, columns)),
      options,
    );
  });

  it('is the screen of its normal form', () => {
    fc.assert(
      fc.property(screen, any, (where, columns) => {
        const { canonical } = compileScreen({ where, columns });
        const [, again, list] = /^where (.*); columns (.*)$/s.exec(canonical)!;
        expect(compileScreen({ where: again, columns: list }).canonical).toBe(canonical);
      }),
      options,
    );
  });

  const sourced = indicatorCatalogue.filter(({ inputs }) => inputs.length === 1);

  it.each(sourced.map(({ name }) => name))(
    'computes %s of an expression that begins late',
    (name) => {
      // Of an expression, the highest and lowest need their number of bars.
      const bars = name === 'highest' || name === 'lowest' ? ', 14' : '';
      expectInterpreted('close > 0', `${name}(close[3]${bars}), ${name}(avg(volume, 4)[1]${bars})`);
    },
  );
});
