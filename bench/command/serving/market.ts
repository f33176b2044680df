/** Publishes bars as a store does, without the store behind it. */

import { type BarColumns, MICROS_PER_DAY, MILLIS_PER_DAY } from '../../../src/base/bars.ts';
import type { DirectoryRow } from '../../../src/base/directory-row.ts';
import { DAILY_INTERVALS } from '../../../src/base/time/intervals.ts';
import { mkdirSync } from '../../../src/base/world/files.ts';
import { resampleDaily } from '../../../src/compute/bars/resample-daily.ts';
import { defaultColumns } from '../../../src/compute/indicators/catalogue.ts';
import { addToBase } from '../../../src/store/arrow/write/compact.ts';
import { Publication } from '../../../src/store/arrow/write/publication.ts';
import { LAST_DAY } from '../data/synthetic.ts';
import type { Universe } from '../data/universe.ts';

/** Publishes the bars of all symbols. @returns both, ascending by symbol. */
export async function publishMarket(
  folder: string,
  universe: Pick<Universe, 'symbols' | 'bars'>,
  directory?: readonly DirectoryRow[],
): Promise<{ symbols: string[]; series: BarColumns[] }> {
  const order = universe.symbols.map((symbol, i) => ({ symbol, bars: universe.bars[i] }));
  order.sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
  const symbols = order.map(({ symbol }) => symbol);
  const series = order.map(({ bars }) => bars);
  mkdirSync(folder, { recursive: true });
  const publication = new Publication(folder, {
    indicatorColumns: defaultColumns.map(({ name }) => name),
  });
  for (const [number, daily] of series.entries()) {
    for (const interval of DAILY_INTERVALS) {
      const bars = interval === '1d' ? daily : resampleDaily(daily, interval);
      const indicators = defaultColumns.map(
        ({ spec, params, output }) => spec.compute(bars, params)[output],
      );
      addToBase(publication.layer, number, interval, { firstRow: 0, bars, indicators }, 2026);
    }
  }
  await publication.commit({
    seq: 1,
    storeMark: 'bench',
    createdMs: LAST_DAY * MILLIS_PER_DAY,
    replacesLayers: true,
    currentYear: 2026,
    ...(directory && { directory }),
    symbols: symbols.map((symbol) => ({
      symbol,
      source: 'sandbox',
      basis: 'split',
      asOfUs: BigInt(LAST_DAY) * MICROS_PER_DAY,
      splits: [],
      dividends: [],
      actionCoverage: undefined,
    })),
    quotes: symbols.map((symbol, number) => {
      const { open, high, low, close, volume } = series[number];
      const [previousClose, price] = close.slice(-2);
      return {
        symbol,
        price,
        change: price - previousClose,
        changePct: (100 * (price - previousClose)) / previousClose,
        volume: volume[volume.length - 1],
        timestampMs: LAST_DAY * MILLIS_PER_DAY + 21 * 3_600_000,
        dayHigh: high[high.length - 1],
        dayLow: low[low.length - 1],
        dayOpen: open[open.length - 1],
        previousClose,
        marketCap: null,
        rsi14: null,
        peRatio: null,
        dividendYield: null,
      };
    }),
  });
  return { symbols, series };
}
