/**
 * Writes the pinned vectors: `node test/compute/support/write-vectors.ts`. They hold the published
 * columns of a few short series as exact arithmetic gives them, rounded to the nearest double, so
 * that other implementations can check themselves and a change of a definition shows in review.
 */

import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defaultColumns } from '../../../src/compute/indicators/catalogue.ts';
import { doubleFromExact } from './exact.ts';
import { exactColumns } from './exact-columns.ts';
import { hostileSeries } from './hostile-series.ts';

export const VECTORS_PATH = fileURLToPath(
  new URL('../../fixtures/indicator-vectors.csv', import.meta.url),
);

/** Long enough for ten values of the slowest output. */
const BAR_COUNT = 43;
const SERIES = ['random walk', 'offset 1e9', 'spikes of 1e12', 'alternating', 'zeros between'];

/** One line per bar: series, close, then the published columns; empty where there is no value. */
export function vectorsText(): string {
  const header = ['series', 'close', ...defaultColumns.map((column) => column.name)].join(',');
  const lines = SERIES.flatMap((name) => {
    const close = hostileSeries[name](BAR_COUNT);
    const columns = defaultColumns.map(
      ({ spec, params, output }) => exactColumns(spec.name, close, params)[output],
    );
    return Array.from(close, (price, i) => {
      const values = columns.map((column) => {
        const exact = column[i];
        return exact === undefined ? '' : doubleFromExact(exact);
      });
      return [name, price, ...values].join(',');
    });
  });
  return `${[header, ...lines].join('\n')}\n`;
}

if (import.meta.main) writeFileSync(VECTORS_PATH, vectorsText());
