/**
 * An open published version: the snapshot that readers hold, and the publisher's starting point.
 */

import { type BarColumns, blankBars } from '../../../base/bars.ts';
import type { ListName } from '../../../base/datasets/datasets.ts';
import { CorruptDataError, ParameterError } from '../../../base/errors.ts';
import {
  type DailyInterval,
  type IntradaySeriesInterval,
  isIntradaySeries,
  SERVED_INTERVALS,
  type ServedInterval,
} from '../../../base/time/intervals.ts';
import type { CompanyFiguresReader } from '../figures/company-figures.ts';
import { dailyId, listsId, snapshotId } from '../format/manifest.ts';
import type { Manifest } from '../format/manifest-types.ts';
import type { ServingFile } from '../format/serving-file.ts';
import type { RowSelection } from '../lists/row-selection.ts';
import type { ServedList } from '../lists/served-list.ts';
import type { ServedLists } from '../lists/served-lists.ts';
import type { ListRow, RowFilter } from '../lists/specs.ts';
import { dayBeforeNewest } from '../snapshot/market-day.ts';
import { type QuoteData, quoteAt } from '../snapshot/quote.ts';
import { screenerTable } from '../snapshot/screener-table.ts';
import type {
  Listings,
  Quote,
  RowRange,
  ScreenerTable,
  Snapshot,
  StoredSeries,
  SymbolInfo,
} from '../snapshot/snapshot.ts';
import type { SymbolDirectory } from '../snapshot/symbol-directory.ts';
import { IntradayPart } from './intraday-part.ts';
import { filesOfLayers, type OpenLayer } from './layer.ts';
import {
  checkedRange,
  copyBarColumns,
  copyIndicators,
  daysOfParts,
  lastTimestamp,
  newestPart,
  rowOfParts,
  type SeriesPart,
  seriesParts,
  timestampRange,
} from './series-parts.ts';
import { StoredParts } from './stored-parts.ts';

const DAILY = SERVED_INTERVALS.indexOf('1d');

export interface OpenedParts {
  manifest: Manifest;
  layers: readonly OpenLayer[];
  intraday: IntradayPart | CorruptDataError | undefined;
  lists: ServedLists;
  figures: CompanyFiguresReader;
  /** By symbol number. */
  quotes: QuoteData;
  directory: SymbolDirectory;
  listings: Listings;
  rowsByName: ReadonlyMap<string, number>;
  symbols: readonly string[];
}

export class PublishedVersion implements Snapshot {
  readonly opened: OpenedParts;
  readonly manifest: Manifest;
  readonly id: string;
  readonly dailyId: string;
  readonly listsId: string;
  readonly createdMs: number;
  readonly symbols: readonly string[];
  readonly directory: SymbolDirectory;
  readonly layers: readonly OpenLayer[];
  readonly listings: Listings;
  readonly lists: ServedLists;
  readonly figures: CompanyFiguresReader;
  readonly #intraday: IntradayPart | CorruptDataError | undefined;
  readonly quotes: QuoteData;
  #screener: ScreenerTable | undefined;

  constructor(opened: OpenedParts, previous?: PublishedVersion) {
    const { manifest } = opened;
    this.opened = opened;
    this.manifest = manifest;
    this.createdMs = manifest.createdMs;
    this.id = snapshotId(manifest);
    this.dailyId = dailyId(manifest);
    this.listsId = listsId(manifest);
    this.symbols = opened.symbols;
    this.directory = opened.directory;
    this.layers = opened.layers;
    this.listings = opened.listings;
    this.lists = opened.lists;
    this.figures = opened.figures;
    this.#intraday = opened.intraday;
    this.quotes = opened.quotes;
    const { quotes, listings, directory, madeScreener } = previous ?? {};
    const hasSameRows =
      quotes === this.quotes && listings === this.listings && directory === this.directory;
    if (madeScreener && hasSameRows) this.#screener = { ...madeScreener, id: this.id };
  }

  /** @throws {CorruptDataError} The intraday index is damaged; daily bars can still be read. */
  get intradayPart(): IntradayPart | undefined {
    if (this.#intraday instanceof CorruptDataError) throw this.#intraday;
    return this.#intraday;
  }

  requireWhole(): this {
    if (this.#intraday instanceof CorruptDataError) throw this.#intraday;
    return this;
  }

  parts(symbolNumber: number, interval: DailyInterval): SeriesPart[] {
    return seriesParts(this.layers, SERVED_INTERVALS.indexOf(interval), symbolNumber);
  }

  /** Finds the layers and number of a series; undefined for an unknown one. */
  #find(symbol: string, interval: ServedInterval) {
    const isIntraday = isIntradaySeries(interval);
    const number = isIntraday
      ? this.intradayPart?.number(symbol, interval)
      : this.directory.number(symbol);
    if (number === undefined) return undefined;
    const layers = isIntraday ? this.intradayPart!.layers : this.layers;
    return [layers, SERVED_INTERVALS.indexOf(interval), number] as const;
  }

  #partsOf(symbol: string, interval: ServedInterval): SeriesPart[] {
    const series = this.#find(symbol, interval);
    return series ? seriesParts(...series) : [];
  }

  resolve(canonical: string): string | undefined {
    if (this.directory.number(canonical) !== undefined) return canonical;
    const row = this.opened.rowsByName.get(canonical);
    return row === undefined ? undefined : this.listings.symbol[row];
  }

  symbol(canonical: string): SymbolInfo | undefined {
    const parts = this.#partsOf(canonical, '1d');
    if (parts.length === 0) return undefined;
    const [firstBarUs, lastBarUs] = timestampRange(parts);
    return { ...this.directory.facts(canonical), firstBarUs, lastBarUs };
  }

  intraday(canonical: string, interval: IntradaySeriesInterval): SymbolInfo | undefined {
    const number = this.intradayPart?.number(canonical, interval);
    if (number === undefined) return undefined;
    const { source, basis, asOfUs } = this.intradayPart!.facts(number)!;
    const [firstBarUs, lastBarUs] = timestampRange(this.#partsOf(canonical, interval));
    const facts = this.directory.facts(canonical);
    return { ...facts, source, basis, asOfUs, firstBarUs, lastBarUs };
  }

  barDays(symbol: string): readonly [firstDay: number, lastDay: number] | undefined {
    // All symbols are asked at once, and most have days: they take the short way.
    const number = this.directory.number(symbol);
    const days = number === undefined ? [] : seriesParts(this.layers, DAILY, number);
    if (days.length > 0) return daysOfParts(days);
    for (const interval of ['5m', '1m'] as const) {
      const parts = this.#partsOf(symbol, interval);
      if (parts.length > 0) return daysOfParts(parts);
    }
    return undefined;
  }

  /** Returns true if a symbol has daily bars; cheaper than their count. */
  hasDays(symbol: string): boolean {
    const number = this.directory.number(symbol);
    if (number === undefined) return false;
    return this.layers.some((layer) => layer.hasParts(DAILY, number));
  }

  rowCount(symbol: string, interval: ServedInterval): number {
    return this.#newestPart(symbol, interval)?.end ?? 0;
  }

  /** Returns the timestamp of the newest bar; undefined without bars. */
  lastTimestamp(symbol: string, interval: ServedInterval): bigint | undefined {
    const newest = this.#newestPart(symbol, interval);
    if (newest && newest.end > newest.start) return lastTimestamp(newest);
    const parts = newest ? this.#partsOf(symbol, interval) : [];
    return parts.length > 0 ? lastTimestamp(parts[parts.length - 1]) : undefined;
  }

  #newestPart(symbol: string, interval: ServedInterval): SeriesPart | undefined {
    const series = this.#find(symbol, interval);
    return series && newestPart(...series);
  }

  /** Returns the number of rows, from the first one on, that another version has in the same place. */
  sharedRows(other: PublishedVersion, symbol: string, interval: ServedInterval): number {
    const others = other.#partsOf(symbol, interval);
    let shared = 0;
    for (const [i, { layer, part, start, end }] of this.#partsOf(symbol, interval).entries()) {
      const same = others[i];
      if (same?.layer !== layer || same.part !== part || same.start !== start) break;
      shared = Math.min(end, same.end);
      if (end !== same.end) break;
    }
    return shared;
  }

  rowAt(symbol: string, interval: ServedInterval, timestampUs: bigint): number {
    return rowOfParts(this.#partsOf(symbol, interval), timestampUs);
  }

  bars(symbol: string, interval: ServedInterval, range?: RowRange): BarColumns {
    const parts = this.#partsOf(symbol, interval);
    const rows = checkedRange(parts, range);
    const columns = blankBars(rows.end - rows.start);
    copyBarColumns(parts, rows, columns);
    return columns;
  }

  copyBars(symbol: string, interval: ServedInterval, range: RowRange, out: BarColumns): void {
    const parts = this.#partsOf(symbol, interval);
    copyBarColumns(parts, checkedRange(parts, range), out);
  }

  indicators(
    symbol: string,
    interval: DailyInterval,
    columns: readonly string[],
    range?: RowRange,
  ): Float64Array[] {
    const numbers = columns.map((name) => this.#indicatorNumber(name));
    const parts = this.#partsOf(symbol, interval);
    const rows = checkedRange(parts, range);
    const outputs = columns.map(() => new Float64Array(rows.end - rows.start));
    copyIndicators(parts, rows, numbers, outputs);
    return outputs;
  }

  #indicatorNumber(name: string): number {
    const { indicatorColumns } = this.manifest;
    const number = indicatorColumns.indexOf(name);
    if (number >= 0) return number;
    throw new ParameterError(
      'columns',
      `published columns are ${indicatorColumns.join(', ')}, got "${name}"`,
    );
  }

  get indicatorColumns(): readonly string[] {
    return this.manifest.indicatorColumns;
  }

  series(symbol: string, interval: DailyInterval): StoredSeries | undefined {
    const parts = this.#partsOf(symbol, interval);
    if (parts.length === 0) return undefined;
    return new StoredParts(parts, (name) => this.#indicatorNumber(name));
  }

  quote(symbol: string): Quote | undefined {
    const row = this.directory.number(symbol);
    return row === undefined ? undefined : quoteAt(this.quotes, row, symbol);
  }

  news(keys: readonly string[], filter: RowFilter): RowSelection {
    return this.lists.news(keys, filter);
  }

  list(name: ListName, key: string): ServedList {
    return this.lists.list(name, key);
  }

  article(id: string): ListRow | undefined {
    return this.lists.article(id);
  }

  screener(): ScreenerTable {
    const { id, quotes, listings, directory } = this;
    const dayBefore = (symbol: string) => dayBeforeNewest(this, symbol);
    this.#screener ??= screenerTable({ id, quotes, listings, names: directory.names, dayBefore });
    return this.#screener;
  }

  get madeScreener(): ScreenerTable | undefined {
    return this.#screener;
  }

  /** Damage found when its files were opened or last read; undefined if none. */
  get damage(): CorruptDataError | undefined {
    if (this.#intraday instanceof CorruptDataError) return this.#intraday;
    for (const { damage } of this.#files()) if (damage) return damage;
    return this.lists.damage ?? this.figures.damage;
  }

  #files(): ServingFile[] {
    const intraday = this.#intraday instanceof IntradayPart ? this.#intraday.layers : [];
    return filesOfLayers([...this.layers, ...intraday]);
  }

  /** Closes every file. This snapshot and those that share files with it can't be read any more. */
  close(): void {
    for (const file of this.#files()) file.close();
    this.lists.close();
    this.figures.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}
