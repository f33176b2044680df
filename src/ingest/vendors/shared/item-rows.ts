import type { DatasetRow } from '../../../base/datasets/dataset.ts';
import { dayOfText } from '../../rows/fields.ts';
import type { UncheckedRow } from '../../rows/stage-rows.ts';
import { isOtherKind, symbolOfVendor } from './vendor-symbols.ts';

/**
 * Makes rows of the items of a response.
 *
 * @param rowOf Returns a row, or why there is none; undefined leaves the item out.
 */
export function itemRows<Item>(
  items: readonly Item[],
  rowOf: (item: Item) => DatasetRow | string | undefined,
): UncheckedRow[] {
  return items.flatMap((item, i): UncheckedRow | [] => {
    const made = rowOf(item);
    if (made === undefined) return [];
    const place = { line: i + 1, text: JSON.stringify(item) };
    return typeof made === 'string' ? { reason: made, ...place } : { row: made, ...place };
  });
}

/** Makes rows of a calendar of earnings, of whatever is a share. @param factsOf Its other fields. */
export function earningsRows<Item extends { symbol?: string | null; date?: string | null }>(
  items: readonly Item[],
  asOfMs: number,
  factsOf: (item: Item) => DatasetRow,
): UncheckedRow[] {
  return itemRows(items, (item) => {
    if (isOtherKind(item.symbol ?? '')) return undefined;
    const symbol = symbolOfVendor(item.symbol ?? '');
    const date = dayOfText(item.date);
    if (symbol === undefined) return 'symbol is not a ticker';
    if (date === undefined) return 'date is not a date';
    return { symbol, date, ...factsOf(item), asOf: asOfMs };
  });
}
