/**
 * TA-Lib as an oracle, on random walks and real bars. `talib.ts` says by which of its
 * functions each indicator is judged, and how the definitions differ.
 */

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { IndicatorInput } from '../../../src/compute/columns/indicator-spec.ts';
import { indicatorCatalogue } from '../../../src/compute/indicators/catalogue.ts';
import { indicatorFromText } from '../../../src/compute/indicators/indicator-request.ts';
import { hasRealdata, realdata } from '../../support/realdata.ts';
import { talibPython } from '../../support/tools.ts';
import { barsOf } from '../support/bars-of.ts';
import { randomWalk, seededRandom } from '../support/hostile-series.ts';
import { type Columns, comparisons, startTalib } from '../support/talib.ts';

/** Indicators that TA-Lib has by another definition. */
const different = [
  // Its middle is an EMA of typical prices, and its ATR starts with the bands.
  'keltner',
  // It takes all bars since the first.
  'vwap',
  // It compounds the changes.
  ...['nvi', 'pvi'],
];

/** Indicators that it lacks. */
const absent = [
  ...['alma', 'zscore', 'percent_b', 'bandwidth', 'chop', 'historical_volatility', 'ichimoku'],
  ...['kst', 'eom', 'pivot_points', 'chandelier', 'squeeze', 'connors_rsi', 'schaff', 'fisher'],
  ...['klinger', 'ulcer'],
];

function realBars(): IndicatorInput {
  const text = readFileSync(realdata('daily/skender/default.csv'), 'utf8');
  const rows = text
    .trimEnd()
    .split(/\r?\n/)
    .slice(1)
    .map((line) => line.split(','));
  const column = (place: number) => Float64Array.from(rows, (row) => Number(row[place]));
  return {
    open: column(1),
    high: column(2),
    low: column(3),
    close: column(4),
    volume: column(5),
  };
}

/** Bars of large bodies and gaps, in which each pattern of candles occurs. */
function gappyBars(length: number): IndicatorInput {
  const random = seededRandom(3);
  const step = (size: number) => Math.round((random() - 0.5) * size) / 8;
  let last = 4000;
  const rows = Array.from({ length }, () => {
    const open = last + step(40);
    const close = open + step(random() < 0.3 ? 8 : 120);
    const shadow = () => (random() < 0.5 ? 0 : Math.abs(step(60)));
    last = Math.min(8000, Math.max(1000, close));
    return [open, Math.max(open, close) + shadow(), Math.min(open, close) - shadow(), close];
  });
  const [open, high, low, close] = [0, 1, 2, 3].map((at) =>
    Float64Array.from(rows, (row) => row[at]),
  );
  return { open, high, low, close, volume: close.map((value) => 1000 + (value % 97)) };
}

const allBars: Record<string, IndicatorInput> = {
  'a random walk': barsOf(randomWalk(600, 5)),
  'bars with gaps': gappyBars(5000),
  ...(hasRealdata && { 'two years of real bars': realBars() }),
};

/** Columns by series and comparison. */
async function resultsOfTalib(python: string): Promise<Columns[][]> {
  const talib = startTalib(python);
  const results: Columns[][] = [];
  for (const bars of Object.values(allBars)) results.push(await talib.run(bars));
  talib.close();
  return results;
}

const results = talibPython ? await resultsOfTalib(talibPython) : [];

describe.skipIf(!talibPython)('TA-Lib', () => {
  const cases = Object.entries(comparisons).flatMap(([text, comparison], place) =>
    Object.entries(allBars).map(([name, bars], i) => ({
      title: `${text} of ${name}`,
      text,
      comparison,
      bars,
      theirs: () => results[i][place],
    })),
  );

  it.each(cases)('has the same $title', ({ text, comparison, bars, theirs }) => {
    const { outputs, adapt, fromRow, delay = 0 } = comparison;
    const { spec, params } = indicatorFromText(text.split(' ')[0], '1d', 14);
    const ours = spec.compute(bars, params);
    const columns = adapt ? adapt(theirs(), bars) : theirs();
    const firsts = columns.map((column) => column.findIndex((value) => !Number.isNaN(value)));
    const warmups = spec.warmups(params);
    expect(firsts[0] - warmups[outputs[0]]).toBe(delay);
    for (const [place, output] of outputs.entries()) {
      const tolerance = fromRow === undefined ? 1e-9 : 1e-6;
      const isOther = (value: number, row: number) => {
        const theirs = columns[place][row];
        // Where a divisor is 0 we have no value, and it has 0.
        if (Number.isNaN(value)) return theirs !== 0;
        return !(Math.abs(value - theirs) / Math.max(1, Math.abs(value)) < tolerance);
      };
      const from = fromRow ?? firsts[place];
      const others = [...ours[output].entries()].filter(
        ([row, value]) => row >= from && isOther(value, row),
      );
      expect(others, output).toEqual([]);
    }
  });
});

it('each pattern of candles occurs in bars with gaps', () => {
  const columns = indicatorFromText('candles', '1d').spec.compute(gappyBars(5000), {});
  for (const column of Object.values(columns)) {
    expect(column.filter((value) => value !== 0).length).toBeGreaterThan(3);
  }
});

it('TA-Lib judges each row of the catalogue that it has', () => {
  const compared = Object.keys(comparisons).map((text) => text.split(/[: ]/)[0]);
  const named = [...new Set(compared), ...different, ...absent];
  expect(named.sort()).toEqual(indicatorCatalogue.map(({ name }) => name).sort());
});
