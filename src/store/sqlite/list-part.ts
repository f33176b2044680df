/** Parts of lists whose rows are numbered in order of creation. */

import type { ListPart, ListPlace } from './keys/account-record.ts';

/**
 * @param read  Gives at most `limit` rows with a number below `beforeSeq`, newest first.
 * @param total Rows of all parts together.
 */
export function listPart<Stored extends { seq: number }, Row>(
  { beforeSeq = Number.MAX_SAFE_INTEGER, limit }: ListPlace,
  read: (beforeSeq: number, limit: number) => unknown[],
  total: number,
  rowFrom: (stored: Stored) => Row,
): ListPart<Row> {
  const found = read(beforeSeq, limit + 1) as Stored[];
  const shown = found.slice(0, limit);
  const lastSeq = shown.at(-1)?.seq ?? 0;
  return { rows: shown.map(rowFrom), lastSeq, hasMore: found.length > limit, total };
}
