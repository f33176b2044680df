/** A version that was replaced: its series, facts, names and quotes. */

import { isDeepStrictEqual } from 'node:util';
import { type BarColumns, type Basis, barRows, blankBars, MICROS_PER_DAY } from '../base/bars.ts';
import { limits } from '../base/limits.ts';
import { rowOfTimestamp } from '../base/search-sorted.ts';
import type { DailyInterval, ServedInterval, StoredIntraday } from '../base/time/intervals.ts';
import { defaultBasis } from '../compute/bars/adjust.ts';
import {
  type DerivedSeries,
  publishedColumns,
  SeriesDeriver,
} from '../compute/indicators/derive-series.ts';
import { NULL_MICROS } from '../store/arrow/format/batch-layout.ts';
import type { KeptInterval, ReplacedRow } from '../store/arrow/format/past-file.ts';
import type { TableData } from '../store/arrow/format/table-file.ts';
import type { INTRADAY_SERIES_TABLE } from '../store/arrow/format/tables.ts';
import { rowsByName } from '../store/arrow/snapshot/current-symbols.ts';
import { type QuoteData, quoteAt } from '../store/arrow/snapshot/quote.ts';
import type {
  BarsSnapshot,
  Listings,
  Quote,
  RowRange,
  Snapshot,
  SymbolInfo,
} from '../store/arrow/snapshot/snapshot.ts';
import type { SymbolDirectory } from '../store/arrow/snapshot/symbol-directory.ts';
import { type PastRows, pastRows } from './kept-rows.ts';

export interface PastParts {
  id: string;
  createdMs: number;
  directory: SymbolDirectory;
  listings: Listings;
  quotes: QuoteData;
  series: TableData<typeof INTRADAY_SERIES_TABLE> | undefined;
  /** Numbers of `VersionRow.ends`. */
  ends: Float64Array;
  /** Returns the rows of a series that were replaced since, the newest first. */
  replaced(symbol: string, interval: KeptInterval): ReplacedRow[];
}

export class PastVersion implements BarsSnapshot {
  readonly id: string;
  readonly dailyId: string;
  readonly createdMs: number;
  readonly symbols: readonly string[];
  readonly listings: Listings;
  readonly indicatorColumns = publishedColumns;
  readonly #published: Snapshot;
  readonly #parts: PastParts;
  readonly #rowsByName: ReadonlyMap<string, number>;
  readonly #intraday: ReadonlyMap<string, number>;
  /** A Map iterates in order of insertion: the first was used longest ago. */
  readonly #opened = new Map<string, PastRows>();
  readonly #deriver = new SeriesDeriver();
  #derived: { symbol: string; series: DerivedSeries } | undefined;

  constructor(published: Snapshot, parts: PastParts) {
    const { id, createdMs, listings, directory, series } = parts;
    this.id = id;
    this.dailyId = id;
    this.createdMs = createdMs;
    this.listings = listings;
    this.#published = published;
    this.#parts = parts;
    this.#rowsByName = rowsByName(listings);
    const numbers = series?.symbol.map((name, row) => [`${name} ${series.interval[row]}`, row]);
    this.#intraday = new Map((numbers ?? []) as [string, number][]);
    this.symbols = directory.sortedNames.filter((name) => this.#endUs(name, '1d') !== undefined);
  }

  /** Returns the time of the newest bar of a series; undefined without bars. */
  #endUs(symbol: string, interval: KeptInterval): bigint | undefined {
    const { directory, ends } = this.#parts;
    const number =
      interval === '1d' ? directory.number(symbol) : this.#intraday.get(`${symbol} ${interval}`);
    if (number === undefined) return undefined;
    const end = ends[interval === '1d' ? number : directory.names.length + number];
    return Number.isNaN(end) ? undefined : BigInt(end);
  }

  /** Finds the rows of a stored series; undefined without bars. */
  #rows(symbol: string, interval: KeptInterval): PastRows | undefined {
    const key = `${symbol} ${interval}`;
    let rows = this.#opened.get(key);
    this.#opened.delete(key);
    if (!rows) {
      const endUs = this.#endUs(symbol, interval);
      if (endUs === undefined) return undefined;
      const replaced = this.#parts.replaced(symbol, interval);
      rows = pastRows(this.#published, symbol, interval, { replaced, endUs });
    }
    this.#opened.set(key, rows);
    if (this.#opened.size > limits.past.seriesMax) {
      this.#opened.delete(this.#opened.keys().next().value!);
    }
    return rows;
  }

  resolve(canonical: string): string | undefined {
    if (this.#parts.directory.number(canonical) !== undefined) return canonical;
    const row = this.#rowsByName.get(canonical);
    return row === undefined ? undefined : this.listings.symbol[row];
  }

  symbol(canonical: string): SymbolInfo | undefined {
    return this.#info(canonical, '1d');
  }

  intraday(canonical: string, interval: StoredIntraday): SymbolInfo | undefined {
    const info = this.#info(canonical, interval);
    if (!info) return undefined;
    const { source, basis, as_of } = this.#parts.series!;
    const row = this.#intraday.get(`${canonical} ${interval}`)!;
    const asOfUs = as_of[row] === NULL_MICROS ? undefined : as_of[row];
    return { ...info, source: source[row], basis: basis[row] as Basis, asOfUs };
  }

  #info(symbol: string, interval: KeptInterval): SymbolInfo | undefined {
    const rows = this.#rows(symbol, interval);
    if (!rows || rows.rowCount === 0) return undefined;
    const first = blankBars(1);
    rows.copy({ start: 0, end: 1 }, first);
    return {
      ...this.#parts.directory.facts(symbol),
      firstBarUs: first.timestampUs[0],
      lastBarUs: this.#endUs(symbol, interval)!,
    };
  }

  rowCount(symbol: string, interval: ServedInterval): number {
    if (isKept(interval)) return this.#rows(symbol, interval)?.rowCount ?? 0;
    return this.#derive(symbol)?.[interval].bars.close.length ?? 0;
  }

  rowAt(symbol: string, interval: ServedInterval, timestampUs: bigint): number {
    if (!isKept(interval)) {
      const bars = this.#derive(symbol)?.[interval].bars;
      return bars ? rowOfTimestamp(bars.timestampUs, timestampUs) : 0;
    }
    const rows = this.#rows(symbol, interval);
    return rows ? Math.min(rows.rowAt(timestampUs), rows.rowCount) : 0;
  }

  bars(symbol: string, interval: ServedInterval, range?: RowRange): BarColumns {
    const rows = range ?? { start: 0, end: this.rowCount(symbol, interval) };
    const bars = blankBars(rows.end - rows.start);
    this.copyBars(symbol, interval, rows, bars);
    return bars;
  }

  copyBars(symbol: string, interval: ServedInterval, range: RowRange, out: BarColumns): void {
    if (isKept(interval)) {
      this.#rows(symbol, interval)?.copy(range, out);
      return;
    }
    const series = this.#derive(symbol);
    if (!series) return;
    const bars = barRows(series[interval].bars, range.start, range.end);
    for (const [name, column] of Object.entries(bars)) {
      (out[name as keyof BarColumns] as Float64Array).set(column as Float64Array);
    }
  }

  indicators(
    symbol: string,
    interval: DailyInterval,
    columns: readonly string[],
    range: RowRange = { start: 0, end: this.rowCount(symbol, interval) },
  ): Float64Array[] {
    if (interval === '1d' && this.#hasPublishedIndicators(symbol)) {
      return this.#published.indicators(symbol, interval, columns, range);
    }
    const series = this.#derive(symbol)?.[interval];
    return columns.map((name) => {
      const column = series?.indicators[publishedColumns.indexOf(name)];
      return column ? column.slice(range.start, range.end) : new Float64Array(0);
    });
  }

  /** Returns true if the published indicators of the same days are those of this version. */
  #hasPublishedIndicators(symbol: string): boolean {
    const [now, then] = [this.#published.symbol(symbol), this.symbol(symbol)];
    if (!now || !then || !this.#rows(symbol, '1d')?.isPublished) return false;
    const bases = [now, then].map((info) => [info.basis, defaultBasis(info)]);
    if (!isDeepStrictEqual(bases[0], bases[1])) return false;
    if (defaultBasis(then) === then.basis) return true;
    const lastDay = Number(then.lastBarUs / MICROS_PER_DAY);
    return (
      isDeepStrictEqual(now.splits, then.splits) &&
      // A split takes effect with the first bar on or after its day.
      then.splits.every(({ exDay }) => exDay <= lastDay) &&
      this.#published.indicatorColumns.length === publishedColumns.length
    );
  }

  /** Derives weeks, months and indicators of a symbol, until another one is asked for. */
  #derive(symbol: string): DerivedSeries | undefined {
    if (this.#derived?.symbol === symbol) return this.#derived.series;
    const rows = this.#rows(symbol, '1d');
    if (!rows || rows.rowCount === 0) return undefined;
    const bars = this.bars(symbol, '1d');
    const series = this.#deriver.derive(bars, this.#parts.directory.facts(symbol));
    this.#derived = { symbol, series };
    return series;
  }

  quote(symbol: string): Quote | undefined {
    const row = this.#parts.directory.number(symbol);
    return row === undefined ? undefined : quoteAt(this.#parts.quotes, row, symbol);
  }
}

function isKept(interval: ServedInterval): interval is KeptInterval {
  return interval !== '1w' && interval !== '1M';
}
