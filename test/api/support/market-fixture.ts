/** A small published market with known content, written by the real publication. */

import type { BarColumns, Basis, Dividend, Split } from '../../../src/base/bars.ts';
import type { DirectoryRow } from '../../../src/base/directory-row.ts';
import { priceChange, priceChangePct } from '../../../src/base/prices/price-change.ts';
import { DAILY_INTERVALS } from '../../../src/base/time/intervals.ts';
import { adjustBars, defaultBasis } from '../../../src/compute/bars/adjust.ts';
import { resampleDaily } from '../../../src/compute/bars/resample-daily.ts';
import { defaultColumns } from '../../../src/compute/indicators/catalogue.ts';
import { openPublished } from '../../../src/store/arrow/read/reader.ts';
import { servingStatus, writeServingStatus } from '../../../src/store/arrow/read/serving-status.ts';
import type { Quote, SymbolInfo } from '../../../src/store/arrow/snapshot/snapshot.ts';
import { addToBase } from '../../../src/store/arrow/write/compact.ts';
import { Publication } from '../../../src/store/arrow/write/publication.ts';
import { directoryRow, quoteRow } from '../../store/arrow/support/published-rows.ts';

const MICROS_PER_DAY = 86_400_000_000n;

/** 2026-01-05, a Monday; the last bar of every series. */
export const LAST_DAY = 20_458;
export const NOW_MS = Date.UTC(2026, 0, 6, 12);

export interface FixtureSymbol {
  symbol: string;
  basis: Basis;
  bars: BarColumns;
  splits: Split[];
  dividends: Dividend[];
  isCovered: boolean;
}

/** Bars of weekdays up to `LAST_DAY`; a pseudo-random walk that `seed` pins. */
export function weekdayBars(count: number, seed: number): BarColumns {
  const days: number[] = [];
  for (let day = LAST_DAY; days.length < count; day--) {
    if ((day + 3) % 7 < 5) days.push(day);
  }
  let state = seed;
  const random = (): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
  let price = 50 + 100 * random();
  const rows = days.map(() => {
    const open = price;
    price = Math.max(1, price * (0.97 + 0.06 * random()));
    const [high, low] = [Math.max(open, price) + random(), Math.min(open, price) - 0.5 * random()];
    return { open, high, low, close: price, volume: 1e6 * random() };
  });
  const column = (name: keyof (typeof rows)[number]) =>
    Float64Array.from(rows, (row) => Math.round(row[name] * 100) / 100);
  return {
    timestampUs: BigInt64Array.from(days.reverse(), (day) => BigInt(day) * MICROS_PER_DAY),
    open: column('open'),
    high: column('high'),
    low: column('low'),
    close: column('close'),
    volume: column('volume'),
  };
}

/**
 * `ABC` raw with a split, a dividend and known actions; `BRK.B` as a vendor adjusted it for
 * everything; `RAW` raw, its actions unknown; `NEW` with five bars.
 */
export function fixtureSymbols(seed = 1): FixtureSymbol[] {
  const plain = { splits: [], dividends: [], isCovered: false };
  return [
    {
      symbol: 'ABC',
      basis: 'raw',
      bars: weekdayBars(700, seed),
      splits: [{ exDay: LAST_DAY - 100, numerator: 3, denominator: 1 }],
      dividends: [{ exDay: LAST_DAY - 200, amount: 0.75 }],
      isCovered: true,
    },
    { symbol: 'BRK.B', basis: 'all', bars: weekdayBars(600, seed + 1), ...plain },
    { symbol: 'NEW', basis: 'raw', bars: weekdayBars(5, seed + 2), ...plain, isCovered: true },
    { symbol: 'RAW', basis: 'raw', bars: weekdayBars(300, seed + 3), ...plain },
  ];
}

export function infoOf({
  symbol,
  basis,
  bars,
  splits,
  dividends,
  isCovered,
}: FixtureSymbol): SymbolInfo {
  const [firstBarUs, lastBarUs] = [bars.timestampUs[0], bars.timestampUs.at(-1) as bigint];
  return {
    symbol,
    source: 'sandbox',
    basis,
    asOfUs: lastBarUs,
    splits,
    dividends,
    actionCoverage: isCovered
      ? { fromDay: Number(firstBarUs / MICROS_PER_DAY), toDay: LAST_DAY }
      : undefined,
    firstBarUs,
    lastBarUs,
  };
}

export function quoteOf({ symbol, bars }: FixtureSymbol): Quote {
  const [previousClose, price] = bars.close.slice(-2);
  const change = priceChange(price, previousClose);
  const [volume, dayHigh, dayLow, dayOpen] = [bars.volume, bars.high, bars.low, bars.open].map(
    (column) => column.at(-1) as number,
  );
  return quoteRow(symbol, price, {
    ...{ change, changePct: priceChangePct(change, previousClose), previousClose },
    ...{ volume, dayHigh, dayLow, dayOpen },
    timestampMs: LAST_DAY * 86_400_000 + 21 * 3_600_000,
  });
}

/** `WAIT` is listed and has no bars. */
export function listingOf(symbol: string, row: number): DirectoryRow {
  return directoryRow(symbol, {
    companyName: `${symbol} Incorporated`,
    exchange: symbol === 'BRK.B' ? 'NYSE' : symbol === 'RAW' ? null : 'NASDAQ',
    type: symbol === 'NEW' ? 'etf' : 'stock',
    country: 'US',
    source: 'nasdaqtrader',
    securityId: 1 + row,
  });
}

/** The published columns of a series, from its first bar on. */
export function indicatorColumns(bars: BarColumns): Float64Array[] {
  return defaultColumns.map(({ spec, params, output }) => spec.compute(bars, params)[output]);
}

/** Publishes a market as one whole base; every call makes a new snapshot. */
export async function publishMarket(
  folder: string,
  symbols: readonly FixtureSymbol[],
  createdMs = NOW_MS,
): Promise<void> {
  const publication = new Publication(folder, {
    indicatorColumns: defaultColumns.map(({ name }) => name),
  });
  symbols.forEach((symbol, number) => {
    const info = infoOf(symbol);
    const adjusted = adjustBars(symbol.bars, info, defaultBasis(info));
    for (const interval of DAILY_INTERVALS) {
      const onDefault = interval === '1d' ? adjusted : resampleDaily(adjusted, interval);
      const bars = interval === '1d' ? symbol.bars : onDefault;
      const rows = { firstRow: 0, bars, indicators: indicatorColumns(onDefault) };
      addToBase(publication.layer, number, interval, rows, 2026);
    }
  });
  await publication.commit({
    seq: 1,
    storeMark: 'fixture',
    createdMs,
    replacesLayers: true,
    currentYear: 2026,
    symbols: symbols.map(infoOf),
    quotes: symbols.map(quoteOf),
    directory: [...symbols.map(({ symbol }) => symbol), 'WAIT'].sort().map(listingOf),
  });
  const version = openPublished(folder);
  if (version) await writeServingStatus(folder, servingStatus(version));
  version?.close();
}
