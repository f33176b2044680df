/** Small published folders with known content. */

import type { BarColumns } from '../../../../src/base/bars.ts';
import {
  DAILY_INTERVALS,
  type DailyInterval,
  STORED_INTRADAY,
} from '../../../../src/base/time/intervals.ts';
import type { Manifest } from '../../../../src/store/arrow/format/manifest-types.ts';
import type { Quote, Snapshot } from '../../../../src/store/arrow/snapshot/snapshot.ts';
import type { SymbolFacts } from '../../../../src/store/arrow/snapshot/symbol-directory.ts';
import { addToBase } from '../../../../src/store/arrow/write/compact.ts';
import { Publication } from '../../../../src/store/arrow/write/publication.ts';
import type { SeriesRows } from '../../../../src/store/arrow/write/volume-writer.ts';
import { factsRow, quoteRow } from './published-rows.ts';

export const INDICATORS = ['sma', 'rsi'];

export const CREATED_MS = Date.UTC(2026, 0, 5, 12);

/** Content of a publish that adds a layer. */
export const LAYER_ADDED = {
  seq: 2,
  storeMark: 'b',
  createdMs: CREATED_MS,
  replacesLayers: false,
  currentYear: 2025,
};

export const FIRST_DAY = 20_000;

/** Row 89 of a series that starts on `FIRST_DAY` is the first of 2025. */
export function dayUs(day: number): bigint {
  return BigInt(day) * 86_400_000_000n;
}

/** Rows [firstRow, firstRow + count) of a series of one bar a day whose every value follows from `seed` and row. */
export function rowsOf(
  seed: number,
  count: number,
  options: { firstRow?: number; firstDay?: number } = {},
): SeriesRows {
  const { firstRow = 0, firstDay = FIRST_DAY } = options;
  const column = (offset: number) =>
    Float64Array.from({ length: count }, (_, i) => seed * 1000 + (firstRow + i) / 7 + offset);
  const timestampUs = BigInt64Array.from({ length: count }, (_, i) =>
    dayUs(firstDay + firstRow + i),
  );
  const bars: BarColumns = {
    timestampUs,
    open: column(0.1),
    high: column(0.2),
    low: column(0.3),
    close: column(0.4),
    volume: column(0.5),
  };
  const indicators = INDICATORS.map((_, k) =>
    column(k + 0.6).map((value, i) => (firstRow + i < 3 + k ? Number.NaN : value)),
  );
  return { firstRow, bars, indicators };
}

export function factsOf(symbol: string): SymbolFacts {
  return factsRow(symbol, {
    source: 'sandbox',
    asOfUs: 1_767_000_000_000_000n,
    splits: [{ exDay: 20_100, numerator: 2, denominator: 1 }],
    dividends: [{ exDay: 20_050, amount: 0.25 }],
    actionCoverage: { fromDay: 19_000, toDay: 20_500 },
  });
}

export function quoteOf(symbol: string, price: number): Quote {
  return quoteRow(symbol, price, { timestampMs: CREATED_MS });
}

export type Universe = Record<string, Record<DailyInterval, SeriesRows>>;

/** Symbols A0, A1, … with `count` daily bars each and fewer weekly and monthly ones. */
export function universeOf(symbolCount: number, count: number, seed = 1): Universe {
  return Object.fromEntries(
    Array.from({ length: symbolCount }, (_, i) => [
      `A${i}`,
      {
        '1d': rowsOf(seed + i, count),
        '1w': rowsOf(seed + i + 0.25, Math.ceil(count / 5)),
        '1M': rowsOf(seed + i + 0.5, Math.ceil(count / 21)),
      },
    ]),
  );
}

/** Publishes a universe as base, replacing what is there. */
export async function publishBase(
  path: string,
  universe: Universe,
  options: { currentYear?: number; seq?: number; epoch?: number } = {},
): Promise<Manifest> {
  const { currentYear = 2025, seq = 1, epoch } = options;
  const publication = new Publication(path, { indicatorColumns: INDICATORS, epoch });
  const names = Object.keys(universe);
  names.forEach((name, number) => {
    for (const interval of DAILY_INTERVALS) {
      addToBase(publication.layer, number, interval, universe[name][interval], currentYear);
    }
  });
  return publication.commit({
    seq,
    storeMark: 'a',
    createdMs: CREATED_MS,
    replacesLayers: true,
    currentYear,
    symbols: names.map(factsOf),
    quotes: names.map((name) => quoteOf(name, universe[name]['1d'].bars.close.at(-1) ?? 0)),
  });
}

/** Every row and fact of a snapshot, for comparison. */
export function contentOf(snapshot: Snapshot): unknown {
  return snapshot.symbols.map((name) => [
    snapshot.symbol(name),
    snapshot.quote(name),
    DAILY_INTERVALS.map((interval) => [
      snapshot.bars(name, interval),
      snapshot.indicators(name, interval, INDICATORS),
    ]),
    STORED_INTRADAY.map((interval) => [
      snapshot.intraday(name, interval),
      snapshot.bars(name, interval),
    ]),
  ]);
}
