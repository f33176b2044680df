/**
 * Keeps the tables of versions that were replaced lately, for screens and walks that began in them.
 */

import { limits } from '../../../base/limits/limits.ts';
import { snapshotId } from '../format/manifest.ts';
import type { Manifest, RecentVersion } from '../format/manifest-types.ts';
import { readTable } from '../format/table-file.ts';
import { DIRECTORY_TABLE, QUOTE_TABLE, SYMBOL_TABLE } from '../format/tables.ts';

/**
 * Returns the recent versions once `published` is replaced. A version is kept while it is among the
 * newest or was replaced lately. Compactions do not count: one publish may make three versions.
 */
export function recentVersions(
  published: Manifest | undefined,
  nowMs: number,
  isCompaction: boolean,
): RecentVersion[] {
  if (!published) return [];
  const { symbols, quotes, directory } = published;
  const replaced: RecentVersion = {
    id: snapshotId(published),
    supersededMs: nowMs,
    ...(isCompaction && { isFolded: true }),
    symbols,
    quotes,
    directory,
  };
  const { recentVersionsMin, recentMs } = limits.serving;
  let publishes = 0;
  return [replaced, ...published.recent].filter(({ supersededMs, isFolded }) => {
    const isKept = publishes < recentVersionsMin || nowMs - supersededMs < recentMs;
    if (!isFolded) publishes++;
    return isKept;
  });
}

/** Returns true if the tables of a version are whole, so that walks can continue in it. */
export function canGoOn(
  folder: string,
  { symbols, quotes, directory }: Pick<RecentVersion, 'symbols' | 'quotes' | 'directory'>,
): boolean {
  try {
    readTable(folder, symbols, SYMBOL_TABLE);
    readTable(folder, quotes, QUOTE_TABLE);
    readTable(folder, directory, DIRECTORY_TABLE);
    return true;
  } catch {
    return false;
  }
}
