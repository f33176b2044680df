/** The rows that options ask for. */

import { filingDay } from '../../../base/datasets/insider-filing.ts';
import { isAsked, type SourceOptions } from '../../contract/source-options.ts';
import type { UncheckedRow } from '../../rows/stage-rows.ts';

/** Leaves out good rows of other symbols, or that were filed on other days; refusals stay. */
export async function* wantedRows(
  rows: Iterable<UncheckedRow> | AsyncIterable<UncheckedRow>,
  options: SourceOptions,
): AsyncGenerator<UncheckedRow> {
  const { fromDay = -Infinity, toDay = Infinity } = options;
  for await (const unchecked of rows) {
    if ('row' in unchecked) {
      const { symbol, filedAt } = unchecked.row;
      if (!isAsked(String(symbol), options)) continue;
      const day = typeof filedAt === 'number' ? filingDay(filedAt) : undefined;
      if (day !== undefined && (day < fromDay || day > toDay)) continue;
    }
    yield unchecked;
  }
}
