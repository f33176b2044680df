/**
 * Vectors that other projects publish. Tulip prints three or four decimals. Its EMA and MACD are
 * left out: they start from the first close, where ours start from the mean of the first closes.
 */

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type {
  IndicatorOutput,
  IndicatorParams,
} from '../../../src/compute/columns/indicator-spec.ts';
import { indicatorByName } from '../../../src/compute/indicators/catalogue.ts';
import { hasRealdata, realdata } from '../../support/realdata.ts';
import { barsOf } from '../support/bars-of.ts';

interface Vector {
  params: number[];
  columns: string[][];
}

/** Tulip's cases of an indicator: `name parameters`, then lines of `{numbers}`, input first. */
function tulipVectors(file: string, name: string): Vector[] {
  const text = readFileSync(realdata(`indicators/tulip/${file}`), 'utf8');
  const blocks = text.split(/\r?\n\r?\n/).map((block) => block.trim().split(/\r?\n/));
  return blocks.flatMap((lines) => {
    const [title, ...rest] = lines.filter((line) => !line.startsWith('#'));
    const [first, ...params] = (title ?? '').split(/\s+/);
    if (first !== name) return [];
    const columns = rest.map((line) => line.replace(/[{}\s]/g, '').split(','));
    return [{ params: params.map(Number), columns }];
  });
}

/** Half a unit of the last printed decimal. */
function printedError(printed: string): number {
  const decimals = printed.split('.')[1]?.length ?? 0;
  return 0.500001 * 10 ** -decimals;
}

function compute(name: string, close: Float64Array, params: IndicatorParams): IndicatorOutput {
  const spec = indicatorByName(name);
  if (!spec) throw new Error(`no indicator "${name}"`);
  return spec.compute(barsOf(close), params);
}

/** Compares a column with printed values that end where it ends. */
function expectPrinted(column: Float64Array, printed: string[]): void {
  const tail = column.subarray(column.length - printed.length);
  printed.forEach((text, i) => {
    expect(Math.abs(tail[i] - Number(text))).toBeLessThanOrEqual(printedError(text));
  });
}

describe.skipIf(!hasRealdata)('vectors of Tulip Indicators', () => {
  const files = ['atoz.txt', 'untest.txt'];

  it.each(files)('agree on SMA: %s', (file) => {
    const vectors = tulipVectors(file, 'sma');
    expect(vectors.length).toBeGreaterThan(0);
    for (const { params, columns } of vectors) {
      const close = Float64Array.from(columns[0], Number);
      expectPrinted(compute('sma', close, { period: params[0] }).sma, columns[1]);
    }
  });

  it.each(files)('agree on RSI: %s', (file) => {
    const vectors = tulipVectors(file, 'rsi');
    expect(vectors.length).toBeGreaterThan(0);
    for (const { params, columns } of vectors) {
      const close = Float64Array.from(columns[0], Number);
      expectPrinted(compute('rsi', close, { period: params[0] }).rsi, columns[1]);
    }
  });

  it.each(files)('agree on Bollinger bands: %s', (file) => {
    const vectors = tulipVectors(file, 'bbands');
    expect(vectors.length).toBeGreaterThan(0);
    for (const { params, columns } of vectors) {
      const close = Float64Array.from(columns[0], Number);
      const bands = compute('bollinger', close, { period: params[0], k: params[1] });
      expectPrinted(bands.lower, columns[1]);
      expectPrinted(bands.middle, columns[2]);
      expectPrinted(bands.upper, columns[3]);
    }
  });
});

describe.skipIf(!hasRealdata)('vectors of trading-signals', () => {
  it('agree on Bollinger bands to twelve decimals', () => {
    const path = realdata('indicators/trading-signals/BB.json');
    const vector: Record<'prices' | 'upper' | 'middle' | 'lower', (number | null)[]> = JSON.parse(
      readFileSync(path, 'utf8'),
    );
    const close = Float64Array.from(vector.prices, Number);
    const bands = compute('bollinger', close, { period: 20, k: 2 });
    for (const output of ['upper', 'middle', 'lower'] as const) {
      vector[output].forEach((value, i) => {
        if (value === null) expect(bands[output][i]).toBeNaN();
        else expect(bands[output][i]).toBeCloseTo(value, 11);
      });
    }
  });
});
