/** Figures of all companies of a version, from its layers. */

import { isDeepStrictEqual } from 'node:util';
import { MICROS_PER_MILLI } from '../../../base/bars.ts';
import type { FigureName } from '../../../base/companies/figures.ts';
import type { CorruptDataError } from '../../../base/errors.ts';
import { rowOfTimestamp } from '../../../base/search-sorted.ts';
import type { KnownFigures } from '../../../compute/companies/company-history.ts';
import type { FigureLayer } from '../format/manifest-types.ts';
import { FIGURE_COLUMNS } from '../format/tables.ts';
import { OpenFigureLayer } from './layer.ts';

/** Figures by symbol, NaN where unknown. */
export interface FigureColumns {
  /** Moment from which a row is known, in milliseconds; NaN for a symbol without figures. */
  knownMs: Float64Array;
  figures: Record<FigureName, Float64Array>;
}

/** Returns false for a layer with the figures of another program. */
export function isReadable({ columnCount }: FigureLayer): boolean {
  return columnCount === FIGURE_COLUMNS.length;
}

/** Symbols that a step looks up, some 0.3 µs each. */
const STEP_SYMBOLS = 2048;

interface Place {
  layer: OpenFigureLayer;
  /** Row of the layer's index. */
  place: number;
}

export class CompanyFiguresReader {
  readonly layers: readonly OpenFigureLayer[];
  #places: Map<string, Place> | undefined;

  /** Opens layers, oldest first, and shares those of `previous`, an older version. */
  constructor(
    folder: string,
    layers: readonly FigureLayer[] | undefined,
    previous?: CompanyFiguresReader,
  ) {
    this.layers = (layers ?? [])
      .filter(isReadable)
      .map(
        (layer) =>
          previous?.layers.find((one) => isDeepStrictEqual(one.layer, layer) && one.isOfPath()) ??
          new OpenFigureLayer(folder, layer),
      );
  }

  /** Returns the figures of a symbol, oldest first; none for an unknown one. */
  history(symbol: string): KnownFigures[] {
    const found = this.#placesBySymbol().get(symbol);
    return found ? found.layer.history(found.place) : [];
  }

  /** Returns the number of a symbol's rows without reading them. */
  rowCount(symbol: string): number {
    const found = this.#placesBySymbol().get(symbol);
    return found ? found.layer.index.rows[found.place] : 0;
  }

  /**
   * Reads the newest figures of symbols that are known by a moment. A step reads one batch, some
   * 0.2 ms.
   *
   * @param knownByMs Inclusive; infinite for the newest.
   */
  *knownBy(
    symbols: readonly string[],
    knownByMs: number,
    names: readonly FigureName[],
  ): Generator<void, FigureColumns> {
    const blank = () => new Float64Array(symbols.length).fill(Number.NaN);
    const knownMs = blank();
    const figures = Object.fromEntries(names.map((name) => [name, blank()]));
    for (const [layer, batches] of yield* this.#batchesOf(symbols)) {
      for (const [batch, rows] of batches) {
        yield;
        const read = layer.readBatch(batch, names);
        for (const { row, place } of rows) {
          const found = knownRow(read.known, layer, place, knownByMs);
          if (found === undefined) continue;
          knownMs[row] = Number(read.known[found]) / MICROS_PER_MILLI;
          for (const name of names) figures[name][row] = read.figures[name]![found];
        }
      }
    }
    return { knownMs, figures: figures as Record<FigureName, Float64Array> };
  }

  /** Returns the batches that have rows of symbols, by layer. */
  *#batchesOf(symbols: readonly string[]) {
    const places = this.#placesBySymbol();
    const layers = new Map<OpenFigureLayer, Map<number, { row: number; place: number }[]>>();
    for (const [row, symbol] of symbols.entries()) {
      if (row % STEP_SYMBOLS === 0) yield;
      const found = places.get(symbol);
      if (!found) continue;
      const { layer, place } = found;
      const batches = layers.get(layer) ?? new Map<number, { row: number; place: number }[]>();
      layers.set(layer, batches);
      const batch = layer.index.batch[place];
      const rows = batches.get(batch);
      if (rows) rows.push({ row, place });
      else batches.set(batch, [{ row, place }]);
    }
    return layers;
  }

  #placesBySymbol(): Map<string, Place> {
    if (this.#places) return this.#places;
    this.#places = new Map();
    for (const layer of this.layers) {
      for (const [place, symbol] of layer.index.symbol.entries()) {
        if (layer.index.rows[place] > 0) this.#places.set(symbol, { layer, place });
        else this.#places.delete(symbol);
      }
    }
    return this.#places;
  }

  get damage(): CorruptDataError | undefined {
    for (const { damage } of this.layers) if (damage) return damage;
    return undefined;
  }

  close(): void {
    for (const layer of this.layers) layer.close();
  }
}

/** Returns the last row of a symbol that is known by a moment; undefined if none is. */
function knownRow(
  known: BigInt64Array,
  { index }: OpenFigureLayer,
  place: number,
  knownByMs: number,
): number | undefined {
  const first = index.row[place];
  const end = first + index.rows[place];
  if (knownByMs === Number.POSITIVE_INFINITY) return end - 1;
  const afterUs = BigInt(Math.floor(knownByMs) * MICROS_PER_MILLI) + 1n;
  const count = rowOfTimestamp(known.subarray(first, end), afterUs);
  return count === 0 ? undefined : first + count - 1;
}
