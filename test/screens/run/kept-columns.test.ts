/** Columns that studies leave in memory are bounded, and the values of the files. */

import { expect, it } from 'vitest';
import { KeptColumns } from '../../../src/screens/run/kept-columns.ts';

/** Two symbols of three rows and two rows: the open of row 1 of symbol 0 is 10.1. */
const ENDS = Int32Array.of(3, 2);
const storedValue = (number: number, name: string, row: number) =>
  (name === 'open' ? 10 : 20) + 100 * number + row / 10;

function stored() {
  const reads: string[] = [];
  const series: ConstructorParameters<typeof KeptColumns>[0] = {
    ends: ENDS,
    copyStored(number, [name], { start, end }, [out]) {
      reads.push(`${name} ${number}`);
      for (let row = start; row < end; row++) out[row - start] = storedValue(number, name, row);
    },
  };
  return { series, reads };
}

it('reads a column of a symbol once', () => {
  const { series, reads } = stored();
  const kept = new KeptColumns(series, 1000);
  kept.begin(['open', 'close']);
  expect(kept.of(1, 'close')).toEqual(Float64Array.of(120, 120.1));
  expect(kept.of(0, 'close')).toEqual(Float64Array.of(20, 20.1, 20.2));
  expect(kept.of(0, 'open')).toEqual(Float64Array.of(10, 10.1, 10.2));
  kept.begin(['close']);
  expect(kept.of(1, 'close')).toEqual(Float64Array.of(120, 120.1));
  expect(reads).toEqual(['close 1', 'close 0', 'open 0']);
});

it('leaves out the symbols for which there is no room, and columns that are used no more', () => {
  const { series } = stored();
  // Eight rows: a column, and one symbol of another.
  const kept = new KeptColumns(series, 8 * Float64Array.BYTES_PER_ELEMENT);
  kept.begin(['open', 'close']);
  expect([kept.of(0, 'open'), kept.of(1, 'open')]).not.toContain(undefined);
  expect([kept.of(0, 'close')?.length, kept.of(1, 'close')]).toEqual([3, undefined]);
  kept.begin(['close', 'volume']);
  expect(kept.of(0, 'open')).toBeUndefined();
  expect(kept.of(0, 'volume')?.length).toBe(3);
});
