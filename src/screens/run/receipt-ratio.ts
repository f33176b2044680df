import { ADS_RATIO } from '../../base/datasets/universes.ts';
import { columnKey } from '../../store/arrow/lists/specs.ts';
import { listedRows } from '../../store/arrow/snapshot/directory-table.ts';
import type { Snapshot } from '../../store/arrow/snapshot/snapshot.ts';

/**
 * Returns for how many ordinary shares a receipt stands by what was stated last; NaN where nothing
 * was, undefined for all other securities.
 */
export function receiptRatio(
  snapshot: Pick<Snapshot, 'list' | 'listings'>,
  symbol: string,
): number | undefined {
  const row = listedRows(snapshot.listings).get(symbol);
  if (row === undefined || snapshot.listings.type[row] !== 'adr') return undefined;
  const [newest] = snapshot.list('values', columnKey(ADS_RATIO, symbol)).page(undefined, 1);
  return newest ? Number(newest.json) || Number.NaN : Number.NaN;
}
