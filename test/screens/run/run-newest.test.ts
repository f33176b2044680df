import { expect, it } from 'vitest';
import { Program } from '../../../src/compute/columns/program.ts';
import { compileScreen } from '../../../src/screens/plan/compile.ts';
import type { BarsSource } from '../../../src/screens/run/bars-source.ts';
import { NewestRun } from '../../../src/screens/run/run-newest.ts';

const ROWS = 100;

/** One synthetic series of closes 1, 2 and so on. */
const source: BarsSource = {
  ends: Int32Array.of(ROWS),
  copy(_number, _columns, { start, end }, out) {
    for (let row = start; row < end; row++) for (const column of out) column[row - start] = row + 1;
  },
};

it('begins with few rows, since the first ones may be slow', () => {
  const [{ columns }] = compileScreen({ where: 'sma(50) > 0' }).bars;
  const out = columns.map(() => new Float64Array(1));
  const run = new NewestRun(new Program(columns), source, new Map(), out);
  const steps = run.runNeeded(Int32Array.of(0));
  expect(steps.next().done).toBe(false);
  for (const _ of steps);
  expect(out[0][0]).toBe(75.5);
});
