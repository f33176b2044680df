/** What a source has stored so far, so that a fetch can ask for what is new. */

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
  /** Newest stored day of the source, by symbol. */
  lastDays: Map<string, number>;
  /** Newest day of which the source has given the whole market; undefined where it never has. */
  wholeMarketDay: number | undefined;
  /** How new the source's rows are, in milliseconds, by dataset; candles are not among them. */
  rowVintagesMs: Map<string, number>;
  /** Symbols that a directory lists, whatever source has bars of them; ascending. */
  listedSymbols: string[];
}

/**
 * Empty for a store that does not exist yet. Opens for writing, as the backfill that asks
 * will: a store of an older schema is upgraded here.
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
