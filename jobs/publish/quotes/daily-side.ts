/** What quotes from minutes need of the daily bars that the same publish makes. */

import { MILLIS_PER_DAY } from '../../../src/base/bars.ts';
import type { Checkpoints } from '../../../src/compute/indicators/checkpoints.ts';
import type { SymbolFacts } from '../../../src/store/arrow/snapshot/symbol-directory.ts';
import type { LastDay } from './intraday-quote.ts';

/** The daily side of a publish, as it will be published. */
export interface DailySide {
  /** Symbols whose daily bars or facts the publish changes, or removes. */
  changed: ReadonlySet<string>;
  factsOf(symbol: string): SymbolFacts | undefined;
  /** The newest daily bar; undefined without any. */
  lastDayOf(symbol: string): LastDay | undefined;
}

/** @returns undefined for a symbol without daily bars. */
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
