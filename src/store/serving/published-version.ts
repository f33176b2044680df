/** A published version, opened: the snapshot that readers hold, and the publisher's starting point. */

import { isDeepStrictEqual } from 'node:util';
import { type BarColumns, blankBars } from '../../bars.ts';
import { assert, ParameterError } from '../../errors.ts';
import { DAILY_INTERVALS, type DailyInterval } from '../../intervals.ts';
import type { ColumnSpec } from './batch-layout.ts';
import { OpenLayer } from './layer.ts';
import { type Manifest, snapshotId, type VolumeFile } from './manifest.ts';
import { screenerTable } from './screener-table.ts';
import {
  copyCandles,
  copyIndicators,
  rowCountOf,
  rowOfTimestamp,
  type SeriesPart,
  seriesParts,
  timestampRange,
} from './series-parts.ts';
import { ServingFile } from './serving-file.ts';
import type { Listings, Quote, RowRange, ScreenerTable, Snapshot, SymbolInfo } from './snapshot.ts';
import { SymbolDirectory } from './symbol-directory.ts';
import { readTable, type TableData } from './table-file.ts';
import { CANDLE_COLUMNS, DIRECTORY_TABLE, QUOTE_TABLE } from './tables.ts';

const ALL_CANDLE_COLUMNS = [...CANDLE_COLUMNS.keys()];

export class PublishedVersion implements Snapshot {
  readonly manifest: Manifest;
  readonly id: string;
  readonly createdMs: number;
  readonly symbols: readonly string[];
  readonly directory: SymbolDirectory;
  /** Oldest first. */
  readonly layers: readonly OpenLayer[];
  readonly listings: Listings;
  readonly #quotes: TableData<typeof QUOTE_TABLE>;
  #screener: ScreenerTable | undefined;

  /**
   * Opens every file of a version; what `previous` has open already is shared with it.
   *
   * @throws {CorruptDataError} a file does not match the manifest. ENOENT means that the version
   * was replaced meanwhile: read the manifest again.
   */
  constructor(folder: string, manifest: Manifest, previous?: PublishedVersion) {
    this.manifest = manifest;
    this.createdMs = manifest.createdMs;
    this.id = snapshotId(manifest);
    this.layers = openLayers(folder, manifest, previous);
    this.#quotes = readTable(folder, manifest.quotes, QUOTE_TABLE);
    this.listings =
      previous && isDeepStrictEqual(previous.manifest.directory, manifest.directory)
        ? previous.listings
        : readTable(folder, manifest.directory, DIRECTORY_TABLE);
    this.directory =
      previous &&
      isDeepStrictEqual(previous.manifest.symbols, manifest.symbols) &&
      isDeepStrictEqual(previous.manifest.actions, manifest.actions)
        ? previous.directory
        : new SymbolDirectory(folder, manifest);
    this.symbols = this.directory.sortedNames;
  }

  /** The parts of a series by the number of its symbol. */
  parts(symbolNumber: number, interval: DailyInterval): SeriesPart[] {
    return seriesParts(this.layers, DAILY_INTERVALS.indexOf(interval), symbolNumber);
  }

  #partsOf(symbol: string, interval: DailyInterval): SeriesPart[] {
    const number = this.directory.number(symbol);
    return number === undefined ? [] : this.parts(number, interval);
  }

  symbol(canonical: string): SymbolInfo | undefined {
    const parts = this.#partsOf(canonical, '1d');
    if (parts.length === 0) return undefined;
    const [firstBarUs, lastBarUs] = timestampRange(parts);
    return { ...this.directory.facts(canonical), firstBarUs, lastBarUs };
  }

  rowCount(symbol: string, interval: DailyInterval): number {
    return rowCountOf(this.#partsOf(symbol, interval));
  }

  rowAt(symbol: string, interval: DailyInterval, timestampUs: bigint): number {
    return rowOfTimestamp(this.#partsOf(symbol, interval), timestampUs);
  }

  bars(symbol: string, interval: DailyInterval, range?: RowRange): BarColumns {
    const parts = this.#partsOf(symbol, interval);
    const rows = checkedRange(parts, range);
    const columns = blankBars(rows.end - rows.start);
    copyBarColumns(parts, rows, columns);
    return columns;
  }

  copyBars(symbol: string, interval: DailyInterval, range: RowRange, out: BarColumns): void {
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

  /**
   * Copies the first `out.length` values of a candle column, without the memory of a whole read.
   *
   * @param out For `ts`, the float64 view of a BigInt64Array.
   */
  copyCandleColumn(
    symbol: string,
    interval: DailyInterval,
    column: 'ts' | 'close',
    out: Float64Array,
  ): void {
    const number = CANDLE_COLUMNS.findIndex(({ name }) => name === column);
    copyCandles(this.#partsOf(symbol, interval), { start: 0, end: out.length }, [number], [out]);
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

  quote(symbol: string): Quote | undefined {
    const row = this.directory.number(symbol);
    const q = this.#quotes;
    if (row === undefined || Number.isNaN(q.price[row])) return undefined;
    return {
      symbol,
      price: q.price[row],
      change: nullFromNaN(q.change[row]),
      changePct: nullFromNaN(q.changePct[row]),
      volume: q.volume[row],
      timestampMs: Number(q.timestamp[row]) / 1000,
      dayHigh: q.dayHigh[row],
      dayLow: q.dayLow[row],
      dayOpen: q.dayOpen[row],
      previousClose: nullFromNaN(q.previousClose[row]),
      marketCap: nullFromNaN(q.marketCap[row]),
      rsi14: nullFromNaN(q.rsi14[row]),
      peRatio: nullFromNaN(q.peRatio[row]),
      dividendYield: nullFromNaN(q.dividendYield[row]),
    };
  }

  screener(): ScreenerTable {
    this.#screener ??= screenerTable(this.id, this.#quotes, this.listings);
    return this.#screener;
  }

  /** Closes every file; the snapshot and those that share files with it can't be read any more. */
  close(): void {
    for (const file of openFiles(this)) file.close();
  }
}

function copyBarColumns(parts: readonly SeriesPart[], range: RowRange, out: BarColumns): void {
  const { timestampUs, open, high, low, close, volume } = out;
  const ts = new Float64Array(timestampUs.buffer, timestampUs.byteOffset, timestampUs.length);
  copyCandles(parts, range, ALL_CANDLE_COLUMNS, [ts, open, high, low, close, volume]);
}

function nullFromNaN(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}

function checkedRange(parts: readonly SeriesPart[], range: RowRange | undefined): RowRange {
  const rowCount = rowCountOf(parts);
  if (!range) return { start: 0, end: rowCount };
  const { start, end } = range;
  assert(0 <= start && start <= end && end <= rowCount, `rows ${start} to ${end} of ${rowCount}`);
  return range;
}

function openFiles({ layers }: PublishedVersion): ServingFile[] {
  return layers.flatMap(({ volumes }) => volumes.flatMap((v) => [v.candles, v.indicators]));
}

function openLayers(
  folder: string,
  manifest: Manifest,
  previous: PublishedVersion | undefined,
): OpenLayer[] {
  const { indicatorColumns } = manifest;
  const files = new Map((previous ? openFiles(previous) : []).map((file) => [file.name, file]));
  const openFile = (file: VolumeFile, columns: readonly ColumnSpec[], keepBodies: boolean) => {
    const open = files.get(file.name);
    return open?.isOfPath() ? open : new ServingFile(folder, file, columns, keepBodies);
  };
  return manifest.layers.map(
    (layer) =>
      previous?.layers.find((open) => isDeepStrictEqual(open.layer, layer)) ??
      new OpenLayer(folder, layer, indicatorColumns, openFile),
  );
}
