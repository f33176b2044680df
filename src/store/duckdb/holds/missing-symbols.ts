/** Holds loads of a whole market that lack symbols which it had before. */

import { HeldLoadError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import type { PublishedQuotes } from '../../../base/published-quotes.ts';
import { dayFromMicros } from '../../../base/time/dates.ts';
import type { LoadedFile } from '../candles/insert-rows.ts';
import { WHOLE_MARKET } from '../candles/last-days.ts';
import type { CandleSegment } from '../connection/candle-segment.ts';
import type { MarketDb } from '../connection/open.ts';
import { selectRows } from '../connection/sql-rows.ts';
import { type LoadGuard, overShare } from './load-guard.ts';
import { isLookedAt } from './rejected-rows.ts';

/** Returns the reason to hold a market whose newest session lacks many symbols of the published one. */
export function holdForUniverse(
  segment: CandleSegment,
  files: readonly LoadedFile[],
  published: PublishedQuotes,
): string | undefined {
  const { source, interval, kind, origin, isPart } = segment;
  const isMarket = new RegExp(WHOLE_MARKET).test(origin);
  if (interval !== '1d' || isPart || !(isMarket || kind === 'external')) return undefined;
  const before = published.newestSession(source);
  const stored = files.filter(({ accepted }) => accepted > 0);
  const newestUs = Math.max(...stored.map(({ lastUs }) => lastUs));
  // Earlier sessions had other symbols.
  if (!before || stored.length === 0 || dayFromMicros(newestUs) < before.day) return undefined;
  const newest = stored.filter(({ lastUs }) => lastUs === newestUs);
  const count = new Set(newest.map(({ fileIndex }) => segment.files[fileIndex].symbol)).size;
  const { missingShareMax: most, universeShareMin, universeMin } = limits.sanity;
  const { symbolCount } = before;
  const isUniverse =
    isMarket || (symbolCount >= universeMin && count > symbolCount * universeShareMin);
  if (!isUniverse || count >= symbolCount * (1 - most)) return undefined;
  const share = overShare(1 - count / symbolCount, most);
  return `its newest session has ${count} symbols, and the published one ${symbolCount} (${share} fewer)`;
}

/**
 * @throws {HeldLoadError} the directory lacks too many symbols that the same origin gave
 *   before.
 */
export async function requireWholeDirectory(
  { connection }: Pick<MarketDb, 'connection'>,
  { source, origin, accepted }: { source: string; origin: string; accepted: number },
  guard: LoadGuard,
): Promise<void> {
  if (!isLookedAt({ accepted, rejected: 0 }, guard)) return;
  const [before] = await selectRows<{ count: number }>(
    connection,
    `SELECT accepted::DOUBLE AS count FROM segments
     WHERE dataset = 'symbols' AND source = $1 AND origin = $2 ORDER BY seq DESC LIMIT 1`,
    [source, origin],
  );
  const { missingShareMax: most } = limits.sanity;
  if (!before || accepted >= before.count * (1 - most)) return;
  const share = overShare(1 - accepted / before.count, most);
  throw new HeldLoadError(
    `${origin}: it names ${accepted} symbols, and ${before.count} the time before (${share} fewer)`,
  );
}
