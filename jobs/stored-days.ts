/** How far a source's bars are stored, so that a fetch can ask for what is new. */

import { existsSync } from 'node:fs';
import type { ModePaths } from '../src/data-dir.ts';
import { readLastDays } from '../src/store/market/last-days.ts';
import { openMarketForReading } from '../src/store/market/open.ts';
import type { RunDeps } from './backfill.ts';

/** Newest stored day by symbol; empty for a store that does not exist yet. Waits for a writer. */
export async function readStoredDays(
  paths: ModePaths,
  source: string,
  { onWaiting }: Pick<RunDeps, 'onWaiting'>,
): Promise<Map<string, number>> {
  if (!existsSync(paths.market)) return new Map();
  const market = await openMarketForReading(paths, { onWaiting, waitMs: Number.POSITIVE_INFINITY });
  try {
    return await readLastDays(market, source, '1d');
  } finally {
    market.close();
  }
}
