/** Template of a user's own file of a dataset. */

import type { Dataset } from '../../base/datasets/dataset.ts';
import { datasets } from '../../base/datasets/datasets.ts';
import { ParameterError } from '../../base/errors.ts';

const CANDLES =
  'symbol,date,open,high,low,close,volume\n' + 'AAPL,2026-01-02,271.5,274.2,270.1,273.4,41250000\n';

/** Names of the datasets that files can hold. */
export const LOADABLE_DATASETS: readonly string[] = [
  'candles',
  ...datasets.map(({ name }) => name),
];

/** Writes a header and example rows as CSV. @throws {ParameterError} `dataset` has no template. */
export function templateText(dataset: string): string {
  if (dataset === 'candles') return CANDLES;
  const known = datasets.find(({ name }) => name === dataset);
  if (known) return textOfDataset(known);
  throw new ParameterError(
    'dataset',
    `dataset must be one of ${LOADABLE_DATASETS.join(', ')}, got "${dataset}"`,
  );
}

function textOfDataset({ columns }: Dataset): string {
  const rowCount = Math.max(...columns.map(({ examples }) => examples.length));
  const rows = Array.from({ length: rowCount }, (_, row) =>
    columns.map(({ examples }) => csvField(examples[row] ?? examples[0])).join(','),
  );
  const header = columns.map(({ name }) => name).join(',');
  return `${[header, ...rows].join('\n')}\n`;
}

function csvField(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
