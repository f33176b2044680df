/** The options of `backfill`, one typed object for all sources; each source reads what it needs. */

import type { Basis } from '../bars.ts';
import type { DateOrder } from './date-format.ts';

export interface SourceOptions {
  /** File, folder or zip, for sources that read local files. */
  path?: string;
  /**
   * Canonical; the symbol of a file, whatever its name. Of a file with a symbol column, the one
   * whose rows are wanted.
   */
  symbol?: string;
  /** Canonical; others are left out. */
  symbols?: readonly string[];
  /** Day numbers, inclusive; bars of other days are left out. */
  fromDay?: number;
  toDay?: number;
  /** Overrides what a file's columns tell. */
  basis?: Basis;
  /** When the content was true, in microseconds; else each file's newest bar. */
  asOfUs?: bigint;
  /** Settles dates that could be of several orders. */
  dateOrder?: DateOrder;
  /** Stores a Parquet copy of a local bulk file among the segments. */
  keep?: boolean;
  /**
   * Last stored day of a symbol, for sources that can fetch only what is new; undefined means
   * the whole history is wanted.
   */
  lastStoredDay?: (symbol: string) => number | undefined;
}

/** True when neither `--symbol` nor `--symbols` asks for others only. */
export function isAsked(symbol: string, options: SourceOptions): boolean {
  if (options.symbol !== undefined) return options.symbol === symbol;
  return options.symbols === undefined || options.symbols.includes(symbol);
}
