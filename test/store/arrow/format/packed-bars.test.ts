/** Packed bars return to their bits, whatever their numbers are. */

import { describe, expect, it } from 'vitest';
import type { BarColumns } from '../../../../src/base/bars.ts';
import { headWords, PackedRows, packBars } from '../../../../src/store/arrow/format/packed-bars.ts';
import { seededRandom } from '../../../compute/support/hostile-series.ts';
import { decimals, MINUTES, NAMES, walk } from '../support/minute-kinds.ts';

/** Bits of a column of 8-byte values, as text. */
function bitsOf(values: Float64Array | BigInt64Array, start: number, end: number): string {
  return Buffer.from(values.buffer, values.byteOffset + 8 * start, 8 * (end - start)).toString(
    'hex',
  );
}

function columnOf(bars: BarColumns, column: number): Float64Array | BigInt64Array {
  return column === 0 ? bars.timestampUs : bars[NAMES[column - 1]];
}

describe.each(Object.entries(MINUTES))('bars %s', (_, seriesOf) => {
  it.each([1, 2, 511, 512, 513, 1500])('of %i rows return to their bits', (count) => {
    const random = seededRandom(count);
    const bars = seriesOf(count, random);
    const packed = Uint8Array.from(packBars(bars));
    const words = new Uint32Array(packed.buffer);
    const rows = new PackedRows();
    for (let turn = 0; turn < 30; turn++) {
      const row = turn === 0 ? 0 : Math.floor(random() * count);
      const rowCount = turn === 0 ? count : 1 + Math.floor(random() * (count - row));
      const columns = [0, 1, 2, 3, 4, 5].filter(() => turn === 0 || random() < 0.5);
      columns.sort(() => random() - 0.5);
      const outputs = columns.map(() => new Float64Array(rowCount + 3));
      const head = words.slice(0, headWords(count));
      const [first, end] = PackedRows.wordsOf(head, row, rowCount);
      rows.copy(
        head,
        words.slice(first, end),
        first,
        columns,
        { row, count: rowCount },
        outputs,
        2,
      );
      for (const [i, column] of columns.entries()) {
        const expected = bitsOf(columnOf(bars, column), row, row + rowCount);
        expect(bitsOf(outputs[i], 2, 2 + rowCount), `${row} ${rowCount} ${column}`).toBe(expected);
      }
    }
  });
});

it('packs any part of a series', () => {
  const bars = walk(900, seededRandom(5), decimals(2));
  const packed = Uint8Array.from(packBars(bars, 100, 777));
  const words = new Uint32Array(packed.buffer);
  const out = new Float64Array(677);
  new PackedRows().copy(words, words, 0, [4], { row: 0, count: 677 }, [out], 0);
  expect(out).toEqual(bars.close.slice(100, 777));
});

it('takes few bytes for cents', () => {
  const bars = walk(8190, seededRandom(1), decimals(2));
  expect(packBars(bars).length / 8190).toBeLessThan(12);
});
