/** Stored days and rows of a source, so that a fetch requests only what is new. */

import { existsSync } from 'node:fs';
import type { ModePaths } from '../../src/base/config/data-dir.ts';
import type { Interval } from '../../src/base/time/intervals.ts';
import {
  readLastDays,
  readRowVintages,
  readWholeMarketDay,
} from '../../src/store/duckdb/candles/last-days.ts';
import { openMarketForWriting } from '../../src/store/duckdb/connection/open.ts';
import { readListedSymbols } from '../../src/store/duckdb/securities/symbols.ts';
import type { RunDeps } from '../contract/reports.ts';

export interface Stored {
  /** Newest stored day by symbol. */
  lastDays: Map<string, number>;
  /** Newest day for which the source gave the whole market; undefined if it never did. */
  wholeMarketDay: number | undefined;
  /** Time of the newest rows in milliseconds, by dataset without candles. */
  rowVintagesMs: Map<string, number>;
  /** Symbols in a directory, with or without bars; ascending. */
  listedSymbols: string[];
}

/**
 * Reads what a source has stored; empty if there is no store yet. Opens the store for writing, so
 * that an older store is upgraded before the backfill.
 */
export async function readStored(
  paths: ModePaths,
  { source, interval }: { source: string; interval: Interval },
  deps: Pick<RunDeps, 'verb' | 'nowMs' | 'onWaiting'>,
): Promise<Stored> {
  if (!existsSync(paths.market)) {
    return {
      lastDays: new Map(),
      wholeMarketDay: undefined,
      rowVintagesMs: new Map(),
      listedSymbols: [],
    };
  }
  const market = await openMarketForWriting(paths, deps);
  try {
    return {
      lastDays: await readLastDays(market, source, interval),
      wholeMarketDay: await readWholeMarketDay(market, source, interval),
      rowVintagesMs: await readRowVintages(market, source),
      listedSymbols: await readListedSymbols(market),
    };
  } finally {
    market.close();
  }
}
