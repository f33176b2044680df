/** Programs run by single operations where the runtime refuses their code. */

import { setFlagsFromString } from 'node:v8';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bar, ema, mean } from '../../../src/compute/columns/column.ts';
import { Program } from '../../../src/compute/columns/program.ts';
import { barsOf } from '../support/bars-of.ts';
import { bits } from '../support/bits.ts';
import { randomWalk } from '../support/hostile-series.ts';

const columns = [mean(bar.close, 5), ema(bar.close, 5)];
const close = randomWalk(100);
const bars = barsOf(close);

const warnings: string[] = [];
const onWarning = ({ message }: Error) => warnings.push(message);

beforeAll(() => {
  process.on('warning', onWarning);
  // Modules that are there already stay as they are.
  setFlagsFromString('--max-wasm-functions=0');
});

afterAll(() => {
  setFlagsFromString('--max-wasm-functions=1000000');
  process.off('warning', onWarning);
});

function valuesOf(program: Program): BigUint64Array[] {
  const out = columns.map(() => new Float64Array(close.length));
  program.run([bars], close.length, [out]);
  return out.map(bits);
}

const expected = valuesOf(new Program(columns));

it('gives the same values, with one warning', async () => {
  for (let i = 0; i < 2; i++) expect(valuesOf(new Program(columns, 0))).toEqual(expected);
  await new Promise(setImmediate);
  expect(warnings).toEqual([
    expect.stringMatching(/^Node\.js refused code that makes indicators fast: WebAssembly/),
  ]);
});

it('gives the values of next bars', () => {
  const program = new Program(columns);
  const { stateRows } = program;
  const next = program.nextStates();
  next.reserve(stateRows, 1);
  for (const [row, value] of close.entries()) {
    next.inputs[0][0] = value;
    next.advance(row, [0], [0], true);
    expect(next.outputs.map((values) => bits(values)[0])).toEqual(expected.map((all) => all[row]));
  }
});
