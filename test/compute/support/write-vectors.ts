/**
 * Writes the pinned vectors: `node test/compute/support/write-vectors.ts`. They hold some indicators
 * of a few short series as exact arithmetic gives them, rounded to the nearest double. Other
 * implementations can check themselves, and a change of a definition shows in review.
 */

import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { columnsOf, indicatorCatalogue } from '../../../src/compute/indicators/catalogue.ts';
import { barsOf } from './bars-of.ts';
import { definitions } from './definitions/definitions.ts';
import { doubleFromExact } from './exact.ts';
import { hostileSeries } from './hostile-series.ts';

export const VECTORS_PATH = fileURLToPath(
  new URL('../../fixtures/indicator-vectors.csv', import.meta.url),
);

/** Long enough for ten values of the slowest output. */
const BAR_COUNT = 43;
const SERIES = ['random walk', 'offset 1e9', 'spikes of 1e12', 'alternating', 'zeros between'];

/** Indicators that most libraries have. The definitions of the others are in `definitions/`. */
const specs = indicatorCatalogue.filter(({ name, isPublished }) => isPublished || name === 'atr');

/** Columns of bars that one of them reads. */
export const vectorInputs = (['open', 'high', 'low', 'close', 'volume'] as const).filter((input) =>
  specs.some(({ inputs }) => inputs.includes(input)),
);

/** All columns of these indicators. */
export const vectorColumns = specs.flatMap(columnsOf);

/** One line per bar: series, what the indicators read, what they give; empty without a value. */
export function vectorsText(): string {
  const names = vectorColumns.map((column) => column.name);
  const header = ['series', ...vectorInputs, ...names].join(',');
  const lines = SERIES.flatMap((name) => {
    const bars = barsOf(hostileSeries[name](BAR_COUNT));
    const columns = vectorColumns.map(
      ({ spec, params, output }) => definitions[spec.name].exact(bars, params)[output],
    );
    return Array.from(bars.close, (_, i) => {
      const values = columns.map((column) => {
        const exact = column[i];
        return exact === undefined ? '' : doubleFromExact(exact);
      });
      return [name, ...vectorInputs.map((input) => bars[input][i]), ...values].join(',');
    });
  });
  return `${[header, ...lines].join('\n')}\n`;
}

if (import.meta.main) writeFileSync(VECTORS_PATH, vectorsText());
