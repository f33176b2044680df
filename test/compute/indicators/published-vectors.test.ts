/**
 * Vectors that other projects publish. Tulip prints three or four decimals. Its EMAs are
 * left out, with all that follow from them: they start from the first close, where ours start from
 * the mean of the first closes. So are its ATR, which counts the first bar's range, and its stop,
 * which starts from the first bar's extreme.
 */

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { IndicatorInput, IndicatorSpec } from '../../../src/compute/columns/indicator-spec.ts';
import { defaultParams, indicatorByName } from '../../../src/compute/indicators/catalogue.ts';
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

function specOf(name: string): IndicatorSpec {
  const spec = indicatorByName(name);
  if (!spec) throw new Error(`no indicator "${name}"`);
  return spec;
}

/** Compares a column with printed values that end where it ends. */
function expectPrinted(column: Float64Array, printed: string[]): void {
  const tail = column.subarray(column.length - printed.length);
  printed.forEach((text, i) => {
    expect(Math.abs(tail[i] - Number(text))).toBeLessThanOrEqual(printedError(text));
  });
}

interface Case {
  /** Tulip's name, and ours. */
  theirs: string;
  ours: string;
  /** Our names of its parameters, inputs and outputs, in their order. */
  params: string[];
  inputs: (keyof IndicatorInput)[];
  outputs: string[];
  /** Values that it prints before our first one. */
  early?: number;
  files?: string[];
}

const ofCloses = (theirs: string, ours = theirs, output = ours): Case => ({
  theirs,
  ours,
  params: ['period'],
  inputs: ['close'],
  outputs: [output],
});

const HLC: Case['inputs'] = ['high', 'low', 'close'];
const STOCHASTIC = ['period', 'smooth', 'signal'];

const CASES: Case[] = [
  ofCloses('sma'),
  ofCloses('rsi'),
  ofCloses('wma'),
  ofCloses('hma'),
  // It prints the close that the average starts from. Its other case rounds the weights.
  { ...ofCloses('kama'), early: 1, files: ['untest.txt'] },
  { ...ofCloses('vwma'), inputs: ['close', 'volume'] },
  ofCloses('linreg', 'linreg', 'value'),
  ofCloses('linregslope', 'linreg', 'slope'),
  ofCloses('stddev'),
  { ...ofCloses('max', 'highest'), inputs: ['high'] },
  { ...ofCloses('min', 'lowest'), inputs: ['low'] },
  { ...ofCloses('mom', 'change'), params: ['bars'] },
  {
    ...ofCloses('bbands', 'bollinger'),
    params: ['period', 'k'],
    outputs: ['lower', 'middle', 'upper'],
  },
  { ...ofCloses('aroon'), inputs: ['high', 'low'], outputs: ['down', 'up'] },
  { ...ofCloses('aroonosc', 'aroon', 'oscillator'), inputs: ['high', 'low'] },
  ofCloses('mom', 'momentum'),
  // The books that its other cases come from round on the way, as for `ad`.
  { ...ofCloses('cmo'), files: ['untest.txt'] },
  ofCloses('dpo'),
  { ...ofCloses('stoch', 'stochastic'), params: STOCHASTIC, inputs: HLC, outputs: ['k', 'd'] },
  { ...ofCloses('willr', 'williams_r'), inputs: HLC },
  { ...ofCloses('cci'), inputs: HLC },
  { ...ofCloses('ultosc', 'ultimate'), params: ['short', 'medium', 'long'], inputs: HLC },
  { ...ofCloses('ao', 'awesome'), params: [], inputs: ['high', 'low'], files: ['extra.txt'] },
  { ...ofCloses('bop'), params: [], inputs: ['open', ...HLC] },
  { ...ofCloses('mfi'), inputs: [...HLC, 'volume'] },
  { ...ofCloses('obv'), params: [], inputs: ['close', 'volume'] },
  { ...ofCloses('ad'), params: [], inputs: [...HLC, 'volume'], files: ['untest.txt'] },
];

const FILES = ['atoz.txt', 'untest.txt', 'extra.txt'];

describe.skipIf(!hasRealdata)('vectors of Tulip Indicators', () => {
  it.each(CASES)('agree on $theirs', (row) => {
    const { theirs, ours, params, inputs, outputs, early = 0, files = FILES } = row;
    const vectors = files.flatMap((file) => tulipVectors(file, theirs));
    expect(vectors.length).toBeGreaterThan(0);
    for (const vector of vectors) {
      const given = inputs.map((_, i) => Float64Array.from(vector.columns[i], Number));
      const bars = {
        ...barsOf(given[0]),
        ...Object.fromEntries(inputs.map((name, i) => [name, given[i]])),
      };
      const values = Object.fromEntries(params.map((name, i) => [name, vector.params[i]]));
      const columns = specOf(ours).compute(bars, { ...defaultParams(specOf(ours)), ...values });
      outputs.forEach((output, i) => {
        expectPrinted(columns[output], vector.columns[inputs.length + i].slice(early));
      });
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
    const bands = specOf('bollinger').compute(barsOf(close), { period: 20, k: 2 });
    for (const output of ['upper', 'middle', 'lower'] as const) {
      vector[output].forEach((value, i) => {
        if (value === null) expect(bands[output][i]).toBeNaN();
        else expect(bands[output][i]).toBeCloseTo(value, 11);
      });
    }
  });
});
