/** The open intraday series of a published version: bars without indicators. */

import { isDeepStrictEqual } from 'node:util';
import type { Basis } from '../../../base/bars.ts';
import { CorruptDataError } from '../../../base/errors.ts';
import {
  INTRADAY_SERIES,
  type IntradaySeriesInterval,
  SERVED_INTERVALS,
} from '../../../base/time/intervals.ts';
import { NULL_MICROS } from '../format/batch-layout.ts';
import { readManifest } from '../format/manifest.ts';
import type { IntradayManifest } from '../format/manifest-types.ts';
import { readTable, type TableData } from '../format/table-file.ts';
import { INTRADAY_SERIES_TABLE } from '../format/tables.ts';
import { type OpenLayer, openLayers } from './layer.ts';
import { type SeriesPart, seriesParts } from './series-parts.ts';

/** Facts of an intraday series, besides its symbol's corporate actions. */
export interface IntradayFacts {
  symbol: string;
  interval: IntradaySeriesInterval;
  source: string;
  basis: Basis;
  /** Vintage; raw series have none. */
  asOfUs: bigint | undefined;
}

type SeriesTable = TableData<typeof INTRADAY_SERIES_TABLE>;
type Numbers = Record<IntradaySeriesInterval, Map<string, number>>;

export class IntradayPart {
  readonly manifest: IntradayManifest;
  readonly layers: readonly OpenLayer[];
  readonly #series: SeriesTable;
  readonly #numbers: Numbers;

  constructor(folder: string, manifest: IntradayManifest, previous?: IntradayPart) {
    this.manifest = manifest;
    this.layers = openLayers(folder, manifest.layers, [], previous?.layers ?? []);
    if (previous && isDeepStrictEqual(previous.manifest.series, manifest.series)) {
      this.#series = previous.#series;
      this.#numbers = previous.#numbers;
    } else {
      this.#series = readTable(folder, manifest.series, INTRADAY_SERIES_TABLE);
      this.#numbers = numbersOf(this.#series);
    }
  }

  /** Series by number, some of which may be gaps. */
  get seriesCount(): number {
    return this.#series.symbol.length;
  }

  number(symbol: string, interval: IntradaySeriesInterval): number | undefined {
    return this.#numbers[interval].get(symbol);
  }

  symbols(interval: IntradaySeriesInterval): ReadonlyMap<string, number> {
    return this.#numbers[interval];
  }

  /** Returns undefined for a gap: a series that was removed. */
  facts(number: number): IntradayFacts | undefined {
    const { symbol, interval, source, basis, as_of } = this.#series;
    if (symbol[number] === '') return undefined;
    return {
      symbol: symbol[number],
      interval: interval[number] as IntradaySeriesInterval,
      source: source[number],
      basis: basis[number] as Basis,
      asOfUs: as_of[number] === NULL_MICROS ? undefined : as_of[number],
    };
  }

  *series(): Generator<{ number: number; interval: IntradaySeriesInterval }> {
    for (let number = 0; number < this.seriesCount; number++) {
      const interval = this.#series.interval[number] as IntradaySeriesInterval;
      if (this.#series.symbol[number] !== '') yield { number, interval };
    }
  }

  parts(number: number, interval: IntradaySeriesInterval): SeriesPart[] {
    return seriesParts(this.layers, SERVED_INTERVALS.indexOf(interval), number);
  }
}

/** Opens the intraday part. Damage is returned, not thrown: daily bars can still be read. */
export function openIntraday(
  folder: string,
  manifest: IntradayManifest | undefined,
  previous: IntradayPart | CorruptDataError | undefined,
): IntradayPart | CorruptDataError | undefined {
  try {
    const open = previous instanceof IntradayPart ? previous : undefined;
    return manifest && new IntradayPart(folder, manifest, open);
  } catch (error) {
    if (error instanceof CorruptDataError) return error;
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    // A newer version may have removed it. If the manifest still names it, it is lost.
    if (!isMissing || !isDeepStrictEqual(readManifest(folder)?.intraday, manifest)) throw error;
    return new CorruptDataError(`the intraday bars in "${folder}" lack a file`, { cause: error });
  }
}

function numbersOf({ symbol, interval }: SeriesTable): Numbers {
  const numbers = Object.fromEntries(INTRADAY_SERIES.map((name) => [name, new Map()])) as Numbers;
  for (const [number, name] of symbol.entries()) {
    if (name !== '') numbers[interval[number] as IntradaySeriesInterval].set(name, number);
  }
  return numbers;
}
