/** Securities that a screen looks at, at a moment, with the fields of their companies. */

import type { ScreenFieldName } from '../../../base/screen-fields.ts';
import type { ScreenerTable } from '../snapshot/snapshot.ts';

/** Numbers with NaN for null, or texts with null; one per row of the table. */
export type FieldValues =
  | { kind: 'number'; values: Float64Array }
  | { kind: 'text'; values: readonly (string | null)[] };

export interface ScreenUniverse {
  /** Rows as the screener shows them, ascending by symbol, with the figures of the moment. */
  table: ScreenerTable;
  /** By row, the symbol under which the snapshot has the bars. */
  series: readonly string[];
  /** Last day of bars that count, in days since the epoch; undefined for the newest ones. */
  asOfDay: number | undefined;
  /** Reads a field, computed at its first use. */
  field(name: ScreenFieldName): FieldValues;
}
