/** Published minutes with known content. */

import type { BarColumns } from '../../../../src/base/bars.ts';
import { barRows } from '../../../../src/base/bars.ts';
import { nextSession, sessionOpenMs } from '../../../../src/base/time/calendar.ts';
import type { IntradaySeriesInterval } from '../../../../src/base/time/intervals.ts';
import type { IntradayTier } from '../../../../src/store/arrow/format/manifest-types.ts';
import type { IntradayFacts } from '../../../../src/store/arrow/read/intraday-part.ts';
import type { PublishedVersion } from '../../../../src/store/arrow/read/published-version.ts';
import { openPublished } from '../../../../src/store/arrow/read/reader.ts';
import { Publication } from '../../../../src/store/arrow/write/publication.ts';
import { INDICATORS, LAYER_ADDED } from './published-fixture.ts';

const SESSION_MINUTES = 390;

/**
 * Bars one after another from the open of a session on, over to the next sessions.
 *
 * @param seed Every value follows from it and the row.
 */
export function minutesFrom(day: number, count: number, seed: number, stepMinutes = 1): BarColumns {
  const perSession = SESSION_MINUTES / stepMinutes;
  const timestampUs = new BigInt64Array(count);
  let session = day;
  for (let row = 0; row < count; row++) {
    if (row > 0 && row % perSession === 0) session = nextSession(session);
    const ms = sessionOpenMs(session) + (row % perSession) * stepMinutes * 60_000;
    timestampUs[row] = BigInt(ms) * 1000n;
  }
  const column = (offset: number) =>
    Float64Array.from({ length: count }, (_, row) => 100 * seed + Math.sin(row + seed) + offset);
  return {
    timestampUs,
    open: column(10),
    high: column(12),
    low: column(8),
    close: column(11),
    volume: column(1000).map((value, row) => Math.round(value) + row),
  };
}

export function intradayFactsOf(symbol: string, interval: IntradaySeriesInterval): IntradayFacts {
  return { symbol, interval, source: 'sandbox', basis: 'raw', asOfUs: 1_767_000_000_000_000n };
}

/** Rows of a series from one on; `bars` undefined ends the series there. */
export interface Addition {
  number: number;
  interval: IntradaySeriesInterval;
  firstRow: number;
  bars: BarColumns | undefined;
  role?: 'slices' | 'patches';
}

/**
 * Publishes a layer over what is published.
 *
 * @param options.version The published version, if the caller has it open.
 */
export async function publishIntraday(
  folder: string,
  additions: readonly Addition[],
  options: {
    series?: (IntradayFacts | undefined)[];
    tier?: IntradayTier;
    version?: PublishedVersion;
  } = {},
): Promise<PublishedVersion> {
  const version = options.version ?? openPublished(folder);
  const publication = new Publication(folder, { indicatorColumns: INDICATORS });
  const { intradayLayer } = publication;
  for (const { number, interval, firstRow, bars, role = 'slices' } of additions) {
    if (!bars) intradayLayer.endSeries(number, interval, firstRow);
    else {
      const rows = { firstRow, bars, indicators: [] };
      if (role === 'slices') intradayLayer.addToSlice(number, interval, rows);
      else intradayLayer.addBatch(number, interval, 'patches', rows);
    }
  }
  await publication.commit({
    ...LAYER_ADDED,
    intraday: {
      tier: options.tier ?? 'slice',
      layersKept: version?.manifest.intraday?.layers.length ?? 0,
      series: options.series,
    },
  });
  return openPublished(folder, version) as PublishedVersion;
}

/** Rows [start, end) that the next call may not change. */
export function copyOf(bars: BarColumns, start: number, end?: number): BarColumns {
  const { timestampUs, open, high, low, close, volume } = barRows(bars, start, end);
  return {
    timestampUs: timestampUs.slice(),
    open: open.slice(),
    high: high.slice(),
    low: low.slice(),
    close: close.slice(),
    volume: volume.slice(),
  };
}
