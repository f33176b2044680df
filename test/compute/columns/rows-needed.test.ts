/** A run over the newest rows alone gives the bits of a run over all rows. */

import { describe, expect, it } from 'vitest';
import {
  above,
  add,
  bar,
  barsSinceHighest,
  barsSinceLowest,
  both,
  type Column,
  change,
  delay,
  either,
  ema,
  highest,
  isNull,
  leanAndMean,
  lowest,
  mean,
  meanAndDeviation,
  meanDistance,
  relativeStrength,
  smaller,
  throughout,
  weightedBy,
  weightedMean,
  within,
} from '../../../src/compute/columns/column.ts';
import { carriesOn } from '../../../src/compute/columns/column-facts.ts';
import { type Lane, laneColumn } from '../../../src/compute/columns/layout.ts';
import { Program } from '../../../src/compute/columns/program.ts';
import { rowsNeeded } from '../../../src/compute/columns/rows-needed.ts';
import { defaultParams, indicatorCatalogue } from '../../../src/compute/indicators/catalogue.ts';
import { scaled } from '../../faults/scale.ts';
import { barsOf } from '../support/bars-of.ts';
import { hostileSeries } from '../support/hostile-series.ts';

const BAR_COUNT = 320;
const MORE_ROWS = [0, 1, 2, 5, 33];
/** The short form tries every fourth length, and at each one of the further rows in turn. */
const STEP = scaled(4, 1);

const universe = Object.entries(hostileSeries).map(
  ([name, series]) => [name, barsOf(series(BAR_COUNT))] as const,
);

/** Names that have columns with a finite number of rows. */
const expressions: Record<string, readonly Column[]> = {
  mean: [mean(bar.close, 7), mean(bar.close, 1), mean(bar.volume, 2)],
  deviation: Object.values(meanAndDeviation(bar.close, 9)),
  'weighted mean': [weightedMean(bar.close, 10), weightedBy(bar.close, [0.5, 0.25, 0.25])],
  lean: Object.values(leanAndMean(bar.close, 6)),
  extremes: [highest(bar.high, 12), lowest(bar.low, 5)],
  'bars since extremes': [barsSinceHighest(bar.high, 8), barsSinceLowest(bar.low, 13)],
  'mean distance': [meanDistance(bar.close, mean(bar.close, 9), 9)],
  delays: [delay(bar.close, 4), change(mean(bar.close, 5), 3)],
  'windows of windows': [
    mean(highest(mean(bar.close, 5), 7), 4),
    weightedMean(change(lowest(bar.low, 6), 2), 9),
  ],
  conditions: [
    smaller(above(bar.close, mean(bar.close, 8)), delay(above(bar.close, bar.open), 3)),
    both(above(mean(bar.close, 8), bar.close), above(bar.close, delay(bar.open, 20))),
    either(above(mean(bar.close, 8), bar.close), isNull(delay(bar.close, 30))),
    within(above(bar.close, mean(bar.close, 8)), 5),
    throughout(above(highest(bar.close, 9), bar.open), 7),
  ],
};

for (const spec of indicatorCatalogue) {
  const columns = spec.expressions(defaultParams(spec));
  const finite = columns.filter((column) => Number.isFinite(rowsNeeded(column)));
  if (finite.length > 0) expressions[spec.name] = finite;
}

/** Runs over rows [start, end) and returns the newest value of each column. */
function newestValues(program: Program, bars: Lane, start: number, end: number): Float64Array {
  const length = end - start;
  const lane = Object.fromEntries(
    program.inputs.map((name) => [name, laneColumn(bars, name).subarray(start, end)]),
  );
  const out = Array.from({ length: program.outputCount }, () => new Float64Array(length));
  program.run([lane], length, [out], { row: start, fromRow: end - 1 });
  return Float64Array.from(out, (column) => column[length - 1]);
}

/** Runs what the newest value needs, stage by stage. */
function stagedValues(program: Program, bars: Lane, end: number): Float64Array {
  const stages = program.stagesFor(end - 1);
  const row = stages[0].row;
  const lane = Object.fromEntries(
    program.inputs.map((name) => [name, laneColumn(bars, name).subarray(row, end)]),
  );
  const out = Array.from({ length: program.outputCount }, () => new Float64Array(1));
  program.runNewest([lane], end - row, [end], out, [0], { row, stages });
  return Float64Array.from(out, (column) => column[0]);
}

/** Returns the runs whose newest values differ from those of a run over all rows. */
function differences(columns: readonly Column[], need: number): string[] {
  const program = new Program(columns);
  const different: string[] = [];
  for (const [name, bars] of universe) {
    const out = columns.map(() => new Float64Array(BAR_COUNT));
    program.run([bars], BAR_COUNT, [out]);
    for (let end = 1; end <= BAR_COUNT; end += STEP) {
      const whole = Buffer.from(Float64Array.from(out, (column) => column[end - 1]).buffer);
      for (const more of scaled([MORE_ROWS[end % MORE_ROWS.length]], MORE_ROWS)) {
        const start = Math.max(0, end - need - more);
        const values = newestValues(program, bars, start, end);
        if (whole.compare(Buffer.from(values.buffer)) === 0) continue;
        different.push(`${name}, rows ${start} to ${end}`);
      }
      const staged = Buffer.from(stagedValues(program, bars, end).buffer);
      if (whole.compare(staged) !== 0) different.push(`${name}, stages to ${end}`);
    }
  }
  return different;
}

describe.each(Object.entries(expressions))('the newest rows of %s', (_, columns) => {
  it('give the bits of all rows, at any length', () => {
    expect(differences(columns, Math.max(...columns.map(rowsNeeded)))).toEqual([]);
  });
});

it('a row less than needed gives other values at some length', () => {
  for (const column of [highest(bar.high, 12), delay(bar.close, 4)]) {
    expect(differences([column], rowsNeeded(column) - 1)).not.toEqual([]);
  }
});

describe('rowsNeeded', () => {
  it('is endless for every column of the catalogue that carries on', () => {
    for (const spec of indicatorCatalogue) {
      for (const column of spec.expressions(defaultParams(spec))) {
        if (!Number.isFinite(rowsNeeded(column))) expect(carriesOn(column)).toBe(true);
      }
    }
    expect(rowsNeeded(ema(bar.close, 5))).toBe(Number.POSITIVE_INFINITY);
    expect(rowsNeeded(mean(relativeStrength(bar.close, 14), 3))).toBe(Number.POSITIVE_INFINITY);
  });

  it('is less than the tested number of rows for every other column', () => {
    const needs = Object.values(expressions).flat().map(rowsNeeded);
    expect(Math.max(...needs)).toBeLessThan(BAR_COUNT / 2);
  });

  it('counts rows of windows inside of windows', () => {
    expect(rowsNeeded(bar.close)).toBe(1);
    expect(rowsNeeded(delay(bar.close, 4))).toBe(5);
    expect(rowsNeeded(mean(bar.close, 200))).toBe(400);
    expect(rowsNeeded(highest(bar.high, 10))).toBe(10);
    expect(rowsNeeded(mean(delay(highest(bar.high, 10), 1), 5))).toBe(20);
    expect(rowsNeeded(add(mean(bar.close, 3), mean(bar.close, 5)))).toBe(10);
  });
});
