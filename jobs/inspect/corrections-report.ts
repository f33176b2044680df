/** Reports what publishes changed in a series, and the loads that they made visible. */

import type { BarValues } from '../../src/base/bars.ts';
import type { ModePaths } from '../../src/base/config/data-dir.ts';
import { StoreMissingError, UnknownSymbolError } from '../../src/base/errors.ts';
import type { StoredInterval } from '../../src/base/time/intervals.ts';
import { corrections } from '../../src/past/corrections.ts';
import { pastVersions } from '../../src/past/past-versions.ts';
import { openPublished } from '../../src/store/arrow/read/reader.ts';
import { openMarketForReading } from '../../src/store/duckdb/connection/open.ts';
import { type LoadBetween, loadsBetween } from '../../src/store/duckdb/segments/loads-between.ts';

export interface CorrectionsReport {
  symbol: string;
  interval: StoredInterval;
  /** The newest first. */
  corrections: {
    publishedAt: string;
    olderSource: string | null;
    newerSource: string | null;
    loads: (Omit<LoadBetween, 'loadedMs'> & { loadedAt: string })[];
    bars: { timestamp: string; older: BarValues | null; newer: BarValues | null }[];
  }[];
}

/**
 * @param name Symbol or former ticker, in canonical spelling.
 * @throws {StoreMissingError} nothing is published; else as `openMarketForReading`.
 * @throws {UnknownSymbolError} the symbol is not published.
 */
export async function correctionsReport(
  paths: ModePaths,
  name: string,
  interval: StoredInterval,
  onWaiting?: (holder: string) => void,
): Promise<CorrectionsReport> {
  using published = openPublished(paths.serving);
  if (!published) throw new StoreMissingError('Nothing is published in this mode yet');
  using past = pastVersions(paths.serving);
  const symbol = published.resolve(name) ?? name;
  const found = corrections(past, published, symbol, interval);
  if (found.length === 0 && published.resolve(name) === undefined) {
    throw new UnknownSymbolError(name, `"${name}" is not published in this mode`);
  }
  using market = await openMarketForReading(paths, { onWaiting });
  const report: CorrectionsReport = { symbol, interval, corrections: [] };
  for (const { publishedMs, beforeMs, sources, bars } of found) {
    const loads = await loadsBetween(market, symbol, [beforeMs, publishedMs]);
    report.corrections.push({
      publishedAt: new Date(publishedMs).toISOString(),
      olderSource: sources[0],
      newerSource: sources[1],
      loads: loads.map(({ loadedMs, ...load }) => ({
        ...load,
        loadedAt: new Date(loadedMs).toISOString(),
      })),
      bars: bars.map(({ timestampUs, older, newer }) => ({
        timestamp: new Date(Number(timestampUs / 1000n)).toISOString(),
        older,
        newer,
      })),
    });
  }
  return report;
}
