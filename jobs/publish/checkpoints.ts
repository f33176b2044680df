/**
 * Reads and saves checkpoints: those in the layers of a version, advanced over its delta batches.
 */

import { blankBars, gatheredBars } from '../../src/base/bars.ts';
import { assert } from '../../src/base/errors.ts';
import { SERVED_INTERVALS } from '../../src/base/time/intervals.ts';
import {
  CHECKPOINT_FIELDS,
  Checkpoints,
  type NewDailyBars,
} from '../../src/compute/indicators/checkpoints.ts';
import {
  fieldsOfStates,
  readStates,
  type SavedStates,
} from '../../src/store/arrow/format/state-file.ts';
import { CANDLE_COLUMNS } from '../../src/store/arrow/format/tables.ts';
import type { OpenLayer } from '../../src/store/arrow/read/layer.ts';
import type { PublishedVersion } from '../../src/store/arrow/read/published-version.ts';

const DAILY = SERVED_INTERVALS.indexOf('1d');

/**
 * Reads 12 MB for 10,000 symbols, and the delta batches.
 *
 * @param published A version for which `canContinue` is true.
 * @param wanted Numbers of the symbols whose checkpoints are used; default all.
 * @returns checkpoints by symbol number.
 * @throws {CorruptDataError} the saved bytes are damaged.
 */
export function openCheckpoints(
  folder: string,
  published: PublishedVersion,
  wanted?: ReadonlySet<number>,
): Checkpoints {
  const { layers, directory } = published;
  const symbolCount = directory.names.length;
  let checkpoints = new Checkpoints(new Float64Array(0));
  let newer: NewDailyBars[] = [];
  for (const layer of layers) {
    if (layer.layer.states) {
      checkpoints.replay(newer);
      newer = [];
      const saved = readStates(folder, layer.layer.states);
      checkpoints = withSaved(checkpoints, saved, symbolCount);
    }
    const days = slicedDays(layer, wanted);
    if (days) newer.push(days);
  }
  checkpoints.replay(newer);
  return checkpoints.symbolCount === symbolCount ? checkpoints : grown(checkpoints, symbolCount);
}

/** Returns true if the saved states have this program's checkpoint layout. */
export function canContinue({ layers }: PublishedVersion): boolean {
  return layers.every(({ layer: { states } }) => {
    const fields = states && fieldsOfStates(states);
    return fields === undefined || fields === CHECKPOINT_FIELDS;
  });
}

/** Returns checkpoints of `symbolCount` symbols in which saved rows replace the given ones. */
export function withSaved(
  checkpoints: Checkpoints,
  { symbols, rows }: SavedStates,
  symbolCount: number,
): Checkpoints {
  assert(
    rows.length === symbols.length * CHECKPOINT_FIELDS,
    'saved states are rows of checkpoints',
  );
  // A base has all symbols in order, so its bytes are the checkpoints.
  const isWhole = symbols.length === symbolCount && symbols.every((symbol, i) => symbol === i);
  if (isWhole) return new Checkpoints(rows);
  const all =
    checkpoints.symbolCount === symbolCount ? checkpoints : grown(checkpoints, symbolCount);
  symbols.forEach((symbol, i) => {
    all.row(symbol).set(rows.subarray(i * CHECKPOINT_FIELDS, (i + 1) * CHECKPOINT_FIELDS));
  });
  return all;
}

function grown({ rows }: Checkpoints, symbolCount: number): Checkpoints {
  const larger = new Float64Array(symbolCount * CHECKPOINT_FIELDS);
  larger.set(rows);
  return new Checkpoints(larger);
}

/** Returns the wanted daily bars in a layer's delta batches; undefined if these have none. */
function slicedDays(layer: OpenLayer, wanted?: ReadonlySet<number>): NewDailyBars | undefined {
  const { interval, volume, symbol, row, rows } = layer.parts;
  const isSliced = (part: number) =>
    interval[part] === DAILY && layer.volumes[volume[part]].role === 'slices';
  // The index begins with the daily parts.
  const first = interval.findIndex((_, part) => isSliced(part));
  if (first === -1) return undefined;
  // Deltas of an interval are one batch.
  const place = layer.place(first, 'candles');
  const batch = blankBars(place.rowCount);
  const outputs = Object.values(batch).map((column) => new Float64Array(column.buffer));
  const columns = [...CANDLE_COLUMNS.keys()];
  const whole = { row: 0, count: place.rowCount };
  layer.volumes[volume[first]].candles.copyRows(place, columns, whole, outputs, 0);
  const symbols = new Int32Array(place.rowCount);
  const from = new Int32Array(place.rowCount);
  let at = 0;
  for (let part = first; interval[part] === DAILY; part++) {
    if (!isSliced(part) || wanted?.has(symbol[part]) === false) continue;
    for (let i = 0; i < rows[part]; i++) {
      symbols[at] = symbol[part];
      from[at++] = row[part] + i;
    }
  }
  return {
    symbols: symbols.subarray(0, at),
    bars: gatheredBars(batch, from.subarray(0, at)),
  };
}

/** Checkpoints that a publish saves with its layer. */
export class CheckpointsToSave {
  readonly #symbols: number[] = [];
  readonly #rows: Float64Array[] = [];

  /** @param checkpoint Copied. */
  add(symbol: number, checkpoint: Float64Array): void {
    this.#symbols.push(symbol);
    this.#rows.push(checkpoint.slice());
  }

  states(): SavedStates {
    const rows = new Float64Array(this.#rows.length * CHECKPOINT_FIELDS);
    this.#rows.forEach((row, i) => {
      rows.set(row, i * CHECKPOINT_FIELDS);
    });
    return { symbols: Uint32Array.from(this.#symbols), rows };
  }
}
