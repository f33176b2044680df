/** Daily facts that quotes from minutes need, as the same publish makes them. */

import { MILLIS_PER_DAY } from '../../../src/base/bars.ts';
import type { Checkpoints } from '../../../src/compute/indicators/checkpoints.ts';
import type { SymbolFacts } from '../../../src/store/arrow/snapshot/symbol-directory.ts';
import type { LastDay } from './intraday-quote.ts';

/** Daily bars of the next version. */
export interface DailySide {
  /** Symbols whose daily bars or facts the publish changes or removes. */
  changed: ReadonlySet<string>;
  factsOf(symbol: string): SymbolFacts | undefined;
  /** Returns the newest daily bar; undefined if there is none. */
  lastDayOf(symbol: string): LastDay | undefined;
}

/** Returns undefined for a symbol without daily bars. */
export function lastDayOf(
  checkpoints: Checkpoints,
  number: number | undefined,
): LastDay | undefined {
  if (number === undefined || checkpoints.rowCount(number, '1d') === 0) return undefined;
  return {
    day: checkpoints.lastBarMs(number) / MILLIS_PER_DAY,
    close: checkpoints.lastClose(number),
    previewRsi: (close) => checkpoints.previewRsi(number, close),
  };
}
