/** A generated market for screens: ten years of days of many symbols, published as live data. */

import { existsSync, mkdirSync } from 'node:fs';
import { type BarColumns, MILLIS_PER_DAY, type Split } from '../../src/base/bars.ts';
import { modePaths } from '../../src/base/config/data-dir.ts';
import { DAILY_INTERVALS } from '../../src/base/time/intervals.ts';
import {
  generatedBars,
  LAST_DAY,
  MICROS_PER_DAY,
  symbolName,
} from '../../src/bench/data/synthetic.ts';
import { adjustBars } from '../../src/compute/bars/adjust.ts';
import { resampleDaily } from '../../src/compute/bars/resample-daily.ts';
import { outputColumns } from '../../src/compute/columns/indicator-spec.ts';
import { defaultColumns } from '../../src/compute/indicators/catalogue.ts';
import { openPublished } from '../../src/store/arrow/read/reader.ts';
import type { Quote, Snapshot } from '../../src/store/arrow/snapshot/snapshot.ts';
import { addToBase } from '../../src/store/arrow/write/compact.ts';
import { Publication } from '../../src/store/arrow/write/publication.ts';

/** One symbol of these has split, seven for two, at a day of its own. */
const SPLIT_EVERY = 20;

export function splitsOf(number: number, barCount: number): Split[] {
  if (number % SPLIT_EVERY > 0) return [];
  const exDay = LAST_DAY - 1 - ((number * 37) % barCount);
  return [{ exDay, numerator: 7, denominator: 2 }];
}

/** Raw bars of a symbol. */
export function storedBars(number: number, barCount: number): BarColumns {
  return generatedBars(barCount, number);
}

/** Bars of a symbol on the default adjustment. */
export function adjustedBars(number: number, barCount: number): BarColumns {
  const source = { basis: 'raw', splits: splitsOf(number, barCount), dividends: [] } as const;
  return adjustBars(storedBars(number, barCount), source, 'split');
}

export function symbolsOf(count: number): string[] {
  return Array.from({ length: count }, (_, number) => symbolName(number)).sort();
}

/** Publishes the market, or opens it where the folder has it. */
export async function openScreenMarket(
  dataDir: string,
  symbolCount: number,
  barCount: number,
): Promise<Snapshot> {
  const folder = modePaths(dataDir, 'live').serving;
  if (!existsSync(folder)) await publish(folder, symbolsOf(symbolCount), barCount);
  return openPublished(folder) as Snapshot;
}

async function publish(
  folder: string,
  symbols: readonly string[],
  barCount: number,
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const indicatorColumns = defaultColumns.map(({ name }) => name);
  const publication = new Publication(folder, { indicatorColumns });
  const specs = [...new Set(defaultColumns.map(({ spec }) => spec))];
  const quotes: Quote[] = [];
  let firstDay = LAST_DAY;
  for (const number of symbols.keys()) {
    const stored = storedBars(number, barCount);
    const daily = adjustedBars(number, barCount);
    firstDay = Number(stored.timestampUs[0] / MICROS_PER_DAY);
    for (const interval of DAILY_INTERVALS) {
      const bars = interval === '1d' ? daily : resampleDaily(daily, interval);
      const bySpec = specs.map((spec) => {
        const { params } = defaultColumns.find((column) => column.spec === spec)!;
        return spec.compute(bars, params, outputColumns(spec.outputs, bars.close.length));
      });
      const indicators = defaultColumns.map(
        ({ spec, output }) => bySpec[specs.indexOf(spec)][output],
      );
      const rows = { firstRow: 0, bars: interval === '1d' ? stored : bars, indicators };
      addToBase(publication.layer, number, interval, rows, 2026);
    }
    quotes.push(quoteOf(symbols[number], daily));
    await publication.layer.settle();
  }
  await publication.commit({
    seq: 1,
    storeMark: 'bench',
    createdMs: Date.UTC(2026, 0, 31),
    replacesLayers: true,
    currentYear: 2026,
    symbols: symbols.map((symbol, number) => ({
      symbol,
      source: 'massive',
      basis: 'raw',
      asOfUs: undefined,
      splits: splitsOf(number, barCount),
      dividends: [],
      actionCoverage: { fromDay: firstDay, toDay: LAST_DAY },
    })),
    quotes,
  });
}

function quoteOf(symbol: string, { open, high, low, close, volume }: BarColumns): Quote {
  const [previousClose, price] = close.slice(-2);
  return {
    symbol,
    price,
    change: price - previousClose,
    changePct: (100 * (price - previousClose)) / previousClose,
    volume: volume.at(-1)!,
    timestampMs: LAST_DAY * MILLIS_PER_DAY + 21 * 3_600_000,
    dayHigh: high.at(-1)!,
    dayLow: low.at(-1)!,
    dayOpen: open.at(-1)!,
    previousClose,
    ...{ marketCap: null, rsi14: null, peRatio: null, dividendYield: null },
  };
}
