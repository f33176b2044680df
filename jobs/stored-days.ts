/** How far a source's bars are stored, so that a fetch can ask for what is new. */

import { existsSync } from 'node:fs';
import type { ModePaths } from '../src/data-dir.ts';
import { readLastDays } from '../src/store/market/last-days.ts';
import { openMarketForWriting } from '../src/store/market/open.ts';
import type { RunDeps } from './backfill.ts';

/**
 * Newest stored day by symbol; empty for a store that does not exist yet. Opens for writing, as
 * the backfill that asks will: a store of an older schema is upgraded here.
 */
export async function readStoredDays(
  paths: ModePaths,
  source: string,
  deps: Pick<RunDeps, 'verb' | 'nowMs' | 'onWaiting'>,
): Promise<Map<string, number>> {
  if (!existsSync(paths.market)) return new Map();
  const market = await openMarketForWriting(paths, deps);
  try {
    return await readLastDays(market, source, '1d');
  } finally {
    market.close();
  }
}
