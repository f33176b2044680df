import { expect, it } from 'vitest';
import { writeValidity } from '../../../../src/store/arrow/format/validity.ts';

/** Bits of a bitmap as text, one for each row, and the rest of its bytes. */
function bitsOf(values: Float64Array, start: number, end: number) {
  const bitmap = new Uint8Array(8).fill(0xaa);
  const nulls = writeValidity(values, start, end, bitmap);
  const bits = Array.from(bitmap, (byte) => byte.toString(2).padStart(8, '0'));
  return { nulls, bits: bits.map((text) => [...text].reverse().join('')).join('') };
}

it('clears the bit of each NaN, wherever rows begin and end', () => {
  for (const length of [...Array(21).keys(), 31, 32, 33, 40, 63, 64]) {
    for (let at = 0; at < length; at++) {
      const values = Float64Array.from({ length }, (_, i) => (i === at ? Number.NaN : i));
      for (const start of [0, 1, 3]) {
        const end = Math.max(start, length - (at % 2));
        const rows = [...values.subarray(start, end)];
        const bits = rows.map((value) => (Number.isNaN(value) ? '0' : '1')).join('');
        const nulls = rows.filter(Number.isNaN).length;
        expect(bitsOf(values, start, end)).toEqual({ nulls, bits: bits.padEnd(64, '0') });
      }
    }
  }
});

it('takes infinities and huge numbers for values, though their sum is none', () => {
  const inf = Number.POSITIVE_INFINITY;
  const values = new Float64Array(64).fill(1);
  values.set([inf, -inf, 1, 1, 1e308, 1e308, -1e308, -1e308], 32);
  expect(bitsOf(values, 0, 64)).toEqual({ nulls: 0, bits: '1'.repeat(64) });
  values[35] = Number.NaN;
  const bits = `${'1'.repeat(35)}0${'1'.repeat(28)}`;
  expect(bitsOf(values, 0, 64)).toEqual({ nulls: 1, bits });
});
