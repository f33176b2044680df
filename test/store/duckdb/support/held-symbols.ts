/** Loads of many symbols under their checks, which judge each symbol by itself. */

import { HeldLoadError } from '../../../../src/base/errors.ts';
import { limits } from '../../../../src/base/limits.ts';
import type { CandleSegment } from '../../../../src/store/duckdb/connection/candle-segment.ts';
import type { MarketDb } from '../../../../src/store/duckdb/connection/open.ts';
import type { LoadGuard } from '../../../../src/store/duckdb/holds/load-guard.ts';
import {
  type LoadResult,
  loadCandleBatch,
} from '../../../../src/store/duckdb/load/load-candles.ts';
import { useLimits } from '../../../support/use-limits.ts';
import { NOW_MS } from './fixtures.ts';

const GUARD: LoadGuard = { isScheduled: false, published: undefined, earlyRows: () => 0 };

/** Lets a load hold any number of its symbols without the others, for all tests of a file. */
export function holdSymbolsAlone(): void {
  useLimits(limits.sanity, { heldSymbolsMax: 1000 });
}

export async function loadGuarded(
  market: MarketDb,
  segment: CandleSegment,
  guard: Partial<LoadGuard> = {},
): Promise<LoadResult> {
  const inputs = [{ segment, guard: { ...GUARD, ...guard } }];
  return (await loadCandleBatch(market, inputs, NOW_MS))[0];
}

/** Returns the error of a load that is held as a whole or in part; undefined: it is loaded. */
export function reasonOf(market: MarketDb, segment: CandleSegment): Promise<string | undefined> {
  return loadGuarded(market, segment).then(
    () => undefined,
    (error: Error) => error.message,
  );
}

/** Returns why each symbol of a load is held; at least one must not be. */
export async function heldSymbols(
  market: MarketDb,
  segment: CandleSegment,
  guard: Partial<LoadGuard> = {},
): Promise<ReadonlyMap<string, string>> {
  try {
    await loadGuarded(market, segment, guard);
    return new Map();
  } catch (error) {
    if (!(error instanceof HeldLoadError && error.isPartial)) throw error;
    return new Map(error.symbols.map(({ symbol, reason }) => [symbol, reason]));
  }
}
