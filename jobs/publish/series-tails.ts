/**
 * The tails of a published version: those saved with its layers, advanced over the slices that
 * lie over them.
 */

import { blankBars, gatheredBars } from '../../src/base/bars.ts';
import { assert } from '../../src/base/errors.ts';
import { SERVED_INTERVALS } from '../../src/base/time/intervals.ts';
import { defaultColumns } from '../../src/compute/indicators/catalogue.ts';
import { incrementalColumnNames } from '../../src/compute/indicators/incremental.ts';
import { SeriesTails } from '../../src/compute/indicators/series-tails.ts';
import { TAIL_FIELDS } from '../../src/compute/indicators/tail-fields.ts';
import type { NewDailyBars } from '../../src/compute/indicators/tail-rows.ts';
import {
  fieldsOfStates,
  readStates,
  type SavedStates,
} from '../../src/store/arrow/format/state-file.ts';
import { CANDLE_COLUMNS } from '../../src/store/arrow/format/tables.ts';
import type { OpenLayer } from '../../src/store/arrow/read/layer.ts';
import type { PublishedVersion } from '../../src/store/arrow/read/published-version.ts';

const DAILY = SERVED_INTERVALS.indexOf('1d');

assert(
  defaultColumns.every(({ name }, i) => name === incrementalColumnNames[i]),
  'tails give the published columns in their order',
);

/**
 * Reads 11 MB for 10,000 symbols, and the slices: some 30 ms.
 *
 * @returns Tails by symbol number, to be advanced further.
 * @param published As `hasTails` wants it.
 * @throws {CorruptDataError} the saved bytes do not match their checksum.
 */
export function openTails(folder: string, published: PublishedVersion): SeriesTails {
  const { layers, directory } = published;
  let tails = new SeriesTails(new Float64Array(0));
  for (const layer of layers) {
    if (layer.layer.states) {
      const saved = readStates(folder, layer.layer.states);
      tails = withSaved(tails, saved, directory.names.length);
    }
    const days = slicedDays(layer);
    if (days) tails.replay(days);
  }
  const symbolCount = directory.names.length;
  return tails.symbolCount === symbolCount ? tails : grown(tails, symbolCount);
}

/** Whether the states that a version's layers have saved are tails as this program has them. */
export function hasTails({ layers }: PublishedVersion): boolean {
  return layers.every(({ layer: { states } }) => {
    const fields = states && fieldsOfStates(states);
    return fields === undefined || fields === TAIL_FIELDS;
  });
}

/** `tails` with the saved rows in place of theirs; room for `symbolCount` symbols. */
export function withSaved(
  tails: SeriesTails,
  { symbols, rows }: SavedStates,
  symbolCount: number,
): SeriesTails {
  assert(rows.length === symbols.length * TAIL_FIELDS, 'saved states are rows of tails');
  // The base has all symbols in order: its bytes are the tails.
  const isWhole = symbols.length === symbolCount && symbols.every((symbol, i) => symbol === i);
  if (isWhole) return new SeriesTails(rows);
  const all = tails.symbolCount === symbolCount ? tails : grown(tails, symbolCount);
  symbols.forEach((symbol, i) => {
    all.row(symbol).set(rows.subarray(i * TAIL_FIELDS, (i + 1) * TAIL_FIELDS));
  });
  return all;
}

function grown({ rows }: SeriesTails, symbolCount: number): SeriesTails {
  const larger = new Float64Array(symbolCount * TAIL_FIELDS);
  larger.set(rows);
  return new SeriesTails(larger);
}

/** The daily bars in a layer's slices, by symbol; undefined where there are none. */
function slicedDays(layer: OpenLayer): NewDailyBars | undefined {
  const { interval, volume, symbol, row, rows } = layer.parts;
  const isSliced = (part: number) =>
    interval[part] === DAILY && layer.volumes[volume[part]].role === 'slices';
  // The index begins with the daily parts.
  const first = interval.findIndex((_, part) => isSliced(part));
  if (first === -1) return undefined;
  // Slices of an interval are one batch.
  const place = layer.candlePlace(first);
  const batch = blankBars(place.rowCount);
  const outputs = Object.values(batch).map((column) => new Float64Array(column.buffer));
  const columns = [...CANDLE_COLUMNS.keys()];
  const whole = { row: 0, count: place.rowCount };
  layer.volumes[volume[first]].candles.copyRows(place, columns, whole, outputs, 0);
  const symbols = new Int32Array(place.rowCount);
  const from = new Int32Array(place.rowCount);
  let at = 0;
  for (let part = first; interval[part] === DAILY; part++) {
    if (!isSliced(part)) continue;
    for (let i = 0; i < rows[part]; i++) {
      symbols[at] = symbol[part];
      from[at++] = row[part] + i;
    }
  }
  return { symbols, bars: gatheredBars(batch, from) };
}

/** Collects tails that a publish saves with its layer. */
export class SavedTails {
  readonly #symbols: number[] = [];
  #rows = new Float64Array(TAIL_FIELDS);

  /** @param tail Copied. */
  add(symbol: number, tail: Float64Array): void {
    const at = this.#symbols.length * TAIL_FIELDS;
    if (at + TAIL_FIELDS > this.#rows.length) {
      const grown = new Float64Array(2 * this.#rows.length);
      grown.set(this.#rows);
      this.#rows = grown;
    }
    this.#rows.set(tail, at);
    this.#symbols.push(symbol);
  }

  states(): SavedStates {
    const rows = this.#rows.subarray(0, this.#symbols.length * TAIL_FIELDS);
    return { symbols: Uint32Array.from(this.#symbols), rows };
  }
}
