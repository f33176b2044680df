import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { barsOf } from '../support/bars-of.ts';
import {
  VECTORS_PATH,
  vectorColumns,
  vectorInputs,
  vectorsText,
} from '../support/write-vectors.ts';

const text = readFileSync(VECTORS_PATH, 'utf8');
const [header, ...lines] = text.trimEnd().split('\n');
const names = header.split(',');
const rows = lines.map((line) => line.split(','));
const seriesNames = [...new Set(rows.map(([series]) => series))];

describe('the pinned vectors', () => {
  it('are what exact arithmetic gives', () => {
    expect(vectorsText()).toBe(text);
  });

  it('hold values of every indicator', () => {
    const columns = vectorColumns.map((column) => column.name);
    expect(names).toEqual(['series', ...vectorInputs, ...columns]);
    for (const i of names.keys()) expect(rows.some((row) => row[i] !== '')).toBe(true);
  });

  it.each(seriesNames)('are met by the indicators: %s', (series) => {
    const own = rows.filter(([name]) => name === series);
    const column = (name: string) =>
      Float64Array.from(own, (row) => Number(row[names.indexOf(name)]));
    const bars = { ...barsOf(column('close')) };
    for (const input of vectorInputs) bars[input] = column(input);
    for (const { name, spec, params, output } of vectorColumns) {
      const computed = spec.compute(bars, params)[output];
      own.forEach((row, bar) => {
        const pinned = row[names.indexOf(name)];
        if (pinned === '') expect(computed[bar]).toBeNaN();
        else expectNear(computed[bar], Number(pinned));
      });
    }
  });
});

/** Looser than the bounds of the accuracy test, which measures each error by its own scale. */
function expectNear(value: number, pinned: number): void {
  const error = Math.abs(value - pinned);
  expect(error).toBeLessThanOrEqual(1e-12 * Math.max(1, Math.abs(pinned)));
}
