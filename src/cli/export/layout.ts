/** Layouts of other engines: what each writes of a symbol, and what all of them share. */

import {
  type BarColumns,
  type Basis,
  type Dividend,
  isUsable,
  type Split,
} from '../../base/bars.ts';
import { isSession, sessionsBetween } from '../../base/time/calendar.ts';
import { daysOfTimestamps } from '../../base/time/dates.ts';
import { adjustBars, derivableBases } from '../../compute/bars/adjust.ts';
import { NULL_INT } from '../../store/arrow/format/batch-layout.ts';
import type { PublishedVersion } from '../../store/arrow/read/published-version.ts';
import { formerTickersOf } from '../../store/arrow/snapshot/current-symbols.ts';

/** Daily bars of a symbol on New York sessions, oldest first. */
export interface TradedSeries {
  symbol: string;
  /** Tickers that it had before, each with its last day, by that day. */
  former: readonly { ticker: string; lastDate: string }[];
  /** Last trading day of a delisted one. */
  delistedDay: number | undefined;
  /** Days since the epoch. */
  days: Int32Array;
  /** Prices as traded if they can be derived; else as stored, and there are no actions. */
  bars: BarColumns;
  /** The same rows adjusted for splits and dividends; `bars` where these are unknown. */
  adjusted: BarColumns;
  /** By the first row on or after the ex-date, from row 1 on. */
  actions: readonly RowActions[];
  isTraded: boolean;
}

/** Splits and dividends of one row. */
export interface RowActions {
  row: number;
  /** New shares for one old share. */
  splitRatio: number;
  /** Dollars per share of after the splits of the day. */
  dividend: number;
}

/** Counts of what the engine does not keep as it is stored, for a symbol. */
export interface LayoutNotes {
  /** Sessions without a bar, which are filled. */
  filled?: number;
  /** Bars with more decimals than the engine keeps. */
  rounded?: number;
  /** Bars whose volume the engine can't hold. */
  tooLarge?: number;
  /** True if the engine's list of symbols can't have the name. */
  isUnlisted?: boolean;
}

export interface Layout {
  /** Decimals of prices that the engine keeps; undefined: float32. */
  decimals?: number;
  /** Writes the files of one symbol below a folder. */
  write(folder: string, series: TradedSeries): Promise<LayoutNotes>;
  /** Writes the files of all symbols, after the last one. */
  finish?(folder: string): Promise<void>;
}

/**
 * Returns the daily bars of a symbol with its actions; undefined without a bar. Rows that lie on no
 * session of New York are left out, since the engines have none to put them on.
 */
export function tradedSeries(version: PublishedVersion, symbol: string): TradedSeries | undefined {
  const info = version.symbol(symbol);
  if (!info) return undefined;
  const stored = version.bars(symbol, '1d');
  const bases = derivableBases(info);
  const isTraded = bases.includes('raw');
  const onBasis = (basis: Basis) =>
    bases.includes(basis) ? adjustBars(stored, info, basis) : null;
  const all = daysOfTimestamps(stored.timestampUs);
  const rows = [...all.keys()].filter((row) => isSession(all[row]));
  if (rows.length === 0) return undefined;
  const days = Int32Array.from(rows, (row) => all[row]);
  const bars = pickRows(onBasis('raw') ?? stored, rows);
  const adjusted = isTraded ? (onBasis('all') ?? onBasis('split')) : null;
  const { listings } = version;
  const place = listings.symbol.indexOf(symbol);
  const delisted = listings.delistedOn[place];
  return {
    symbol,
    former: place < 0 ? [] : formerTickersOf(listings, place),
    delistedDay: place < 0 || delisted === NULL_INT ? undefined : delisted,
    days,
    bars,
    adjusted: adjusted ? pickRows(adjusted, rows) : bars,
    actions: isTraded ? rowActions({ days, bars }, info.splits, info.dividends) : [],
    isTraded,
  };
}

function pickRows(bars: BarColumns, rows: readonly number[]): BarColumns {
  if (rows.length === bars.close.length) return bars;
  const pick = (column: Float64Array) => Float64Array.from(rows, (row) => column[row]);
  return {
    timestampUs: BigInt64Array.from(rows, (row) => bars.timestampUs[row]),
    open: pick(bars.open),
    high: pick(bars.high),
    low: pick(bars.low),
    close: pick(bars.close),
    volume: pick(bars.volume),
  };
}

function rowActions(
  { days, bars: { close } }: { days: Int32Array; bars: BarColumns },
  splits: readonly Split[],
  dividends: readonly Dividend[],
): RowActions[] {
  const byRow = new Map<number, RowActions>();
  const actionsAt = ({ exDay }: { exDay: number }): RowActions | undefined => {
    const row = days.findIndex((day) => day >= exDay);
    if (row < 1) return undefined;
    const known = byRow.get(row) ?? { row, splitRatio: 1, dividend: 0 };
    byRow.set(row, known);
    return known;
  };
  for (const split of splits) {
    const actions = actionsAt(split);
    if (actions) actions.splitRatio *= split.numerator / split.denominator;
  }
  for (const dividend of dividends.filter(isUsable)) {
    const actions = actionsAt(dividend);
    if (!actions) continue;
    const { factor, amount } = dividend;
    const before = close[actions.row - 1] / actions.splitRatio;
    // A vendor's factor stands for the amount that gives it.
    actions.dividend += factor === undefined ? amount : (1 - factor) * before;
  }
  return [...byRow.values()].sort((a, b) => a.row - b.row);
}

/** Returns for each session from the first to the last day its row, or -1 without a bar. */
export function rowsOfSessions(days: Int32Array): { sessions: Int32Array; rows: Int32Array } {
  const sessions = sessionsBetween(days[0], days[days.length - 1]);
  let next = 0;
  const rows = sessions.map((day) => (days[next] === day ? next++ : -1));
  return { sessions, rows };
}

/** Part of a price that floating point alone explains. */
const DUST = 1e-12;

/** Counts the bars that have a price of more decimals. */
export function countRounded({ open, high, low, close }: BarColumns, decimals: number): number {
  const scale = 10 ** decimals;
  const isExact = (price: number) =>
    Math.abs(Math.round(price * scale) / scale - price) <= DUST * price;
  let rounded = 0;
  for (let row = 0; row < close.length; row++) {
    if (![open, high, low, close].every((column) => isExact(column[row]))) rounded++;
  }
  return rounded;
}
