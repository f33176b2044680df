/** Securities that a screen looks at, at a moment, with the fields of their companies. */

import type { Basis } from '../../base/bars.ts';
import type { ScreenFieldName } from '../../base/fields.ts';
import type { ScreenerTable } from '../../store/arrow/snapshot/snapshot.ts';

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
  /**
   * By row, the basis of its price. As of a past day `raw` is the price of that day; a price on
   * another basis still has later splits or dividends in it, which can't be undone. Undefined
   * without a past day.
   */
  bases: readonly Basis[] | undefined;
  /**
   * Reads what some fields need. Each step takes less than a millisecond, and may be followed by
   * other work. Fields that are not prepared are read at once by `field`.
   */
  prepare(names: readonly ScreenFieldName[]): Generator<void, void>;
  /** Returns a field, read at its first use. */
  field(name: ScreenFieldName): FieldValues;
  /**
   * Fills `table.columns.rsi14`, which a table as of a past day lacks, in all rows or in those of a
   * page.
   */
  readRsi(rows?: Int32Array): Generator<void, void>;
  /** Returns why fields of a row are null, those of companies' ratios alone, by name. */
  reasons(row: number, names: Iterable<string>): Record<string, string>;
}
