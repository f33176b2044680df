import type { ListName } from '../../../base/datasets/datasets.ts';
import type { ServedList } from './served-list.ts';
import { EVERYTHING } from './specs.ts';

/** Returns the names of the own columns that any security has values of. */
export function ownColumns(lists: { list(name: ListName, key: string): ServedList }): string[] {
  return [...lists.list('values', EVERYTHING).rows()].map(({ id }) => id);
}
