import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { defaultColumns } from '../../../src/compute/indicators/catalogue.ts';
import { VECTORS_PATH, vectorsText } from '../support/write-vectors.ts';

const text = readFileSync(VECTORS_PATH, 'utf8');
const [header, ...lines] = text.trimEnd().split('\n');
const [, , ...columnNames] = header.split(',');
const rows = lines.map((line) => line.split(','));
const seriesNames = [...new Set(rows.map(([series]) => series))];

describe('the pinned vectors', () => {
  it('are what exact arithmetic gives', () => {
    expect(vectorsText()).toBe(text);
  });

  it('hold values of every published column', () => {
    expect(columnNames).toEqual(defaultColumns.map((column) => column.name));
    for (let i = 2; i < rows[0].length; i++) expect(rows.some((row) => row[i] !== '')).toBe(true);
  });

  it.each(seriesNames)('are met by the kernels: %s', (series) => {
    const own = rows.filter(([name]) => name === series);
    const close = Float64Array.from(own, ([, price]) => Number(price));
    defaultColumns.forEach(({ spec, params, output }, i) => {
      const column = spec.compute({ close }, params)[output];
      own.forEach((row, bar) => {
        const pinned = row[i + 2];
        if (pinned === '') expect(column[bar]).toBeNaN();
        else expectNear(column[bar], Number(pinned));
      });
    });
  });
});

/** Looser than the bounds of the accuracy test, which measures each error by its own scale. */
function expectNear(value: number, pinned: number): void {
  const error = Math.abs(value - pinned);
  expect(error).toBeLessThanOrEqual(1e-12 * Math.max(1, Math.abs(pinned)));
}
