/** Writes intraday series into a publish's layer: numbers them and chooses a file for their rows. */

import { isDeepStrictEqual } from 'node:util';
import type { BarColumns } from '../../../src/base/bars.ts';
import { limits } from '../../../src/base/limits.ts';
import type { IntradaySeriesInterval } from '../../../src/base/time/intervals.ts';
import type { IntradayFacts, IntradayPart } from '../../../src/store/arrow/read/intraday-part.ts';
import { addToMonths } from '../../../src/store/arrow/write/compact-intraday.ts';
import type { LayerWriter, SlicedSeries } from '../../../src/store/arrow/write/layer-writer.ts';
import type { IntradayContent } from '../../../src/store/arrow/write/publication.ts';
import type { WinningSeries } from '../../../src/store/duckdb/candles/read-bars.ts';

export class IntradaySeriesWriter {
  readonly #layer: LayerWriter;
  readonly #published: IntradayPart | undefined;
  readonly #isBulk: boolean;
  /** Facts by number that differ from the published ones. */
  readonly #changed = new Map<number, IntradayFacts | undefined>();
  readonly #newNumbers = new Map<string, number>();
  #count: number;

  /**
   * @param newRows Rows of series that are written whole. If they are a large share of all, files
   *   of months are written at once.
   */
  constructor(layer: LayerWriter, published: IntradayPart | undefined, newRows: number) {
    this.#layer = layer;
    this.#published = published;
    this.#count = published?.seriesCount ?? 0;
    this.#isBulk = newRows > limits.serving.overrideShareMax * rowsIn(published) || !published;
  }

  /** Returns the facts of a series as they will be published. */
  facts(symbol: string, interval: IntradaySeriesInterval): IntradayFacts | undefined {
    const number = this.number(symbol, interval);
    if (number === undefined) return undefined;
    return this.#changed.has(number) ? this.#changed.get(number) : this.#published?.facts(number);
  }

  number(symbol: string, interval: IntradaySeriesInterval): number | undefined {
    return (
      this.#newNumbers.get(`${interval} ${symbol}`) ?? this.#published?.number(symbol, interval)
    );
  }

  /** Writes the rows of a series from `firstRow` on. Without rows the series ends there. */
  async add(facts: IntradayFacts, firstRow: number, bars: BarColumns): Promise<void> {
    const number = this.#numberOf(facts);
    const { interval } = facts;
    const rows = { firstRow, bars, indicators: [] };
    if (bars.close.length === 0) this.#layer.endSeries(number, interval, firstRow);
    else if (this.#isBulk) addToMonths(this.#layer, number, interval, rows);
    else if (bars.close.length > limits.serving.deltaRowsMax) {
      this.#layer.addBatch(number, interval, 'patches', rows);
    } else this.#layer.addToSlice(number, interval, rows);
    await this.#layer.settle();
  }

  addSlices(interval: IntradaySeriesInterval, rows: Omit<SlicedSeries, 'indicators'>): void {
    this.#layer.addSlices(interval, { ...rows, indicators: [] });
  }

  /** Returns true if the rows are few enough for a delta batch. */
  isSlice(rowCount: number): boolean {
    return !this.#isBulk && rowCount > 0 && rowCount <= limits.serving.deltaRowsMax;
  }

  remove(symbol: string, interval: IntradaySeriesInterval): void {
    const number = this.number(symbol, interval);
    if (number === undefined) return;
    this.#layer.endSeries(number, interval, 0);
    this.#changed.set(number, undefined);
  }

  set(facts: IntradayFacts): void {
    this.#numberOf(facts);
  }

  /** @returns undefined if nothing was written. */
  content(): IntradayContent | undefined {
    if (this.#layer.isEmpty && this.#changed.size === 0 && this.#published) return undefined;
    const series = Array.from({ length: this.#count }, (_, number) =>
      this.#changed.has(number) ? this.#changed.get(number) : this.#published?.facts(number),
    );
    return {
      tier: this.#isBulk ? 'month' : 'slice',
      layersKept: this.#published?.layers.length ?? 0,
      series: this.#changed.size > 0 || !this.#published ? series : undefined,
    };
  }

  #numberOf(facts: IntradayFacts): number {
    const { symbol, interval } = facts;
    const known = this.number(symbol, interval);
    if (known !== undefined) {
      if (!isDeepStrictEqual(this.facts(symbol, interval), facts)) this.#changed.set(known, facts);
      return known;
    }
    const number = this.#count++;
    this.#newNumbers.set(`${interval} ${symbol}`, number);
    this.#changed.set(number, facts);
    return number;
  }
}

function rowsIn(published: IntradayPart | undefined): number {
  let rowCount = 0;
  for (const { batches } of published?.layers ?? []) {
    for (const rows of batches.rows) rowCount += rows;
  }
  return rowCount;
}

/** Returns the published facts of a stored series; a raw one has no vintage. */
export function factsOfSeries(
  { symbol, source, basis, asOfUs }: WinningSeries,
  interval: IntradaySeriesInterval,
): IntradayFacts {
  return { symbol, interval, source, basis, asOfUs: basis === 'raw' ? undefined : asOfUs };
}
