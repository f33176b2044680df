/** A version that was replaced: its series, facts, names and quotes. */

import { isDeepStrictEqual } from 'node:util';
import { type BarColumns, type Basis, barRows, blankBars, MICROS_PER_DAY } from '../base/bars.ts';
import { limits } from '../base/limits.ts';
import { rowOfTimestamp } from '../base/search-sorted.ts';
import type {
  DailyInterval,
  IntradaySeriesInterval,
  ServedInterval,
  StoredInterval,
} from '../base/time/intervals.ts';
import { defaultBasis } from '../compute/bars/adjust.ts';
import { resampleDaily } from '../compute/bars/resample-daily.ts';
import {
  type DerivedSeries,
  publishedColumns,
  SeriesDeriver,
} from '../compute/indicators/derive-series.ts';
import { NULL_MICROS } from '../store/arrow/format/batch-layout.ts';
import type { ReplacedRow } from '../store/arrow/format/past-file.ts';
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
import { type PastRows, pastRows, setBars } from './kept-rows.ts';

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
  replaced(symbol: string, interval: StoredInterval): ReplacedRow[];
}

/** A stored series, and what follows from it. */
interface Found {
  rows: PastRows;
  info?: SymbolInfo;
  hasPublishedIndicators?: boolean;
  periods?: { [interval in '1w' | '1M']?: Periods };
}

/** Weeks or months: those before `row` still are published. */
interface Periods {
  row: number;
  last: BarColumns;
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
  /** Series whose rows still are published. */
  readonly #opened = new Map<string, Found>();
  /** Series with rows in memory. A Map iterates in order of insertion: the first is the oldest. */
  readonly #copied = new Map<string, Found>();
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
  #endUs(symbol: string, interval: StoredInterval): bigint | undefined {
    const { directory, ends } = this.#parts;
    const number =
      interval === '1d' ? directory.number(symbol) : this.#intraday.get(`${symbol} ${interval}`);
    if (number === undefined) return undefined;
    const end = ends[interval === '1d' ? number : directory.names.length + number];
    return Number.isNaN(end) ? undefined : BigInt(end);
  }

  /** Finds a stored series; undefined without bars. */
  #found(symbol: string, interval: StoredInterval): Found | undefined {
    const key = `${symbol} ${interval}`;
    let found = this.#opened.get(key) ?? this.#copied.get(key);
    if (!found) {
      const endUs = this.#endUs(symbol, interval);
      if (endUs === undefined) return undefined;
      const replaced = this.#parts.replaced(symbol, interval);
      found = { rows: pastRows(this.#published, symbol, interval, { replaced, endUs }) };
    }
    if (found.rows.isPublished) this.#opened.set(key, found);
    else this.#keepCopied(key, found);
    return found;
  }

  #keepCopied(key: string, found: Found): void {
    this.#copied.delete(key);
    this.#copied.set(key, found);
    if (this.#copied.size > limits.past.seriesMax) {
      this.#copied.delete(this.#copied.keys().next().value!);
    }
  }

  resolve(canonical: string): string | undefined {
    if (this.#parts.directory.number(canonical) !== undefined) return canonical;
    const row = this.#rowsByName.get(canonical);
    return row === undefined ? undefined : this.listings.symbol[row];
  }

  symbol(canonical: string): SymbolInfo | undefined {
    return this.#info(canonical, '1d');
  }

  intraday(canonical: string, interval: IntradaySeriesInterval): SymbolInfo | undefined {
    const info = this.#info(canonical, interval);
    if (!info) return undefined;
    const { source, basis, as_of } = this.#parts.series!;
    const row = this.#intraday.get(`${canonical} ${interval}`)!;
    const asOfUs = as_of[row] === NULL_MICROS ? undefined : as_of[row];
    return { ...info, source: source[row], basis: basis[row] as Basis, asOfUs };
  }

  #info(symbol: string, interval: StoredInterval): SymbolInfo | undefined {
    const found = this.#found(symbol, interval);
    if (!found || found.rows.rowCount === 0) return undefined;
    if (found.info) return found.info;
    const first = blankBars(1);
    found.rows.copy({ start: 0, end: 1 }, first);
    found.info = {
      ...this.#parts.directory.facts(symbol),
      firstBarUs: first.timestampUs[0],
      lastBarUs: this.#endUs(symbol, interval)!,
    };
    return found.info;
  }

  rowCount(symbol: string, interval: ServedInterval): number {
    if (isKept(interval)) return this.#found(symbol, interval)?.rows.rowCount ?? 0;
    const periods = this.#periods(symbol, interval);
    if (periods) return periods.row + 1;
    return this.#derive(symbol)?.[interval].bars.close.length ?? 0;
  }

  rowAt(symbol: string, interval: ServedInterval, timestampUs: bigint): number {
    if (!isKept(interval)) {
      const periods = this.#periods(symbol, interval);
      if (periods) {
        const row = this.#published.rowAt(symbol, interval, timestampUs);
        return timestampUs > periods.last.timestampUs[0] ? periods.row + 1 : row;
      }
      const bars = this.#derive(symbol)?.[interval].bars;
      return bars ? rowOfTimestamp(bars.timestampUs, timestampUs) : 0;
    }
    const rows = this.#found(symbol, interval)?.rows;
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
      this.#found(symbol, interval)?.rows.copy(range, out);
      return;
    }
    const periods = this.#periods(symbol, interval);
    if (periods) {
      this.#copyPeriods(symbol, interval, range, periods, out);
      return;
    }
    const series = this.#derive(symbol);
    if (!series) return;
    setBars(out, 0, barRows(series[interval].bars, range.start, range.end));
  }

  #copyPeriods(
    symbol: string,
    interval: '1w' | '1M',
    { start, end }: RowRange,
    { row, last }: Periods,
    out: BarColumns,
  ): void {
    const older = Math.max(0, Math.min(end, row) - start);
    if (older > 0) {
      const range = { start, end: start + older };
      this.#published.copyBars(symbol, interval, range, barRows(out, 0, older));
    }
    if (end > row && start <= row) setBars(out, row - start, last);
  }

  /**
   * Finds the weeks or months of a series whose days still are published: the last one may have had
   * fewer days. Undefined if they must be derived.
   */
  #periods(symbol: string, interval: '1w' | '1M'): Periods | undefined {
    const found = this.#found(symbol, '1d');
    if (!found || found.rows.rowCount === 0 || !this.#hasPublishedIndicators(symbol)) {
      return undefined;
    }
    const known = found.periods?.[interval];
    if (known) return known;
    const { lastBarUs, splits } = this.symbol(symbol)!;
    const row = this.#published.rowAt(symbol, interval, lastBarUs + 1n) - 1;
    const range = { start: row, end: row + 1 };
    const [startUs] = this.#published.bars(symbol, interval, range).timestampUs;
    const isSplit = ({ exDay }: { exDay: number }) => BigInt(exDay) * MICROS_PER_DAY > startUs;
    // Days of the last period are on its basis, unless a split lies within it.
    if (splits.some(isSplit)) return undefined;
    const days = { start: found.rows.rowAt(startUs), end: found.rows.rowCount };
    const periods = { row, last: resampleDaily(this.bars(symbol, '1d', days), interval) };
    found.periods = { ...found.periods, [interval]: periods };
    return periods;
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
    const found = this.#found(symbol, '1d');
    if (!found) return false;
    found.hasPublishedIndicators ??= this.#isContinued(symbol);
    return found.hasPublishedIndicators;
  }

  #isContinued(symbol: string): boolean {
    const [now, then] = [this.#published.symbol(symbol), this.symbol(symbol)];
    if (!now || !then || !this.#found(symbol, '1d')?.rows.isPublished) return false;
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
    const rows = this.#found(symbol, '1d')?.rows;
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

function isKept(interval: ServedInterval): interval is StoredInterval {
  return interval !== '1w' && interval !== '1M';
}
