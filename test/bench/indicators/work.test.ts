/** Our four ways of computing give the same bits, also for series of different lengths. */

import { describe, expect, it } from 'vitest';
import { syntheticUniverse } from '../../../bench/command/data/universe.ts';
import { BenchMemory, copyRun } from '../../../bench/command/indicators/bench-memory.ts';
import {
  lastRun,
  NEXT_BARS,
  nextRun,
  programOf,
  writtenRun,
} from '../../../bench/command/indicators/work.ts';
import { barRows } from '../../../src/base/bars.ts';
import { bar } from '../../../src/compute/columns/column.ts';
import { Program } from '../../../src/compute/columns/program.ts';
import { defaultParams, indicatorCatalogue } from '../../../src/compute/indicators/catalogue.ts';

const LENGTHS = [300, 120, 300, 65, 64, 299, 181, 240, 150, 222];
const series = syntheticUniverse(LENGTHS.length, 300).bars.map((bars, i) =>
  barRows(bars, 300 - LENGTHS[i]),
);
const memory = new BenchMemory();
const requests = indicatorCatalogue.map((spec) => ({
  key: spec.name,
  spec,
  params: defaultParams(spec),
}));

describe.each(requests.map((request) => [request.key, request] as const))('%s', (_, request) => {
  const { spec, params } = request;
  const program = programOf([request]);
  const place = () => memory.take(program, series, true);
  const newest = series.map((bars) => {
    const columns = spec.compute(bars, params);
    return spec.outputs.map((output) => columns[output].at(-1));
  });

  it('has the newest values of single runs, written to memory', () => {
    const placed = place();
    writtenRun(program, placed)();
    expect(placed.symbols.map(({ outputs }) => outputs.map((column) => column.at(-1)))).toEqual(
      newest,
    );
  });

  it('has the newest values from all bars', () => {
    const { run, values, places } = lastRun(program, place());
    run();
    expect(places).toEqual(LENGTHS.map((_, i) => i));
    for (const [entry, place] of places.entries()) {
      expect(values.map((column) => column[entry])).toEqual(newest[place]);
    }
  });

  it('has the newest values after new bars, run after run', () => {
    const next = nextRun(program, series)!;
    expect(next.places).toEqual(LENGTHS.flatMap((length, i) => (length > NEXT_BARS ? [i] : [])));
    for (let time = 0; time < 2; time++) {
      next.run();
      for (const [entry, place] of next.places.entries()) {
        expect(next.values.map((column) => column[entry])).toEqual(newest[place]);
      }
    }
  });
});

it('has no new bars where all series are short', () => {
  const [short] = series.filter(({ close }) => close.length === NEXT_BARS);
  expect(nextRun(programOf(requests.slice(0, 1)), [short])).toBeUndefined();
});

it('copies closes as the floor', () => {
  const program = new Program([bar.close, bar.close]);
  const placed = memory.take(program, series, true);
  copyRun(placed)();
  const copies = placed.symbols.map(({ outputs }) => outputs.map((column) => column.slice()));
  expect(copies).toEqual(series.map(({ close }) => [close, close]));
});
