/** Selects the rows that options request. */

import { filingDay } from '../../../base/datasets/insider-filing.ts';
import { isAsked, type SourceOptions } from '../../contract/source-options.ts';
import type { UncheckedRow } from '../../rows/stage-rows.ts';

/** Drops good rows of other symbols or other filing days. Keeps refusals. */
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
