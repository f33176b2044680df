/** A market for screens: series of many lengths and price bases, and the same market up to a day. */

import { barRows } from '../../../src/base/bars.ts';
import type { ScreenColumns } from '../../../src/screens/plan/screen-plan.ts';
import { screenValues } from '../../../src/screens/run/run-screen.ts';
import type { ScreenMemory } from '../../../src/screens/run/screen-memory.ts';
import type { ScreenUniverse } from '../../../src/screens/run/screen-universe.ts';
import { openPublished } from '../../../src/store/arrow/read/reader.ts';
import type { Snapshot } from '../../../src/store/arrow/snapshot/snapshot.ts';
import {
  type FixtureSymbol,
  LAST_DAY,
  publishMarket,
  weekdayBars,
} from '../../api/support/market-fixture.ts';

const LENGTHS = [1, 2, 5, 20, 21, 64, 65, 130, 131, 200, 256, 257, 399, 400, 401, 700, 700, 701];

/** Raw series, every third with known splits, and two that a vendor adjusted. Synthetic. */
export function screenMarket(): FixtureSymbol[] {
  const symbols = LENGTHS.map((count, i): FixtureSymbol => {
    const isSplit = i % 3 === 0;
    return {
      symbol: `S${String(i).padStart(2, '0')}`,
      basis: 'raw',
      bars: weekdayBars(count, 100 + i),
      splits: isSplit
        ? [
            { exDay: LAST_DAY - 300, numerator: 3, denominator: 2 },
            { exDay: LAST_DAY - 41, numerator: 7, denominator: 1 },
          ]
        : [],
      dividends: [],
      isCovered: i % 5 !== 4,
    };
  });
  const bars = weekdayBars(600, 7);
  const splits = [{ exDay: LAST_DAY - 60, numerator: 3, denominator: 1 }];
  const rest = { bars, dividends: [], isCovered: true };
  return [
    ...symbols,
    { symbol: 'X_ALL', basis: 'all', splits: [], ...rest },
    { symbol: 'X_SPLIT', basis: 'split', splits, ...rest },
  ];
}

/** The market as it was at the end of a day: bars and splits up to it. */
export function marketUpTo(symbols: readonly FixtureSymbol[], day: number): FixtureSymbol[] {
  return symbols.flatMap((symbol) => {
    const end = symbol.bars.timestampUs.findIndex((us) => us > BigInt(day) * 86_400_000_000n);
    if (end === 0) return [];
    const splits = symbol.splits.filter(({ exDay }) => exDay <= day);
    return { ...symbol, splits, bars: barRows(symbol.bars, 0, end < 0 ? undefined : end) };
  });
}

export async function published(
  folder: string,
  symbols: readonly FixtureSymbol[],
): Promise<Snapshot> {
  await publishMarket(folder, symbols);
  return openPublished(folder) as Snapshot;
}

/** A universe of names, without fields. */
export function universeOf(
  snapshot: Snapshot,
  series: readonly string[],
  asOfDay?: number,
): ScreenUniverse {
  return {
    table: snapshot.screener(),
    series,
    asOfDay,
    bases: undefined,
    *prepare() {},
    field: () => ({ kind: 'number', values: new Float64Array(series.length) }),
    *readRsi() {},
    reasons: () => ({}),
  };
}

/** Runs all of a screen at once. */
export function runAll(
  snapshot: Snapshot,
  bars: readonly ScreenColumns[],
  memory: ScreenMemory,
  { series = snapshot.symbols, asOfDay }: { series?: readonly string[]; asOfDay?: number } = {},
) {
  const run = screenValues(snapshot, { bars }, universeOf(snapshot, series, asOfDay), memory);
  for (;;) {
    const { done, value } = run.next();
    if (done) return value;
  }
}
